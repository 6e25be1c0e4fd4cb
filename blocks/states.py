"""The emoji and the word of each state: one table, so that no card tells a state by colour or picture alone."""

from dataclasses import dataclass
from typing import assert_never

from actions.kit.records import Card, Cause, Choice, InterruptStatus, RunStatus


@dataclass(frozen=True, slots=True)
class State:
    """How a state is shown: always both."""

    emoji: str
    word: str

    def __str__(self) -> str:
        return f"{self.emoji} {self.word}"


RUN_STATES = {
    RunStatus.QUEUED: State("⏳", "Queued"),
    RunStatus.RUNNING: State("⏳", "Running"),
    RunStatus.WAITING: State("🕐", "Waiting for an answer"),
    RunStatus.SUCCEEDED: State("🎉", "Done"),
    RunStatus.FAILED: State("⚠️", "Failed"),
    RunStatus.DECLINED: State("🚫", "Declined"),
    RunStatus.EXPIRED: State("⌛", "Expired"),
    RunStatus.CANCELLED: State("✖️", "Cancelled"),
    RunStatus.STALLED: State("❓", "Stalled"),
    RunStatus.HELD: State("⏸️", "Held"),
}
INTERRUPT_STATES = {
    InterruptStatus.PENDING: State("🕐", "Waiting for an answer"),
    InterruptStatus.ANSWERED: State("✅", "Answered"),
    InterruptStatus.DECLINED: State("🚫", "Declined"),
    InterruptStatus.EXPIRED: State("⌛", "Expired"),
    InterruptStatus.CANCELLED: State("✖️", "Cancelled"),
    InterruptStatus.SUPERSEDED: State("🔁", "Asked again"),
}
UNDELIVERABLE = State("📪", "Undeliverable")

PARTICIPLES = {
    "accept": "Accepted",
    "allow": "Allowed",
    "approve": "Approved",
    "confirm": "Confirmed",
    "decline": "Declined",
    "deny": "Denied",
    "refuse": "Refused",
    "reject": "Rejected",
}


def decided(choice: Choice | None, status: InterruptStatus) -> State:
    """How an answer is told: "Approved" for the choice "Approve", and a quote where no such word is known."""
    emoji = INTERRUPT_STATES[status].emoji
    if choice is None:
        return INTERRUPT_STATES[status]
    title = choice.title.strip()
    if title.lower().endswith("ed") and not title.lower().endswith("eed"):
        return State(emoji, title)
    return State(emoji, PARTICIPLES.get(title.lower(), f"Answered “{title}”"))


def interrupt_state(card: Card) -> State:
    """What the first line of a settled card says, or that it waits."""
    interrupt = card.interrupt
    match interrupt.status:
        case InterruptStatus.ANSWERED | InterruptStatus.DECLINED:
            by_rule = interrupt.cause is Cause.EXPIRED and interrupt.choice is None
            return INTERRUPT_STATES[interrupt.status] if by_rule else decided(chosen_choice(card), interrupt.status)
        case InterruptStatus.PENDING if interrupt.undeliverable:
            return UNDELIVERABLE
        case InterruptStatus.PENDING | InterruptStatus.EXPIRED | InterruptStatus.CANCELLED | InterruptStatus.SUPERSEDED:
            return INTERRUPT_STATES[interrupt.status]
    assert_never(interrupt.status)


def chosen_choice(card: Card) -> Choice | None:
    key = card.interrupt.choice
    return None if key is None else card.interrupt.shape.choice(key)


def executes(card: Card) -> bool:
    """Whether the card has an execution line: only an answer leads to one."""
    return card.interrupt.status is InterruptStatus.ANSWERED


def card_state(card: Card) -> str:
    """The state in one phrase, for notifications: the decision, and what became of it."""
    decision = str(interrupt_state(card))
    if executes(card) and card.run.status is not RunStatus.WAITING:
        return f"{decision} · {RUN_STATES[card.run.status]}"
    return decision

"""The emoji and the word of each state: one table, so that no card tells a state by colour or picture alone."""

from dataclasses import dataclass
from typing import assert_never

from actions.kit.records.interrupts import Card, Cause, Choice, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks import limits
from blocks.text import clip, escape, one_line


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
    title = clip(one_line(choice.title), limits.BUTTON_TEXT)
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


BRIEF = 12
"""Characters of a decision's word that a card has room for, however small."""


def brief_decision(card: Card) -> State:
    """The decision without anybody's words for it."""
    state = interrupt_state(card)
    return (
        state if state.word.isascii() and len(escape(state.word)) <= BRIEF else INTERRUPT_STATES[card.interrupt.status]
    )


def brief_execution(card: Card) -> State | None:
    """How far the run is after an answer, in one word."""
    if not executes(card):
        return None
    return State("🕐", "Waiting") if card.run.status is RunStatus.WAITING else RUN_STATES[card.run.status]


def brief_card_state(card: Card) -> str:
    return " · ".join(str(state) for state in (brief_decision(card), brief_execution(card)) if state)


def card_state(card: Card) -> str:
    """The state in one phrase, for notifications: the decision, and what became of it."""
    decision = str(interrupt_state(card))
    if executes(card) and card.run.status is not RunStatus.WAITING:
        return f"{decision} · {RUN_STATES[card.run.status]}"
    return decision

"""The operators' list: what is stuck, why, since when, and what may be done about each. A modal, redrawn after each order."""

from collections.abc import Sequence
from typing import Any

from actions.kit.records.runs import Hindrance, RunRecord, Stuck
from blocks.choices import ORDER_TITLES, WITHDRAW, Verb, actions_block, order_button, to_text
from blocks.clicks import STUCK_VIEW
from blocks.settled import CODE_FIRST, UNKNOWN_WHETHER, run_again_style
from blocks.states import RUN_STATES, UNDELIVERABLE, State
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, one_line, plain
from blocks.undelivered import remedy_for, why_undelivered
from blocks.views import modal

PAGE = 10
"""Runs on one page: four blocks each, of the hundred that a modal may have."""

NAME, QUESTION, DETAIL = 80, 150, 300
TITLE = "What is stuck"

STATES: dict[Hindrance, State] = {
    Hindrance.STALLED: State("❓", "Stalled"),
    Hindrance.UNDELIVERABLE: UNDELIVERABLE,
    Hindrance.LOST: State("👻", "Left behind"),
    Hindrance.BLOCKED: State("🧱", "Blocked"),
    Hindrance.LATE: State("⏳", "Not taken up"),
    Hindrance.UNSEEN: State("🕐", "Not posted"),
    Hindrance.HELD: State("⏸️", "Held"),
    Hindrance.FAILED: State("⚠️", "Failed"),
}
WORDS: dict[Hindrance, str] = {
    Hindrance.STALLED: f"{UNKNOWN_WHETHER}; look where it should have had its effect",
    Hindrance.UNDELIVERABLE: "its card could not be posted",
    Hindrance.LOST: "whoever executed it gave no sign of life; a running bot takes it over",
    Hindrance.BLOCKED: "it keeps its thread to itself",
    Hindrance.LATE: "no bot has taken it up",
    Hindrance.UNSEEN: "its card does not stand in Slack yet",
    Hindrance.HELD: "it goes on by itself when the code that it needs is back",
    Hindrance.FAILED: "it may be run again",
}
ORDERS: dict[Hindrance, tuple[tuple[Verb, str | None], ...]] = {
    Hindrance.STALLED: (("run_again", "danger"), ("it_happened", None), ("it_did_not", None)),
    Hindrance.UNDELIVERABLE: (("deliver_again", "primary"), ("cancel", None)),
    Hindrance.LOST: (("cancel", None),),
    Hindrance.BLOCKED: (("cancel", None),),
    Hindrance.LATE: (("cancel", None),),
    Hindrance.UNSEEN: (("cancel", None),),
    Hindrance.HELD: (("cancel", None),),
}


def stuck_view(found: Sequence[Stuck], *, total: int, page: int, said: str | None = None) -> dict[str, Any]:
    """One page of the list. `said` is mrkdwn about the last order: whatever in it is data was escaped by the caller."""
    told: list[dict[str, Any]] = [{"type": "section", "text": mrkdwn(said)}, {"type": "divider"}] if said else []
    runs = [block for stuck in found for block in _entry(stuck)]
    turns = actions_block(f"turns:{page}", _turns(page, total))
    blocks = [*told, _count(len(found), total, page), *runs, *turns]
    return {
        **modal(TITLE, blocks, close="Close"),
        "callback_id": STUCK_VIEW,
        "private_metadata": to_text({"page": page}),
    }


def order_words(run: RunRecord, verb: Verb) -> str:
    """Mrkdwn: what was ordered, and how the run stands now."""
    return f"*{ORDER_TITLES[verb]}*: “{_name(run)}” is now {RUN_STATES[run.status]}."


def cancel_asked_words(run: RunRecord) -> str:
    return f"*{ORDER_TITLES['cancel']}*: “{_name(run)}” executes, and was asked to stop."


def withdrew_words(run: RunRecord) -> str:
    asking = ", ".join(map(mention, run.asking))
    return f"*{WITHDRAW}*: you do not ask for “{_name(run)}” any more. It goes on, since {asking} still ask for it."


def delivering_words(run: RunRecord) -> str:
    return f"*{ORDER_TITLES['deliver_again']}*: the card of “{_name(run)}” is on its way."


def _count(shown: int, total: int, page: int) -> dict[str, Any]:
    if not total:
        return {"type": "section", "text": mrkdwn("✅ Nothing is stuck.")}
    first = page * PAGE + 1
    which = f"these are {first:,} to {first + shown - 1:,}" if total > shown else "what needs a person most comes first"
    runs = "1 run needs" if total == 1 else f"{total:,} runs need"
    return {"type": "context", "elements": [mrkdwn(f"{runs} somebody; {which}. Each order is noted under your name.")]}


def _entry(stuck: Stuck) -> list[dict[str, Any]]:
    run, state = stuck.run, STATES[stuck.why]
    head = f"{state.emoji} *{escape(state.word)}* · *{_name(run)}* · asked by {mention(run.requester)}"
    asked = f"\n“{escape(clip(one_line(stuck.question), QUESTION))}”" if stuck.question else ""
    line = f"{head}{asked}\nsince {date_token(stuck.since)} · {_why(stuck)}"
    return [
        {"type": "divider"},
        {"type": "section", "text": mrkdwn(line)},
        {"type": "context", "elements": [plain(run.id), *_failure(run)]},
        *actions_block(f"stuck:{run.id}:{run.epoch}:{stuck.why}", [_button(stuck, *each) for each in _orders(stuck)]),
    ]


def _orders(stuck: Stuck) -> tuple[tuple[Verb, str | None], ...]:
    if stuck.why is Hindrance.FAILED:
        return (("run_again", run_again_style(stuck.run)),)
    return ORDERS[stuck.why]


def _name(run: RunRecord) -> str:
    return escape(clip(one_line(run.action_name), NAME))


def _failure(run: RunRecord) -> list[dict[str, Any]]:
    """What a failure says is someone's text, so it stands as plain text."""
    said = clip(clean(run.failure.message).strip(), DETAIL) if run.failure else ""
    return [plain(said)] if said else []


def _why(stuck: Stuck) -> str:
    detail = stuck.detail or ""
    match stuck.why:
        case Hindrance.UNDELIVERABLE:
            return f"{why_undelivered(detail)}. {remedy_for(detail)}"
        case Hindrance.FAILED if stuck.run.failure and stuck.run.failure.needs_new_code:
            return CODE_FIRST
        case Hindrance.BLOCKED if detail:
            return f"{WORDS[stuck.why]}, at {escape(clip(one_line(detail), DETAIL))}"
    return WORDS[stuck.why]


def _button(stuck: Stuck, verb: Verb, style: str | None) -> dict[str, Any]:
    interrupt_id = stuck.interrupt_id if verb == "deliver_again" else None
    label = f"{ORDER_TITLES[verb]}: {one_line(stuck.run.action_name)}"
    return order_button(stuck.run, verb, interrupt_id=interrupt_id, style=style, label=label)


def _turns(page: int, total: int) -> list[dict[str, Any]]:
    turns = [("back", "Back", page - 1)] if page else []
    turns += [("more", "More", page + 1)] if total > (page + 1) * PAGE else []
    return [_turn(*each) for each in [*turns, ("anew", "Look again", page)]]


def _turn(name: str, title: str, page: int) -> dict[str, Any]:
    return {"type": "button", "action_id": f"turn:{name}", "text": plain(title), "value": to_text({"page": page})}

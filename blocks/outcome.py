"""The one block that tells what became of a card: who asked, the decision, the execution, each a line. Approved is not done.

One block, so that a settled card has no more of them than the open one had; in versions, so that it is no longer either.
"""

from typing import Any

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.edits import are_edits_cut, edit_lines
from blocks.settled import (
    AGREED,
    FAILURE,
    UNKNOWN_WHETHER,
    advice_for,
    agreeing,
    decided_briefly,
    decision_words,
    run_words,
)
from blocks.staged import staged_lines
from blocks.states import RUN_STATES, brief_execution, executes
from blocks.text import clean, clip, mention, mrkdwn, plain, width
from blocks.votes import counting_words

FAILURE_BRIEFLY = 150
NOT_CARRIED_OUT = "Not carried out."
TROUBLE = frozenset({RunStatus.FAILED, RunStatus.STALLED, RunStatus.HELD})


def outcome_versions(card: Card, *, counted: str) -> list[list[dict[str, Any]]]:
    """From everything down to who decided what and when, and what came of it. `counted` says how much is not shown."""
    lines = [" · ".join(filter(None, (f"Asked by {mention(card.run.requester)}", counted)))]
    lines += [decision_words(card), execution_words(card), counting_words(card)]
    lines += [*edit_lines(card), *staged_lines(card)]
    trouble = [clip(text, FAILURE_BRIEFLY) for text in trouble_words(card)]
    return [
        _outcome(lines, trouble_words(card)),
        _outcome(lines, trouble),
        _outcome(lines, trouble[-1:] if card.run.failure and card.run.failure.needs_new_code else trouble[:1]),
        _outcome(lines),
        _outcome(lines[1:3]),
        _outcome([decided_briefly(card), _executed_briefly(card)]),
        _outcome([decided_briefly(card, in_utc=True), _executed_briefly(card)]),
    ]


def is_outcome_cut(card: Card) -> bool:
    """Whether even the largest version leaves something out."""
    is_long = any(width(text) > FAILURE for text in trouble_words(card, whole=True))
    return is_long or len(agreeing(card)) > AGREED or are_edits_cut(card)


def has_orders(card: Card) -> bool:
    """Only an answered interrupt's card speaks for its run: a superseded or expired one has no more to order."""
    return executes(card) and card.run.status in {RunStatus.FAILED, RunStatus.STALLED}


def execution_words(card: Card) -> str:
    """Mrkdwn: how far the run is after an answer; otherwise that nothing was carried out. Empty where it asks again."""
    if card.interrupt.status is InterruptStatus.SUPERSEDED:
        return ""
    if not executes(card):
        return NOT_CARRIED_OUT
    return run_line(card)


def run_line(card: Card) -> str:
    state = RUN_STATES[card.run.status]
    unknown = f": {UNKNOWN_WHETHER}" if card.run.status is RunStatus.STALLED else ""
    return f"{state.emoji} *{state.word}*{unknown}{run_words(card.run)}"


def trouble_words(card: Card, *, whole: bool = False) -> list[str]:
    """What went wrong, and what may be done about it: texts of other people, for plain text alone."""
    failure = card.run.failure
    if not executes(card) or card.run.status not in TROUBLE:
        return []
    advice = advice_for(card.run.status, failure)
    told = [clean(failure.message).strip() if failure else "", advice]
    return [text if whole else clip(text, FAILURE) for text in told if text]


def _executed_briefly(card: Card) -> str:
    return f"{state.emoji} *{state.word}*" if (state := brief_execution(card)) else execution_words(card)


def _outcome(lines: list[str], fields: list[str] | None = None) -> list[dict[str, Any]]:
    block: dict[str, Any] = {"type": "section", "text": mrkdwn("\n".join(filter(None, lines)))}
    return [block | {"fields": [plain(text) for text in fields]} if fields else block]

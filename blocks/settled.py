"""What became of it, as two lines: the decision, with who, when and their words, and the execution. Approved is not done."""

from datetime import datetime
from typing import Any

from actions.kit.records import Card, Cause, DecisionRecord, Failure, InterruptStatus, RunRecord, RunStatus
from blocks.choices import Verb, order_button
from blocks.data import Facts
from blocks.states import RUN_STATES, State, chosen_choice, executes, interrupt_state
from blocks.summary import bold, facts_blocks, literal, person_element
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, plain
from blocks.votes import answer_facts, counting_blocks

NOTE = 500
FAILURE = 600
BECAUSE = 300
NAMED = 5
NOTES = 3

UNKNOWN_WHETHER = "we do not know whether it happened"
STALLED_ADVICE = "Look where it should have had its effect, then choose."
HELD_ADVICE = "It goes on by itself when the action is back. An operator may cancel it."
FAILED_ADVICE = "Its requester, a decider or an operator may run it again."
CODE_FIRST = "The action's code must change first: run again as it is, it fails again."


def decision_blocks(card: Card) -> list[dict[str, Any]]:
    """The first line of a settled card, the answer's fields and whose they are, and the notes that the deciders left."""
    line = {"type": "section", "text": mrkdwn(decision_words(card))}
    answered = answer_facts(chosen_choice(card), card.interrupt.answer)
    facts = facts_blocks(answered, passage=NOTE)
    return [line, *facts, *counting_blocks(card), *_notes(card, answered)]


def decision_words(card: Card) -> str:
    """Mrkdwn: "✅ *Approved* by <@U0ANN> · 10:42", for cards and for telling a late person who was first."""
    state = interrupt_state(card)
    return f"{state.emoji} *{escape(state.word)}*{_circumstances(card)}{_at(card.interrupt.settled_at)}"


def _circumstances(card: Card) -> str:
    interrupt = card.interrupt
    match interrupt.status:
        case InterruptStatus.EXPIRED:
            return ": nobody answered in time"
        case InterruptStatus.CANCELLED:
            return _by(interrupt.settled_by)
        case InterruptStatus.SUPERSEDED:
            because = interrupt.asked_again_because
            return f" because {escape(clip(clean(because), BECAUSE))}" if because else " in a newer card"
    return _decided_by(card)


def _decided_by(card: Card) -> str:
    match card.interrupt.cause:
        case Cause.EXPIRED:
            return " by default: nobody answered in time"
        case Cause.POLICY:
            return " by policy"
        case Cause.ADMIN:
            return f" by the operator {mention(card.interrupt.settled_by)}" if card.interrupt.settled_by else ""
    return _by(*(agreeing(card) or (card.interrupt.settled_by,)))


def agreeing(card: Card) -> tuple[str, ...]:
    """Those whose answers carried: everyone who chose what the interrupt was settled with."""
    return tuple(decision.person for decision in card.decisions if decision.choice == card.interrupt.choice)


def _by(*people: str | None) -> str:
    known = [mention(person) for person in people if person]
    rest = len(known) - NAMED
    names = f"{', '.join(known[:NAMED])} and {rest} more" if rest > 0 else ", ".join(known)
    return f" by {names}" if known else ""


def _at(moment: datetime | None) -> str:
    return f" · {date_token(moment)}" if moment else ""


def _notes(card: Card, answered: Facts) -> list[dict[str, Any]]:
    """Notes that the answer's fields do not say already."""
    said = {item.value for item in answered.facts} | {item.text for item in answered.passages}
    noted = [decision for decision in card.decisions if decision.note and decision.note not in said]
    return [note_block(decision) for decision in noted[:NOTES]]


def note_block(decision: DecisionRecord) -> dict[str, Any]:
    quote = {"type": "rich_text_quote", "elements": [literal(clip(clean(decision.note or ""), NOTE))]}
    who = {"type": "rich_text_section", "elements": [person_element(decision.person), literal(" wrote")]}
    return {"type": "rich_text", "elements": [who, quote]}


def execution_blocks(card: Card) -> list[dict[str, Any]]:
    """The second line: how far the run is after an answer; otherwise that nothing was carried out."""
    if card.interrupt.status is InterruptStatus.PENDING:
        return run_blocks(card.run) if card.run.status is RunStatus.HELD else []
    if card.interrupt.status is InterruptStatus.SUPERSEDED:
        return []
    if not executes(card):
        return [not_carried_out()]
    return run_blocks(card.run)


def not_carried_out() -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn("Not carried out.")]}


def run_blocks(run: RunRecord) -> list[dict[str, Any]]:
    return state_blocks(RUN_STATES[run.status], run.status, failure=run.failure, words=_run_words(run))


def state_blocks(state: State, status: RunStatus, *, failure: Failure | None, words: str) -> list[dict[str, Any]]:
    """One line for a run's state. What a failure says is someone's text, so it stands in rich text, literally."""
    if failure is None or status not in {RunStatus.FAILED, RunStatus.STALLED, RunStatus.HELD}:
        return [{"type": "section", "text": mrkdwn(f"{state.emoji} *{state.word}*{words}")}]
    message = clip(clean(failure.message).strip(), FAILURE)
    said = UNKNOWN_WHETHER if status is RunStatus.STALLED else message
    line = [literal(f"{state.emoji} "), bold(state.word), literal(f": {said}")]
    advice = [advice_for(status, failure)]
    told = [message, *advice] if status is RunStatus.STALLED else advice
    elements = [plain(clip(text, FAILURE)) for text in told]
    return [
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": line}]},
        {"type": "context", "elements": [*elements, *([mrkdwn(words.removeprefix(" · "))] if words else [])]},
    ]


def advice_for(status: RunStatus, failure: Failure) -> str:
    match status:
        case RunStatus.STALLED:
            return failure.advice or STALLED_ADVICE
        case RunStatus.HELD:
            return failure.advice or HELD_ADVICE
    if failure.needs_new_code:
        return f"{CODE_FIRST} {failure.advice or ''}".strip()
    return failure.advice or FAILED_ADVICE


def _run_words(run: RunRecord) -> str:
    marked = f" · marked by {mention(run.marked_by)}" if run.marked_by else ""
    match run.status:
        case RunStatus.QUEUED:
            return ": it runs in a moment"
        case RunStatus.WAITING:
            return " to a further question"
        case RunStatus.STALLED if run.failure is None:
            return f": {UNKNOWN_WHETHER}. {STALLED_ADVICE}"
        case RunStatus.CANCELLED:
            return f"{_by(run.ended_by)}{_at(run.ended_at)}"
        case RunStatus.RUNNING if run.cancel_requested_by:
            return f" · cancelling, asked by {mention(run.cancel_requested_by)}"
    return f"{marked}{_at(run.ended_at)}"


def order_buttons(run: RunRecord) -> list[dict[str, Any]]:
    """What people may do about a run that failed or stalled."""
    verbs: tuple[tuple[Verb, str | None], ...] = ()
    if run.status is RunStatus.FAILED:
        verbs = (("run_again", run_again_style(run)),)
    if run.status is RunStatus.STALLED:
        verbs = (("run_again", "danger"), ("it_happened", None), ("it_did_not", None))
    return [order_button(run, verb, style=style) for verb, style in verbs]


def run_again_style(run: RunRecord) -> str | None:
    """The main button only where running again may help."""
    return None if run.failure and run.failure.needs_new_code else "primary"

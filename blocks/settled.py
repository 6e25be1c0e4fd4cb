"""What became of it, in words: the decision, with who, when and what they wrote, and how far the run is."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from actions.kit.records.interrupts import Card, Cause, DecisionRecord, InterruptStatus
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from blocks.choices import Verb, order_button
from blocks.facts import Facts
from blocks.states import RUN_STATES, State, brief_decision, chosen_choice, interrupt_state
from blocks.summary import bold, facts_blocks, literal
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, plain, utc
from blocks.voices import agreed, voice_elements, voice_words
from blocks.votes import answer_facts, counting_blocks

NOTE = 500
FAILURE = 600
AGREED = 5
"""People who are named as those who agreed."""
PERSON = 24
NOTES = 3

UNKNOWN_WHETHER = "we do not know whether it happened"
STALLED_ADVICE = "Look where it should have had its effect, then choose."
HELD_ADVICE = "It goes on by itself when the action is back. An operator may cancel it."
FAILED_ADVICE = "Its requester, a decider or an operator may run it again."
CODE_FIRST = "The action's code must change first: run again as it is, it fails again."


def decision_blocks(card: Card) -> list[dict[str, Any]]:
    """The first line of a settled card, the answer's fields and whose they are, and the notes that the deciders left."""
    line = {"type": "section", "text": mrkdwn(decision_words(card))}
    answered = answer_facts(card, chosen_choice(card), card.interrupt.answer)
    notes = notes_blocks(noted(card, answered)[:NOTES])
    return [line, *facts_blocks(answered, passage=NOTE), *counting_blocks(card), *notes]


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
            edit = card.edited_away
            return f" in a newer card, as {voice_words(edit)} edited it" if edit else " in a newer card"
    return _decided_by(card)


def _decided_by(card: Card) -> str:
    match card.interrupt.cause:
        case Cause.EXPIRED:
            return " by default: nobody answered in time"
        case Cause.POLICY:
            return _granted(card) if card.interrupt.granted else " by policy"
        case Cause.BREAK_GLASS:
            return f"{_by(card.interrupt.settled_by)} alone, who broke the glass"
        case Cause.ADMIN:
            return f" by the operator {mention(card.interrupt.settled_by)}" if card.interrupt.settled_by else ""
    voices = [voice_words(each) for each in agreed(card)]
    return _by_these(voices) if voices else _by(card.interrupt.settled_by)


def _granted(card: Card) -> str:
    """Who approved the standing grant, and how much of it is left."""
    granted = card.interrupt.granted
    if granted is None:
        return ""
    approved = _by_these([mention(person) for person in granted.approved_by]).removeprefix(" by ")
    left = f"{granted.used:,} of {granted.times:,} used, until {date_token(granted.until, 'brief')}"
    return f" by a standing grant, which {approved} approved, {left}"


def decided_briefly(card: Card, *, in_utc: bool = False) -> str:
    """Mrkdwn: the same in the fewest words, of a length that hardly depends on anybody's text."""
    state, interrupt = brief_decision(card), card.interrupt
    when = utc if in_utc else date_token
    at = f" · {when(interrupt.settled_at, 'brief')}" if interrupt.settled_at else ""
    return f"{state.emoji} *{escape(state.word)}*{_by_briefly(card)}{at}"


def _by_briefly(card: Card) -> str:
    interrupt = card.interrupt
    if interrupt.status in {InterruptStatus.EXPIRED, InterruptStatus.SUPERSEDED}:
        return ""
    by_hand = interrupt.status is InterruptStatus.CANCELLED or interrupt.cause in {Cause.ADMIN, Cause.BREAK_GLASS}
    if not by_hand and interrupt.cause in {Cause.EXPIRED, Cause.POLICY}:
        return " by default" if interrupt.cause is Cause.EXPIRED else " by policy"
    people = () if by_hand else agreeing(card)
    first = people[0] if people else interrupt.settled_by
    others = f" +{len(people) - 1}" if len(people) > 1 else ""
    return f" by {clip(mention(first), PERSON)}{others}" if first else ""


def agreeing(card: Card) -> tuple[str, ...]:
    """Those who gave the answers that carried."""
    return tuple(decision.person for decision in agreed(card))


def _by(person: str | None) -> str:
    return _by_these([mention(person)]) if person else ""


def _by_these(known: Sequence[str]) -> str:
    rest = len(known) - AGREED
    return f" by {', '.join(known[:AGREED])} and {rest} more" if rest > 0 else f" by {', '.join(known)}"


def _at(moment: datetime | None) -> str:
    return f" · {date_token(moment)}" if moment else ""


def noted(card: Card, answered: Facts) -> list[DecisionRecord]:
    """Those who left a note that the answer's fields do not say already; whoever broke the glass first, with their reason."""
    said = {item.value for item in answered.facts} | {item.text for item in answered.passages}
    return [*_reason(card), *(each for each in card.decisions if each.note and each.note not in said)]


def _reason(card: Card) -> list[DecisionRecord]:
    """Why somebody broke the glass, as their note."""
    interrupt, broken = card.interrupt, card.interrupt.broken
    if broken is None or interrupt.settled_by is None or interrupt.settled_at is None:
        return []
    choice, answer = interrupt.choice or "", interrupt.answer or ""
    return [DecisionRecord(interrupt.settled_by, choice, answer, broken.reason, interrupt.settled_at, broken.source)]


def notes_blocks(decisions: Sequence[DecisionRecord], limit: int = NOTE) -> list[dict[str, Any]]:
    """What people wrote, each with a name, in one block."""
    elements = [element for decision in decisions for element in _note(decision, limit)]
    return [{"type": "rich_text", "elements": elements}] if elements else []


def _note(decision: DecisionRecord, limit: int) -> list[dict[str, Any]]:
    quote = {"type": "rich_text_quote", "elements": [literal(clip(clean(decision.note or ""), limit))]}
    who = {"type": "rich_text_section", "elements": [*voice_elements(decision), literal(" wrote")]}
    return [who, quote]


def not_carried_out() -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn("Not carried out.")]}


def run_blocks(run: RunRecord) -> list[dict[str, Any]]:
    return state_blocks(RUN_STATES[run.status], run.status, failure=run.failure, words=run_words(run))


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


def advice_for(status: RunStatus, failure: Failure | None) -> str:
    given = clean(failure.advice or "").strip() if failure else ""
    match status:
        case RunStatus.STALLED:
            return given or STALLED_ADVICE
        case RunStatus.HELD:
            return given or HELD_ADVICE
    if failure and failure.needs_new_code:
        return f"{CODE_FIRST} {given}".strip()
    return given or FAILED_ADVICE


def run_words(run: RunRecord) -> str:
    """Mrkdwn: what is to be said of a run beside its state, led by what joins it to that."""
    marked = f" · marked by {mention(run.marked_by)}" if run.marked_by else ""
    match run.status:
        case RunStatus.QUEUED:
            return ": it runs in a moment"
        case RunStatus.WAITING:
            return " to a further question"
        case RunStatus.CANCELLED:
            return f"{_by(run.ended_by)}{_at(run.ended_at)}"
        case RunStatus.RUNNING if run.cancel_requested_by:
            return f" · cancelling, asked by {mention(run.cancel_requested_by)}"
    return f"{marked}{_at(run.ended_at)}"


def order_buttons(run: RunRecord, *, interrupt_id: str | None = None, is_brief: bool = False) -> list[dict[str, Any]]:
    """What people may do about a run that failed or stalled; in the details of an interrupt they carry its id."""
    verbs: tuple[tuple[Verb, str | None], ...] = ()
    if run.status is RunStatus.FAILED:
        verbs = (("run_again", run_again_style(run)),)
    if run.status is RunStatus.STALLED:
        verbs = (("run_again", "danger"), ("it_happened", None), ("it_did_not", None))
    return [order_button(run, verb, interrupt_id=interrupt_id, style=style, is_brief=is_brief) for verb, style in verbs]


def run_again_style(run: RunRecord) -> str | None:
    """The main button only where running again may help."""
    return None if run.failure and run.failure.needs_new_code else "primary"

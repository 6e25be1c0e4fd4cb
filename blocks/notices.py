"""Messages beside the card: how a run ended, that a card reached nobody or was edited, what was said, lines for its thread."""

from dataclasses import replace
from typing import Any

from actions.kit.policies.remarks import Remark
from actions.kit.records.copies import Ending
from actions.kit.records.interrupts import Card, Cause, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from blocks import limits
from blocks.acts import act_button
from blocks.card import Message, fallback, one_line_of
from blocks.choices import ORDER_TITLES, actions_block, ask_again_buttons, order_button, withdraw_buttons
from blocks.data import facts_of
from blocks.deciding import deciders_listed
from blocks.edits import EDITED, edited_blocks
from blocks.facts import Facts, Room
from blocks.people import duration_words
from blocks.remarks import SIGNS, VERBS, remark_said
from blocks.returned import result_button
from blocks.said import in_mrkdwn
from blocks.settled import decision_blocks, not_carried_out, order_buttons, state_blocks
from blocks.shown import facts_shown
from blocks.states import RUN_STATES, UNDELIVERABLE, card_state
from blocks.summary import are_cut, facts_blocks, literal, person_element, split_question, summarise
from blocks.telling import NOTHING
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, one_line, plain
from blocks.undelivered import remedy_for, why_undelivered
from blocks.voices import voice_words

DETAILS = 200
TOLD = 3
LINE = 2_000
RESULT = 800
ABOUT = 200


def render_ending(run: RunRecord, ending: Ending, card: Card | None) -> Message:
    """How a run ended, for its requester; `card` is its last, if it ever asked.

    Once the run went on, the message stays true and loses its buttons.
    """
    is_current = run.epoch == ending.epoch and run.status == ending.status
    buttons = [*order_buttons(run), *ask_again_buttons(run)] if is_current else []
    interrupt = card.interrupt if card else None
    found = facts_shown(card, Room()) if card else facts_of(run.input)
    blocks = [
        *_about(run, interrupt, found),
        *(decision_blocks(card) if card and interrupt and interrupt.choice is not None else []),
        *end_blocks(ending, interrupt),
        *(_result(run, found) if is_current else went_on(run)),
        *actions_block(f"orders:{run.id}:{run.epoch}", buttons),
    ]
    question = f"{run.action_name}: {interrupt.message}" if interrupt else run.action_name
    return Message(one_line_of(question, found, str(RUN_STATES[ending.status])), blocks)


def _about(run: RunRecord, interrupt: InterruptRecord | None, found: Facts) -> list[dict[str, Any]]:
    """Which request this is about: the question, the action's name, and what the question does not say already."""
    question = interrupt.message if interrupt else run.action_name
    head = split_question(question)[0]
    said = [run.action_name] if interrupt else []
    said += [
        f"{fact.label}: {fact.value}" for fact in found.facts if fact.value != NOTHING and fact.value not in question
    ]
    context = {"type": "context", "elements": [plain(clip(one_line(" · ".join(said[:TOLD])), DETAILS))]}
    return [{"type": "header", "text": plain(head, limits.HEADER_TEXT)}, *([context] if said else [])]


def end_blocks(ending: Ending, interrupt: InterruptRecord | None) -> list[dict[str, Any]]:
    """What became of it; where somebody declined, the decision has said it."""
    if ending.status is RunStatus.DECLINED and interrupt is not None and interrupt.choice is not None:
        return [not_carried_out()]
    words = _ending_words(ending, interrupt)
    return state_blocks(RUN_STATES[ending.status], ending.status, failure=ending.failure, words=words)


def _ending_words(ending: Ending, interrupt: InterruptRecord | None) -> str:
    if not ending.by:
        return f"{_why(ending, interrupt)} · {date_token(ending.at)}"
    by = "by" if ending.status is RunStatus.CANCELLED else "· marked by"
    return f" {by} {mention(ending.by)} · {date_token(ending.at)}"


def _why(ending: Ending, interrupt: InterruptRecord | None) -> str:
    match ending.status:
        case RunStatus.EXPIRED:
            waited = interrupt.expires_in if interrupt and not interrupt.extended else None
            return f": nobody answered within {duration_words(waited)}" if waited else ": nobody answered in time"
        case RunStatus.DECLINED:
            late = interrupt is not None and interrupt.cause is Cause.EXPIRED
            return ": nobody answered in time" if late else ""
    return ""


def _result(run: RunRecord, asked: Facts) -> list[dict[str, Any]]:
    """What the action returned, without what its question had shown already."""
    if run.status is not RunStatus.SUCCEEDED or run.output is None:
        return []
    found = facts_of(run.output, Room(passages=1))
    news = tuple(
        fact for fact in found.facts if (fact.label, fact.value) not in {(a.label, a.value) for a in asked.facts}
    )
    told = replace(found, facts=news)
    more = [result_button(run)] if are_cut(told, passage=RESULT) else []
    return [*facts_blocks(told, passage=RESULT), *actions_block(f"result:{run.id}", more)]


def went_on(run: RunRecord) -> list[dict[str, Any]]:
    return [{"type": "context", "elements": [mrkdwn(f"Since then: {RUN_STATES[run.status]}")]}]


def render_undeliverable(card: Card, *, asked_directly: bool = False) -> Message:
    """Tells the requester that their request does not stand where it belongs, why, what to do, and how to try again.

    `asked_directly`: those who may decide have it in their direct messages, so it can be answered all the same.

    Once the card was sent again, or somebody settled it all the same, it says so and has no button.
    """
    lost = card.interrupt.settled_at is None and card.interrupt.undeliverable is not None
    again = order_button(card.run, "deliver_again", interrupt_id=card.interrupt.id, style="primary")
    buttons = [again, *withdraw_buttons(card.run)] if lost else []
    blocks = [
        *summarise(card, passage=RESULT).blocks,
        {"type": "section", "text": mrkdwn(_undelivered_words(card, asked_directly=asked_directly))},
        *actions_block(f"deliver:{card.interrupt.id}:{card.run.epoch}", buttons),
    ]
    return Message(fallback(card), blocks)


def _undelivered_words(card: Card, *, asked_directly: bool) -> str:
    reason = card.interrupt.undeliverable
    state = escape(clean(card_state(card)))
    if card.interrupt.settled_at is not None:
        return f"{state}. The card could not be posted for a while."
    if reason is None:
        return f"{state}. The card could not be posted at first, and was sent again."
    then = f"Then press *{ORDER_TITLES['deliver_again']}*."
    meanwhile = " Those who may decide were asked by direct message instead." if asked_directly else ""
    return (
        f"{UNDELIVERABLE.emoji} *{UNDELIVERABLE.word}*. The card could not be posted: {why_undelivered(reason)}.{meanwhile}\n"
        f"{remedy_for(reason)} {then}"
    )


def render_edited(card: Card, person: str) -> Message:
    """Tells whoever asked, or had answered, what a decider made of it; `card` is that of the question that this ended."""
    run = card.run
    is_asked_by_them = person in run.requesters
    what = "you asked for" if is_asked_by_them else "you had answered"
    editor = voice_words(card.edited_away) if card.edited_away else "A decider"
    question = escape(clip(one_line(card.interrupt.message), DETAILS))
    rest = "You may withdraw it." if is_asked_by_them else "Your answer does not count any more."
    buttons = withdraw_buttons(run) if person in run.asking and not run.status.ended else []
    head = f"{EDITED} {editor} edited what {what}: “{question}”. Whoever decides it is asked again. {rest}"
    blocks = [
        {"type": "section", "text": mrkdwn(head)},
        *edited_blocks(card),
        *(went_on(run) if run.status.ended else []),
        *actions_block(f"edited:{card.interrupt.id}:{run.epoch}", buttons),
    ]
    return Message(clip(head, limits.MESSAGE_TEXT), blocks)


def render_broken_glass(card: Card, person: str) -> Message:
    """Tells whoever asked for it, or was asked, that somebody approved it alone, why, and who reviews that."""
    interrupt, glass = card.interrupt, card.interrupt.policy.break_glass
    breaker = mention(interrupt.settled_by) if interrupt.settled_by else "Somebody"
    question = escape(clip(one_line(interrupt.message), DETAILS))
    whose = ", which you asked for" if person in card.run.requesters else ""
    review = f" {in_mrkdwn(deciders_listed(glass.review, None))} will review that." if glass else ""
    head = f"🚨 {breaker} broke the glass and approved “{question}”{whose}, alone.{review}"
    reason = literal(clip(clean(interrupt.broken.reason if interrupt.broken else ""), DETAILS * 3))
    quote: dict[str, Any] = {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [reason]}]}
    blocks = [{"type": "section", "text": mrkdwn(head)}, quote]
    return Message(clip(head, limits.MESSAGE_TEXT), blocks)


def render_line(text: str, person: str | None = None) -> Message:
    """A line of a thread, literally: nothing in it is read as markup. With a person, it says what they did."""
    said = clip(clean(text).strip(), LINE) or "…"
    who = [person_element(person), literal(" ")] if person else []
    section = {"type": "rich_text_section", "elements": [*who, literal(said)]}
    words = f"{mention(person)} {escape(said)}" if person else escape(said)
    return Message(clip(words, limits.MESSAGE_TEXT), [{"type": "rich_text", "elements": [section]}])


def render_remark(card: Card, remark: Remark, to: str) -> Message:
    """The direct message to those whom it is for: whoever is asked may reply, as long as the question is open."""
    asked = escape(clip(one_line(card.interrupt.message), ABOUT))
    head = f"{SIGNS[remark.kind]} {mention(remark.person)} {VERBS[remark.kind]} about “{asked}”:"
    waits = remark in card.unanswered and to in card.run.requesters
    can_reply = waits and card.interrupt.status is InterruptStatus.PENDING
    buttons = [act_button(card, "reply", "Reply…", style="primary")] if can_reply else []
    blocks = [
        {"type": "section", "text": mrkdwn(head)},
        {"type": "section", "text": plain(clean(remark.text))},
        *actions_block(f"reply:{card.interrupt.id}", buttons),
    ]
    return Message(f"{in_mrkdwn(remark_said(remark))}", blocks)

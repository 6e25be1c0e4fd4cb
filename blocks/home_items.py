"""One entry of the Home tab: a question that waits for its reader, a run that they asked for, a decision.

What people and actions wrote stands in rich text or plain text, literally: nothing in it is read as markup.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from actions.kit.policies.quorum import needed
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.acts import acts_block
from blocks.choices import (
    actions_block,
    are_titles_cut,
    ask_again_buttons,
    choice_buttons,
    click_value,
    order_button,
    show_all_button,
    withdraw_buttons,
)
from blocks.facts import Fact, Facts, Passage, Room
from blocks.people import deadline_words, deciders_words
from blocks.remarks import claim_lines, remark_said
from blocks.said import in_mrkdwn
from blocks.settled import decision_words, order_buttons
from blocks.shown import facts_shown
from blocks.staged import votes_so_far
from blocks.states import INTERRUPT_STATES, RUN_STATES, UNDELIVERABLE, executes
from blocks.summary import bold, literal
from blocks.telling import NOTHING
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, one_line, plain, width
from blocks.undelivered import why_undelivered

QUESTION, NAME, LABEL, VALUE, PASSAGE, FAILURE = 200, 60, 40, 120, 300, 200
FACTS = 4
NO_FACTS = Facts()

Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A run that the reader asked for, and the question that it asked last, if it asked any.

    `withdrew`: the reader took it back, and others still ask for it. `nudged_at`: when those who must act were told last.
    """

    run: RunRecord
    card: Card | None = None
    withdrew: bool = False
    nudged_at: datetime | None = None


def waiting_blocks(card: Card, *, brief: bool = False) -> list[Block]:
    """A question with its choices and acts. `brief`: its facts and choices are one press away, so that it always fits."""
    interrupt = card.interrupt
    found = NO_FACTS if brief else facts_shown(card, Room(facts=FACTS, passages=1))
    buttons = [_answer_button(card)] if brief else choice_buttons(card)
    more = (
        [show_all_button(interrupt)]
        if brief or are_titles_cut(interrupt.shape) or _is_cut(interrupt.message, found) or len(card.remarks) > 1
        else []
    )
    place = [f"in the place of {mention(card.answering_for)}"] if card.answering_for else []
    lines = [
        f"{_name(card.run)} · asked by {mention(card.run.requester)}",
        *place,
        f"🕐 {deadline_words(card)}{_votes(card)}",
        *claim_lines(card),
    ]
    return [
        told_block(interrupt.message, found),
        _context(" · ".join(lines), *_lost(card), *_last_said(card)),
        *actions_block(f"choices:{interrupt.id}:{interrupt.content_version}", [*buttons, *more]),
        *acts_block(card),
    ]


def asked_blocks(own: OwnRun) -> list[Block]:
    """A run with where it stands, and what its requester may do about it."""
    run, card = own.run, own.card
    failure = [plain(run.failure.message, FAILURE)] if run.failure else []
    return [
        told_block(card.interrupt.message, _apart(card)) if card else told_block(run.action_name),
        _context(f"{_name(run)} · {standing_words(own)}", *(_lost(card) if card else ()), *failure),
        *actions_block(f"mine:{run.id}:{run.epoch}", _own_orders(own)),
    ]


def decided_blocks(card: Card) -> list[Block]:
    """A question with what was decided and what came of it; or that more answers than the reader's are needed."""
    asked = f"{_name(card.run)} · asked by {mention(card.run.requester)}"
    if card.interrupt.status is InterruptStatus.PENDING:
        line = f"{INTERRUPT_STATES[InterruptStatus.PENDING]}{_votes(card)}"
    else:
        line = f"{decision_words(card)}{_became(card)}"
    return [told_block(card.interrupt.message, _apart(card)), _context(f"{line} · {asked}")]


def _apart(card: Card) -> Facts:
    return Facts(facts_apart(card, 1))


def facts_apart(card: Card, most: int) -> tuple[Fact, ...]:
    """The first that the question does not say itself: they tell apart what was asked in the same words."""
    asked = card.interrupt.message
    told = (fact for fact in facts_shown(card, Room()).facts if fact.value != NOTHING and fact.value not in asked)
    return tuple(islice(told, most))


def told_block(question: str, found: Facts = NO_FACTS) -> Block:
    """The question, and under it what it is about, line by line."""
    elements = [bold(clip(one_line(question), QUESTION))]
    for label, value in _pairs(found):
        led = f"{clip(one_line(label), LABEL)}: " if label else ""
        elements.append(literal(f"\n{led}{value}"))
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def _pairs(found: Facts) -> Iterator[tuple[str, str]]:
    yield from ((fact.label, clip(one_line(fact.value), VALUE)) for fact in found.facts)
    yield from ((passage.label, _passage_words(passage)) for passage in found.passages)


def _passage_words(passage: Passage) -> str:
    """In a line: what is known of a table or a diff beforehand, since neither can be read in one, else its words."""
    return passage.note or clip(one_line(passage.text), PASSAGE)


def _is_cut(message: str, found: Facts) -> bool:
    texts = [(message, QUESTION), *((fact.value, VALUE) for fact in found.facts)]
    several_lines = any("\n" in clean(passage.text).strip() for passage in found.passages)
    long = any(width(passage.text) > PASSAGE for passage in found.passages)
    short = all(width(text) <= limit for text, limit in texts)
    return found.left_out > 0 or found.is_abbreviated or several_lines or long or not short


def _answer_button(card: Card) -> Block:
    value = click_value(card.interrupt, "")
    return {"type": "button", "action_id": "choose", "text": plain("Answer…"), "style": "primary", "value": value}


def _own_orders(own: OwnRun) -> list[Block]:
    run = own.run
    if run.status.ended:
        return [*(order_buttons(run) if run.status is RunStatus.FAILED else []), *ask_again_buttons(run)]
    nudge = [order_button(run, "nudge")] if run.status is RunStatus.WAITING else []
    return [*nudge, *([] if own.withdrew else withdraw_buttons(run))]


def standing_words(own: OwnRun) -> str:
    """Mrkdwn: how far it is; while it waits, until when and for whom, and afterwards how it was decided."""
    run, card = own.run, own.card
    state = str(RUN_STATES[run.status])
    if run.status is RunStatus.WAITING and card:
        decides = deciders_words(card.interrupt.policy, run.requester)
        nudged = f" · nudged {date_token(own.nudged_at)}" if own.nudged_at else ""
        withdrew = " · you withdrew, others still ask for it" if own.withdrew else ""
        return f"{state} {deadline_words(card)}{_votes(card)} · may decide: {decides}{nudged}{withdrew}"
    decided = f"{decision_words(card)} · " if card and executes(card) else ""
    when = run.ended_at or run.created_at
    return f"{decided}{state} · {date_token(when)}"


def _became(card: Card) -> str:
    return f" · {RUN_STATES[card.run.status]}" if executes(card) and card.run.status is not RunStatus.WAITING else ""


def _votes(card: Card) -> str:
    """How many of the answers that it takes are there, where it takes several."""
    wanted = needed(card.interrupt.policy)
    return f" · {len(votes_so_far(card))} of {wanted} answers so far" if wanted > 1 else ""


def _lost(card: Card) -> tuple[Block, ...]:
    reason = card.interrupt.undeliverable if card.interrupt.status is InterruptStatus.PENDING else None
    return (mrkdwn(f"{UNDELIVERABLE}: {why_undelivered(reason)}"),) if reason else ()


def _last_said(card: Card) -> tuple[Block, ...]:
    """Of what people said about it, the latest."""
    return tuple(mrkdwn(in_mrkdwn(remark_said(remark))) for remark in card.remarks[-1:])


def _name(run: RunRecord) -> str:
    return escape(clip(one_line(run.action_name), NAME))


def _context(line: str, *more: Block) -> Block:
    return {"type": "context", "elements": [mrkdwn(line), *more]}

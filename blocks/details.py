"""The modal behind "Show all": everything that a card leaves out or cuts, page by page, and the orders about its run."""

from typing import Any

from actions.kit.policies.policy import those
from actions.kit.records.interrupts import Card, DecisionRecord, InterruptStatus
from blocks import limits
from blocks.choices import actions_block, are_titles_cut, to_text
from blocks.data import facts_in
from blocks.described import Described, described_by
from blocks.details_clicks import DETAILS_VIEW
from blocks.edits import EDITED, edits_shown
from blocks.facts import Facts, Passage, Room
from blocks.outcome import execution_words, has_orders, trouble_words
from blocks.people import deadline_words, deciders_words
from blocks.remarks import claim_lines, remark_passages
from blocks.settled import decision_words, order_buttons
from blocks.shown import data_of
from blocks.staged import stage_said, staged_lines
from blocks.states import INTERRUPT_STATES
from blocks.summary import (
    are_cut,
    facts_blocks,
    literal,
    passage_body,
    passage_head,
    split_question,
)
from blocks.text import clean, clip_lines, date_token, mention, mrkdwn, one_line, pieces, plain, width
from blocks.turning import page_of
from blocks.values import outline
from blocks.views import modal
from blocks.voices import voice_elements, voice_words
from blocks.votes import counting_words, told_of

Blocks = list[dict[str, Any]]

ALL = Room(facts=60, passages=12, rows=500, whole=True)
"""Entries up to which data looks as on the card; more of it is an outline."""
GRID = 20
"""Blocks up to which it does."""
PIECE = 2_900
CHARACTERS = 500_000
"""What is drawn of one text: more than a window has pages for, so the last page says where the rest is."""


def details_view(card: Card, *, page: int = 0, said: str | None = None) -> dict[str, Any]:
    """One page of: the question, where it stands and what may be ordered, who answered what, the data; all in full.

    A page after the last one is the last one. `said` is mrkdwn about what was pressed last: whatever in it is data was
    escaped by the caller.
    """
    told: Blocks = [{"type": "section", "text": mrkdwn(said)}, {"type": "divider"}] if said else []
    shown = page_of([*_head(card), *_answers(card), *_data(card)], page)
    again: Blocks = [] if shown.number == 0 else [_reminder(card)]
    return {
        **modal(card.run.action_name, [*told, *again, *shown.blocks], close="Close"),
        "callback_id": DETAILS_VIEW,
        "private_metadata": to_text({"interrupt": card.interrupt.id, "page": shown.number}),
    }


def _reminder(card: Card) -> dict[str, Any]:
    """What a later page is about."""
    return {"type": "header", "text": plain(split_question(card.interrupt.message)[0], limits.HEADER_TEXT)}


def _head(card: Card) -> Blocks:
    return [*_question(card), *_standing(card), *_edits(card), *_remarks(card), *_orders(card)]


def _question(card: Card) -> Blocks:
    """As header where it fits, else literally and whole."""
    message = clean(card.interrupt.message).strip()
    if width(message) <= limits.HEADER_TEXT and "\n" not in message:
        return [{"type": "header", "text": plain(one_line(message), limits.HEADER_TEXT)}]
    return [{"type": "section", "text": plain(piece)} for piece in pieces(message, PIECE)]


def _standing(card: Card) -> Blocks:
    """The state, who asked and who may decide, every one of them; and what went wrong, in full."""
    interrupt, run = card.interrupt, card.run
    deciders = deciders_words(interrupt.policy, run.requester, named=len(those(interrupt.policy.deciders)) or 1)
    stage = stage_said(interrupt.policy)
    lines = [f"Asked by {mention(run.requester)} · {f'{stage} · ' if stage else ''}May decide: {deciders}"]
    is_open = interrupt.status is InterruptStatus.PENDING
    if is_open:
        lines = [f"{INTERRUPT_STATES[interrupt.status]} {deadline_words(card)}", *lines]
    else:
        lines += [decision_words(card), execution_words(card), counting_words(card)]
    texts = list(pieces("\n".join(filter(None, [*lines, *staged_lines(card), *claim_lines(card)])), PIECE))
    because = interrupt.asked_again_because
    asked_again = (
        f"{INTERRUPT_STATES[InterruptStatus.SUPERSEDED]} because" if is_open else "It had been asked again because"
    )
    wrong = [*([f"{asked_again} {because}"] if because else []), *_trouble(card)]
    return [
        *({"type": "section", "text": mrkdwn(text)} for text in texts),
        *({"type": "section", "text": plain(piece)} for text in wrong for piece in pieces(clean(text), PIECE)),
    ]


def _edits(card: Card) -> Blocks:
    """What deciders made of it, every field in full."""
    blocks: Blocks = []
    for made in edits_shown(card):
        line = f"{EDITED} Edited by {voice_words(made.edit)} · {date_token(made.edit.at)}"
        blocks.append({"type": "section", "text": mrkdwn(line)})
        for each in made.differences:
            blocks += _passage(Passage(f"{each.label}, before", each.before))
            blocks += _passage(Passage(f"{each.label}, after", each.after))
    return blocks


def _remarks(card: Card) -> Blocks:
    """What was said about it, all of it."""
    blocks: Blocks = []
    for head, text in remark_passages(card):
        blocks.append({"type": "section", "text": mrkdwn(head)})
        blocks += [{"type": "section", "text": plain(piece)} for piece in pieces(clean(text), PIECE)]
    return blocks


def _trouble(card: Card) -> list[str]:
    held = card.run.failure if card.interrupt.status is InterruptStatus.PENDING else None
    return [held.message, held.advice or ""] if held else trouble_words(card, whole=True)


def _orders(card: Card) -> Blocks:
    if not has_orders(card):
        return []
    buttons = order_buttons(card.run, interrupt_id=card.interrupt.id)
    return actions_block(f"orders:{card.run.id}:{card.run.epoch}", buttons)


def _data(card: Card) -> Blocks:
    blocks = whole_of(*data_of(card))
    titles = [choice.title for choice in card.interrupt.shape.choices] if are_titles_cut(card.interrupt.shape) else []
    blocks += [block for title in titles for block in _passage(Passage("A choice", title))]
    return [{"type": "divider"}, *blocks] if blocks else []


def whole_of(value: Any, about: Described) -> Blocks:
    """All of a JSON value: as on a card where that shows all of it, long texts in pieces; otherwise as an outline."""
    found = facts_in(value, ALL, about)
    blocks = facts_blocks(Facts(found.facts), in_view=True, explained=True)
    for passage in found.passages:
        blocks += _passage(passage)
    fits = len(blocks) <= GRID and not are_cut(found, passage=CHARACTERS)
    return (
        blocks
        if fits or _is_lone(found)
        else _passage(Passage("", outline(value, about, limit=CHARACTERS), style="code"))
    )


def _is_lone(found: Facts) -> bool:
    """A text alone is shown as it is, however long."""
    return len(found.passages) == 1 and found.total == 1 and not found.is_abbreviated


def _passage(passage: Passage) -> Blocks:
    """A text in as many blocks as it needs, its label above the first."""
    cleaned = clip_lines(clean(passage.text).strip("\n"), CHARACTERS)
    parts = [passage_body(passage, piece.removesuffix("\n") or " ") for piece in pieces(cleaned or "—", PIECE)]
    heads = [passage_head(passage, explained=True), *([] for _ in parts[1:])]
    return [{"type": "rich_text", "elements": [*head, part]} for head, part in zip(heads, parts, strict=True)]


def _answers(card: Card) -> Blocks:
    blocks = [block for decision in card.decisions for block in _answer(card, decision)]
    if not card.decisions and card.interrupt.answer is not None:
        blocks = _value(card, card.interrupt.choice, card.interrupt.answer)
    return [{"type": "divider"}, *blocks] if blocks else []


def _answer(card: Card, decision: DecisionRecord) -> Blocks:
    choice = card.interrupt.shape.choice(decision.choice)
    title = one_line(choice.title if choice else decision.choice)
    who: list[dict[str, Any]] = [*voice_elements(decision), literal(f": {title}")]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": who}]}
    when = {"type": "context", "elements": [mrkdwn(date_token(decision.at))]}
    is_told = not decision.note or decision.note in decision.value
    note = [] if is_told else _passage(Passage("Note", decision.note or ""))
    return [line, when, *_value(card, decision.choice, decision.value), *note]


def _value(card: Card, key: str | None, value: str) -> Blocks:
    choice = card.interrupt.shape.choice(key) if key is not None else None
    if choice is None or not choice.has_form:
        return []
    return whole_of(told_of(choice, value), described_by(choice.json_schema))

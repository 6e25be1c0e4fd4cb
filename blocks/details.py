"""The modal behind "Show all": everything that a card leaves out or cuts, and the orders about a run that went wrong."""

import json
from typing import Any

from actions.kit.records import Card, DecisionRecord, InterruptStatus
from blocks import limits
from blocks.choices import actions_block, are_titles_cut
from blocks.data import Facts, facts_in
from blocks.outcome import execution_words, has_orders, trouble_words
from blocks.people import deadline_words, deciders_words
from blocks.settled import decision_words, order_buttons
from blocks.states import INTERRUPT_STATES
from blocks.summary import INDENTED, are_cut, bold, facts_blocks, literal, person_element
from blocks.text import clean, clip, date_token, mention, mrkdwn, one_line, pieces, plain, width
from blocks.values import counted, outline, parse_json
from blocks.views import modal
from blocks.votes import counting_words, told_of

Blocks = list[dict[str, Any]]

FACTS, PASSAGES, GRID = 60, 12, 20
"""Entries and blocks up to which data looks as on the card; more of it is an outline."""
PIECE = 2_900
CHARACTERS = 120_000
BYTES, BLOCKS = 200_000, 92
"""What is drawn into a modal, which holds 250,000 bytes and 100 blocks; what is beyond is counted."""
QUESTION_BLOCKS, STANDING_BLOCKS = 10, 20


def details_view(card: Card, *, said: str | None = None) -> dict[str, Any]:
    """The question, where it stands and what may be ordered, the data, and who answered what, all in full.

    `said` is mrkdwn about the last order: whatever in it is data was escaped by the caller.
    """
    told: Blocks = [{"type": "section", "text": mrkdwn(said)}, {"type": "divider"}] if said else []
    question, standing = _question(card), _standing(card)
    head = [*told, *question[:QUESTION_BLOCKS], *standing[:STANDING_BLOCKS], *_orders(card)]
    return modal(card.run.action_name, _within([*head, *_data(card), *_answers(card)]), close="Close")


def _within(blocks: Blocks) -> Blocks:
    """As many of the blocks as a modal holds, and how many are not in it."""
    kept: Blocks = []
    room = BYTES
    for block in blocks[:BLOCKS]:
        room -= len(json.dumps(block))
        if room < 0:
            break
        kept.append(block)
    rest = len(blocks) - len(kept)
    more = f"{counted(rest, 'more part is', 'more parts are')} longer than a window of Slack holds"
    return [*kept, {"type": "context", "elements": [plain(more)]}] if rest else kept


def _question(card: Card) -> Blocks:
    """As header where it fits, else literally and whole."""
    message = clean(card.interrupt.message).strip()
    if width(message) <= limits.HEADER_TEXT and "\n" not in message:
        return [{"type": "header", "text": plain(one_line(message), limits.HEADER_TEXT)}]
    return [{"type": "section", "text": plain(piece)} for piece in pieces(message, PIECE)]


def _standing(card: Card) -> Blocks:
    """The state, who asked and who may decide, every one of them; and what went wrong, in full."""
    interrupt, run = card.interrupt, card.run
    deciders = deciders_words(interrupt.policy, run.requester, named=len(interrupt.policy.deciders))
    lines = [f"Asked by {mention(run.requester)} · May decide: {deciders}"]
    if interrupt.status is InterruptStatus.PENDING:
        lines = [f"{INTERRUPT_STATES[interrupt.status]} {deadline_words(card)}", *lines]
    else:
        lines += [decision_words(card), execution_words(card), counting_words(card)]
    texts = list(pieces("\n".join(filter(None, lines)), PIECE))
    because = interrupt.asked_again_because
    wrong = [*([f"{INTERRUPT_STATES[InterruptStatus.SUPERSEDED]} because {because}"] if because else [])]
    wrong += _trouble(card)
    return [
        *({"type": "section", "text": mrkdwn(text)} for text in texts),
        *({"type": "section", "text": plain(piece)} for text in wrong for piece in pieces(clean(text), PIECE)),
    ]


def _trouble(card: Card) -> list[str]:
    held = card.run.failure if card.interrupt.status is InterruptStatus.PENDING else None
    return [held.message, held.advice or ""] if held else trouble_words(card, whole=True)


def _orders(card: Card) -> Blocks:
    if not has_orders(card):
        return []
    buttons = order_buttons(card.run, card.interrupt)
    return actions_block(f"orders:{card.run.id}:{card.run.epoch}", buttons)


def _data(card: Card) -> Blocks:
    blocks = whole_of(parse_json(card.interrupt.shown))
    titles = [choice.title for choice in card.interrupt.shape.choices] if are_titles_cut(card.interrupt.shape) else []
    blocks += [block for title in titles for block in _passage("A choice", title)]
    return [{"type": "divider"}, *blocks] if blocks else []


def whole_of(value: Any) -> Blocks:
    """All of a JSON value: as on a card where that shows all of it, long texts in pieces; otherwise as an outline."""
    found = facts_in(value, facts=FACTS, passages=PASSAGES)
    blocks = facts_blocks(Facts(found.facts))
    for passage in found.passages:
        blocks += _passage(passage.label, passage.text)
    fits = len(blocks) <= GRID and not are_cut(found, passage=BYTES)
    return blocks if fits else _passage("", outline(value), kind="rich_text_preformatted")


def _passage(label: str, text: str, *, kind: str | None = None) -> Blocks:
    """A text in as many blocks as it needs, the label above the first."""
    cleaned = clip(clean(text).strip("\n"), CHARACTERS)
    kind = kind or ("rich_text_preformatted" if INDENTED.search(cleaned) else "rich_text_quote")
    parts = [{"type": kind, "elements": [literal(piece)]} for piece in pieces(cleaned, PIECE)]
    heads = [[{"type": "rich_text_section", "elements": [bold(one_line(label))]}] if label else []]
    heads += [[] for _ in parts[1:]]
    return [{"type": "rich_text", "elements": [*head, part]} for head, part in zip(heads, parts, strict=True)]


def _answers(card: Card) -> Blocks:
    blocks = [block for decision in card.decisions for block in _answer(card, decision)]
    if not card.decisions and card.interrupt.answer is not None:
        blocks = _value(card, card.interrupt.choice, card.interrupt.answer)
    return [{"type": "divider"}, *blocks] if blocks else []


def _answer(card: Card, decision: DecisionRecord) -> Blocks:
    choice = card.interrupt.shape.choice(decision.choice)
    title = one_line(choice.title if choice else decision.choice)
    who: list[dict[str, Any]] = [person_element(decision.person), literal(f": {title}")]
    line = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": who}]}
    when = {"type": "context", "elements": [mrkdwn(date_token(decision.at))]}
    note = _passage("Note", decision.note) if decision.note and decision.note not in decision.value else []
    return [line, when, *_value(card, decision.choice, decision.value), *note]


def _value(card: Card, key: str | None, value: str) -> Blocks:
    choice = card.interrupt.shape.choice(key) if key is not None else None
    return whole_of(told_of(choice, value)) if choice and choice.has_form else []

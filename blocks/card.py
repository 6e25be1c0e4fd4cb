"""A card: everything that one interrupt shows in Slack, drawn from its records alone, in every state."""

from dataclasses import dataclass
from typing import Any

from actions.kit.records import Card, InterruptStatus
from blocks import limits
from blocks.choices import actions_block, choice_buttons, order_button
from blocks.data import facts_of
from blocks.people import deadline_words, deciders_words
from blocks.settled import decision_blocks, execution_blocks, order_buttons
from blocks.states import INTERRUPT_STATES, UNDELIVERABLE, card_state
from blocks.summary import PASSAGE, PASSAGE_SETTLED, summarise
from blocks.text import clean, clip, escape, mention, mrkdwn, one_line, plain
from blocks.undelivered import why_undelivered
from blocks.votes import votes_blocks

QUESTION_IN_TEXT = 300
BECAUSE = 300


@dataclass(frozen=True, slots=True)
class Message:
    """A Slack message: `text` for notifications and screen readers, never empty, and the blocks that people see."""

    text: str
    blocks: list[dict[str, Any]]


def render_card(card: Card) -> Message:
    """The whole card as it stands: open with its buttons, or settled with what was decided and what became of it."""
    if card.interrupt.status is InterruptStatus.PENDING:
        return Message(fallback(card), _open(card))
    return Message(fallback(card), _settled(card))


def fallback(card: Card) -> str:
    """Question, amount and state in one line, escaped, for notifications and screen readers."""
    return one_line_of(card.interrupt.message, card.interrupt.shown, card_state(card))


def one_line_of(question: str, shown: str, *states: str) -> str:
    """A question, the amount unless the question says it, and states, escaped, in one line."""
    asked = clip(one_line(question), QUESTION_IN_TEXT)
    amount = facts_of(shown).sum or ""
    parts = [asked, "" if amount in asked else amount, *states]
    return clip(escape(" · ".join(part for part in parts if part)), limits.MESSAGE_TEXT)


def _open(card: Card) -> list[dict[str, Any]]:
    summary = summarise(card.interrupt.message, card.interrupt.shown, passage=PASSAGE)
    more = [order_button(card.run, "show_all", interrupt=card.interrupt)] if summary.is_cut else []
    return [
        *summary.blocks,
        *_asked_again(card),
        {"type": "context", "elements": [mrkdwn(line) for line in _open_lines(card)]},
        *votes_blocks(card),
        *execution_blocks(card),
        *actions_block(f"choices:{card.interrupt.id}:{card.interrupt.content_version}", choice_buttons(card) + more),
    ]


def _open_lines(card: Card) -> list[str]:
    """State and deadline; who asks and who may decide; that it reached nobody."""
    run, interrupt = card.run, card.interrupt
    waiting = f"{INTERRUPT_STATES[InterruptStatus.PENDING]} {deadline_words(card)}"
    asked = f"Asked by {mention(run.requester)}"
    decides = f"May decide: {deciders_words(interrupt.policy, run.requester)}"
    reason = interrupt.undeliverable
    lost = f"{UNDELIVERABLE}: {why_undelivered(reason)}" if reason else None
    return [line for line in (f"{waiting}\n{asked} · {decides}", lost) if line]


def _asked_again(card: Card) -> list[dict[str, Any]]:
    because = card.interrupt.asked_again_because
    if not because:
        return []
    state = INTERRUPT_STATES[InterruptStatus.SUPERSEDED]
    return [{"type": "section", "text": plain(f"{state} because {clip(clean(because), BECAUSE)}")}]


def _settled(card: Card) -> list[dict[str, Any]]:
    return [
        *summarise(card.interrupt.message, card.interrupt.shown, passage=PASSAGE_SETTLED).blocks,
        {"type": "context", "elements": [mrkdwn(f"Asked by {mention(card.run.requester)}")]},
        *decision_blocks(card),
        *execution_blocks(card),
        *_orders(card),
    ]


def _orders(card: Card) -> list[dict[str, Any]]:
    """Only an answered interrupt's card speaks for its run: a superseded or expired one has no more to order."""
    if card.interrupt.status is not InterruptStatus.ANSWERED:
        return []
    return actions_block(f"orders:{card.run.id}:{card.run.epoch}", order_buttons(card.run))


def minimal_card(card: Card) -> Message:
    """The least that a card says, for when Slack refuses the full one: buttons only while it can be answered."""
    line = {
        "type": "section",
        "text": plain(f"{clip(one_line(card.interrupt.message), QUESTION_IN_TEXT)}\n{card_state(card)}"),
    }
    is_open = card.interrupt.status is InterruptStatus.PENDING
    buttons = choice_buttons(card) if is_open else order_buttons(card.run) if _orders(card) else []
    block_id = f"minimal:{card.interrupt.id}:{card.interrupt.content_version}:{card.run.epoch}"
    return Message(fallback(card), [line, *actions_block(block_id, buttons)])

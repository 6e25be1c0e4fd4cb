"""How a run ended, told below the message with which somebody asked for it: what it came to, and no more than that."""

from actions.kit.records.copies import Ending
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from blocks import limits
from blocks.card import Message
from blocks.choices import actions_block
from blocks.data import facts_of
from blocks.facts import Facts
from blocks.notices import end_blocks, went_on
from blocks.returned import result_button, text_returned
from blocks.settled import decision_blocks, order_buttons
from blocks.states import RUN_STATES
from blocks.summary import are_cut, facts_blocks, literal
from blocks.text import clean, clip, escape, pieces, width

PIECE = 2_900
"""Characters of one element; the elements are read as one text."""
MOST = 9_000
"""Characters of an answer that the message holds."""


def render_reply(run: RunRecord, ending: Ending, card: Card | None) -> Message:
    """The text that it returned, literally; of anything else its state and its facts. `card` is its last, if it ever asked.

    Once the run went on, the message stays true and loses its buttons.
    """
    if run.epoch != ending.epoch or run.status != ending.status:
        interrupt = card.interrupt if card else None
        return Message(
            f"{run.action_name}: {RUN_STATES[ending.status]}", [*end_blocks(ending, interrupt), *went_on(run)]
        )
    text = text_returned(run)
    return _ended(run, ending, card) if text is None else _reply(run, text)


def _reply(run: RunRecord, text: str) -> Message:
    whole = clean(text).strip()
    elements = [literal(piece) for piece in pieces(clip(whole, MOST), PIECE)]
    shown = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}
    more = [result_button(run)] if width(whole) > MOST else []
    return Message(clip(escape(whole), limits.MESSAGE_TEXT), [shown, *actions_block(f"result:{run.id}", more)])


def _ended(run: RunRecord, ending: Ending, card: Card | None) -> Message:
    interrupt = card.interrupt if card else None
    told = facts_of(run.output) if run.status is RunStatus.SUCCEEDED and run.output is not None else Facts()
    buttons = [*order_buttons(run), *([result_button(run)] if are_cut(told) else [])]
    blocks = [
        *(decision_blocks(card) if card and ending.status is RunStatus.DECLINED else []),
        *end_blocks(ending, interrupt),
        *facts_blocks(told),
        *actions_block(f"orders:{run.id}:{run.epoch}", buttons),
    ]
    return Message(f"{run.action_name}: {RUN_STATES[ending.status]}", blocks)

"""How a run ended, told below the message with which somebody asked for it: what it came to, and no more than that."""

import json
from typing import Any

from actions.kit.records import Card, Ending, RunRecord, RunStatus
from blocks import limits
from blocks.card import Message
from blocks.choices import actions_block
from blocks.data import facts_of
from blocks.notices import end_blocks, went_on
from blocks.settled import decision_blocks, order_buttons
from blocks.states import RUN_STATES
from blocks.summary import facts_blocks, literal
from blocks.text import clean, clip, escape, pieces

PIECE = 2_900
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
    text = said(run)
    return _ended(run, ending, card) if text is None else _reply(text)


def said(run: RunRecord) -> str | None:
    """The text that a run came to, where that is all that it returned."""
    if run.status is not RunStatus.SUCCEEDED or run.output is None:
        return None
    output = json.loads(run.output)
    values = list(output.values()) if isinstance(output, dict) else [output]
    return values[0] if len(values) == 1 and isinstance(values[0], str) and values[0].strip() else None


def _reply(text: str) -> Message:
    whole = clean(text).strip()
    blocks = [_literally(piece) for piece in pieces(clip(whole, MOST), PIECE)]
    return Message(clip(escape(whole), limits.MESSAGE_TEXT), blocks)


def _literally(text: str) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [literal(text)]}]}


def _ended(run: RunRecord, ending: Ending, card: Card | None) -> Message:
    interrupt = card.interrupt if card else None
    told = run.output if run.status is RunStatus.SUCCEEDED else None
    blocks = [
        *(decision_blocks(card) if card and ending.status is RunStatus.DECLINED else []),
        *end_blocks(ending, interrupt),
        *(facts_blocks(facts_of(told)) if told is not None else []),
        *actions_block(f"orders:{run.id}:{run.epoch}", order_buttons(run)),
    ]
    return Message(f"{run.action_name}: {RUN_STATES[ending.status]}", blocks)

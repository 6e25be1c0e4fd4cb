"""One step of a form as blocks: its inputs, the heads and buttons of its rows, and the way back."""

import json
from typing import Any

from actions.kit.records.interrupts import Draft
from blocks import limits
from blocks.choices import actions_block
from blocks.forms.drafts import ADD, BACK, REMOVE, ROWS, TEXT, step_parts
from blocks.forms.hints import constraint_words
from blocks.forms.inputs import LABEL, input_block
from blocks.forms.layout import Item, RowHead, RowsFoot, RowsHead, shown
from blocks.forms.planning import form_of
from blocks.forms.plans import Input, Rows
from blocks.forms.state import Values, shown_raw
from blocks.text import clip, escape, mrkdwn, one_line, plain

HEAD = 1_500
OFFERS = {
    "row": (ADD, "Add an entry"),
    "text": (TEXT, "More entries, as text"),
    "rows": (ROWS, "As fields again"),
}
MOST_BYTES = 200_000
"""The rest of the `limits.VIEW_BYTES` is for what stands above the form."""


def step_count(schema: dict[str, Any]) -> int:
    return len(form_of(schema).steps)


def form_blocks(schema: dict[str, Any], draft: Draft | None = None) -> list[dict[str, Any]]:
    """What the draft's step shows, in the order of the schema's properties; nothing where nothing needs to be asked."""
    draft = draft or Draft()
    return [
        block
        for part in step_parts(schema, draft)
        for item in shown(part, draft.values, draft.rows)
        for block in _drawn(item, draft.values)
    ]


def is_too_much(schema: dict[str, Any], draft: Draft) -> bool:
    """Whether the draft's step would be more than a modal takes, with all that was typed into it."""
    return bytes_of(form_blocks(schema, draft)) > MOST_BYTES


def bytes_of(blocks: list[dict[str, Any]]) -> int:
    """What Slack may count them as at most: it does not say whether it counts a letter, or the escape that stands for it."""
    return len(json.dumps(blocks))


def progress_blocks(schema: dict[str, Any], draft: Draft | None) -> list[dict[str, Any]]:
    """Which step this is, and a button back to the one before; nothing where there is but one."""
    count, step = step_count(schema), draft.step if draft else 0
    if count < 2:  # noqa: PLR2004  (more than one)
        return []
    words = f"Step {min(step, count - 1) + 1} of {count}"
    if step < 1:
        return [{"type": "context", "elements": [plain(words)]}]
    back = {"type": "button", "action_id": BACK, "text": plain("Back"), "value": "back"}
    return [{"type": "section", "block_id": BACK, "text": plain(words), "accessory": back}]


def _drawn(item: Item, values: Values) -> list[dict[str, Any]]:
    match item:
        case Input():
            return [input_block(item, shown_raw(item, values))]
        case RowsHead(rows):
            return [_rows_head(rows)]
        case RowHead(rows, number, position):
            return [_row_head(rows, number, position)]
        case RowsFoot(rows, offers):
            return _rows_foot(rows, *OFFERS[offers]) if offers else []


def _rows_head(rows: Rows) -> dict[str, Any]:
    words = [str(rows.schema.get("description") or "").strip(), ", ".join(constraint_words(rows.schema))]
    said = " · ".join(word for word in words if word)
    return {"type": "section", "text": mrkdwn(f"*{_name(rows)}*\n{escape(said[:1].upper() + said[1:])}", HEAD)}


def _row_head(rows: Rows, number: int, position: int) -> dict[str, Any]:
    button = {
        "type": "button",
        "action_id": f"{REMOVE}{rows.id}",
        "text": plain("Remove"),
        "value": str(number),
        "accessibility_label": plain(f"Remove {_label(rows)} {position + 1}", limits.BUTTON_ACCESSIBILITY_LABEL)[
            "text"
        ],
    }
    return {
        "type": "section",
        "block_id": f"row:{number}:{rows.id}",
        "text": mrkdwn(f"*{_name(rows)} {position + 1}*", HEAD),
        "accessory": button,
    }


def _rows_foot(rows: Rows, action_id: str, words: str) -> list[dict[str, Any]]:
    button = {"type": "button", "action_id": f"{action_id}{rows.id}", "text": plain(words), "value": "press"}
    return actions_block(f"rows:{rows.id}", [button])


def _name(rows: Rows) -> str:
    """The label in mrkdwn. Signs of style in it would be read as such, and nothing worse."""
    return escape(clip(_label(rows), LABEL))


def _label(rows: Rows) -> str:
    return one_line(rows.place.label) or "Entry"

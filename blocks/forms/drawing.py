"""One step of a form as blocks: its inputs, the heads and buttons of its rows, and the way back."""

from typing import Any

from actions.kit.records import Draft
from blocks import limits
from blocks.choices import actions_block
from blocks.forms.drafts import ADD, BACK, REMOVE, step_parts
from blocks.forms.hints import constraint_words
from blocks.forms.inputs import LABEL, input_block
from blocks.forms.layout import Item, RowHead, RowsFoot, RowsHead, shown
from blocks.forms.planning import form_of
from blocks.forms.plans import Input, Rows
from blocks.forms.state import Values, shown_raw
from blocks.text import clip, escape, mrkdwn, one_line, plain

HEAD = 1_500


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
        case RowsFoot(rows, can_add):
            return _rows_foot(rows) if can_add else []


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


def _rows_foot(rows: Rows) -> list[dict[str, Any]]:
    button = {"type": "button", "action_id": f"{ADD}{rows.id}", "text": plain("Add an entry"), "value": "add"}
    return actions_block(f"rows:{rows.id}", [button])


def _name(rows: Rows) -> str:
    """The label in mrkdwn. Signs of style in it would be read as such, and nothing worse."""
    return escape(clip(_label(rows), LABEL))


def _label(rows: Rows) -> str:
    return one_line(rows.place.label) or "Entry"

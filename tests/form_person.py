"""A person who fills in a form as the bot shows it: step by step, pressing what has to be pressed to get what they want."""

from collections.abc import Iterator
from typing import Any

from actions.kit.records.interrupts import Draft
from blocks.form import form_blocks, input_view, kept, next_step, read_step, turned
from blocks.forms.drafts import ADD, REMOVE, step_parts
from blocks.forms.layout import Item, RowsHead, numbers_of, shown
from blocks.forms.plans import Input
from blocks.forms.state import raw_of
from blocks.validate import validate_view
from tests.filling import Values, filled_draft

Schema = dict[str, Any]
PRESSES = 200


def view_of(schema: Schema, draft: Draft) -> dict[str, Any]:
    """The modal that is shown, which Slack must take."""
    view = input_view("act", "Act", "Does it.", schema, channel=None, nonce="n", draft=draft, draft_id="d")
    assert validate_view(view) == []
    return view


def inputs_in(view: dict[str, Any]) -> set[str]:
    return {block["block_id"] for block in view["blocks"] if block["type"] == "input"}


def items_in(schema: Schema, draft: Draft) -> Iterator[Item]:
    for part in step_parts(schema, draft):
        yield from shown(part, draft.values, draft.rows)


def filled_in(schema: Schema, value: Any) -> Draft:
    """The draft after every step was filled in with `value`, each view on the way being one that Slack takes."""
    goal = filled_draft(schema, value)
    draft = Draft()
    while True:
        draft = _step(schema, draft, goal)
        assert read_step(schema, draft).problems == (), (schema, value, draft)
        further = next_step(schema, draft)
        if further is None:
            return draft
        draft = further


def _step(schema: Schema, draft: Draft, goal: Draft) -> Draft:
    for _ in range(PRESSES):
        typed = _typed(view_of(schema, draft), goal)
        pressed = next(_to_press(schema, kept(draft, {}), goal), None)
        if pressed is None:
            return kept(draft, typed)
        draft = turned(schema, draft, *pressed, {**typed, **_unpressed(schema, draft)})
    raise AssertionError("no end of pressing")


def _typed(view: dict[str, Any], goal: Draft) -> Values:
    return {block_id: goal.values[block_id] for block_id in inputs_in(view) if block_id in goal.values}


def _unpressed(schema: Schema, draft: Draft) -> Values:
    """Selectors as they stand before they are pressed."""
    selectors = [item for item in items_in(schema, draft) if isinstance(item, Input) and item.redraws]
    return {item.block_id: draft.values[item.block_id] for item in selectors if item.block_id in draft.values}


def _to_press(schema: Schema, draft: Draft, goal: Draft) -> Iterator[tuple[str, str | None]]:
    for item in items_in(schema, draft):
        if isinstance(item, Input) and item.redraws:
            wanted = raw_of(item, goal.values)
            if item.block_id not in draft.values or raw_of(item, draft.values) != wanted:
                yield item.action_id, wanted if isinstance(wanted, str) else None
        if isinstance(item, RowsHead):
            present = numbers_of(item.rows, draft.rows)
            count = goal.rows.get(item.rows.id, item.rows.first)
            if len(present) < count:
                yield f"{ADD}{item.rows.id}", "add"
            if len(present) > count:
                yield f"{REMOVE}{item.rows.id}", str(present[-1])


def labels_of(schema: Schema, draft: Draft | None = None) -> list[str]:
    return [block["label"]["text"] for block in form_blocks(schema, draft) if block["type"] == "input"]

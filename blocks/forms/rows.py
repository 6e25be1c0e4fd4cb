"""Lists of objects while somebody fills them in: a row more or less, and many entries as text instead of rows.

What rows hold is carried over into the text and back. Where that would lose something, everything stays as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Draft
from blocks.forms.defaults import raw_default, showable
from blocks.forms.filled import read_node
from blocks.forms.layout import can_add, is_as_text, numbers_of, removed_key, shown_inputs
from blocks.forms.lines import read_entries, written
from blocks.forms.plans import Rows, inputs_of
from blocks.forms.state import raw_of, state_of

TOO_LONG = "are too long to be typed as text: there is no room for more"
TOO_MANY = "are more than fit in rows"
NO_FIELD = "have something that no field of a row can hold"


def with_row(draft: Draft, rows: Rows) -> Draft:
    if is_as_text(rows, draft.rows) or not can_add(rows, draft.rows):
        return draft
    ever = draft.rows.get(rows.id, rows.first)
    return draft.model_copy(update={"rows": {**draft.rows, rows.id: ever + 1}})


def without_row(draft: Draft, rows: Rows, value: str | None) -> Draft:
    """The row of this number is gone, with what was typed into it; not one that is there no more."""
    present = [] if is_as_text(rows, draft.rows) else numbers_of(rows, draft.rows)
    number = next((each for each in present if str(each) == value), None)
    if number is None:
        return draft
    gone = {plan.block_id for plan in inputs_of(rows.row(number, present.index(number)))}
    return draft.model_copy(
        update={
            "rows": {rows.id: rows.first, **draft.rows, removed_key(rows, number): 0},
            "values": {block_id: state for block_id, state in draft.values.items() if block_id not in gone},
        }
    )


def as_text(draft: Draft, rows: Rows) -> Draft:
    """The entries as text, those too that are not filled in as they should be; as it was where they are too long."""
    entries = [entry for entry in read_node(rows, draft.values, draft.rows).value or [] if entry != {}]
    text = showable(written(rows.text, entries)) if entries else ""
    if text is None or is_as_text(rows, draft.rows):
        return draft
    typed = {rows.text.block_id: state_of(rows.text, text)}
    counts = {**draft.rows, rows.text.block_id: 1}
    return draft.model_copy(update={"rows": counts, "values": {**draft.values, **typed}})


def as_rows(draft: Draft, rows: Rows) -> Draft:
    """The entries as rows again; as it was where that would lose anything. Rows are numbered anew: none was in sight."""
    if not is_as_text(rows, draft.rows):
        return draft
    entries = read_entries(rows.text, str(raw_of(rows.text, draft.values) or ""))
    if entries.problems or len(entries.values) > rows.most:
        return draft
    others = {key: count for key, count in draft.rows.items() if not _is_of(rows, key)}
    counts = {**others, rows.id: len(entries.values)}
    values = {block_id: state for block_id, state in draft.values.items() if not block_id.startswith(f"{rows.id}/")}
    values |= _states(rows, entries.values)
    read = read_node(rows, values, counts).value if entries.values else []
    return draft.model_copy(update={"rows": counts, "values": values}) if holds(read, list(entries.values)) else draft


def why_not_switched(draft: Draft, rows: Rows) -> tuple[Problem, ...]:
    """Why the entries could not be typed as text, or stand in rows again, whichever was asked for."""
    if not is_as_text(rows, draft.rows):
        return (Problem(rows.place.path, TOO_LONG),)
    entries = read_entries(rows.text, str(raw_of(rows.text, draft.values) or ""))
    if entries.problems:
        return entries.problems
    return (Problem(rows.place.path, TOO_MANY if len(entries.values) > rows.most else NO_FIELD),)


def _is_of(rows: Rows, key: str) -> bool:
    """Whether a count is about these rows: how many there are, which are gone, whether they are text."""
    return key in (rows.id, rows.text.block_id) or key.startswith(removed_key(rows, ""))


def _states(rows: Rows, entries: Sequence[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, entry in enumerate(entries):
        for plan in shown_inputs(rows.given(number, entry), {}, {}):
            yield plan.block_id, state_of(plan, raw_default(plan))


def holds(read: Any, entry: Any) -> bool:
    """Whether all of an entry was read back; what it leaves out may have become its default."""
    if isinstance(entry, Mapping):
        return isinstance(read, Mapping) and all(name in read and holds(read[name], entry[name]) for name in entry)
    if isinstance(entry, list):
        return isinstance(read, list) and len(read) == len(entry) and all(map(holds, read, entry))
    return bool(read == entry)

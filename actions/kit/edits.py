"""What a decider may change of an input before it is approved: which fields, the form for them, and what became of them."""

import dataclasses
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from actions.kit.errors import AnswerError, Problem
from actions.kit.records.runs import Edit
from actions.kit.shapes.json_text import NotJson, to_json_text

NO_APPROVAL = (
    "editable: what it asks by itself is no approval, or only its input says what is asked or who decides; "
    "leave editable out"
)


@dataclass(frozen=True, slots=True)
class FieldEdit:
    """One field that a decider changed before it was approved: its JSON values, who changed it (a Slack id), when (UTC).

    `None` stands for a value that is not there as well. `standing_for` is in whose place that person did it.
    """

    field: str
    before: Any = dataclasses.field(repr=False)
    after: Any = dataclasses.field(repr=False)
    person: str
    at: datetime
    standing_for: str | None = None


def editable_mistakes(
    editable: Any, schema: Mapping[str, Any] | None, stored: str | None, *, approval: bool
) -> list[str]:
    """What is wrong with the names of fields that may be edited. `stored` describes the input as it is kept."""
    if not isinstance(editable, tuple | list) or not all(isinstance(each, str) for each in editable):
        return [f'editable must be names of fields, such as ("amount", "reason"); it is {editable!r}']
    if not editable:
        return []
    if not approval:
        return [NO_APPROVAL]
    asked, kept = _fields(schema), _fields(None if stored is None else json.loads(stored))
    there = [name for name in asked if name in kept]
    return [
        f"editable: the input has no field {name!r}; the fields are {', '.join(map(repr, there)) or 'none'}"
        for name in editable
        if name not in there
    ]


def form_of(schema: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The JSON Schema of an object with these fields of the input alone."""
    fields = {name: each for name, each in _fields(schema).items() if name in names}
    required = [name for name in schema.get("required", ()) if name in names]
    return {**schema, "properties": fields, "required": required}


def edited_text(
    text: str,
    names: Collection[str],
    given: Mapping[str, Any],
    *,
    restore: Callable[[str], Any],
    store: Callable[[Any], str],
) -> str:
    """The input with these fields as they are given, all of it validated; `text` itself where nothing is another.

    A field that is not given was left empty. What means the same as before stays as it was written. Raises `AnswerError`.
    """
    before: dict[str, Any] = json.loads(text)
    taken = {name: value for name, value in given.items() if name in names}
    merged = {name: value for name, value in before.items() if name not in names or name in taken} | taken
    old, new = restore(text), restore(_text(merged))
    after: dict[str, Any] = json.loads(store(new))
    same = {name for name in after if name in before and _is_same(name, before, after, old, new)}
    if len(same) == len(after) == len(before):
        return text
    return _text({name: before[name] if name in same else value for name, value in after.items()})


def field_edits(edits: Iterable[Edit], input_text: str) -> tuple[FieldEdit, ...]:
    """Field by field, what was changed in the course of time. `input_text` is what it came to."""
    edits = tuple(edits)
    texts = pairwise([*(each.before for each in edits), input_text])
    return tuple(
        FieldEdit(name, before.get(name), after.get(name), edit.person, edit.at, edit.standing_for)
        for edit, (before, after) in zip(edits, (map(json.loads, pair) for pair in texts), strict=True)
        for name in {**before, **after}
        if _spelt(before.get(name)) != _spelt(after.get(name))
    )


def _text(value: Any) -> str:
    try:
        return to_json_text(value, what="input")
    except NotJson as error:
        raise AnswerError([Problem(error.keys, error.reason)]) from error


def _fields(schema: Any) -> dict[str, Any]:
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def _is_same(name: str, before: Mapping[str, Any], after: Mapping[str, Any], old: Any, new: Any) -> bool:
    """As JSON, or as values of a model: 4000 and 4000.00 are the same amount."""
    if _spelt(before[name]) == _spelt(after[name]):
        return True
    return isinstance(old, BaseModel) and bool(getattr(old, name, old) == getattr(new, name, new))


def _spelt(value: Any) -> str:
    return json.dumps(value, sort_keys=True)

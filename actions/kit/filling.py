"""Fields of an answer that take their values from what the card shows, so that nobody has to type what stands there.

A field says so in its JSON Schema (`json_schema_extra` of a pydantic field):

| mark | what becomes of the field |
|---|---|
| `"shown": "code"` | it is what is shown as `code`, and not asked for; a choice of nothing but such fields is a button |
| `"shown": "code", "edit": True` | it starts as what is shown, and can be changed |
| `"shown": "name", "retype": True` | it has to be typed exactly as it is shown |
| `"shown": "options", "options": "several"` | it is one of the entries shown, or several where `several` is shown as true |

Entries are values, or objects with a `value` and a `title`. On a model itself `"shown": "schema", "edit": "values"` makes
the JSON Schema that is shown its form, which starts as the `values` that are shown. `"order.uid"` looks within an entry.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from actions.kit.errors import AnswerError, ShapeError
from actions.kit.json_text import MAX_JSON, NotJson, to_json_text
from actions.kit.records import Problem
from actions.kit.schemas import Schema
from actions.kit.shape import MISSING, Variant
from actions.kit.typed import Typed, typed

SHOWN = "shown"
_KEPT = ("title", "description", SHOWN)
_CHECKED = ("retype", "options")
"""What the schema says and the declared type does not, so that a value is held against both."""


def takes_from_shown(schema: Schema) -> bool:
    """Whether any of it comes from what is shown."""
    return SHOWN in schema or any(True for _ in _marked(schema))


def as_shown(variant: Variant, shown: Any) -> Variant:
    """The way to answer with what it takes from `shown`, a JSON value.

    Raises:
        ShapeError: That is not there, or cannot be asked for.
    """
    if SHOWN in variant.schema:
        return _form_of(variant, shown)
    marked = dict(_marked(variant.schema))
    if not marked:
        return variant
    required = variant.schema.get("required", ())
    filled = {name: _filled(name, member, shown, is_needed=name in required) for name, member in marked.items()}
    fixed = [name for name, member in filled.items() if "const" in member]
    schema = {
        **variant.schema,
        "properties": {**variant.schema["properties"], **filled},
        "required": list(dict.fromkeys((*required, *fixed))),
    }
    is_checked = any(mark in member for member in marked.values() for mark in _CHECKED)
    type_ = _Both(schema, variant.type) if is_checked and variant.type else variant.type
    return replace(variant, schema=schema, type=type_)


def completed(schema: Schema, value: Any) -> Any:
    """A given value with the fields that are as they are shown. Raises `AnswerError` where it has others."""
    if not isinstance(value, Mapping):
        return value
    shown = {name: member["const"] for name, member in _marked(schema) if "const" in member}
    wrong = [name for name in shown if name in value and not same(value[name], shown[name])]
    if wrong:
        raise AnswerError([Problem((name,), "is not what is shown; leave it out") for name in wrong])
    return {**value, **shown}


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; `True` is not `1`, the order of keys does not matter. Raises `AnswerError`."""
    try:
        texts = [json.dumps(json.loads(to_json_text(each, what="answer")), sort_keys=True) for each in (one, other)]
    except NotJson as error:
        raise AnswerError([Problem(error.keys, error.reason)]) from error
    return texts[0] == texts[1]


def _marked(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for name, member in schema.get("properties", {}).items():
        if isinstance(member, dict) and isinstance(member.get(SHOWN), str):
            yield name, member


def _found(shown: Any, key: Any) -> Any:
    for part in str(key).split("."):
        if not isinstance(shown, Mapping) or part not in shown:
            return MISSING
        shown = shown[part]
    return shown


def _filled(name: str, member: Schema, shown: Any, *, is_needed: bool) -> Schema:
    found = _found(shown, member[SHOWN])
    if member.get("edit"):
        return member if found in (MISSING, None) else {**member, "default": found}
    if found is MISSING and not is_needed and "default" in member:
        found = member["default"]
    if found is MISSING:
        raise ShapeError(name, f"is taken from what is shown, which has no {member[SHOWN]!r}")
    if member.get("retype"):
        return {**member, "pattern": f"^{re.escape(str(found))}$", "examples": [found]}
    if "options" in member:
        return _choosing(name, member, found, several=_found(shown, member["options"]) is True)
    return {**{key: member[key] for key in _KEPT if key in member}, "const": found}


def _choosing(name: str, member: Schema, found: Any, *, several: bool) -> Schema:
    if not isinstance(found, list) or not found:
        raise ShapeError(name, f"is chosen from what is shown as {member[SHOWN]!r}, which is no list of options")
    about = {key: member[key] for key in _KEPT if key in member}
    one_of = {"oneOf": [_option(each) for each in found]}
    if not several:
        return {**about, **one_of}
    return {**about, "type": "array", "items": one_of, "minItems": 1, "uniqueItems": True}


def _option(shown: Any) -> Schema:
    if not isinstance(shown, Mapping):
        return {"const": shown}
    return {"const": shown.get("value"), **{key: shown[key] for key in ("title", "description") if shown.get(key)}}


def _form_of(variant: Variant, shown: Any) -> Variant:
    """The form that is shown as a JSON Schema, with the values that are shown."""
    declared = _found(shown, variant.schema[SHOWN])
    if not isinstance(declared, dict):
        raise ShapeError("", f"is made from what is shown as {variant.schema[SHOWN]!r}, which is no JSON Schema")
    values = _found(shown, variant.schema.get("edit", ""))
    prepared = typed(_starting_as(declared, values if isinstance(values, Mapping) else {}))
    marks = {key: each for key, each in variant.schema.items() if key in ("key", "style", "confirm", "declines")}
    return replace(variant, schema={**prepared.json_schema, **marks}, type=prepared)


def _starting_as(declared: Schema, values: Mapping[str, Any]) -> Schema:
    properties = declared.get("properties")
    if not isinstance(properties, Mapping):
        return declared
    started = {
        name: {**member, "default": values[name]} if isinstance(member, dict) and name in values else member
        for name, member in properties.items()
    }
    return {**declared, "properties": started}


@dataclass(frozen=True)
class _Both:
    """A declared type, and a schema that says more."""

    json_schema: Schema
    declared: Typed

    def validate(self, raw: Any, *, what: str = "input", limit: int = MAX_JSON) -> str:
        typed(self.json_schema).validate(raw, what=what, limit=limit)
        return self.declared.validate(raw, what=what, limit=limit)

    def restore(self, text: str) -> Any:
        return self.declared.restore(text)

    def store(self, value: Any, *, what: str = "output") -> str:
        return self.declared.store(value, what=what)

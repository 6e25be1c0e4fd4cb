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
from dataclasses import replace
from typing import Any

from actions.kit.errors import AnswerError, Problem, ShapeError
from actions.kit.shapes.json_text import NotJson, to_json_text
from actions.kit.shapes.outside import refuse_hostile
from actions.kit.shapes.schemas import Schema
from actions.kit.shapes.shape import MISSING, Variant
from actions.kit.shapes.typed import typed

SHOWN = "shown"
_KEPT = ("title", "description", SHOWN, "options")
_NOT_SHOWN = "is not what is shown; leave it out"
_NOT_RETYPED = "must be typed exactly as it is shown"
_NO_OPTION = "must be one of the options that are shown"
_NOT_A_LIST = "must be a list of options, at least one and none of them twice"


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
    return replace(variant, schema=schema)


def completed(schema: Schema, value: Any) -> Any:
    """A given value with the fields that are as they are shown. Raises `AnswerError` where it has others."""
    if not isinstance(value, Mapping):
        return value
    marked = dict(_marked(schema))
    problems = [Problem((name,), wrong) for name in value if (wrong := _why_not(marked.get(name, {}), value[name]))]
    if problems:
        raise AnswerError(problems)
    return {**value, **{name: member["const"] for name, member in marked.items() if "const" in member}}


def _why_not(member: Schema, given: Any) -> str | None:
    if "const" in member and not same(given, member["const"]):
        return _NOT_SHOWN
    if "options" in member:
        return _why_not_chosen(member, given)
    if member.get("retype") and not (isinstance(given, str) and re.fullmatch(member.get("pattern", ""), given)):
        return _NOT_RETYPED
    return None


def _why_not_chosen(member: Schema, given: Any) -> str | None:
    several = member.get("type") == "array"
    options = {_canonical(each["const"]) for each in (member["items"] if several else member).get("oneOf", ())}
    if several and not isinstance(given, list):
        return _NOT_A_LIST
    chosen = [_canonical(each) for each in (given if several else [given])]
    if not chosen or len(set(chosen)) < len(chosen):
        return _NOT_A_LIST
    return None if options.issuperset(chosen) else _NO_OPTION


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; `True` is not `1`, the order of keys does not matter. Raises `AnswerError`."""
    return _canonical(one) == _canonical(other)


def _canonical(value: Any) -> str:
    try:
        return json.dumps(json.loads(to_json_text(value, what="answer")), sort_keys=True)
    except NotJson as error:
        raise AnswerError([Problem(error.keys, error.reason)]) from error


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
        return {**member, "pattern": f"^{re.escape(str(found))}$"}
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
    try:
        refuse_hostile(declared)
    except ValueError as error:
        raise ShapeError(str(variant.schema[SHOWN]), str(error)) from error
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

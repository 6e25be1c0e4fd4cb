"""How an answer is shaped: what was given beside what is expected, in one line each, and without what anybody wrote."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from actions.kit.counting import counted
from actions.kit.records.interrupts import Choice, Shape
from blocks.text import clip, one_line

KEYS, DEEP, LONGEST = 8, 3, 300
NAME = re.compile(r"[^\W\d][\w .$-]{0,39}")
"""What may be told of a key that somebody made up: a name, and no more of it than one reads."""

KINDS: dict[str, str] = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
    "object": "object",
    "array": "list",
}


def name_of(key: str) -> str:
    """A key of a stranger's, as far as it may be told."""
    return key if NAME.fullmatch(key) else f"({counted(len(key), 'character')})"


def shape_of(value: Any, deep: int = DEEP) -> Any:
    """A JSON value with each thing in it replaced by the word for its kind, and the keys of its objects kept."""
    match value:
        case dict() if deep:
            kept = list(value.items())[:KEYS]
            more = {"…": counted(len(value) - KEYS, "further key")} if len(value) > KEYS else {}
            return {name_of(key): shape_of(each, deep - 1) for key, each in kept} | more
        case list() if deep:
            return [shape_of(value[0], deep - 1)] if value else []
    return _kind(value)


def _kind(value: Any) -> str:
    match value:
        case None | bool():
            return KINDS["null" if value is None else "boolean"]
        case int() | float():
            return "number"
        case str():
            return KINDS["string"]
    return KINDS["object" if isinstance(value, Mapping) else "array"]


def shape_words(shape: Any) -> str:
    """A value's shape in one line: `{reason: text, tags: [text]}`."""
    match shape:
        case {}:
            return f"{{{', '.join(f'{key}: {shape_words(each)}' for key, each in shape.items())}}}"
        case [first, *_]:
            return f"[{shape_words(first)}]"
        case []:
            return "[]"
    return str(shape)


def given_words(choice: str | None, shape: Any) -> str:
    """What somebody gave, as far as it was noted."""
    named = f"“{choice}”" if choice else "no choice"
    return named if shape is None else f"{named} with {clip(shape_words(shape), LONGEST)}"


def expected_words(shape: Shape) -> str:
    """All that can be answered: “approve” · “reject” with {reason: text}."""
    return " · ".join(_choice_words(choice) for choice in shape.choices)


def _choice_words(choice: Choice) -> str:
    named = f"“{choice.key}”"
    return f"{named} with {clip(schema_words(choice.json_schema), LONGEST)}" if choice.has_form else named


def schema_words(schema: Mapping[str, Any], deep: int = DEEP) -> str:
    """A JSON Schema in one line: `{order: text, note?: text}`, where a `?` is at what may be left out."""
    return _words(schema, schema, deep)


def _words(schema: Any, root: Mapping[str, Any], deep: int) -> str:
    match schema:
        case {"$ref": str(reference)} if deep > 0:
            return _words(_referred(reference, root), root, deep - 1)
        case {"const": value} | {"enum": [value]}:
            return _value(value)
        case {"enum": [*values]}:
            return _either(map(_value, values))
        case {"anyOf": [*members]} | {"oneOf": [*members]}:
            return _either(_words(each, root, deep) for each in members)
        case {"properties": Mapping() as properties} if properties:
            return _object(properties, set(schema.get("required", ())), root, deep)
    return _plain(schema, root, deep) if isinstance(schema, Mapping) else "anything"


def _plain(schema: Mapping[str, Any], root: Mapping[str, Any], deep: int) -> str:
    kind = schema.get("type")
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return f"[{_words(schema['items'], root, deep)}]"
    if isinstance(kind, list):
        return _either(KINDS.get(each, str(each)) for each in kind)
    named = KINDS.get(str(kind), "anything")
    return f"{schema['format']}" if named == "text" and isinstance(schema.get("format"), str) else named


def _object(properties: Mapping[str, Any], required: set[str], root: Mapping[str, Any], deep: int) -> str:
    if deep <= 0:
        return KINDS["object"]
    told = [
        f"{name}{'' if name in required else '?'}: {_words(each, root, deep - 1)}"
        for name, each in list(properties.items())[:KEYS]
    ]
    left = len(properties) - len(told)
    return f"{{{', '.join([*told, *([f'… {left} more'] if left > 0 else [])])}}}"


def _referred(reference: str, root: Mapping[str, Any]) -> Any:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _either(words: Iterable[str]) -> str:
    return clip(" | ".join(dict.fromkeys(words)), LONGEST)


def _value(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False))

"""What an author said about data beside the data itself: its JSON Schema, so that a card knows titles, units and kinds.

It only helps to show a value and never says what is right: a value that it does not describe is shown all the same, and
whatever goes wrong while it is made costs the help alone.
"""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from actions.kit.shapes.schemas import Emitter, Schema

MAX_SCHEMA = 64 * 1024
"""The most that a schema may take as JSON text, in bytes; a larger one is left out."""
DESCRIBED = 200
"""Entries of plain objects and lists that are looked at, however they nest."""

KEPT = frozenset(
    {
        "$defs",
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "contentMediaType",
        "currency",
        "description",
        "enum",
        "format",
        "items",
        "oneOf",
        "prefixItems",
        "properties",
        "required",
        "title",
        "type",
        "unit",
        "writeOnly",
    }
)
"""What helps to show a value, or to tell which of several types it has; the rest is for whoever fills one in."""

_TOLD_BY_TYPE: tuple[tuple[type, str], ...] = (
    (datetime, "date-time"),
    (date, "date"),
    (time, "time"),
    (timedelta, "duration"),
    (Decimal, "decimal"),
)


class _Shown(Emitter):
    """As for forms, but nothing is unfit: whatever can be written as JSON can be shown."""

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:  # noqa: ARG002  (the base class's name)
        return {"type": "string"}


def schema_of_data(value: Any) -> str | None:
    """The schema of a value that an action shows: models and dataclasses by their types, at any depth of plain JSON."""
    try:
        definitions: Schema = {}
        found = _described(value, definitions, iter(range(DESCRIBED)))
        return None if found is None else _text({**found, "$defs": definitions} if definitions else found)
    except Exception:  # noqa: BLE001 - an author's type may raise anything while it describes itself
        return None


def schema_of_input(declared: Any) -> str | None:
    """The schema of an input as it is stored, by its declared type; a JSON Schema describes itself."""
    try:
        return _text(declared) if isinstance(declared, dict) else _text(_of_type(declared, by_alias=False))
    except Exception:  # noqa: BLE001 - as above
        return None


def merged_schemas(known: str, own: str) -> str | None:
    """Two schemas of one object as one, as they are stored; where both describe an entry, `own` does."""
    first, second = json.loads(known), json.loads(own)
    definitions = {**first.get("$defs", {}), **second.get("$defs", {})}
    entries = {**first.get("properties", {}), **second.get("properties", {})}
    is_ambiguous = any(definitions[name] != told for name, told in first.get("$defs", {}).items())
    if is_ambiguous or "object" not in (first.get("type"), second.get("type")):
        return own
    whole = {**first, **second, "properties": entries}
    return _text({**whole, "$defs": definitions} if definitions else whole)


def _described(value: Any, definitions: Schema, room: Iterable[int]) -> Schema | None:
    """What is known of a value: `None` where its JSON tells as much by itself."""
    if isinstance(value, BaseModel) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        schema = dict(_of_type(type(value), by_alias=True))
        own = schema.pop("$defs", {})
        schema.pop("title", None)  # of the class, and here the entry has a name of its own
        schema.pop("description", None)
        if any(definitions.get(name, told) != told for name, told in own.items()):
            return None  # two types of one name
        definitions.update(own)
        return schema
    if isinstance(value, Mapping):
        entries = {str(name): _described(entry, definitions, room) for name, entry in _some(value.items(), room)}
        told = {name: entry for name, entry in entries.items() if entry is not None}
        return {"type": "object", "properties": told} if told else None
    if isinstance(value, list | tuple):
        return _of_items([entry for _, entry in _some(enumerate(value), room)], definitions, room)
    told_by = next((word for kind, word in _TOLD_BY_TYPE if isinstance(value, kind)), None)
    return {"type": "string", "format": told_by} if told_by else None


def _some(entries: Iterable[tuple[Any, Any]], room: Iterable[int]) -> Iterable[tuple[Any, Any]]:
    return (entry for entry, _ in zip(entries, room, strict=False))


def _of_items(values: list[Any], definitions: Schema, room: Iterable[int]) -> Schema | None:
    """A list is described where all that was looked at is of one type."""
    if len({type(value) for value in values}) != 1:
        return None
    item = _described(values[0], definitions, room)
    return None if item is None else {"type": "array", "items": item}


@lru_cache(maxsize=512)
def _of_type(declared: Any, *, by_alias: bool) -> Schema:
    adapter: TypeAdapter[Any] = TypeAdapter(declared)
    schema = adapter.json_schema(mode="serialization", by_alias=by_alias, schema_generator=_Shown)
    return cast("Schema", _pruned(schema))


def _pruned(schema: Any) -> Any:
    """Without what does not help to show a value. What stands under `properties` and `$defs` are names, not keywords."""
    if isinstance(schema, list):
        return [_pruned(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        word: {name: _pruned(each) for name, each in entry.items()}
        if word in {"properties", "$defs"} and isinstance(entry, dict)
        else entry
        if word in {"const", "enum", "required"}
        else _pruned(entry)
        for word, entry in schema.items()
        if word in KEPT
    }


def _text(schema: Schema) -> str | None:
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return text if len(text.encode()) <= MAX_SCHEMA else None

"""Takes out of an answer whatever its schema marks as secret, at any depth, before anything of it is shown."""

from collections.abc import Iterator, Mapping
from typing import Any

DEEPEST = 50
"""Levels that are looked through; what is nested deeper is withheld."""


def without_secrets(value: Any, schema: Any) -> Any:
    """`value` without the entries that are write-only or passwords by any branch of its JSON Schema."""
    return _shown(value, [schema], schema if isinstance(schema, Mapping) else {}, DEEPEST)


def _shown(value: Any, schemas: list[Any], root: Mapping[str, Any], levels: int) -> Any:
    if not isinstance(value, Mapping | list):
        return value
    if not levels:
        return None
    branches = [branch for schema in schemas for branch in _branches(schema, root, frozenset())]
    if isinstance(value, list):
        items = [branch[word] for branch in branches for word in ("items", "contains") if word in branch]
        items += [each for branch in branches for each in _listed(branch, "prefixItems")]
        return [] if any(map(_is_secret, items)) else [_shown(each, items, root, levels - 1) for each in value]
    entries = {name: [_property(branch, name) for branch in branches] for name in value}
    return {
        name: _shown(value[name], own, root, levels - 1)
        for name, own in entries.items()
        if not any(_is_secret(branch) for schema in own for branch in _branches(schema, root, frozenset()))
    }


def _branches(schema: Any, root: Mapping[str, Any], seen: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    """The schema, what it refers to and what it combines."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    target = schema.get("$ref")
    if isinstance(target, str) and target not in seen:
        yield from _branches(_found(root, target), root, seen | {target})
    for word in ("anyOf", "oneOf", "allOf"):
        for each in _listed(schema, word):
            yield from _branches(each, root, seen)


def _listed(schema: Mapping[str, Any], word: str) -> list[Any]:
    found = schema.get(word)
    return found if isinstance(found, list) else []


def _found(root: Mapping[str, Any], target: str) -> Any:
    place: Any = root
    for step in target.removeprefix("#").split("/")[1:]:
        place = place.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(place, Mapping) else None
    return place


def _property(schema: Mapping[str, Any], name: str) -> Any:
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and name in properties:
        return properties[name]
    return schema.get("additionalProperties")


def _is_secret(schema: Any) -> bool:
    return isinstance(schema, Mapping) and (schema.get("writeOnly") is True or schema.get("format") == "password")

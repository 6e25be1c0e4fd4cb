"""What the JSON Schema of an input says of its fields, and whether a condition can be told of them: none is misspelt unseen."""

from collections.abc import Iterator, Mapping
from typing import Any

from actions.kit.policies.conditions import ORDERS, AllOf, AnyOf, Compare, Condition, Not, OneOf

Schema = Mapping[str, Any]
NUMBERS = frozenset({"number", "integer"})
OF_TYPE: Mapping[str, list[Any]] = {"boolean": [True, False], "null": [None]}
"""Types of which all values are known."""


def condition_mistakes(condition: Condition, schema: Schema) -> Iterator[str]:
    """Fields that the input does not have, and fields of text that are compared with a number, each once."""
    told = set[str]()
    for leaf in _leaves(condition):
        mistake = _mistake(leaf, schema)
        if mistake is not None and mistake not in told:
            told.add(mistake)
            yield mistake


def is_in(schema: Schema, name: str) -> bool:
    """Whether an input of this schema may have the field (`a.b` for one within another)."""
    return any(True for _ in _at(schema, schema, name.split(".")))


def values_in(schema: Schema, name: str) -> list[Any] | None:
    """The only values that the field may have in an input of this schema; `None` where it may have others too."""
    lists = [_fixed(_followed(schema, each)) for each in _at(schema, schema, name.split("."))]
    return None if None in lists else [value for values in lists for value in values or ()]


def _fixed(schema: Schema) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    return OF_TYPE.get(str(schema.get("type")))


def _leaves(condition: Condition) -> Iterator[Compare | OneOf]:
    match condition:
        case Compare() | OneOf():
            yield condition
        case Not():
            yield from _leaves(condition.condition)
        case AllOf() | AnyOf():
            for each in condition.conditions:
                yield from _leaves(each)


def _mistake(leaf: Compare | OneOf, schema: Schema) -> str | None:
    found = list(_at(schema, schema, leaf.field.split(".")))
    if not found:
        return f"the input has no field {leaf.field!r}; its condition could never be told"
    if not isinstance(leaf, Compare) or leaf.is_ not in ORDERS or not isinstance(leaf.value, int | float):
        return None
    types = [_types(schema, each) for each in found]
    if all(known and not known & NUMBERS for known in types):
        return f"field {leaf.field!r} is no number, and is compared with {leaf.value:,}; compare it with text, or ask for a number"
    return None


def _at(root: Schema, schema: Schema, path: list[str]) -> Iterator[Schema]:
    """The schemas of a field, one for each way in which it may be there; one that is not described may be anything."""
    schema = _followed(root, schema)
    several = _several(schema)
    if not path:
        yield from several or [schema]
        return
    for each in several:
        yield from _at(root, each, path)
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        if not several and schema.get("type", "object") == "object":
            yield {}
        return
    if path[0] in properties:
        yield from _at(root, properties[path[0]], path[1:])
    elif schema.get("additionalProperties", False):
        yield {}


def _types(root: Schema, schema: Schema) -> frozenset[str]:
    """Which types it may have, as far as it says; empty where it does not. Text with a form of its own may be a number, as money is."""
    schema = _followed(root, schema)
    given = schema.get("type")
    types = frozenset([given] if isinstance(given, str) else given or ())
    return types | NUMBERS if "string" in types and {"pattern", "format"} & schema.keys() else types


def _several(schema: Schema) -> list[Schema]:
    every = (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ()))
    return [each for each in every if isinstance(each, Mapping)]


def _followed(root: Schema, schema: Schema) -> Schema:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}

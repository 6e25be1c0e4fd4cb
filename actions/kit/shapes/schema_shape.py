"""What a resume type that is plain JSON Schema is on a card: the same table as for Python types."""

from typing import Any

from actions.kit.names import snake_case
from actions.kit.shapes.schemas import Schema, flat
from actions.kit.shapes.shape import MAX_CHOICES, Variant, answer, of_value
from actions.kit.shapes.typed import typed

_SPLITTABLE = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "type", "discriminator"}
)
"""What may stand beside a union that is read as choices; anything else constrains all of them."""


def variants_of_schema(declared: Schema) -> list[Variant]:
    """The ways to answer a JSON Schema, in its order.

    Raises:
        ShapeError: It is no JSON Schema, or asks for a secret.
    """
    whole = typed(declared)
    schema = flat(declared)
    constants = _constants(schema)
    if 0 < len(constants) <= MAX_CHOICES:
        return constants
    for key in ("oneOf", "anyOf"):
        members = [_member(schema, member) for member in schema.get(key, ())]
        if members and schema.keys() - {key} <= _SPLITTABLE and all(_is_named(member) for member in members):
            return [variant for member in members for variant in _chosen(member)]
    title = schema.get("title") if "properties" in schema else None
    return [answer(whole, title=title)]


def _constants(schema: Schema) -> list[Variant]:
    """The choices of a schema that is only a set of values; a lone constant keeps the title that it was given."""
    if "const" in schema:
        return [_titled(of_value(schema["const"]), schema)]
    if "enum" in schema:
        return [of_value(value) for value in schema["enum"]]
    if schema.get("type") == "boolean":
        return [of_value(value) for value in (True, False)]
    return [of_value(None)] if schema.get("type") == "null" else []


def _member(root: Schema, member: Any) -> Schema:
    """A member of a union as a schema of its own, with a title (that of its reference where it has none)."""
    if not isinstance(member, dict):
        return {}
    alone = flat({**{key: root[key] for key in ("$defs", "definitions") if key in root}, **member})
    name = str(member.get("$ref", "")).rpartition("/")[2]
    return {"title": name, **alone} if name else alone


def _is_named(member: Schema) -> bool:
    if _constants(member):
        return True
    return bool(member.get("title")) and (member.get("type") == "object" or "properties" in member)


def _chosen(member: Schema) -> list[Variant]:
    if constants := _constants(member):
        return constants
    return [_of_object(member)]


def _of_object(member: Schema) -> Variant:
    prepared = typed(member)
    return Variant(snake_case(member["title"]), member["title"], prepared.json_schema, prepared)


def _titled(variant: Variant, schema: Schema) -> Variant:
    beside = {key: value for key, value in schema.items() if key not in {"$defs", "definitions"}}
    return Variant(variant.key, schema.get("title") or variant.title, beside, None, variant.json_value, variant.value)

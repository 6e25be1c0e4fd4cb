"""A JSON Schema as a plan of inputs: what a form asks, in which order, under which names. Made once per schema."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pydantic_core import from_json, to_json

from actions.kit.schemas import listed
from blocks.plans import ABSENT, Either, Fixed, Group, Input, Kind, Node, Option, Place, inputs_of
from blocks.schemas import (
    Schema,
    fits,
    is_decimal,
    is_null,
    merged_decimal,
    options_of,
    resolve,
    split_null,
    variants_of,
)
from blocks.values import BENEATH, humanise

MOST_INPUTS = 60
"""A form of more inputs is one JSON field: a modal holds 100 blocks and a person less."""
DEEPEST = 4
MOST_OPTIONS = 500
TYPE_TITLES = {"string": "Text", "integer": "Whole number", "number": "Number", "boolean": "Yes or no", "array": "List"}

FORMATS = {
    "date": Kind.DATE,
    "date-time": Kind.MOMENT,
    "time": Kind.TIME,
    "email": Kind.EMAIL,
    "uri": Kind.LINK,
    "decimal": Kind.DECIMAL,
}
LISTABLE = frozenset({Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.DECIMAL, Kind.DATE, Kind.EMAIL, Kind.LINK})


def plan_of(schema: Schema) -> Node:
    """The plan of a schema, remembered: equal schemas share it."""
    return _planned(to_json(schema))


@lru_cache(maxsize=512)
def _planned(text: bytes) -> Node:
    root = from_json(text)
    place = Place(default=root.get("default", ABSENT))
    node = _node(root, root, replace(place, label=_root_label(root)))
    if sum(1 for _ in inputs_of(node)) > MOST_INPUTS:
        return Input(Kind.JSON, replace(place, label="Value"), resolve(root, root))
    return node


def _root_label(root: Schema) -> str:
    is_object = "properties" in resolve(root, root)
    return "" if is_object else root.get("title") or "Answer"


def _node(schema: Any, root: Schema, place: Place) -> Node:
    schema, nullable = split_null(resolve(schema, root), root)
    if is_decimal(schema, root):
        return Input(Kind.DECIMAL, place, merged_decimal(schema, root), nullable)
    if is_null(schema) or (not nullable and _is_given(schema, place)):
        return Fixed(schema.get("const"))
    if options := options_of(schema, root):
        return _one_of(schema, options, place, nullable=nullable)
    if len(variants_of(schema, root)) > 1:
        return _either(schema, root, place, nullable=nullable)
    return _by_type(schema, root, place, nullable=nullable)


def _is_given(schema: Schema, place: Place) -> bool:
    """A word that has to be there, or is there by default, such as the tag of a union: nobody is asked for it."""
    constant = schema.get("const")
    return isinstance(constant, str) and (place.required or schema.get("default") == constant)


def _by_type(schema: Schema, root: Schema, place: Place, *, nullable: bool) -> Node:
    match schema.get("type"):
        case "object":
            return _group(schema, root, place, nullable=nullable)
        case "array":
            return _list(schema, root, place, nullable=nullable)
    return Input(scalar_kind(schema), place, schema, nullable)


def scalar_kind(schema: Schema) -> Kind:
    match schema.get("type"):
        case "string":
            return FORMATS.get(str(schema.get("format")), Kind.TEXT)
        case "integer":
            return Kind.INTEGER
        case "number":
            return Kind.NUMBER
        case "boolean":
            return Kind.BOOLEAN
    return Kind.JSON


def _one_of(schema: Schema, options: list[tuple[Any, str]], place: Place, *, nullable: bool) -> Node:
    if len(options) > MOST_OPTIONS:
        return Input(Kind.JSON, place, schema, nullable)
    return Input(Kind.ONE_OF, place, schema, nullable, tuple(Option(value, title) for value, title in options))


def _list(schema: Schema, root: Schema, place: Place, *, nullable: bool) -> Node:
    items, holes = split_null(resolve(schema.get("items", {}), root), root)
    options = options_of(items, root)
    if options and len(options) <= MOST_OPTIONS and not holes:
        choices = tuple(Option(value, title) for value, title in options)
        return Input(Kind.SEVERAL, place, schema, nullable, choices)
    kind = Kind.DECIMAL if is_decimal(items, root) else scalar_kind(items)
    if kind not in LISTABLE or holes or "prefixItems" in schema:
        return Input(Kind.JSON, place, schema, nullable)
    return Input(Kind.LINES, place, schema, nullable, item=kind)


def _group(schema: Schema, root: Schema, place: Place, *, nullable: bool) -> Node:
    properties = schema.get("properties")
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if not isinstance(properties, Mapping) and not closed:
        return Input(Kind.JSON, place, schema, nullable)
    if place.depth >= DEEPEST or listed(dict(schema), dict(root)) > frozenset(properties or ()):
        return Input(Kind.JSON, place, schema, nullable)
    needed = frozenset(schema.get("required", ()))
    free = place.free or not place.required or nullable
    members = (
        (name, _node(inner, root, _inner(place, name, inner, required=name in needed, free=free)))
        for name, inner in (properties or {}).items()
    )
    return Group(place, tuple(members), nullable)


def _inner(outer: Place, name: str, schema: Any, *, required: bool, free: bool) -> Place:
    schema = schema if isinstance(schema, Mapping) else {}
    given = outer.default.get(name, ABSENT) if isinstance(outer.default, Mapping) else ABSENT
    own = ABSENT if free and outer.default in (ABSENT, None) else schema.get("default", ABSENT)
    label = str(schema.get("title") or humanise(name))
    return Place(
        path=(*outer.path, name),
        key=f"{outer.key}/{name.replace('~', '~0').replace('/', '~1')}",
        label=f"{outer.label}{BENEATH}{label}" if outer.label else label,
        required=required,
        free=free,
        depth=outer.depth + 1,
        default=own if given is ABSENT else given,
    )


def _either(schema: Schema, root: Schema, place: Place, *, nullable: bool) -> Node:
    variants = variants_of(schema, root)
    if len(variants) > MOST_INPUTS or place.depth >= DEEPEST:
        return Input(Kind.JSON, place, schema, nullable)
    options = tuple(Option(number, _variant_title(variant)) for number, variant in enumerate(variants))
    chosen = _chosen(variants, root, place.default)
    selector = Input(Kind.ONE_OF, replace(place, default=chosen), schema, nullable, options)
    nodes = (
        _node(variant, root, _variant_place(place, number, option.title, chosen=chosen))
        for number, (variant, option) in enumerate(zip(variants, options, strict=True))
    )
    return Either(selector, tuple(nodes))


def _chosen(variants: list[Schema], root: Schema, default: Any) -> Any:
    if default is ABSENT:
        return ABSENT
    return next((number for number, variant in enumerate(variants) if fits(default, variant, root)), ABSENT)


def _variant_title(variant: Schema) -> str:
    return str(variant.get("title") or TYPE_TITLES.get(str(variant.get("type")), "Other"))


def _variant_place(place: Place, number: int, title: str, *, chosen: Any) -> Place:
    return replace(
        place,
        key=f"{place.key}|{number}",
        label=f"{place.label}{BENEATH}{title}" if place.label else title,
        required=True,
        free=True,
        depth=place.depth + 1,
        default=place.default if chosen == number else ABSENT,
    )

"""A JSON Schema taken apart, down to a depth, into inputs, objects, unions and rows: what a form asks, under which names."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from actions.kit.shapes.schemas import listed
from blocks.forms.defaults import is_simple_line
from blocks.forms.lines import columns_of
from blocks.forms.naming import is_given_by_itself, titles_of_variants
from blocks.forms.options import options_of_values
from blocks.forms.places import default_of_row, is_in_rows, member_place, on_purpose, row_place, variant_place
from blocks.forms.plans import (
    ABSENT,
    Either,
    Fixed,
    Group,
    Input,
    Kind,
    Node,
    Option,
    Perhaps,
    Place,
    Rows,
    weight_of,
)
from blocks.forms.schemas import (
    Schema,
    fits,
    is_decimal,
    is_null,
    merged_decimal,
    options_of,
    resolve,
    source_named,
    split_null,
    type_of,
    variants_of,
)

MOST_NODES = 1_500
"""What all variants of all unions may come to, shown or not."""
MOST_VARIANTS = 60
MOST_OPTIONS = 20_000
HEAVIEST = 60
"""A part that cannot be spread over several steps weighs no more: a modal holds 100 blocks."""
MOST_ROWS = 20
LEAST_ROWS = 5
HEAVIEST_ROW = 10
AS_TEXT = "="
"""Ends the key of the text into which the entries of a list are typed that are too many for rows."""

FORMATS = {
    "date": Kind.DATE,
    "date-time": Kind.MOMENT,
    "time": Kind.TIME,
    "email": Kind.EMAIL,
    "uri": Kind.LINK,
    "decimal": Kind.DECIMAL,
    "slack-user": Kind.PICKED,
    "slack-channel": Kind.PICKED,
    "slack-conversation": Kind.PICKED,
}
LINE_KINDS = {
    **{kind: kind for kind in (Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.DECIMAL, Kind.EMAIL, Kind.LINK)},
    **dict.fromkeys((Kind.DATE, Kind.TIME, Kind.MOMENT), Kind.TEXT),
}
"""What may stand in a list one entry a line, and how such a line is read."""


class _TooMuch(Exception):  # noqa: N818  (never leaves this module)
    """The form would have too many parts at this depth."""


class Planner:
    """Plans one schema down to a depth, below which objects are typed as JSON."""

    def __init__(self, root: Schema, deepest: int) -> None:
        self._root = root
        self._deepest = deepest
        self._left = MOST_NODES
        self._around: list[Any] = []
        self.reached = 0

    def whole(self, place: Place) -> Node | None:
        """The plan of all of it; `None` where it has too many parts. `reached` says how deep it got: no deeper is less."""
        try:
            return self.node(self._root, place)
        except _TooMuch:
            return None

    def _opens(self, place: Place) -> bool:
        """Whether what stands there is taken apart, or is deep enough to be typed as JSON."""
        if place.depth >= self._deepest:
            return False
        self.reached = max(self.reached, place.depth)
        return True

    def node(self, schema: Any, place: Place) -> Node:
        self._left -= 1
        if self._left < 0:
            raise _TooMuch
        schema, null = split_null(resolve(schema, self._root), self._root)
        default = schema.get("default", place.default)
        if is_null(schema) or (not null and is_given_by_itself(schema, place)):
            return Fixed(schema.get("const"))
        if not null or default is None:
            return self._plain(schema, place, nullable=null)
        return self._nullable(schema, place, default)

    def _nullable(self, schema: Schema, place: Place, default: Any) -> Node:
        """Something that may be null. Left empty it is null, unless that already says something else: then a box says it."""
        may_be_absent = not place.required and default is ABSENT
        may_be_empty = type_of(schema) == "array" and not schema.get("minItems")
        if self._is_choice(schema) or not (may_be_absent or may_be_empty):
            return self._plain(schema, place, nullable=True)
        node = self._plain(schema, place, nullable=False)
        return Perhaps(node, on_purpose(place, with_empty=may_be_absent and may_be_empty))

    def _is_choice(self, schema: Schema) -> bool:
        """Whether null is one more option."""
        if is_decimal(schema, self._root) or source_named(schema):
            return False
        return bool(options_of(schema, self._root)) or len(self._union(schema)) > 1

    def _plain(self, schema: Schema, place: Place, *, nullable: bool) -> Node:
        source = source_named(schema)
        if not source and is_decimal(schema, self._root):
            return Input(Kind.DECIMAL, place, merged_decimal(schema, self._root), nullable)
        if (options := options_of(schema, self._root)) or source:
            return _one_of(schema, options, place, nullable=nullable)
        if len(self._union(schema)) > 1:
            return self._either(schema, place, nullable=nullable)
        match type_of(schema):
            case "object":
                return self._group(schema, place, nullable=nullable)
            case "array":
                return self._list(schema, place, nullable=nullable)
        kind = scalar_kind(schema)
        return Input(kind, place, schema, nullable, format=str(schema.get("format", "")))

    def _union(self, schema: Schema) -> list[Schema]:
        """The members of a union; what names its properties or its type is no union, whatever else must hold of it."""
        if "properties" in schema or schema.get("type") not in (None, "object", "array"):
            return []
        return variants_of(schema, self._root)

    def _list(self, schema: Schema, place: Place, *, nullable: bool) -> Node:
        items, holes = split_null(resolve(schema.get("items", {}), self._root), self._root)
        if holes or "prefixItems" in schema:
            return Input(Kind.JSON, place, schema, nullable)
        source = source_named(items)
        options = () if source else options_of_values(options_of(items, self._root)[: MOST_OPTIONS + 1])
        if source or 0 < len(options) <= MOST_OPTIONS:
            return Input(Kind.SEVERAL, place, schema, nullable, options, source=source)
        kind = Kind.DECIMAL if is_decimal(items, self._root) else scalar_kind(items)
        if kind is Kind.PICKED:
            return Input(Kind.PICKED_SEVERAL, place, schema, nullable, format=str(items["format"]))
        if kind in LINE_KINDS and is_simple_line(place.default):
            return Input(
                Kind.LINES, place, schema, nullable, item=LINE_KINDS[kind], format=str(items.get("format", ""))
            )
        if not self._is_of_objects(items):
            return Input(Kind.JSON, place, schema, nullable)
        sample = self._sample(items, place)
        text = Input(Kind.ENTRIES, place, schema, nullable, columns=columns_of(sample))
        return self._rows(text, items, sample) or text

    def _is_of_objects(self, items: Schema) -> bool:
        union = self._union(items)
        return bool(union or type_of(items) == "object") and all(type_of(each) == "object" for each in union)

    def _sample(self, items: Schema, place: Place) -> Node | None:
        """An entry of a list; within it, what stands around the list may be asked for once more."""
        if not self._opens(place):
            return None
        around, self._around = self._around, self._around if is_in_rows(place) else []
        sample = self.node(items, row_place(place, 0, 0, default_of_row(place, 0)))
        self._around = around
        return sample

    def _rows(self, text: Input, items: Schema, sample: Node | None) -> Rows | None:
        """A row of inputs for each object of a list; `None` where that would be too much to fill in."""
        schema, place = text.schema, text.place
        if is_in_rows(place) or not isinstance(sample, Group | Either):
            return None
        weight = weight_of(sample)
        first = max(len(place.default) if isinstance(place.default, list) else 0, schema.get("minItems", 0))
        most = min(schema.get("maxItems", MOST_ROWS), MOST_ROWS, (HEAVIEST - 2) // (weight + 1))
        roomy = most >= min(schema.get("maxItems", LEAST_ROWS), LEAST_ROWS) and first <= most
        if not roomy or not 0 < weight <= HEAVIEST_ROW:
            return None
        row = lru_cache(maxsize=128)(partial(self._row, items, place))
        given = partial(self._given, items, place)
        typed = replace(text, place=replace(place, key=f"{place.key}{AS_TEXT}"))
        return Rows(place, schema, first, most, row, given, typed, text.nullable)

    def _row(self, items: Schema, place: Place, number: int, position: int) -> Node:
        return self._new_row(items, row_place(place, number, position, default_of_row(place, number)))

    def _given(self, items: Schema, place: Place, number: int, value: Any) -> Node:
        return self._new_row(items, row_place(place, number, number, value))

    def _new_row(self, items: Schema, place: Place) -> Node:
        return Planner(self._root, self._deepest).node(items, place)

    def _group(self, schema: Schema, place: Place, *, nullable: bool) -> Node:
        properties = schema.get("properties")
        closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
        as_json = Input(Kind.JSON, place, schema, nullable)
        if not isinstance(properties, Mapping) and not closed:
            return as_json
        if listed(dict(schema), dict(self._root)) > frozenset(properties or ()):
            return as_json
        if properties in self._around or not self._opens(place):
            return as_json
        needed = frozenset(schema.get("required", ()))
        free = place.free or not place.required or nullable
        self._around.append(properties)
        members = tuple(
            (name, self.node(inner, member_place(place, name, inner, required=name in needed, free=free)))
            for name, inner in (properties or {}).items()
        )
        self._around.pop()
        return Group(place, members, nullable)

    def _either(self, schema: Schema, place: Place, *, nullable: bool) -> Node:
        variants = self._union(schema)
        if len(variants) > MOST_VARIANTS or not self._opens(place):
            return Input(Kind.JSON, place, schema, nullable)
        titles = titles_of_variants(variants, self._root)
        chosen = _chosen(variants, self._root, place.default)
        options = [Option(number, title) for number, title in enumerate(titles)]
        nodes = [
            self._variant(variant, variant_place(place, number, title, chosen=chosen))
            for number, (variant, title) in enumerate(zip(variants, titles, strict=True))
        ]
        if nullable:
            options.append(Option(len(nodes), "None"))
            nodes.append(Fixed(None))
            chosen = len(variants) if place.default is None else chosen
        selector = Input(
            Kind.ONE_OF, replace(place, default=chosen), schema, _empty_is_null(schema, place, nullable=nullable),
            tuple(options), redraws=True,
        )  # fmt: skip
        return Either(selector, tuple(nodes))

    def _variant(self, schema: Schema, place: Place) -> Node:
        node = self.node(schema, place)
        return node if weight_of(node) < HEAVIEST else Input(Kind.JSON, place, schema)


def scalar_kind(schema: Schema) -> Kind:
    match type_of(schema):
        case "string":
            return FORMATS.get(str(schema.get("format")), Kind.TEXT)
        case "integer":
            return Kind.INTEGER
        case "number":
            return Kind.NUMBER
    return Kind.JSON


def _one_of(schema: Schema, options: list[tuple[Any, str]], place: Place, *, nullable: bool) -> Node:
    empty_is_null = _empty_is_null(schema, place, nullable=nullable)
    if source := source_named(schema):
        return Input(Kind.ONE_OF, place, schema, empty_is_null, source=source)
    if len(options) > MOST_OPTIONS:
        return Input(Kind.JSON, place, schema, nullable)
    if nullable:
        options = [*options, (None, "None")]
    return Input(Kind.ONE_OF, place, schema, empty_is_null, options_of_values(options))


def _empty_is_null(schema: Schema, place: Place, *, nullable: bool) -> bool:
    """Whether a choice that nobody made is null; where it may be left out, that is what it is."""
    return nullable and (place.required or schema.get("default", place.default) is not ABSENT)


def _chosen(variants: list[Schema], root: Schema, default: Any) -> Any:
    if default in (ABSENT, None):
        return ABSENT
    return next((number for number, variant in enumerate(variants) if fits(default, variant, root)), ABSENT)

"""What an author said of a value beside the value: its title, unit and kind, read from the JSON Schema that came with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from actions.kit import names
from blocks.forms.schemas import Schema, fits, resolve, split_null, variants_of
from blocks.text import clip, one_line

TITLE, UNIT, EXPLAINED = 200, 24, 500
"""Characters of a title, of a unit, and of a description that are read."""

COMPOSED = frozenset({"$ref", "allOf", "anyOf", "enum", "oneOf"})
"""Where none of them stands beside the name of a type, a schema is about values of that type alone."""

UNREADABLE = (RecursionError, AttributeError, TypeError, ValueError)
"""What reading a schema raises that says what no schema can say; then the value speaks for itself."""


@dataclass(frozen=True, slots=True)
class Described:
    """A schema and the whole that its references lead into, an empty one where nothing is known; and names of people by id."""

    schema: Schema = field(default_factory=dict)
    root: Schema = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)
    called: str = ""
    """The title that stands at the entry itself: that of a class which it refers to says nothing of the entry."""

    def of(self, value: Any) -> Self:
        """What is known of this very value: null taken out, and of several types the one that it has."""
        if not self.schema or (isinstance(self.schema.get("type"), str) and COMPOSED.isdisjoint(self.schema)):
            return self
        try:
            schema, _ = split_null(resolve(self.schema, self.root), self.root)
            variants = variants_of(schema, self.root)
            own = next((each for each in variants if fits(value, each, self.root)), {}) if variants else schema
            return self._with({**schema, **own} if variants else own, self.called)
        except UNREADABLE:
            return self._with({}, self.called)

    def entry(self, name: str) -> Self:
        """What is known of an entry of an object."""
        properties = self.schema.get("properties")
        if isinstance(properties, Mapping) and name in properties:
            return self._inner(properties[name])
        return self._inner(self.schema.get("additionalProperties"))

    @property
    def item(self) -> Self:
        """What is known of each entry of a list."""
        return self._inner(self.schema.get("items"))

    def _inner(self, schema: Any) -> Self:
        if isinstance(schema, Mapping):
            return self._with(schema, _word(schema, "title", TITLE))
        return self._with({}, "") if self.schema else self

    def _with(self, schema: Schema, called: str) -> Self:
        """As `replace`, which takes four times as long: a card asks for it a hundred times."""
        return type(self)(schema, self.root, self.people, called)

    def title(self, name: str) -> str | None:
        """The author's own words for an entry; `None` where there is only its name in the code."""
        return self.called if self.called and self.called != names.humanise(name) else None

    @property
    def description(self) -> str:
        return _word(self.schema, "description", EXPLAINED)

    @property
    def unit(self) -> str:
        return _word(self.schema, "unit", UNIT)

    @property
    def currency(self) -> str:
        """An ISO 4217 code, or the name of the entry beside it that holds one."""
        return _word(self.schema, "currency", TITLE)

    @property
    def format(self) -> str:
        return _word(self.schema, "format", UNIT)

    @property
    def media(self) -> str:
        """The type of a text's content, such as `text/x-diff`."""
        return _word(self.schema, "contentMediaType", TITLE).lower()


def _word(schema: Schema, keyword: str, limit: int) -> str:
    said = schema.get(keyword)
    return clip(one_line(said), limit) if isinstance(said, str) else ""


NOTHING_KNOWN = Described()


def described(text: str | None, people: Mapping[str, str] | None = None) -> Described:
    """What stands in the JSON text of a schema; of what cannot be read nothing is known."""
    known = NOTHING_KNOWN if text is None else _read(text)
    return replace(known, people=people) if people else known


def described_by(schema: Any) -> Described:
    return Described(schema, schema) if isinstance(schema, Mapping) else NOTHING_KNOWN


@lru_cache(maxsize=128)
def _read(text: str) -> Described:
    """Types repeat from card to card. The schema is never changed."""
    try:
        return described_by(json.loads(text))
    except (ValueError, RecursionError):
        return NOTHING_KNOWN

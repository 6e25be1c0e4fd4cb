"""What a form consists of: inputs, the objects and unions that they stand in, and values that nobody is asked for."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any

from actions.kit.schemas import LOCAL
from blocks.hints import constraint_words
from blocks.schemas import Schema

ACTION_ID = "value"
READABLE_KEY = 200
LONG = 150
LONG_NAMES = frozenset(
    {"body", "comment", "content", "description", "details", "justification", "note", "notes", "reason", "text"}
)


class Absent(Enum):
    """No value, which is not the same as null."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Kind(StrEnum):
    """What an input asks for."""

    TEXT = "text"
    LINES = "lines"
    INTEGER = "integer"
    NUMBER = "number"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    ONE_OF = "one_of"
    SEVERAL = "several"
    DATE = "date"
    TIME = "time"
    MOMENT = "moment"
    EMAIL = "email"
    LINK = "link"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Option:
    """A value to choose, and its words."""

    value: Any
    title: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the form something stands: the path of its value, the label so far, and what it may do without."""

    path: tuple[str, ...] = ()
    key: str = ""
    label: str = ""
    required: bool = True
    free: bool = False
    depth: int = 0
    default: Any = ABSENT


@dataclass(frozen=True, slots=True)
class Input:
    """One input block. `free` says that it stands in a part that may be left out, so that Slack must not insist on it."""

    kind: Kind
    place: Place
    schema: Schema
    nullable: bool = False
    options: tuple[Option, ...] = ()
    item: Kind = Kind.TEXT

    @property
    def path(self) -> tuple[str, ...]:
        return self.place.path

    @property
    def required(self) -> bool:
        return self.place.required and not self.nullable

    @property
    def block_id(self) -> str:
        return block_id(self.place.key)

    @property
    def optional(self) -> bool:
        """Whether Slack may submit it empty: an empty list is an answer, a choice with a default always has one."""
        if self.place.free or self.nullable:
            return True
        if self.kind in {Kind.LINES, Kind.SEVERAL}:
            return not self.schema.get("minItems")
        prefilled = self.kind in {Kind.BOOLEAN, Kind.ONE_OF} and self.place.default not in (ABSENT, None)
        return not self.place.required and not prefilled


@dataclass(frozen=True, slots=True)
class Group:
    """The inputs of an object."""

    place: Place
    members: tuple[tuple[str, "Node"], ...]
    nullable: bool = False

    @property
    def required(self) -> bool:
        return self.place.required and not self.nullable


@dataclass(frozen=True, slots=True)
class Either:
    """A union: which variant it is, and the inputs of all of them, of which only that variant's count."""

    selector: Input
    variants: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that nobody needs to be asked for."""

    value: Any


Node = Input | Group | Either | Fixed


def inputs_of(node: Node) -> Iterator[Input]:
    """Every input of a plan, in the order in which they are shown."""
    match node:
        case Input():
            yield node
        case Group():
            for _, member in node.members:
                yield from inputs_of(member)
        case Either():
            yield node.selector
            for variant in node.variants:
                yield from inputs_of(variant)
        case Fixed():
            return


def block_id(key: str) -> str:
    """The stable id of an input block, from its path; one that is long or not plain is told apart by its hash."""
    if len(key) <= READABLE_KEY and key.isascii() and key.isprintable():
        return f"field:{key}"
    readable = "".join(character for character in key[:READABLE_KEY] if "!" <= character <= "~")
    return f"field:{readable}~{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def is_long(plan: Input) -> bool:
    """Whether a text gets several lines."""
    longest = plan.schema.get("maxLength")
    if plan.schema.get("format") == "multiline" or (isinstance(longest, int) and longest > LONG):
        return True
    return longest is None and bool(plan.path) and plan.path[-1].lower() in LONG_NAMES


def hint_of(plan: Input) -> str | None:
    """The description and what is accepted."""
    words = constraint_words(plan.schema)
    if plan.kind is Kind.LINES:
        words.insert(0, "one per line")
    if plan.schema.get("format") == LOCAL:
        words.insert(0, "such as 2026-11-30T09:00")
    if plan.kind is Kind.JSON:
        words.insert(0, "as JSON")
    parts = [str(plan.schema.get("description") or "").strip(), ", ".join(words)]
    text = " · ".join(part for part in parts if part)
    return text[:1].upper() + text[1:] or None

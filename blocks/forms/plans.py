"""What a form consists of: inputs, the objects, lists and unions that they stand in, and values that nobody is asked for."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any

from blocks import limits
from blocks.forms.schemas import Schema

ACTION_ID = "value"
VARIANT = "form:variant:"
READABLE_KEY = 200
WIDE = 25
"""So many options of a select weigh as much as one more input: a modal holds 250 KB."""


class Absent(Enum):
    """No value, which is not the same as null."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Kind(StrEnum):
    """What an input asks for."""

    TEXT = "text"
    LINES = "lines"
    ENTRIES = "entries"
    INTEGER = "integer"
    NUMBER = "number"
    DECIMAL = "decimal"
    ONE_OF = "one_of"
    SEVERAL = "several"
    DATE = "date"
    TIME = "time"
    MOMENT = "moment"
    EMAIL = "email"
    LINK = "link"
    PICKED = "picked"
    PICKED_SEVERAL = "picked_several"
    JSON = "json"


MULTILINE = frozenset({Kind.LINES, Kind.ENTRIES, Kind.JSON})
LISTS = frozenset({Kind.LINES, Kind.ENTRIES, Kind.SEVERAL, Kind.PICKED_SEVERAL})
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A value to choose, and its words, which no other option of the same input has."""

    value: Any
    title: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the form something stands: the path of its value, the label so far, and what it may do without."""

    path: Path = ()
    key: str = ""
    label: str = ""
    required: bool = True
    free: bool = False
    depth: int = 0
    default: Any = ABSENT


@dataclass(frozen=True, slots=True)
class Column:
    """A value of an entry that is typed in one line."""

    name: str
    title: str
    plan: "Input"


@dataclass(frozen=True, slots=True)
class Input:
    """One input block.

    `nullable`: left empty it is null. `item` is the kind of each line, `columns` are the parts of one, where it is an entry
    that has parts. `format` is what a picker picks. `source` names where options come from that are searched for, and
    are not in `options` then. `redraws` marks the
    selector of a union, which changes the form. An input whose place is `free` stands in a part that may be left out, so
    that Slack must not insist on it.
    """

    kind: Kind
    place: Place
    schema: Schema
    nullable: bool = False
    options: tuple[Option, ...] = ()
    item: Kind = Kind.TEXT
    columns: tuple[Column, ...] = ()
    format: str = ""
    source: str = ""
    redraws: bool = False

    @property
    def is_searched(self) -> bool:
        """Whether its options are searched for as one types, instead of being listed."""
        return bool(self.source) or len(self.options) > limits.SELECT_OPTIONS

    @property
    def path(self) -> Path:
        return self.place.path

    @property
    def required(self) -> bool:
        return self.place.required and not self.nullable

    @property
    def block_id(self) -> str:
        return block_id(self.place.key)

    @property
    def action_id(self) -> str:
        return f"{VARIANT}{self.block_id}" if self.redraws else ACTION_ID

    @property
    def optional(self) -> bool:
        """Whether Slack may submit it empty: an empty list is an answer, a choice with a default always has one."""
        if self.place.free or self.nullable:
            return True
        if self.kind in LISTS:
            return not self.schema.get("minItems")
        if self.kind is Kind.ONE_OF and self.place.default not in (ABSENT, None):
            return False
        may_be_empty = self.kind is Kind.TEXT and self.place.default == "" and not self.schema.get("minLength")
        return may_be_empty or not self.place.required

    @property
    def weight(self) -> int:
        """What it adds to a modal; options that are searched for are not part of it."""
        return 1 if self.is_searched else 1 + len(self.options) // WIDE


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
    """A union: which variant it is, and the inputs of each, of which only those of the chosen one are shown and count."""

    selector: Input
    variants: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of objects, a row of inputs each.

    Rows are told apart by numbers that are never given twice, so that what was typed into one never turns up in another.
    `row` plans one, from its number and from where it stands in the list, `given` one that starts with a value. `first`
    are shown at first, `most` at most; more than that are typed into `text`.
    """

    place: Place
    schema: Schema
    first: int
    most: int
    row: Callable[[int, int], "Node"] = field(compare=False, repr=False)
    given: Callable[[int, Any], "Node"] = field(compare=False, repr=False)
    text: Input
    nullable: bool = False

    @property
    def id(self) -> str:
        return block_id(self.place.key)

    @property
    def from_default(self) -> bool:
        return isinstance(self.place.default, list) and bool(self.place.default)


@dataclass(frozen=True, slots=True)
class Perhaps:
    """Something that may be null on purpose, which is not the same as being left empty: `none` says so."""

    node: "Node"
    none: Input


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value that nobody needs to be asked for."""

    value: Any


Node = Input | Group | Either | Rows | Perhaps | Fixed


def inputs_of(node: Node) -> Iterator[Input]:
    """Every input of a plan, in the order in which they are shown: of all variants, and of the rows that are there at first."""
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
        case Rows():
            for number in range(node.first):
                yield from inputs_of(node.row(number, number))
        case Perhaps():
            yield from inputs_of(node.node)
            yield node.none
        case Fixed():
            return


def weight_of(node: Node, rows: int | None = None) -> int:
    """How many blocks a part may take up at most, whatever is chosen in it; of lists, so many `rows` are reckoned with."""
    match node:
        case Input():
            return node.weight
        case Group():
            return sum(weight_of(member, rows) for _, member in node.members)
        case Either():
            return node.selector.weight + max((weight_of(variant, rows) for variant in node.variants), default=0)
        case Rows():
            count = node.most if rows is None else min(node.most, max(node.first, rows))
            return 2 + count * (1 + weight_of(node.row(0, 0)))
        case Perhaps():
            return 1 + weight_of(node.node, rows)
        case Fixed():
            return 0


def block_id(key: str) -> str:
    """The stable id of an input block, from its path; one that is long or not plain is told apart by its hash."""
    if len(key) <= READABLE_KEY and key.isascii() and key.isprintable():
        return f"field:{key}"
    readable = "".join(character for character in key[:READABLE_KEY] if "!" <= character <= "~")
    return f"field:{readable}~{hashlib.sha256(key.encode()).hexdigest()[:16]}"

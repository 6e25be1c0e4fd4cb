"""A filled form as a JSON value: exactly what the person gave, what they left empty left out, and what cannot be read named."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actions.kit.errors import Problem
from blocks.forms.defaults import raw_default
from blocks.forms.entries import UNREADABLE, entered, why_unreadable
from blocks.forms.layout import RowCounts, is_as_text, numbers_of, shown_inputs
from blocks.forms.lines import read_entries
from blocks.forms.options import chosen_from
from blocks.forms.planning import plan_of
from blocks.forms.plans import ABSENT, LISTS, Either, Fixed, Group, Input, Kind, Node, Perhaps, Rows
from blocks.forms.state import Values, given, option_number, raw_of

REQUIRED = "is required"
BOTH = "is filled in and said to be nothing as well: empty it, or take the tick away"
NOTHING: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Filled:
    """The value of a filled form, and what is wrong with it so far. With problems it is no answer; it tells what else is wrong."""

    value: Any
    problems: tuple[Problem, ...] = ()


def read_form(schema: dict[str, Any], values: Values, *, rows: RowCounts = NOTHING) -> Filled:
    """The JSON value of Slack's `state.values` for a form made from `schema`; `rows` are those of its draft.

    Decimals are text exactly as typed, whole numbers `int`, other numbers `float` (`Decimal` where a float would lose
    digits). What was left empty is left out, or null where the schema allows null. Never raises on junk: what is not
    there or is of another kind counts as left empty.
    """
    return read_node(plan_of(schema), values, rows)


def read_node(node: Node, values: Values, rows: RowCounts) -> Filled:
    """The value of a part of a form; what cannot be read in it stands there as it was typed."""
    reader = _Reader(values, rows)
    value = reader.read(node)
    return Filled(None if value is ABSENT else value, tuple(reader.problems))


class _Reader:
    def __init__(self, values: Values, rows: RowCounts) -> None:
        self._values = values
        self._rows = rows
        self.problems: list[Problem] = []

    def read(self, node: Node) -> Any:
        match node:
            case Fixed():
                return node.value
            case Input():
                return self._input(node)
            case Group():
                return self._group(node)
            case Either():
                return self._either(node)
            case Rows():
                return self._list(node)
            case Perhaps():
                return self._perhaps(node)

    def _group(self, group: Group) -> Any:
        """An object; one that may be left out is, when nothing in it was filled in."""
        if not group.required and not self._any_given(group):
            return None if group.nullable else ABSENT
        read = ((name, self.read(member)) for name, member in group.members)
        return {name: value for name, value in read if value is not ABSENT}

    def _any_given(self, node: Node) -> bool:
        """Whether anything was filled in. A row that was added is something, whatever stands in it."""
        match node:
            case Group():
                return any(self._any_given(member) for _, member in node.members)
            case Rows() if not is_as_text(node, self._rows):
                return bool(numbers_of(node, self._rows))
        return any(given(plan, self._values) for plan in shown_inputs(node, self._values, self._rows))

    def _either(self, either: Either) -> Any:
        raw = raw_of(either.selector, self._values)
        if raw is None:
            return self._left_empty(either.selector)
        number = option_number(raw, len(either.variants))
        if number is None:
            return self._unreadable(either.selector, raw)
        return self.read(either.variants[number])

    def _list(self, rows: Rows) -> Any:
        if is_as_text(rows, self._rows):
            return self._input(rows.text)
        present = numbers_of(rows, self._rows)
        if present:
            return [self.read(rows.row(number, position)) for position, number in enumerate(present)]
        if rows.nullable:
            return None
        return [] if rows.place.required or rows.from_default else ABSENT

    def _perhaps(self, perhaps: Perhaps) -> Any:
        if not given(perhaps.none, self._values):
            return self.read(perhaps.node)
        said = self._input(perhaps.none)
        if isinstance(said, list) and (len(said) > 1 or self._any_given(perhaps.node)):
            self.problems.append(Problem(perhaps.none.path, BOTH))
            return ABSENT
        return said[0] if isinstance(said, list) else ABSENT

    def _input(self, plan: Input) -> Any:
        raw = raw_of(plan, self._values)
        if raw in (None, "", []):
            return self._left_empty(plan)
        match plan.kind:
            case Kind.LINES:
                return self._lines(plan, str(raw))
            case Kind.ENTRIES:
                return self._entries(plan, str(raw))
        value = _value(plan, raw)
        return self._unreadable(plan, raw) if value is UNREADABLE else value

    def _unreadable(self, plan: Input, raw: Any) -> Any:
        self.problems.append(Problem(plan.path, why_unreadable(plan.kind, raw)))
        return raw

    def _left_empty(self, plan: Input) -> Any:
        """What emptiness means: null, an empty list or text where the schema allows it, else nothing, or a missing answer."""
        if plan.nullable:
            return None
        if plan.kind in LISTS and not plan.schema.get("minItems") and _stays(plan):
            return []
        if plan.kind is Kind.TEXT and _was_cleared(plan):
            return ""
        if plan.required:
            self.problems.append(Problem(plan.path, REQUIRED))
        return ABSENT

    def _lines(self, plan: Input, raw: str) -> list[Any]:
        lines = [line.strip() for line in raw.splitlines() if line.strip()]
        items = [entered(plan.item, line) for line in lines]
        bad = [number for number, item in enumerate(items) if item is UNREADABLE]
        self.problems += [Problem((*plan.path, number), why_unreadable(plan.item, lines[number])) for number in bad]
        return [lines[number] if number in bad else item for number, item in enumerate(items)]

    def _entries(self, plan: Input, raw: str) -> list[Any] | str:
        read = read_entries(plan, raw)
        self.problems += read.problems
        return list(read.values) if read.values or not read.problems else raw


def _stays(plan: Input) -> bool:
    """Whether an empty list is given as such: where it is required, or a default would come back in its place."""
    return plan.place.required or bool(raw_default(plan))


def _was_cleared(plan: Input) -> bool:
    """Whether an empty text is the answer: something stood there, or nothing did on purpose."""
    if plan.schema.get("minLength"):
        return False
    return plan.place.default == "" if plan.required else raw_default(plan) is not None


def _value(plan: Input, raw: Any) -> Any:
    match plan.kind:
        case Kind.ONE_OF | Kind.SEVERAL if plan.source:
            return _from_source(plan, raw)
        case Kind.ONE_OF:
            number = option_number(raw, len(plan.options))
            return UNREADABLE if number is None else plan.options[number].value
        case Kind.SEVERAL:
            numbers = [option_number(each, len(plan.options)) for each in raw]
            known = [plan.options[number].value for number in numbers if number is not None]
            return known if len(known) == len(numbers) else UNREADABLE
    return entered(plan.kind, raw)


def _from_source(plan: Input, raw: Any) -> Any:
    """The value that the source itself has under each key: what came with the key does not count."""
    chosen = [chosen_from(plan.source, key) for key in (raw if plan.kind is Kind.SEVERAL else [raw])]
    values = [each.value for each in chosen if each is not None]
    if len(values) < len(chosen):
        return UNREADABLE
    return values if plan.kind is Kind.SEVERAL else values[0]

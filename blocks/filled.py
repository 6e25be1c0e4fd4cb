"""A filled form as a JSON value: exactly what the person gave, what they left empty left out, and what cannot be read named."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from json import JSONDecodeError, loads
from typing import Any

from actions.kit.records import Problem
from blocks.fields import ABSENT, ACTION_ID, Absent, Either, Fixed, Group, Input, Kind, Node, inputs_of, plan_of
from blocks.inputs import YES

Values = Mapping[str, Any]

INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)

REQUIRED = "is required"


class Unreadable(Enum):
    """The person gave something that is no value of the kind."""

    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Filled:
    """The value of a filled form, and what is wrong with it so far. With problems the value is not to be used."""

    value: Any
    problems: tuple[Problem, ...] = ()


def read_form(schema: dict[str, Any], values: Values) -> Filled:
    """The JSON value of Slack's `state.values` for a form made from `schema`.

    Decimals are text exactly as typed, whole numbers `int`, other numbers `float` (`Decimal` where a float would lose
    digits). What was left empty is left out, or null where the schema allows null. Never raises on junk: what is not
    there or is of another kind counts as left empty.
    """
    problems: list[Problem] = []
    value = _read(plan_of(schema), values, problems)
    return Filled(None if value is ABSENT else value, tuple(problems))


def _read(node: Node, values: Values, problems: list[Problem]) -> Any:
    match node:
        case Fixed():
            return node.value
        case Input():
            return _read_input(node, values, problems)
        case Group():
            return _read_group(node, values, problems)
        case Either():
            return _read_either(node, values, problems)


def _read_group(group: Group, values: Values, problems: list[Problem]) -> Any:
    """An object; one that may be left out is, when nothing in it was filled in."""
    if not group.required and not any(given(plan, values) for plan in inputs_of(group)):
        return None if group.nullable else ABSENT
    read = ((name, _read(member, values, problems)) for name, member in group.members)
    return {name: value for name, value in read if value is not ABSENT}


def _read_either(either: Either, values: Values, problems: list[Problem]) -> Any:
    number = _read_input(either.selector, values, problems)
    if not isinstance(number, int):
        return number
    return _read(either.variants[number], values, problems)


def given(plan: Input, values: Values) -> bool:
    return _raw(plan, values) not in (None, "", [])


_KEYS = {
    Kind.BOOLEAN: "selected_option",
    Kind.ONE_OF: "selected_option",
    Kind.SEVERAL: "selected_options",
    Kind.DATE: "selected_date",
    Kind.TIME: "selected_time",
    Kind.MOMENT: "selected_date_time",
}


def _raw(plan: Input, values: Values) -> Any:
    """What Slack holds for an input: text, an option's value or several, a date, seconds; `None` for nothing."""
    block = values.get(plan.block_id)
    state = block.get(ACTION_ID) if isinstance(block, Mapping) else None
    held = state.get(_KEYS.get(plan.kind, "value")) if isinstance(state, Mapping) else None
    match plan.kind:
        case Kind.BOOLEAN | Kind.ONE_OF:
            return _option_value(held)
        case Kind.SEVERAL:
            return [_option_value(option) for option in held] if isinstance(held, list) else None
        case Kind.MOMENT:
            return held if isinstance(held, int) and not isinstance(held, bool) else None
    return held if isinstance(held, str) else None


def _option_value(option: Any) -> str | None:
    value = option.get("value") if isinstance(option, Mapping) else None
    return value if isinstance(value, str) else None


def _read_input(plan: Input, values: Values, problems: list[Problem]) -> Any:
    if not given(plan, values):
        return _left_empty(plan, problems)
    raw = _raw(plan, values)
    if plan.kind is Kind.LINES:
        return _read_lines(plan, str(raw), problems)
    value = _value(plan, plan.kind, raw)
    if value is Unreadable.UNREADABLE:
        problems.append(Problem(plan.path, _unreadable(plan.kind, raw)))
        return ABSENT
    return value


def _left_empty(plan: Input, problems: list[Problem]) -> Any:
    """What emptiness means: null, an empty list or text where the schema allows it, else nothing, or a missing answer."""
    if plan.nullable:
        return None
    if plan.kind in {Kind.LINES, Kind.SEVERAL} and not plan.schema.get("minItems") and _stays(plan):
        return []
    if plan.kind is Kind.TEXT and _was_cleared(plan):
        return ""
    if plan.required:
        problems.append(Problem(plan.path, REQUIRED))
    return ABSENT


def _stays(plan: Input) -> bool:
    """Whether an empty list is given as such: where it is required, or a default would come back in its place."""
    return plan.place.required or plan.place.default not in (ABSENT, None)


def _was_cleared(plan: Input) -> bool:
    default = plan.place.default
    return isinstance(default, str) and not plan.required and not plan.schema.get("minLength") and default != ""


def _read_lines(plan: Input, raw: str, problems: list[Problem]) -> list[Any] | Absent:
    lines = [line.strip() for line in raw.splitlines() if line.strip()]
    items = [_value(plan, plan.item, line) for line in lines]
    bad = [number for number, item in enumerate(items) if item is Unreadable.UNREADABLE]
    problems += [Problem((*plan.path, number), _unreadable(plan.item, lines[number])) for number in bad]
    return ABSENT if bad else items


def _value(plan: Input, kind: Kind, raw: Any) -> Any:
    match kind:
        case Kind.ONE_OF:
            return _chosen(plan, raw)
        case Kind.SEVERAL:
            return _all_chosen(plan, raw)
    read = _READERS.get(kind)
    return read(raw) if read else raw


def _integer(raw: str) -> Any:
    return int(raw) if INTEGER.fullmatch(raw.strip()) else Unreadable.UNREADABLE


def _decimal(raw: str) -> Any:
    text = raw.strip()
    return text.removeprefix("+") if DECIMAL.fullmatch(text) else Unreadable.UNREADABLE


def option_number(plan: Input, values: Values) -> int | None:
    """Which variant of a union was chosen."""
    number = _chosen(plan, _raw(plan, values))
    return number if isinstance(number, int) else None


def _all_chosen(plan: Input, raw: list[Any]) -> Any:
    chosen = [_chosen(plan, one) for one in raw]
    return Unreadable.UNREADABLE if Unreadable.UNREADABLE in chosen else chosen


def _chosen(plan: Input, raw: Any) -> Any:
    known = isinstance(raw, str) and raw.isascii() and raw.isdigit() and int(raw) < len(plan.options)
    return plan.options[int(raw)].value if known else Unreadable.UNREADABLE


def exact_number(text: str) -> Any:
    """The number that was typed: `int`, `float` where it is that number to the last digit, else `Decimal`."""
    text = text.strip()
    if INTEGER.fullmatch(text):
        return int(text)
    if not DECIMAL.fullmatch(text):
        return Unreadable.UNREADABLE
    exact, nearest = Decimal(text), float(text)
    return nearest if Decimal(repr(nearest)) == exact else exact


def _moment(raw: int) -> Any:
    try:
        return datetime.fromtimestamp(raw, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return Unreadable.UNREADABLE


def _json(text: str) -> Any:
    try:
        return loads(text, parse_float=_json_number, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return Unreadable.UNREADABLE


def _json_number(text: str) -> Any:
    number = exact_number(text)
    return _refuse(text) if number is Unreadable.UNREADABLE else number


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_READERS: dict[Kind, Callable[[Any], Any]] = {
    Kind.INTEGER: _integer,
    Kind.NUMBER: exact_number,
    Kind.DECIMAL: _decimal,
    Kind.BOOLEAN: lambda raw: raw == YES,
    Kind.MOMENT: _moment,
    Kind.TIME: "{}:00".format,
    Kind.JSON: _json,
}
WORDS = {
    Kind.INTEGER: "must be a whole number such as 42",
    Kind.NUMBER: "must be a number such as 12.5",
    Kind.DECIMAL: "must be a number such as 1250.00",
    Kind.ONE_OF: "is not one of the options",
    Kind.MOMENT: "must be a date and time",
}


def _unreadable(kind: Kind, raw: Any) -> str:
    if kind is Kind.JSON:
        return _json_words(str(raw))
    return WORDS.get(kind, "cannot be read")


def _json_words(text: str) -> str:
    try:
        loads(text, parse_constant=_refuse)
    except JSONDecodeError as error:
        return f"is not JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        pass
    return "is not JSON that can be stored"

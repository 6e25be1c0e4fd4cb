"""A filled form as a JSON value: exactly what the person gave, what they left empty left out, and what cannot be read named."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actions.kit.records import Problem
from blocks.entries import UNREADABLE, entered, why_unreadable
from blocks.fields import plan_of
from blocks.plans import ABSENT, ACTION_ID, Absent, Either, Fixed, Group, Input, Kind, Node, inputs_of

Values = Mapping[str, Any]

REQUIRED = "is required"
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Filled:
    """The value of a filled form, and what is wrong with it so far. With problems the value is not to be used."""

    value: Any
    problems: tuple[Problem, ...] = ()


def read_form(schema: dict[str, Any], values: Values, *, rows: Mapping[str, int] | None = None) -> Filled:  # noqa: ARG001  (no form has rows yet)
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
    if value is UNREADABLE:
        problems.append(Problem(plan.path, why_unreadable(plan.kind, raw)))
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
    bad = [number for number, item in enumerate(items) if item is UNREADABLE]
    problems += [Problem((*plan.path, number), why_unreadable(plan.item, lines[number])) for number in bad]
    return ABSENT if bad else items


def _value(plan: Input, kind: Kind, raw: Any) -> Any:
    match kind:
        case Kind.ONE_OF:
            return _chosen(plan, raw)
        case Kind.SEVERAL:
            return _all_chosen(plan, raw)
    return entered(kind, raw)


def option_number(plan: Input, values: Values) -> int | None:
    """Which variant of a union was chosen."""
    number = _chosen(plan, _raw(plan, values))
    return number if isinstance(number, int) else None


def _all_chosen(plan: Input, raw: list[Any]) -> Any:
    chosen = [_chosen(plan, one) for one in raw]
    return UNREADABLE if UNREADABLE in chosen else chosen


def _chosen(plan: Input, raw: Any) -> Any:
    known = (
        isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < DIGITS and int(raw) < len(plan.options)
    )
    return plan.options[int(raw)].value if known else UNREADABLE

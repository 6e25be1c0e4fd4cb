"""Filling in forms as a person would: from a JSON value to what Slack sends as `state.values`."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from blocks.fields import plan_of
from blocks.inputs import NO, YES, same
from blocks.plans import ACTION_ID, Either, Fixed, Group, Input, Kind, Node, inputs_of
from blocks.schemas import fits, variants_of

Values = dict[str, dict[str, dict[str, Any]]]


def fill(schema: dict[str, Any], value: Any) -> Values:
    """The state of a form in which a person gave `value`; what `value` leaves out is left empty."""
    node = plan_of(schema)
    values = {plan.block_id: {ACTION_ID: state_of(plan, None)} for plan in inputs_of(node)}
    _fill(node, value, values, schema)
    return values


def _fill(node: Node, value: Any, values: Values, root: dict[str, Any]) -> None:
    match node:
        case Input():
            values[node.block_id] = {ACTION_ID: state_of(node, value)}
        case Group():
            for name, member in node.members:
                if isinstance(value, Mapping) and name in value:
                    _fill(member, value[name], values, root)
        case Either() if value is not None:
            variants = variants_of(node.selector.schema, root)
            number = next(number for number, variant in enumerate(variants) if fits(value, variant, root))
            values[node.selector.block_id] = {ACTION_ID: chosen(str(number))}
            _fill(node.variants[number], value, values, root)
        case Either() | Fixed():
            return


def state_of(plan: Input, value: Any) -> dict[str, Any]:
    match plan.kind:
        case Kind.ONE_OF:
            return chosen(None if value is None else option_of(plan, value))
        case Kind.SEVERAL:
            options = [{"value": option_of(plan, item)} for item in value or []]
            return {"type": "checkboxes", "selected_options": options}
    state = STATES.get(plan.kind)
    return state(value) if state else text(None if value in (None, "") else str(value))


def option_of(plan: Input, value: Any) -> str:
    return next(str(number) for number, option in enumerate(plan.options) if same(option.value, value))


def chosen(value: str | None) -> dict[str, Any]:
    return {"type": "radio_buttons", "selected_option": None if value is None else {"value": value}}


def text(value: str | None) -> dict[str, Any]:
    return {"type": "plain_text_input", "value": value}


def seconds(value: str | None) -> int | None:
    return None if value is None else int(datetime.fromisoformat(value).timestamp())


STATES: dict[Kind, Callable[[Any], dict[str, Any]]] = {
    Kind.BOOLEAN: lambda value: chosen(None if value is None else YES if value else NO),
    Kind.DATE: lambda value: {"type": "datepicker", "selected_date": value},
    Kind.TIME: lambda value: {"type": "timepicker", "selected_time": value and value[:5]},
    Kind.MOMENT: lambda value: {"type": "datetimepicker", "selected_date_time": seconds(value)},
    Kind.LINES: lambda value: text("\n".join(str(item) for item in value) if value else None),
    Kind.JSON: lambda value: text(None if value is None else json.dumps(value)),
}

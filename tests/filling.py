"""Filling in forms as a person would: from a JSON value to what Slack sends as `state.values`, and to the draft of a form that changes."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from actions.kit.records.interrupts import Draft
from blocks.forms.layout import shown_inputs
from blocks.forms.planning import plan_of
from blocks.forms.plans import Either, Fixed, Group, Input, Kind, Node, Perhaps, Rows
from blocks.forms.schemas import fits, same, variants_of

Values = dict[str, dict[str, dict[str, Any]]]


def fill(schema: dict[str, Any], value: Any) -> Values:
    """The state of a form in which a person gave `value`; what `value` leaves out is left empty."""
    return filled_draft(schema, value).values


def filled_draft(schema: dict[str, Any], value: Any) -> Draft:
    """The draft of a person who gave `value`, with a row for each entry of a list."""
    node = plan_of(schema)
    filling = _Filling(schema)
    filling.fill(node, value)
    empty = {
        plan.block_id: {plan.action_id: state_of(plan, None)}
        for plan in shown_inputs(node, filling.values, filling.rows)
    }
    return Draft(values={**empty, **filling.values}, rows=filling.rows)


class _Filling:
    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.values: Values = {}
        self.rows: dict[str, int] = {}

    def fill(self, node: Node, value: Any) -> None:
        match node:
            case Input():
                self.enter(node, value)
            case Group():
                for name, member in node.members:
                    if isinstance(value, Mapping) and name in value:
                        self.fill(member, value[name])
                    else:
                        self.leave(member)
            case Either():
                self.choose(node, value)
            case Rows():
                self.rows[node.id] = len(value or [])
                for number, entry in enumerate(value or []):
                    self.fill(node.row(number, number), entry)
            case Perhaps():
                self.perhaps(node, value)
            case Fixed():
                return

    def enter(self, plan: Input, value: Any) -> None:
        self.values[plan.block_id] = {plan.action_id: state_of(plan, value)}

    def leave(self, node: Node) -> None:
        """Nothing is given here, whatever stood there as default."""
        match node:
            case Input():
                self.values[node.block_id] = {node.action_id: state_of(node, None, left=True)}
            case Group():
                for _, member in node.members:
                    self.leave(member)
            case Either():
                self.leave(node.selector)
            case Rows():
                self.rows[node.id] = 0
            case Perhaps():
                self.leave(node.node)
                self.leave(node.none)

    def choose(self, either: Either, value: Any) -> None:
        variants = variants_of(either.selector.schema, self.root)
        number = next((number for number, variant in enumerate(variants) if fits(value, variant, self.root)), None)
        if value is None and len(either.variants) > len(variants):
            number = len(variants)
        self.values[either.selector.block_id] = {
            either.selector.action_id: chosen(None if number is None else str(number))
        }
        if number is not None:
            self.fill(either.variants[number], value)

    def perhaps(self, node: Perhaps, value: Any) -> None:
        on_purpose = [number for number, option in enumerate(node.none.options) if same(option.value, value)]
        if on_purpose:
            self.leave(node.node)
        else:
            self.fill(node.node, value)
        options = [{"value": str(number)} for number in on_purpose]
        self.values[node.none.block_id] = {node.none.action_id: {"type": "checkboxes", "selected_options": options}}


def state_of(plan: Input, value: Any, *, left: bool = False) -> dict[str, Any]:
    match plan.kind:
        case Kind.ONE_OF:
            nothing = left or (value is None and all(option.value is not None for option in plan.options))
            return chosen(None if nothing else option_of(plan, value))
        case Kind.SEVERAL:
            options = [{"value": option_of(plan, item)} for item in value or []]
            return {"type": "checkboxes", "selected_options": options}
        case Kind.JSON if left:
            return text(None)
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
    Kind.DATE: lambda value: {"type": "datepicker", "selected_date": value},
    Kind.TIME: lambda value: {"type": "timepicker", "selected_time": value and value[:5]},
    Kind.MOMENT: lambda value: {"type": "datetimepicker", "selected_date_time": seconds(value)},
    Kind.LINES: lambda value: text("\n".join(str(item) for item in value) if value else None),
    Kind.ENTRIES: lambda value: text("\n".join(json.dumps(item) for item in value) if value else None),
    Kind.PICKED: lambda value: {"type": "users_select", "selected_user": value},
    Kind.PICKED_SEVERAL: lambda value: {"type": "multi_users_select", "selected_users": value or []},
    Kind.JSON: lambda value: text(None if value is None else json.dumps(value)),
}

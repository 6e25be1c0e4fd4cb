"""What Slack holds for each input of a form, as plain values, whatever junk may stand there."""

from collections.abc import Mapping
from typing import Any

from blocks.forms.defaults import Raw, raw_default
from blocks.forms.plans import Input, Kind

Values = Mapping[str, Any]

DIGITS = 6
_KEYS = {
    Kind.ONE_OF: ("selected_option",),
    Kind.SEVERAL: ("selected_options",),
    Kind.DATE: ("selected_date",),
    Kind.TIME: ("selected_time",),
    Kind.MOMENT: ("selected_date_time",),
    Kind.PICKED: ("selected_user", "selected_conversation", "selected_channel"),
    Kind.PICKED_SEVERAL: ("selected_users", "selected_conversations", "selected_channels"),
}


def raw_of(plan: Input, values: Values) -> Raw:
    """What was given: a text, an option's value or several, ids, a date, seconds; `None` for nothing."""
    block = values.get(plan.block_id)
    state = block.get(plan.action_id) if isinstance(block, Mapping) else None
    keys = _KEYS.get(plan.kind, ("value",))
    held = next((state[key] for key in keys if key in state), None) if isinstance(state, Mapping) else None
    match plan.kind:
        case Kind.ONE_OF:
            return _option_value(held)
        case Kind.SEVERAL:
            chosen = [_option_value(option) for option in held] if isinstance(held, list) else []
            return [each for each in chosen if each is not None]
        case Kind.PICKED_SEVERAL:
            return [each for each in held if isinstance(each, str)] if isinstance(held, list) else None
        case Kind.MOMENT:
            return held if isinstance(held, int) and not isinstance(held, bool) else None
    return held if isinstance(held, str) else None


def state_of(plan: Input, raw: Raw) -> dict[str, Any]:
    """What Slack would hold for an input in which `raw` stands; `raw_of` reads it back."""
    held: Any = raw
    if plan.kind is Kind.ONE_OF:
        held = None if raw is None else {"value": raw}
    if plan.kind is Kind.SEVERAL:
        held = [{"value": each} for each in raw] if isinstance(raw, list) else []
    return {plan.action_id: {_KEYS.get(plan.kind, ("value",))[0]: held}}


def _option_value(option: Any) -> str | None:
    value = option.get("value") if isinstance(option, Mapping) else None
    return value if isinstance(value, str) else None


def shown_raw(plan: Input, values: Values) -> Raw:
    """What an input holds when it is drawn: what is known of it, else its default."""
    return raw_of(plan, values) if plan.block_id in values else raw_default(plan)


def given(plan: Input, values: Values) -> bool:
    return raw_of(plan, values) not in (None, "", [])


def option_number(raw: Any, count: int) -> int | None:
    """The number of one of so many options, as their values spell it."""
    known = isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < DIGITS and int(raw) < count
    return int(raw) if known else None


def chosen_variant(selector: Input, values: Values) -> int | None:
    """Which variant of a union is shown: the chosen one, and before anybody chose, that of the default."""
    return option_number(shown_raw(selector, values), len(selector.options))

"""A plan of inputs as Slack input blocks, each filled with its default."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic_core import to_json

from blocks import limits
from blocks.hints import spelled
from blocks.plans import ABSENT, ACTION_ID, Input, Kind, Option, hint_of, is_long
from blocks.text import clean, one_line, plain, width

RADIO = 5
"""Up to so many options stand side by side; more of them fold into a select."""
LABEL = 200
HINT = 300
TEN_DIGITS = 10
YES = "yes"
NO = "no"


def input_block(plan: Input) -> dict[str, Any]:
    """One input block, its id stable for the path of its value."""
    block: dict[str, Any] = {
        "type": "input",
        "block_id": plan.block_id,
        "label": plain(one_line(plan.place.label) or "Value", LABEL),
        "element": {**_ELEMENTS[plan.kind](plan), "action_id": ACTION_ID},
        "optional": plan.optional,
    }
    if hint := hint_of(plan):
        block["hint"] = plain(hint, HINT)
    return block


def _text(plan: Input) -> dict[str, Any]:
    """A text, a list one entry a line, or JSON. Limits are given to Slack only where it can keep them."""
    if plan.kind is not Kind.TEXT:
        return {"type": "plain_text_input", "multiline": True, **_initial_text(_multiline_of(plan))}
    element: dict[str, Any] = {"type": "plain_text_input", "multiline": is_long(plan)}
    shortest, longest = plan.schema.get("minLength", 0), plan.schema.get("maxLength", limits.PLAIN_TEXT_INPUT_LENGTH)
    if 0 < shortest <= min(longest, limits.PLAIN_TEXT_INPUT_LENGTH):
        element["min_length"] = shortest
    if 0 < longest < limits.PLAIN_TEXT_INPUT_LENGTH:
        element["max_length"] = longest
    initial = _initial_text(_text_of(plan.place.default))
    fits = shortest <= width(initial.get("initial_value", "")) <= longest
    return {**element, **initial} if fits else element


def _email(plan: Input) -> dict[str, Any]:
    return {"type": "email_text_input", **_initial_text(_text_of(plan.place.default))}


def _link(plan: Input) -> dict[str, Any]:
    return {"type": "url_text_input", **_initial_text(_text_of(plan.place.default))}


def _initial_text(text: str | None) -> dict[str, Any]:
    """The default to start from, unless Slack would refuse it or change it: then leaving the input empty stands for it."""
    if not text or width(text) > limits.PLAIN_TEXT_INPUT_LENGTH or clean(text) != text:
        return {}
    return {"initial_value": text}


def _text_of(default: Any) -> str | None:
    return default if isinstance(default, str) else None


def _multiline_of(plan: Input) -> str | None:
    default = plan.place.default
    if default is ABSENT or default is None:
        return None
    if plan.kind is Kind.LINES:
        return "\n".join(str(item) for item in default) if isinstance(default, list) else None
    return to_json(default, indent=2).decode()


def _number(plan: Input) -> dict[str, Any]:
    element: dict[str, Any] = {"type": "number_input", "is_decimal_allowed": plan.kind is not Kind.INTEGER}
    low, high = bounds(plan)
    if low is not None:
        element["min_value"] = spelled(low)
    if high is not None:
        element["max_value"] = spelled(high)
    initial = decimal_of(plan.place.default)
    if initial is not None and (low is None or low <= initial) and (high is None or initial <= high):
        element["initial_value"] = spelled(plan.place.default)
    return element


def bounds(plan: Input) -> tuple[Decimal | None, Decimal | None]:
    """The limits that Slack can check: inclusive ones, and for whole numbers exclusive ones by the next number."""
    low, high = decimal_of(plan.schema.get("minimum")), decimal_of(plan.schema.get("maximum"))
    above, below = decimal_of(plan.schema.get("exclusiveMinimum")), decimal_of(plan.schema.get("exclusiveMaximum"))
    if plan.kind is Kind.INTEGER:
        low = low if above is None else above.__floor__() + Decimal(1)
        high = high if below is None else below.__ceil__() - Decimal(1)
    return low, high


def decimal_of(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _boolean(plan: Input) -> dict[str, Any]:
    options = [_option("Yes", YES), _option("No", NO)]
    element: dict[str, Any] = {"type": "radio_buttons", "options": options}
    if isinstance(plan.place.default, bool):
        element["initial_option"] = options[0 if plan.place.default else 1]
    return element


def _one_of(plan: Input) -> dict[str, Any]:
    options = [_option(option.title, str(number)) for number, option in enumerate(plan.options)]
    chosen = next(
        (option for option, given in zip(options, plan.options, strict=True) if _is_default(given, plan)), None
    )
    element = {"type": "radio_buttons", "options": options} if len(options) <= RADIO else select(options)
    return {**element, "initial_option": chosen} if chosen else element


def _is_default(option: Option, plan: Input) -> bool:
    return same(option.value, plan.place.default)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one: `1` is not `true`."""
    return type(one) is type(other) and bool(one == other)


def _several(plan: Input) -> dict[str, Any]:
    options = [_option(option.title, str(number)) for number, option in enumerate(plan.options)]
    default = plan.place.default if isinstance(plan.place.default, list) else []
    given = zip(options, plan.options, strict=True)
    chosen = [option for option, mine in given if any(same(mine.value, value) for value in default)]
    if len(options) <= limits.CHECKBOXES_OPTIONS:
        element: dict[str, Any] = {"type": "checkboxes", "options": options}
    else:
        element = {**select(options), "type": "multi_static_select"}
    return {**element, "initial_options": chosen} if chosen else element


def select(options: list[dict[str, Any]]) -> dict[str, Any]:
    """A select; of more than a hundred options, grouped by hundreds."""
    placeholder = plain("Choose one")
    if len(options) <= limits.SELECT_OPTIONS:
        return {"type": "static_select", "placeholder": placeholder, "options": options}
    size = limits.OPTION_GROUP_OPTIONS
    groups = [
        {"label": plain(f"{start + 1} to {start + len(part)}"), "options": part}
        for start in range(0, len(options), size)
        if (part := options[start : start + size])
    ]
    return {"type": "static_select", "placeholder": placeholder, "option_groups": groups}


def _option(title: str, value: str) -> dict[str, Any]:
    return {"text": plain(one_line(title), limits.OPTION_TEXT), "value": value}


def options_for(titles: list[str], descriptions: list[str | None]) -> list[dict[str, Any]]:
    """Options whose values are their numbers, from 0."""
    options = [_option(title, str(number)) for number, title in enumerate(titles)]
    for option, description in zip(options, descriptions, strict=True):
        if description:
            option["description"] = plain(one_line(description), limits.OPTION_DESCRIPTION)
    return options


def _calendar(plan: Input) -> dict[str, Any]:
    default = plan.place.default
    match plan.kind:
        case Kind.DATE:
            return {"type": "datepicker", **_initial("initial_date", _day(default))}
        case Kind.TIME:
            return {"type": "timepicker", **_initial("initial_time", _clock(default))}
        case _:
            return {"type": "datetimepicker", **_initial("initial_date_time", _seconds(default))}


def _initial(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}


def _day(default: Any) -> str | None:
    try:
        return date.fromisoformat(default).isoformat()
    except (TypeError, ValueError):
        return None


def _clock(default: Any) -> str | None:
    try:
        return f"{time.fromisoformat(default):%H:%M}"
    except (TypeError, ValueError):
        return None


def _seconds(default: Any) -> int | None:
    """Unix seconds of a moment; one without a zone is taken as UTC. Slack takes ten digits."""
    try:
        moment = datetime.fromisoformat(default)
    except (TypeError, ValueError):
        return None
    seconds = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    return seconds if len(str(seconds)) == TEN_DIGITS else None


_ELEMENTS: dict[Kind, Callable[[Input], dict[str, Any]]] = {
    Kind.TEXT: _text,
    Kind.LINES: _text,
    Kind.JSON: _text,
    Kind.INTEGER: _number,
    Kind.NUMBER: _number,
    Kind.DECIMAL: _number,
    Kind.BOOLEAN: _boolean,
    Kind.ONE_OF: _one_of,
    Kind.SEVERAL: _several,
    Kind.DATE: _calendar,
    Kind.TIME: _calendar,
    Kind.MOMENT: _calendar,
    Kind.EMAIL: _email,
    Kind.LINK: _link,
}

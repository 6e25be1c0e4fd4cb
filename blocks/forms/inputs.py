"""Inputs as Slack's input blocks, each holding its default, or what was typed into it before the form was redrawn."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from blocks import limits
from blocks.forms.defaults import Raw
from blocks.forms.hints import example_of, hint_of, is_long
from blocks.forms.numbers import decimal_of, spelled
from blocks.forms.options import chosen_from, found_option, option, select
from blocks.forms.plans import ABSENT, MULTILINE, Input, Kind
from blocks.text import one_line, plain, width
from blocks.values import BENEATH

RADIO = 5
"""Up to so many options stand side by side; more of them fold into a select."""
LABEL = 200
HINT = 300
NUMERAL = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
OPEN_CHANNELS = {"include": ["public", "private"], "exclude_bot_users": True}
PICKERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "slack-user": ("users_select", "user", {}),
    "slack-channel": ("conversations_select", "conversation", {"filter": OPEN_CHANNELS}),
    "slack-conversation": ("conversations_select", "conversation", {}),
}
"""By format: the element, what it calls what it picks, and what else it needs (reference/block-kit/block-elements)."""


def input_block(plan: Input, raw: Raw) -> dict[str, Any]:
    """One input block holding `raw`, its id stable for the path of its value."""
    block: dict[str, Any] = {
        "type": "input",
        "block_id": plan.block_id,
        "label": plain(_label(plan), LABEL),
        "element": {**_ELEMENTS[plan.kind](plan, raw), "action_id": plan.action_id},
        "optional": plan.optional,
    }
    if plan.redraws:
        block["dispatch_action"] = True
    if hint := hint_of(plan):
        block["hint"] = plain(hint, HINT)
    return block


def _label(plan: Input) -> str:
    """Of a path that is too long, the end says more than the beginning."""
    label = one_line(plan.place.label) or "Value"
    while width(label) > LABEL and BENEATH in label:
        label = f"…{label.partition(BENEATH)[2]}"
    return label


def _text(plan: Input, raw: Raw) -> dict[str, Any]:
    """A text, a list one entry a line, or JSON. Limits are given to Slack only where it can keep them."""
    element = {"type": "plain_text_input", "multiline": plan.kind in MULTILINE or is_long(plan), **_typed(plan, raw)}
    if plan.kind is not Kind.TEXT:
        return element
    shortest, longest = plan.schema.get("minLength", 0), plan.schema.get("maxLength", limits.PLAIN_TEXT_INPUT_LENGTH)
    if raw and not shortest <= width(str(raw)) <= longest:
        return element
    if 0 < shortest <= min(longest, limits.PLAIN_TEXT_INPUT_LENGTH):
        element["min_length"] = shortest
    if 0 < longest < limits.PLAIN_TEXT_INPUT_LENGTH:
        element["max_length"] = longest
    return element


def _email(plan: Input, raw: Raw) -> dict[str, Any]:
    return {"type": "email_text_input", **_typed(plan, raw)}


def _link(plan: Input, raw: Raw) -> dict[str, Any]:
    return {"type": "url_text_input", **_typed(plan, raw)}


def _typed(plan: Input, raw: Raw) -> dict[str, Any]:
    placeholder = example_of(plan)
    shown = {"placeholder": plain(one_line(placeholder), limits.PLACEHOLDER)} if placeholder else {}
    return {**shown, "initial_value": raw} if raw else shown


def _number(plan: Input, raw: Raw) -> dict[str, Any]:
    """A number. What was typed is kept even where it is out of bounds, which are then left to the check afterwards."""
    element: dict[str, Any] = {"type": "number_input", "is_decimal_allowed": plan.kind is not Kind.INTEGER}
    initial = decimal_of(raw) if isinstance(raw, str) and NUMERAL.fullmatch(raw) else None
    if initial is not None and plan.kind is Kind.INTEGER and initial != initial.to_integral_value():
        initial = None
    low, high = bounds(plan)
    outside = initial is not None and ((low is not None and low > initial) or (high is not None and high < initial))
    if low is not None and not outside and (high is None or low <= high):
        element["min_value"] = spelled(low)
    if high is not None and not outside and (low is None or low <= high):
        element["max_value"] = spelled(high)
    return {**element, **_typed(plan, None if initial is None else raw)}


def bounds(plan: Input) -> tuple[Decimal | None, Decimal | None]:
    """The limits that Slack can check: inclusive ones, and for whole numbers exclusive ones by the next number."""
    low, high = decimal_of(plan.schema.get("minimum")), decimal_of(plan.schema.get("maximum"))
    above, below = decimal_of(plan.schema.get("exclusiveMinimum")), decimal_of(plan.schema.get("exclusiveMaximum"))
    if plan.kind is Kind.INTEGER:
        floors = [Decimal(low.__ceil__())] if low is not None else []
        floors += [above.__floor__() + Decimal(1)] if above is not None else []
        ceilings = [Decimal(high.__floor__())] if high is not None else []
        ceilings += [below.__ceil__() - Decimal(1)] if below is not None else []
        return max(floors, default=None), min(ceilings, default=None)
    return low, high


def _one_of(plan: Input, raw: Raw) -> dict[str, Any]:
    """Side by side where there are few; a radio button cannot be unpressed, so never where nothing may be chosen."""
    chosen = _drawn(plan, raw)
    initial = {"initial_option": chosen[0]} if chosen else {}
    if plan.is_searched:
        return {**_searched("external_select"), **initial}
    options = [option(each.title, number) for number, each in enumerate(plan.options)]
    may_stay_empty = plan.place.free or (not plan.place.required and not plan.nullable)
    is_radio = len(options) <= RADIO and not (may_stay_empty and plan.place.default is ABSENT)
    element = {"type": "radio_buttons", "options": options} if is_radio else select(options)
    return {**element, **initial}


def _several(plan: Input, raw: Raw) -> dict[str, Any]:
    chosen = _drawn(plan, raw)
    most = plan.schema.get("maxItems")
    limited = {"max_selected_items": most} if most and len(chosen) <= most else {}
    initial = {"initial_options": chosen} if chosen else {}
    if plan.is_searched:
        return {**_searched("multi_external_select"), **limited, **initial}
    options = [option(each.title, number) for number, each in enumerate(plan.options)]
    if len(options) <= limits.CHECKBOXES_OPTIONS:
        return {"type": "checkboxes", "options": options, **initial}
    any_of = {**select(options), "type": "multi_static_select", "placeholder": plain("Choose any")}
    return {**any_of, **limited, **initial}


def _searched(kind: str) -> dict[str, Any]:
    return {"type": kind, "placeholder": plain("Type to search"), "min_query_length": 0}


def _drawn(plan: Input, raw: Raw) -> list[dict[str, Any]]:
    """The options that are chosen, by their numbers or keys; what is no number or key of an option is none."""
    numbers = [raw] if isinstance(raw, str) else raw if isinstance(raw, list) else []
    if plan.source:
        return [found_option(each) for key in numbers if (each := chosen_from(plan.source, key)) is not None]
    known = {str(number): each for number, each in enumerate(plan.options)} if numbers else {}
    return [option(known[number].title, number) for number in numbers if number in known]


def _picked(plan: Input, raw: Raw) -> dict[str, Any]:
    kind, noun, more = PICKERS[plan.format]
    return {"type": kind, **more, **({f"initial_{noun}": raw} if raw else {})}


def _all_picked(plan: Input, raw: Raw) -> dict[str, Any]:
    kind, noun, more = PICKERS[plan.format]
    most = plan.schema.get("maxItems")
    chosen = raw if isinstance(raw, list) else []
    limited = {"max_selected_items": most} if most and len(chosen) <= most else {}
    return {"type": f"multi_{kind}", **more, **limited, **({f"initial_{noun}s": chosen} if chosen else {})}


def _day(_: Input, raw: Raw) -> dict[str, Any]:
    return {"type": "datepicker", **({"initial_date": raw} if raw else {})}


def _clock(_: Input, raw: Raw) -> dict[str, Any]:
    return {"type": "timepicker", **({"initial_time": raw} if raw else {})}


def _moment(_: Input, raw: Raw) -> dict[str, Any]:
    return {"type": "datetimepicker", **({"initial_date_time": raw} if raw else {})}


_ELEMENTS: dict[Kind, Callable[[Input, Raw], dict[str, Any]]] = {
    Kind.TEXT: _text,
    Kind.LINES: _text,
    Kind.ENTRIES: _text,
    Kind.JSON: _text,
    Kind.INTEGER: _number,
    Kind.NUMBER: _number,
    Kind.DECIMAL: _number,
    Kind.ONE_OF: _one_of,
    Kind.SEVERAL: _several,
    Kind.DATE: _day,
    Kind.TIME: _clock,
    Kind.MOMENT: _moment,
    Kind.EMAIL: _email,
    Kind.LINK: _link,
    Kind.PICKED: _picked,
    Kind.PICKED_SEVERAL: _all_picked,
}

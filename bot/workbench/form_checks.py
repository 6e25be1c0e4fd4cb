"""What Slack's own client checks before it sends a form: what is required, and the limits that the inputs state."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from bot.workbench.elements import Placed, State, elements_of, is_filled

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_URL = re.compile(r"https?://\S+")


def complaints(blocks: Iterable[Mapping[str, Any]], values: State) -> dict[str, str]:
    """What the client itself complains about, by block id; nothing is sent as long as there is anything."""
    found: dict[str, str] = {}
    for placed in elements_of(blocks):
        if placed.block["type"] != "input":
            continue
        state = values[placed.block_id][placed.action_id]
        words = _complaint(placed, state)
        if words is not None:
            found[placed.block_id] = words
    return found


def _complaint(placed: Placed, state: Mapping[str, Any]) -> str | None:
    if not is_filled(state):
        return None if placed.block.get("optional") else "Please complete this required field."
    match placed.type:
        case "plain_text_input":
            return _length(placed.element, str(state["value"]))
        case "number_input":
            return _number(placed.element, str(state["value"]))
        case "email_text_input" if not _EMAIL.fullmatch(str(state["value"])):
            return "Please enter a valid email address."
        case "url_text_input" if not _URL.fullmatch(str(state["value"])):
            return "Please enter a valid URL."
    return None


def _length(element: Mapping[str, Any], text: str) -> str | None:
    if len(text) < int(element.get("min_length", 0)):
        return f"Please enter at least {element['min_length']} characters."
    if len(text) > int(element.get("max_length", 3000)):
        return f"Please enter at most {element.get('max_length', 3000)} characters."
    return None


def _number(element: Mapping[str, Any], text: str) -> str | None:
    if not _NUMBER.fullmatch(text):
        return "Please enter a number."
    number = Decimal(text)
    if not element.get("is_decimal_allowed") and number != number.to_integral_value():
        return "Please enter a whole number."
    if "min_value" in element and number < Decimal(element["min_value"]):
        return f"Please enter {element['min_value']} or more."
    if "max_value" in element and number > Decimal(element["max_value"]):
        return f"Please enter {element['max_value']} or less."
    return None

"""What Slack's own client checks before it sends a form: what is required, and the limits that the inputs state."""

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from bot.workbench.elements import Placed, State, elements_of, is_filled, value_key

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_URL = re.compile(r"https?://\S+")


def complaints(blocks: Iterable[Mapping[str, Any]], values: State) -> dict[str, str]:
    """What the client itself complains about, by block id; nothing is sent as long as there is anything.

    https://docs.slack.dev/reference/block-kit/block-elements; how strictly it reads addresses is not documented.
    """
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
    value = state[value_key(placed.type)]
    most = placed.element.get("max_selected_items", placed.element.get("max_files"))
    if most is not None and len(value) > most:
        return f"Please choose at most {most}."
    check = _CHECKS.get(placed.type)
    return None if check is None else check(placed.element, value)


def _email(_element: Mapping[str, Any], text: str) -> str | None:
    return None if _EMAIL.fullmatch(text) else "Please enter a valid email address."


def _url(_element: Mapping[str, Any], text: str) -> str | None:
    return None if _URL.fullmatch(text) else "Please enter a valid URL."


def _files(element: Mapping[str, Any], files: Iterable[Mapping[str, Any]]) -> str | None:
    wanted = [str(suffix).lower().lstrip(".") for suffix in element.get("filetypes", ())]
    fits = all(str(file["name"]).lower().rpartition(".")[2] in wanted for file in files)
    return None if fits or not wanted else f"Please choose files of these kinds: {', '.join(wanted)}."


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


_CHECKS: Mapping[str, Callable[[Mapping[str, Any], Any], str | None]] = {
    "plain_text_input": _length,
    "number_input": _number,
    "email_text_input": _email,
    "url_text_input": _url,
    "file_input": _files,
}

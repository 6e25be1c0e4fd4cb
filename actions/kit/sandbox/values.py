"""Values on their way from a script to us: JSON and no more of it than can be looked at in a moment."""

import json
from typing import Any

from actions.kit.sandbox.limits import ScriptError
from actions.kit.shapes.json_text import NotJson, to_json_text

MOST_VALUES = 100_000
"""Values in one that crosses the border, those in lists and objects counted one by one."""


def as_json(value: Any, what: str) -> Any:
    """A value that crosses the border, in JSON's own types. Raises `NotJson`, and `ScriptError` for far too much."""
    if _is_more_than(value, MOST_VALUES):
        raise ScriptError("value", f"{what} has more than {MOST_VALUES:,} values")
    return json.loads(to_json_text(value, what=what))


def _is_more_than(value: Any, most: int) -> bool:
    """Whether it holds more values, counted no further than that: to read one after another takes a while."""
    left, found = [value], 1
    while left and found <= most:
        here = left.pop()
        inside = list(here.values()) if isinstance(here, dict) else here if isinstance(here, list | tuple) else []
        found += len(inside)
        left += inside if found <= most else []
    return found > most


def input_given(name: str, values: tuple[Any, ...], fields: dict[str, Any]) -> Any:
    """The input of an action as it was called: its fields by name, or the whole as one value. Raises `TypeError`."""
    if values and (fields or len(values) > 1):
        raise TypeError(f"{name} takes its fields by name, or one value with all of them")
    try:
        return as_json(values[0] if values else fields, f"the input of {name}")
    except NotJson as error:
        raise TypeError(str(error)) from None

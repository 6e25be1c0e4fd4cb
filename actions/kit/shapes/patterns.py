"""Matching text against patterns in linear time: one that backtracks without end would stop every thread."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pydantic_core import SchemaError, SchemaValidator, core_schema


@lru_cache(maxsize=256)
def matcher(pattern: str) -> Callable[[str], bool]:
    """In linear time, unless the pattern looks around: Python's engine may take for ever, and stops all threads meanwhile."""
    return _linear(pattern) or (lambda text: re.search(pattern, text) is not None)


def refuse_slow_patterns(schema: Any) -> None:
    """Raise `ValueError` for the first pattern of a JSON Schema from outside that may take for ever.

    `patternProperties` is among them: the library matches keys by Python's engine, whatever we do.
    """
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        if not isinstance(each, dict):
            continue
        waiting += each.values()
        if each.get("patternProperties"):
            raise ValueError("must not have patternProperties; list the properties, or allow others")
        pattern = each.get("pattern")
        if isinstance(pattern, str) and _linear(pattern) is None:
            raise ValueError(f"must have patterns without look-around and back references; {pattern!r} is none")


def _linear(pattern: str) -> Callable[[str], bool] | None:
    try:
        text = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex", strict=True)
        return SchemaValidator(text).isinstance_python
    except SchemaError:
        return None

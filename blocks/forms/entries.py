"""What was typed into one input as its value, to the last digit; and in words why it is none."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from blocks.forms.plans import Kind

INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)
SPACE = re.compile(r"[\s,]*")


class Unreadable(Enum):
    """The person gave something that is no value of the kind."""

    UNREADABLE = "unreadable"


UNREADABLE = Unreadable.UNREADABLE


class _NotStorableError(ValueError):
    """It is JSON, but not such as can be stored; says why."""


def entered(kind: Kind, raw: Any) -> Any:
    """The value of what stands in an input that is no choice among options, or `UNREADABLE`."""
    read = _READERS.get(kind)
    return read(raw) if read else raw


def entries_of(text: str) -> list[tuple[Any, int]] | str:
    """Each entry of a list, typed one after the other or as a JSON list, with its line; or in words what is wrong."""
    try:
        if text.lstrip().startswith("["):
            whole = _DECODER.decode(text)
            return [(each, 0) for each in whole] if isinstance(whole, list) else "must be a list"
        return list(_one_after_the_other(text))
    except (ValueError, RecursionError) as error:
        return _json_words(error)


def _one_after_the_other(text: str) -> Any:
    at = _past_space(text, 0)
    while at < len(text):
        value, end = _DECODER.raw_decode(text, at)
        yield value, text.count("\n", 0, at) + 1
        at = _past_space(text, end)


def _past_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at


def _integer(raw: str) -> Any:
    return int(raw) if INTEGER.fullmatch(raw.strip()) else UNREADABLE


def _decimal(raw: str) -> Any:
    text = raw.strip()
    return text.removeprefix("+") if DECIMAL.fullmatch(text) else UNREADABLE


def exact_number(text: str) -> Any:
    """The number that was typed: `int`, `float` where it is that number to the last digit, else `Decimal`."""
    text = text.strip()
    if INTEGER.fullmatch(text):
        return int(text)
    if not DECIMAL.fullmatch(text):
        return UNREADABLE
    exact, nearest = Decimal(text), float(text)
    return nearest if Decimal(repr(nearest)) == exact else exact


def _moment(raw: int) -> Any:
    try:
        return datetime.fromtimestamp(raw, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return UNREADABLE


def _json(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return UNREADABLE


def _json_number(text: str) -> Any:
    number = exact_number(text)
    return _refuse(text) if number is UNREADABLE else number


def _json_integer(text: str) -> int:
    return int(text) if INTEGER.fullmatch(text) else _refuse(text)


def _refuse(constant: str) -> Any:
    raise _NotStorableError(f"is JSON that cannot be stored: {constant[:20]} is no number there")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NotStorableError(f"is JSON that cannot be stored: {twice[:40]!r} comes twice in one object")
    return made


_DECODER = json.JSONDecoder(
    parse_float=_json_number, parse_int=_json_integer, parse_constant=_refuse, object_pairs_hook=_without_doubles
)
_READERS: dict[Kind, Callable[[Any], Any]] = {
    Kind.INTEGER: _integer,
    Kind.NUMBER: exact_number,
    Kind.DECIMAL: _decimal,
    Kind.MOMENT: _moment,
    Kind.TIME: "{}:00".format,
    Kind.JSON: _json,
}
WORDS = {
    Kind.INTEGER: "must be a whole number such as 42",
    Kind.NUMBER: "must be a number such as 12.5",
    Kind.DECIMAL: "must be a number such as 1250.00",
    Kind.ONE_OF: "is not one of the options",
    Kind.SEVERAL: "is not one of the options",
    Kind.MOMENT: "must be a date and time",
}
JSON_WORDS = {
    "Expecting value": "a value is missing, or a text has no double quotes",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing after the name",
    "Expecting property name enclosed in double quotes": "a name in double quotes is expected",
    "Illegal trailing comma before end of object": "there is a comma too many",
    "Illegal trailing comma before end of array": "there is a comma too many",
    "Unterminated string starting at": "a text is not closed",
    "Invalid control character at": "a text may not go over the end of its line",
    "Invalid \\escape": "a backslash stands where it means nothing",
    "Invalid \\uXXXX escape": "a backslash stands where it means nothing",
    "Extra data": "there is something after the end",
}


def why_unreadable(kind: Kind, raw: Any) -> str:
    """In words for people."""
    if kind is not Kind.JSON:
        return WORDS.get(kind, "cannot be read")
    try:
        _DECODER.decode(str(raw))
    except (ValueError, RecursionError) as error:
        return _json_words(error)
    return "cannot be read"


def _json_words(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            words = JSON_WORDS.get(error.msg.partition(": ")[0], "this is not JSON")
            return f"line {error.lineno}: {words} (character {error.colno})"
        case _NotStorableError():
            return str(error)
    return "is JSON that cannot be stored: it is nested too deep"

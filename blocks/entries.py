"""What was typed into one input as its value, to the last digit; and in words why it is none."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from json import JSONDecodeError, loads
from typing import Any

from blocks.inputs import YES
from blocks.plans import Kind

INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?", re.ASCII)


class Unreadable(Enum):
    """The person gave something that is no value of the kind."""

    UNREADABLE = "unreadable"


UNREADABLE = Unreadable.UNREADABLE


def entered(kind: Kind, raw: Any) -> Any:
    """The value of what stands in an input that is no choice among options, or `UNREADABLE`."""
    read = _READERS.get(kind)
    return read(raw) if read else raw


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
        return loads(text, parse_float=_json_number, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return UNREADABLE


def _json_number(text: str) -> Any:
    number = exact_number(text)
    return _refuse(text) if number is UNREADABLE else number


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_READERS: dict[Kind, Callable[[Any], Any]] = {
    Kind.INTEGER: _integer,
    Kind.NUMBER: exact_number,
    Kind.DECIMAL: _decimal,
    Kind.BOOLEAN: lambda raw: raw == YES,
    Kind.MOMENT: _moment,
    Kind.TIME: "{}:00".format,
    Kind.JSON: _json,
}
WORDS = {
    Kind.INTEGER: "must be a whole number such as 42",
    Kind.NUMBER: "must be a number such as 12.5",
    Kind.DECIMAL: "must be a number such as 1250.00",
    Kind.ONE_OF: "is not one of the options",
    Kind.MOMENT: "must be a date and time",
}


def why_unreadable(kind: Kind, raw: Any) -> str:
    """In words for people."""
    if kind is Kind.JSON:
        return _json_words(str(raw))
    return WORDS.get(kind, "cannot be read")


def _json_words(text: str) -> str:
    try:
        loads(text, parse_constant=_refuse)
    except JSONDecodeError as error:
        return f"is not JSON: {error.msg.lower()} in line {error.lineno}, column {error.colno}"
    except (ValueError, RecursionError):
        pass
    return "is not JSON that can be stored"

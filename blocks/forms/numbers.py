"""Numbers as Slack and people write them, and as they are reckoned with."""

from decimal import Decimal, InvalidOperation
from typing import Any


def spelled(number: Any) -> str:
    """A limit as Slack and people write it: never with an exponent."""
    try:
        return format(Decimal(str(number)), "f")
    except InvalidOperation:
        return str(number)


def decimal_of(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

"""The jsonschema library, set up as we use it: exact steps, checked formats, no look-up of other documents."""

import operator
import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation, localcontext
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry

from actions.kit import slack_ids
from actions.kit.errors import ShapeError
from actions.kit.shapes.patterns import matcher

PRECISION = 5_000
"""Digits to which steps are reckoned, more than any stored number has."""

_Holds = Callable[[Decimal, Decimal], bool]
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?", re.ASCII)


def check(schema: dict[str, Any]) -> None:
    """Raise `ShapeError` for what is no JSON Schema of draft 2020-12."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ShapeError(".".join(map(str, error.absolute_path)), f"is not JSON Schema: {error.message}") from error


def validator_of(schema: dict[str, Any]) -> Validator:
    """A validator of a checked schema."""
    made: Validator = _Exact(schema, registry=Registry(), format_checker=_formats())
    return made


def _of_numbers(holds: _Holds) -> Callable[..., Iterator[ValidationError]]:
    """A keyword for numbers and for text of format `decimal`, in decimals: in floats 19.99 is no multiple of 0.01."""

    def check(_: Any, limit: Any, instance: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
        number = _number(instance, schema)
        if number is not None and not holds(number, Decimal(str(limit))):
            yield ValidationError(f"{instance!r} does not keep to {limit}")

    return check


def _number(instance: Any, schema: dict[str, Any]) -> Decimal | None:
    is_text = isinstance(instance, str) and schema.get("format") == "decimal" and _is_decimal(instance)
    is_number = isinstance(instance, int | float) and not isinstance(instance, bool)
    return Decimal(str(instance)) if is_text or is_number else None


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matcher(pattern)(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _is_multiple(number: Decimal, step: Decimal) -> bool:
    try:
        with localcontext(prec=PRECISION):
            return not number % step
    except InvalidOperation:
        return False


def _has_places(number: Decimal, most: Decimal) -> bool:
    return -_exponent(number) <= most


def _has_digits(number: Decimal, most: Decimal) -> bool:
    """As pydantic counts them: 0.001 has three, 1E+2 has three."""
    exponent = _exponent(number)
    written = len(number.as_tuple().digits)
    return max(written + max(exponent, 0), -exponent) <= most


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


_Exact = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "minimum": _of_numbers(operator.ge),
        "maximum": _of_numbers(operator.le),
        "exclusiveMinimum": _of_numbers(operator.gt),
        "exclusiveMaximum": _of_numbers(operator.lt),
        "multipleOf": _of_numbers(_is_multiple),
        "pattern": _pattern,
        "decimalPlaces": _of_numbers(_has_places),
        "maxDigits": _of_numbers(_has_digits),
    },
)


def _formats() -> FormatChecker:
    """Draft 2020-12's, and our own; a time needs no zone, because people give none."""
    checker = FormatChecker()
    known = Draft202012Validator.FORMAT_CHECKER.checkers
    strict, _ = known["time"]
    checker.checkers = {
        **known,
        "decimal": (_is_decimal, ()),
        **{name: (partial(_matches, re.compile(pattern)), ()) for name, pattern in slack_ids.PATTERNS.items()},
        "time": (lambda instance: _is_time(instance) or strict(instance), ValueError),
    }
    return checker


def _matches(pattern: re.Pattern[str], instance: object) -> bool:
    return not isinstance(instance, str) or pattern.fullmatch(instance) is not None


def _is_time(instance: object) -> bool:
    return isinstance(instance, str) and _TIME.fullmatch(instance) is not None


def _is_decimal(instance: object) -> bool:
    if not isinstance(instance, str):
        return True
    try:
        return Decimal(instance).is_finite()
    except InvalidOperation:
        return False

"""The jsonschema library, set up as we use it: exact steps, checked formats, no look-up of other documents."""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry

from actions.kit.errors import ShapeError


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


def _multiple_of(_: Any, step: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    """In decimals, because in floats 19.99 is no multiple of 0.01."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return
    if Decimal(str(instance)) % Decimal(str(step)):
        yield ValidationError(f"{instance!r} is not a multiple of {step}")


_Exact = extend(Draft202012Validator, {"multipleOf": _multiple_of})  # type: ignore[no-untyped-call]


def _formats() -> FormatChecker:
    checker = FormatChecker()
    checker.checkers = {**Draft202012Validator.FORMAT_CHECKER.checkers, "decimal": (_is_decimal, ())}
    return checker


def _is_decimal(instance: object) -> bool:
    if not isinstance(instance, str):
        return True
    try:
        return Decimal(instance).is_finite()
    except InvalidOperation:
        return False

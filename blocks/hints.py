"""What an input accepts, in words for people: "3 to 500 characters", "at most 500.00"."""

from decimal import Decimal, InvalidOperation
from typing import Any

from blocks.schemas import Schema

LIMITS = {"exclusiveMinimum": "more than", "minimum": "at least", "exclusiveMaximum": "less than", "maximum": "at most"}
UNSAID = 2_000
"""Longer limits of length are what a format or a database asks for, and say nothing to people."""
PLURALS = {"character": "characters", "entry": "entries", "decimal place": "decimal places"}


def constraint_words(schema: Schema) -> list[str]:
    """The constraints of one input, each as a few words. A pattern is shown only where nothing else explains the format."""
    words = [*_span(schema, "minLength", "maxLength", "character"), *_span(schema, "minItems", "maxItems", "entry")]
    words += [f"{bound} {spelled(schema[name])}" for name, bound in LIMITS.items() if _says(schema, name)]
    if _says(schema, "multipleOf"):
        words.append(f"in steps of {spelled(schema['multipleOf'])}")
    if (places := decimal_places(schema)) is not None:
        words.append(f"at most {_many(places, 'decimal place')}" if places else "no decimal places")
    if "pattern" in schema and not schema.get("description") and schema.get("format") != "decimal":
        words.append(f"in the form {schema['pattern']}")
    return words


def _span(schema: Schema, least: str, most: str, noun: str) -> list[str]:
    """How many: "3 to 500 characters", or the one end that says something."""
    low, high = _says(schema, least), _says(schema, most)
    if low and high:
        number = _many(schema[most], noun)
        return [f"exactly {number}" if schema[least] == schema[most] else f"{schema[least]} to {number}"]
    ends = ((low, "at least", least), (high, "at most", most))
    return [f"{bound} {_many(schema[name], noun)}" for says, bound, name in ends if says]


def decimal_places(schema: Schema) -> int | None:
    value = schema.get("decimal_places", schema.get("decimalPlaces"))
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _says(schema: Schema, name: str) -> bool:
    value = schema.get(name)
    if value is None or isinstance(value, bool):
        return False
    return not (name == "minLength" and value in {0, 1}) and not (name == "maxLength" and value > UNSAID)


def _many(number: Any, noun: str) -> str:
    return f"{number} {noun if number == 1 else PLURALS[noun]}"


def spelled(number: Any) -> str:
    """A limit as Slack and people write it: never with an exponent."""
    try:
        return format(Decimal(str(number)), "f")
    except InvalidOperation:
        return str(number)

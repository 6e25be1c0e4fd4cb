"""What an input accepts, in words for people: "3 to 500 characters", "at most 500.00"."""

from typing import Any

from actions.kit.shapes.schemas import LOCAL
from blocks.forms.defaults import raw_default
from blocks.forms.numbers import spelled
from blocks.forms.plans import Input, Kind
from blocks.forms.schemas import Schema
from blocks.values import words_for

LIMITS = {"exclusiveMinimum": "more than", "minimum": "at least", "exclusiveMaximum": "less than", "maximum": "at most"}
DATES = {
    "formatExclusiveMinimum": "after {}",
    "formatMinimum": "{} or later",
    "formatExclusiveMaximum": "before {}",
    "formatMaximum": "{} or earlier",
}
UNSAID = 2_000
"""Longer limits of length are what a format or a database asks for, and say nothing to people."""
PLURALS = {"character": "characters", "entry": "entries", "decimal place": "decimal places"}
LONG = 150
SAID = 80
CANNOT_STAND_HERE = "what is shown does not fit in here, so all of it has to be written anew"
LONG_NAMES = frozenset(
    {"body", "comment", "content", "description", "details", "justification", "note", "notes", "reason", "text"}
)
KIND_WORDS = {
    Kind.LINES: "one per line",
    Kind.ENTRIES: "one entry per line, as JSON",
    Kind.JSON: "as JSON",
    Kind.MOMENT: "in your own time zone",
}
FORMAT_WORDS = {
    LOCAL: "such as 2026-11-30T09:00",
    "date": "such as 2026-11-30",
    "date-time": "such as 2026-11-30T09:00:00Z",
    "time": "such as 09:30",
    "duration": "such as PT1H30M",
    "uuid": "such as 123e4567-e89b-12d3-a456-426614174000",
    "slack-group": "the id of a user group, such as S0123ABCD",
}
"""Where there is no picker and the format has to be typed."""
TYPED = frozenset({Kind.TEXT, Kind.LINES})


def hint_of(plan: Input) -> str | None:
    """The description and what is accepted. What is described as a whole stands above the form already."""
    words = [_typed_as(plan)] if plan.kind in KIND_WORDS else []
    if plan.kind in TYPED and plan.format in FORMAT_WORDS:
        words.append(FORMAT_WORDS[plan.format])
    words += [*constraint_words(plan.schema), *_unshown_default(plan)]
    described = plan.schema.get("description") if plan.path else None
    parts = [str(described or "").strip(), ", ".join(words)]
    text = " · ".join(part for part in parts if part)
    return text[:1].upper() + text[1:] or None


def _typed_as(plan: Input) -> str:
    if plan.columns:
        return f"one entry per line: {'; '.join(column.title for column in plan.columns)}"
    return KIND_WORDS[plan.kind]


def _unshown_default(plan: Input) -> list[str]:
    """What counts when the input is left empty, where it does not start with it."""
    default = plan.schema.get("default")
    if default in (None, "", [], {}) or plan.redraws or raw_default(plan) is not None:
        return []
    if plan.required:
        return [CANNOT_STAND_HERE]
    words = words_for(default)
    return [f"left empty: {words}" if len(words) <= SAID else "left empty: the default"]


def example_of(plan: Input) -> str | None:
    """The author's first example, for an empty field to show what is meant."""
    examples = plan.schema.get("examples")
    first = examples[0] if isinstance(examples, list) and examples else None
    return f"Such as {first}" if isinstance(first, str | int | float) and not isinstance(first, bool) else None


def is_long(plan: Input) -> bool:
    """Whether a text gets several lines."""
    longest, default = plan.schema.get("maxLength"), plan.place.default
    if (
        plan.format == "multiline"
        or (isinstance(default, str) and "\n" in default)
        or (isinstance(longest, int) and longest > LONG)
    ):
        return True
    return longest is None and bool(plan.path) and str(plan.path[-1]).lower() in LONG_NAMES


def constraint_words(schema: Schema) -> list[str]:
    """The constraints of one input, each as a few words. A pattern is none of them: it says nothing to people."""
    words = [*_span(schema, "minLength", "maxLength", "character"), *_span(schema, "minItems", "maxItems", "entry")]
    words += [f"{bound} {spelled(schema[name])}" for name, bound in LIMITS.items() if _says(schema, name)]
    words += [spelt.format(schema[name]) for name, spelt in DATES.items() if isinstance(schema.get(name), str)]
    if _says(schema, "multipleOf"):
        words.append(f"in steps of {spelled(schema['multipleOf'])}")
    if (places := decimal_places(schema)) is not None:
        words.append(f"at most {_many(places, 'decimal place')}" if places else "no decimal places")
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

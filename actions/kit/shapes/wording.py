"""Pydantic's errors in words for people, at the path of the value that caused them."""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from actions.kit.counting import counted
from actions.kit.errors import Problem
from actions.kit.shapes.schema_paths import OUT_OF_FORM, at_path, form_words
from actions.kit.shapes.schemas import LOCAL, Schema

PATTERN = "string_pattern_mismatch"
NUMBER = "must be a number such as 12.50"
WHOLE = "must be a whole number"
DATE = "must be a date such as 2026-11-30"
MOMENT = "must be a date and time such as 2026-11-30T09:00:00Z"
LOCAL_MOMENT = "must be a date and time without a zone, such as 2026-11-30T09:00"
TIME = "must be a time such as 09:30"
DURATION = "must be a duration such as PT1H30M"
UUID = "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"
LINK = "must be a link such as https://example.com/receipt"
GROUP = "must be an object with named fields"
REQUIRED = "is required"
UNKNOWN = "is not known here"
MOST_NAMED = 12
"""Allowed values that an error names."""

_VALUE = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|((?<![^\s,])(?!or\b)[^\s,'"]+)""")
_Words = str | Callable[[dict[str, Any]], str]


def one_of(values: Iterable[Any]) -> str:
    """`must be one of: usd, eur`; of many, the first of them and how many more."""
    spelt = [spell(value) for value in values]
    rest = len(spelt) - MOST_NAMED
    return f"must be one of: {', '.join(spelt[:MOST_NAMED])}{f' and {rest:,} more' if rest > 0 else ''}"


def at_least(number: int, noun: str) -> str:
    """A least length: one is "not empty"."""
    return "must not be empty" if number == 1 else f"must have at least {counted(number, noun)}"


def at_most(number: int, noun: str) -> str:
    """A greatest length."""
    return f"must have at most {counted(number, noun)}"


def places(number: int) -> str:
    """The most decimal places: none at all has words of its own."""
    return at_most(number, "decimal place") if number else "must have no decimal places"


_WORDS: dict[str, _Words] = {
    **dict.fromkeys(("missing", "missing_argument", "missing_keyword_only_argument"), REQUIRED),
    **dict.fromkeys(("extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument"), UNKNOWN),
    **dict.fromkeys(("string_type", "string_unicode"), "must be text"),
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size", "int_from_float"), WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), NUMBER),
    **dict.fromkeys(("decimal_type", "decimal_parsing", "fraction_type", "fraction_parsing"), NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), "must be yes or no"),
    **dict.fromkeys(("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"), DATE),
    **dict.fromkeys(("datetime_type", "datetime_parsing", "datetime_from_date_parsing"), MOMENT),
    **dict.fromkeys(("datetime_object_invalid", "timezone_offset"), MOMENT),
    **dict.fromkeys(("time_type", "time_parsing"), TIME),
    **dict.fromkeys(("time_delta_type", "time_delta_parsing"), DURATION),
    **dict.fromkeys(("uuid_type", "uuid_parsing", "uuid_version"), UUID),
    **dict.fromkeys(("url_type", "url_parsing", "url_syntax_violation"), LINK),
    **dict.fromkeys(("dict_type", "mapping_type", "ordered_dict_type", "frozen_dict_type"), GROUP),
    **dict.fromkeys(("model_type", "model_attributes_type", "dataclass_type", "dataclass_exact_type"), GROUP),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "deque_type"), "must be a list"),
    **dict.fromkeys(("iterable_type", "arguments_type", "named_tuple_type"), "must be a list"),
    **dict.fromkeys(("date_past", "datetime_past"), "must be in the past"),
    **dict.fromkeys(("date_future", "datetime_future"), "must be in the future"),
    "timezone_aware": "must say its time zone, such as the Z in 2026-11-30T09:00:00Z",
    "timezone_naive": "must not say a time zone, such as 2026-11-30T09:00",
    "none_required": "must be left empty",
    "string_not_ascii": "must have only plain letters, digits and signs (ASCII)",
    "string_too_short": lambda ctx: at_least(ctx["min_length"], "character"),
    "string_too_long": lambda ctx: at_most(ctx["max_length"], "character"),
    "string_pattern_mismatch": OUT_OF_FORM,
    "too_short": lambda ctx: at_least(ctx["min_length"], "entry"),
    "too_long": lambda ctx: at_most(ctx["max_length"], "entry"),
    "greater_than": lambda ctx: f"must be more than {spell(ctx['gt'])}",
    "greater_than_equal": lambda ctx: f"must be at least {spell(ctx['ge'])}",
    "less_than": lambda ctx: f"must be less than {spell(ctx['lt'])}",
    "less_than_equal": lambda ctx: f"must be at most {spell(ctx['le'])}",
    "multiple_of": lambda ctx: f"must be a multiple of {spell(ctx['multiple_of'])}",
    "decimal_max_digits": lambda ctx: at_most(ctx["max_digits"], "digit"),
    "decimal_whole_digits": lambda ctx: f"{at_most(ctx['whole_digits'], 'digit')} before the decimal point",
    "decimal_max_places": lambda ctx: places(ctx["decimal_places"]),
    "literal_error": lambda ctx: one_of(_named(ctx["expected"])),
    "enum": lambda ctx: one_of(_named(ctx["expected"])),
    "url_too_long": lambda ctx: at_most(ctx["max_length"], "character"),
    "url_scheme": lambda ctx: f"must be a link that begins with {_beginnings(ctx['expected_schemes'])}",
    "union_tag_invalid": lambda ctx: f"must say its kind in {_key(ctx)}, one of: {_listed(ctx['expected_tags'])}",
    "union_tag_not_found": lambda ctx: f"must say its kind in {_key(ctx)}",
    "value_error": lambda ctx: str(ctx["error"]) or "does not fit",
    "assertion_error": lambda ctx: str(ctx["error"]) or "does not fit",
    "json_invalid": "is not JSON",
    "json_type": "must be JSON as text",
    "set_item_not_hashable": "must not be a list or an object",
    "default_factory_not_called": "cannot be filled in before the other fields fit",
    **dict.fromkeys(("complex_type", "complex_str_parsing"), "must be a complex number such as 1+2j"),
    **dict.fromkeys(("counter_type", "invalid_key"), GROUP),
    "recursion_loop": "contains itself",
    "recursion_depth_exceeded": "is nested too deep",
}

_ORDERED_TIMES = {
    "greater_than": ("gt", "must be after {}"),
    "greater_than_equal": ("ge", "must be {} or later"),
    "less_than": ("lt", "must be before {}"),
    "less_than_equal": ("le", "must be {} or earlier"),
}
_UNITS = ("day", "days", "hour", "hours", "minute", "minutes", "second", "seconds")
"""How pydantic ends the limit of a duration, which it tells as text like that of a date."""


def _beginnings(schemes: str) -> str:
    """Pydantic tells them as "'http' or 'https'"."""
    return " or ".join(f"{scheme}://" for scheme in re.findall(r"[a-z][a-z0-9+.-]*(?=')", schemes))


def problems_of(error: ValidationError, raw: Any, schema: Schema | None = None) -> tuple[Problem, ...]:
    """What is wrong with `raw`, each path once; several ways to be right (a union) are joined by "or".

    A message that the author's own validator raised stands as it is. `schema` says what was wanted where a pattern
    would be all that there is to tell, or whether a date and time has a zone.
    """
    found: dict[tuple[str | int, ...], dict[str, None]] = {}
    for details in error.errors(include_url=False):
        path = _path(details, raw)
        found.setdefault(path, {})[_told(details, path, schema or {})] = None
    return tuple(Problem(path, ", or ".join(messages)) for path, messages in found.items())


def _told(details: ErrorDetails, path: tuple[str | int, ...], schema: Schema) -> str:
    if details["type"] == PATTERN:
        return form_words(schema, path)
    told = words(details)
    is_local = told == MOMENT and any(each.get("format") == LOCAL for each in at_path(schema, path))
    return LOCAL_MOMENT if is_local else told


def words(details: ErrorDetails) -> str:
    """One error of pydantic's in words for people; an error of the author's own type says what it says."""
    kind, ctx = details["type"], details.get("ctx", {})
    if kind in _ORDERED_TIMES:
        limit, spelt = _ORDERED_TIMES[kind]
        if isinstance(ctx[limit], str) and not details["msg"].endswith(_UNITS):
            return spelt.format(ctx[limit])
    known = _WORDS.get(kind, details["msg"])
    return known if isinstance(known, str) else known(ctx)


def _path(details: ErrorDetails, raw: Any) -> tuple[str | int, ...]:
    """The error's location without what pydantic adds to it: members of unions, names of validators."""
    *outer, last = details["loc"] or (None,)
    path: list[str | int] = []
    at = raw
    for key in outer:
        if _holds(at, key):
            path.append(key)
            at = at[key]
    is_absent = _WORDS.get(details["type"]) == REQUIRED
    if last is not None and (is_absent or _holds(at, last)):
        path.append(last)
    return tuple(path)


def _holds(at: Any, key: str | int | None) -> bool:
    if isinstance(at, dict):
        return key in at
    return isinstance(at, list) and isinstance(key, int) and 0 <= key < len(at)


def spell(value: Any) -> str:
    """A value as people write it: `500.00`, never with an exponent; an empty text is named."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | Decimal):
        return format(Decimal(str(value)), "f")
    return "nothing" if value is None else str(value) or '""'


def _named(expected: str) -> list[str]:
    """The values of pydantic's `'a', 'b' or 'c'`, without their quotation marks."""
    return [single or double or bare for single, double, bare in _VALUE.findall(expected)]


def _listed(expected: str) -> str:
    return ", ".join(_named(expected))


def _key(ctx: dict[str, Any]) -> str:
    return str(ctx["discriminator"]).strip("'").partition(" |")[0]

"""Words for single JSON values: what a person reads for a number, a date, a yes, a list."""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

from actions.kit import names

LINE = 150
"""Characters up to which a text is one fact; what is longer or has several lines stands in a block of its own."""
LISTED = 5
NESTING = 3
INDENTED = 12
"""Levels up to which an outline indents."""
NOTHING = "—"
BENEATH = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
"""Stands between the label of an object and that of an entry in it."""
ACRONYMS = frozenset(
    {
        "api",
        "cpu",
        "csv",
        "db",
        "dns",
        "eta",
        "http",
        "iban",
        "id",
        "ip",
        "pdf",
        "sla",
        "sql",
        "ssh",
        "uri",
        "url",
        "vat",
    }
)

CURRENCY = re.compile(r"[A-Z]{3}")
AMOUNT = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")


class Number(str):
    """A JSON number as it was written, so that digits are shown as they were stored."""

    __slots__ = ()


def parse_json(text: str) -> Any:
    """The value of stored JSON text, its numbers as `Number`. What nests too deeply to be read is shown as it is written."""
    try:
        return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number)
    except (ValueError, RecursionError):
        return text


def humanise(name: str) -> str:
    """`receipt_link` and `receiptLink` as "Receipt link"; `id` and `url` as people write them."""
    words = names.humanise(name).split(" ")
    return " ".join(word.upper() if word.lower() in ACRONYMS else word for word in words) or "Value"


def words_for(value: Any, depth: int = 0) -> str:
    """One line for any JSON value. Lists and objects are counted and cut: "a, b, c and 14 more"."""
    match value:
        case None | "":
            return NOTHING
        case bool():
            return "Yes" if value else "No"
        case str():
            return _text(value)
        case Mapping():
            return _entries(value, depth) if depth < NESTING else counted(len(value), "entry", "entries")
        case list():
            return _items(value, depth) if depth < NESTING else counted(len(value), "entry", "entries")
    return str(value)


def abbreviates(value: Any, depth: int = 0) -> bool:
    """Whether `words_for` leaves anything of a value out."""
    match value:
        case Mapping() if money(value) is None:
            inner: list[Any] = list(value.values())
        case list():
            inner = value
        case _:
            return False
    if depth >= NESTING:
        return bool(inner)
    return len(inner) > LISTED or any(abbreviates(each, depth + 1) for each in inner)


def outline(value: Any) -> str:
    """The whole of any JSON value, an entry in each line, what belongs to another indented beneath it."""
    lines: list[str] = []
    waiting = [("", value, 0)]
    while waiting:
        label, each, depth = waiting.pop()
        within = _within(each)
        pad = "  " * min(depth, INDENTED)
        text = "" if within else words_for(each).replace("\n", f"\n{pad}  ")
        lines.append(f"{pad}{label}{text}".rstrip())
        waiting += [(inner, entry, depth + 1 if label else 0) for inner, entry in reversed(within)]
    return "\n".join(lines).strip("\n")


def _within(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping) and money(value) is None:
        return [(f"{humanise(name)}: ", entry) for name, entry in value.items()]
    return [("• ", entry) for entry in value] if isinstance(value, list) else []


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def and_more(shown: list[str], total: int) -> str:
    rest = total - len(shown)
    return f"{', '.join(shown)} and {rest:,} more" if rest else ", ".join(shown)


def _items(values: list[Any], depth: int) -> str:
    if not values:
        return "None"
    return and_more([words_for(value, depth + 1) for value in values[:LISTED]], len(values))


def _entries(value: Mapping[str, Any], depth: int) -> str:
    if (sum_of := money(value)) is not None:
        return sum_of
    if not value:
        return "None"
    shown = [f"{humanise(name)}: {words_for(entry, depth + 1)}" for name, entry in islice(value.items(), LISTED)]
    return and_more(shown, len(value))


def money(value: Mapping[str, Any]) -> str | None:
    """The sum of an object that is nothing but an amount and its currency."""
    if value.keys() != {"amount", "currency"}:
        return None
    return amount_of(value["amount"], value["currency"])


def amount_of(amount: Any, currency: Any) -> str | None:
    """Words such as "1,250.00 EUR" for an amount (number or decimal text) beside a three-letter currency, else `None`."""
    if not (isinstance(currency, str) and CURRENCY.fullmatch(currency)):
        return None
    if not (isinstance(amount, str) and AMOUNT.fullmatch(amount)):
        return None
    whole, _, cents = amount.partition(".")
    return f"{_grouped(whole)}{'.' + cents.ljust(2, '0') if cents else ''} {currency}"


def _grouped(whole: str) -> str:
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}"


def _text(text: str) -> str:
    if isinstance(text, Number):
        return _number(text)
    if DATE.fullmatch(text):
        return _day(text)
    return _moment(text) if MOMENT.fullmatch(text) else text


def _number(text: str) -> str:
    """Digits as they were written; a long exponent is written out, where that stays readable."""
    try:
        spelled = format(Decimal(text), "f") if "e" in text.lower() else text
    except InvalidOperation:
        return str(text)
    return spelled if len(spelled) <= LINE else str(text)


def _day(text: str) -> str:
    try:
        return day_words(date.fromisoformat(text))
    except ValueError:
        return text


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{day_words(moment)}, {moment:%H:%M}{_zone(moment)}"


def _zone(moment: datetime) -> str:
    name = moment.tzname()
    return f" {name}" if name else ""


def day_words(day: date) -> str:
    """Words such as "30 November 2026", whatever the locale."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

"""Words for any JSON value: a person reads a list, an object, a nested one in a line, or all of it as an outline."""

import json
from collections.abc import Mapping
from itertools import islice
from typing import Any

from actions.kit import names
from actions.kit.counting import counted
from blocks.described import NOTHING_KNOWN, Described
from blocks.quantities import money
from blocks.telling import Number, told

LISTED = 5
NESTING = 3
INDENTED = 12
"""Levels up to which an outline indents."""
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


def label_of(name: str, about: Described) -> str:
    """What an entry is called: as its author says, else as its name reads."""
    return about.title(name) or humanise(name)


def words_for(value: Any, depth: int = 0, about: Described = NOTHING_KNOWN, *, name: str = "") -> str:
    """One line for any JSON value. Lists and objects are counted and cut: "a, b, c and 14 more"."""
    about = about.of(value)
    match value:
        case Mapping():
            return _entries(value, depth, about) if depth < NESTING else counted(len(value), "entry")
        case list():
            return _items(value, depth, about) if depth < NESTING else counted(len(value), "entry")
    return told(value, about, name=name).words


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


def outline(value: Any, about: Described = NOTHING_KNOWN, *, limit: int) -> str:
    """The whole of any JSON value, an entry in each line, what belongs to another indented beneath it.

    It ends with the entry that goes beyond `limit` characters.
    """
    lines: list[str] = []
    waiting = [("", "", value, about, 0)]
    while waiting and limit >= 0:
        label, name, each, known, depth = waiting.pop()
        known = known.of(each)
        within = _within(each, known)
        pad = "  " * min(depth, INDENTED)
        text = "" if within else words_for(each, about=known, name=name).replace("\n", f"\n{pad}  ")
        lines.append(f"{pad}{label}{text}".rstrip())
        limit -= len(lines[-1])
        waiting += [(*entry, depth + 1 if label else 0) for entry in reversed(within)]
    return "\n".join(lines).strip("\n")


def _within(value: Any, about: Described) -> list[tuple[str, str, Any, Described]]:
    if isinstance(value, Mapping) and money(value) is None:
        known = [(name, entry, about.entry(name)) for name, entry in value.items()]
        return [(f"{label_of(name, each.of(entry))}: ", name, entry, each) for name, entry, each in known]
    return [("• ", "", entry, about.item) for entry in value] if isinstance(value, list) else []


def and_more(shown: list[str], total: int) -> str:
    rest = total - len(shown)
    return f"{', '.join(shown)} and {rest:,} more" if rest else ", ".join(shown)


def _items(values: list[Any], depth: int, about: Described) -> str:
    if not values:
        return "None"
    return and_more([words_for(value, depth + 1, about.item) for value in values[:LISTED]], len(values))


def _entries(value: Mapping[str, Any], depth: int, about: Described) -> str:
    if (sum_of := money(value)) is not None:
        return sum_of
    if not value:
        return "None"
    told_of = ((name, entry, about.entry(name)) for name, entry in islice(value.items(), LISTED))
    shown = [
        f"{label_of(name, known.of(entry))}: {words_for(entry, depth + 1, known, name=name)}"
        for name, entry, known in told_of
    ]
    return and_more(shown, len(value))

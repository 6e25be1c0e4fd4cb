"""Any JSON as facts: the few that matter first, long texts apart, the rest counted. Nothing here knows the data's meaning."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import Any

from blocks.values import (
    BENEATH,
    LINE,
    NOTHING,
    Number,
    abbreviates,
    amount_of,
    humanise,
    money,
    parse_json,
    words_for,
)

AMOUNTS = frozenset({"amount", "total", "price", "cost", "sum", "fee", "budget", "value"})
FACTS = 6
PASSAGES = 3
LINES = 10
READ = 100
"""Entries that are read for a card; what comes after them is only counted."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: a label and words for its value. `money` stands before everything else."""

    label: str
    value: str
    money: bool = False
    is_abbreviated: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that is long or has several lines, as it was written; the label is empty where the text is all there is."""

    label: str
    text: str
    is_abbreviated: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What is shown of some JSON, and how many entries are not; entries without a value do not count.

    `is_abbreviated`: of a value that is shown, such as a long list, some is only counted.
    """

    facts: tuple[Fact, ...] = ()
    passages: tuple[Passage, ...] = ()
    left_out: int = 0
    is_abbreviated: bool = False

    @property
    def total(self) -> int:
        """All entries that have a value, shown or not."""
        return len(self.facts) + len(self.passages) + self.left_out

    @property
    def sum(self) -> str | None:
        """The amount, if money is what this is about."""
        return next((fact.value for fact in self.facts if fact.money), None)


def facts_of(
    text: str,
    *,
    facts: int = FACTS,
    passages: int = PASSAGES,
    hidden: frozenset[str] = frozenset(),
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Facts:
    """What to show of stored JSON text: at most so many facts and passages.

    Entries named in `hidden` are never shown; `titles` are the labels of entries that have one of their own.
    """
    return facts_in(parse_json(text), facts=facts, passages=passages, hidden=hidden, titles=titles)


def facts_in(
    value: Any,
    *,
    facts: int = FACTS,
    passages: int = PASSAGES,
    hidden: frozenset[str] = frozenset(),
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Facts:
    """The same of a value as `parse_json` gives it."""
    if value is None or value in ({}, []):
        return Facts()
    if isinstance(value, Mapping):
        value = {name: entry for name, entry in value.items() if name not in hidden}
    found = [_entry(label, entry) for label, entry in islice(_pairs(value, titles), max(READ, facts))]
    short = sorted((item for item in found if isinstance(item, Fact)), key=_rank)
    long = [item for item in found if isinstance(item, Passage)]
    left_empty = sum(1 for fact in short[facts:] if fact.value == NOTHING)
    shown_facts, shown_passages = tuple(short[:facts]), tuple(long[:passages])
    shown: list[Fact | Passage] = [*shown_facts, *shown_passages]
    return Facts(
        shown_facts,
        shown_passages,
        left_out=_total(value) - left_empty - len(shown),
        is_abbreviated=any(item.is_abbreviated for item in shown),
    )


def _rank(fact: Fact) -> int:
    if fact.money:
        return 0
    return 2 if fact.value == NOTHING else 1


def _entry(label: str, value: Any) -> Fact | Passage:
    if isinstance(value, Sum):
        return Fact(label, value, money=True)
    if isinstance(value, Mapping) and (words := money(value)):
        return Fact(label, words, money=True)
    if isinstance(value, list) and any(isinstance(item, (Mapping, list)) for item in value):
        return Passage(label, _listed(value), is_abbreviated=len(value) > LINES or any(map(abbreviates, value)))
    words, is_abbreviated = words_for(value), abbreviates(value)
    if len(words) <= LINE and len(words.splitlines()) <= 1:
        return Fact(label, words, is_abbreviated=is_abbreviated)
    return Passage(label, words, is_abbreviated=is_abbreviated)


class Sum(str):
    """An amount that was joined with the currency beside it."""

    __slots__ = ()


def _pairs(value: Any, titles: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Labelled entries, objects within objects opened by one level, amounts joined with their currencies."""
    if not isinstance(value, Mapping):
        yield _lone(value)
        return
    for name, entry in _joined(value):
        label = titles.get(name) or humanise(name)
        if _opens(entry):
            yield from ((f"{label}{BENEATH}{humanise(inner)}", each) for inner, each in _joined(entry))
        else:
            yield label, entry


def _lone(value: Any) -> tuple[str, Any]:
    if isinstance(value, list):
        return "Items", value
    is_long = isinstance(value, str) and len(value) > LINE and not isinstance(value, Number)
    return "" if is_long else "Value", value


def _opens(entry: Any) -> bool:
    return isinstance(entry, Mapping) and bool(entry) and money(entry) is None


def _joined(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    taken = _currencies(value)
    for name, entry in value.items():
        if name in taken.values():
            continue
        words = amount_of(entry, value[taken[name]]) if name in taken else None
        yield name, Sum(words) if words else entry


def _currencies(value: Mapping[str, Any]) -> dict[str, str]:
    """Which entry names the currency of which amount."""
    names = (name for name in islice(value, READ) if name.rsplit("_", 1)[-1].lower() in AMOUNTS)
    partners = {name: _currency_beside(name, value) for name in names}
    return {name: beside for name, beside in partners.items() if beside and amount_of(value[name], value[beside])}


def _currency_beside(name: str, value: Mapping[str, Any]) -> str | None:
    stem = name.rpartition("_")[0]
    candidates = (f"{name}_currency", f"{stem}_currency", "currency")
    return next((candidate for candidate in candidates if candidate in value), None)


def _total(value: Any) -> int:
    if not isinstance(value, Mapping):
        return 1
    return _size(value) + sum(_size(entry) - 1 for entry in value.values() if _opens(entry))


def _size(value: Mapping[str, Any]) -> int:
    return len(value) - len(set(_currencies(value).values()))


def _listed(values: list[Any]) -> str:
    lines = [f"• {words_for(value)}" for value in values[:LINES]]
    rest = len(values) - len(lines)
    return "\n".join([*lines, f"and {rest:,} more"] if rest else lines)

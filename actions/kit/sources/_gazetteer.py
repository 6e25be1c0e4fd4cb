"""Finds a place by what somebody typed: all names of all places stand in one text, the most populous place first."""

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from actions.kit.sources._folding import folded

START, NAME, AROUND = "\n ", "\x1f ", "\x1f\x1e "
"""What stands before a place's own name, before each of its other names, and before the words of where it lies."""
A_NAME = 4
"""Characters from which on another name that was typed whole counts like the own one; shorter ones are codes."""


def entry_of(name: str, others: Sequence[str], around: str) -> str:
    """What a place is found by: its own name, its other names, and words for where it lies."""
    names = folded("\x1f".join((name, *others))).replace("\x1f", NAME)
    return f"{START}{names}{AROUND}{folded(around)}"


class Gazetteer:
    """Places by the number of their entry, of which the most populous comes first."""

    def __init__(self, entries: Sequence[str]) -> None:
        self._starts = [0, *accumulate(len(entry) for entry in entries)]
        self._text = "".join(entries)

    def search(self, typed: str, limit: int) -> list[int]:
        """The numbers of the places that fit, the best first; of equally good ones the most populous first.

        Best is a place of just that name; then one whose name begins so, or that is also called just so; then one that
        has another name which begins so; then one with a name, or a country, that has a word for each word that was typed.
        """
        sought = folded(typed)
        if not sought:
            return list(range(min(limit, len(self._starts) - 1)))
        found: dict[int, None] = {}
        for hits in self._passes(sought):
            for number in hits:
                if len(found) >= limit:
                    return list(found)
                found[number] = None
        return list(found)

    def _passes(self, sought: str) -> Iterator[Iterator[int]]:
        yield self._hits(f"{START}{sought}\x1f")
        whole = self._hits(f"{NAME}{sought}\x1f") if len(sought) >= A_NAME else iter(())
        yield heapq.merge(self._hits(f"{START}{sought}"), whole)
        yield self._hits(f"{NAME}{sought}")
        yield self._with_words(sought.split())

    def _with_words(self, words: list[str]) -> Iterator[int]:
        rarest = max(words, key=len)
        for number in self._hits(f" {rarest}"):
            entry = self._text[self._starts[number] : self._starts[number + 1]]
            names, _, around = entry.partition(AROUND)
            unsaid = [f" {word}" for word in words if f" {word}" not in f" {around}"]
            if any(all(word in name for word in unsaid) for name in names.split("\x1f")):
                yield number

    def _hits(self, sought: str) -> Iterator[int]:
        """The places in whose entry this stands, each once."""
        at = self._text.find(sought)
        while at >= 0:
            number = bisect_right(self._starts, at) - 1
            yield number
            at = self._text.find(sought, self._starts[number + 1])

"""What a source of options is: something that is searched as one types, and read back by key."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Found:
    """One option: its key (at most 150 characters, for ever the same), its words, and its value as JSON."""

    key: str
    title: str
    value: Any
    description: str | None = None


@dataclass(frozen=True, slots=True)
class OptionSource:
    """A source, of functions that may be called from any thread.

    `load` reads what has to be read, once, and may take seconds: it is called away from the bot's loop, before anything
    else. From then on `search` (what was typed, and how many at most: the best first) and `find` (the option of a key, or
    `None`) answer within milliseconds, always the same.
    """

    name: str
    load: Callable[[], object]
    search: Callable[[str, int], Sequence[Found]]
    find: Callable[[str], Found | None]

"""The names of the places in a run at which something is asked or called."""

import re
from collections import Counter

MOST_PLACES = 1_000
"""Questions and calls of one run."""
DEEPEST = 50
"""Calls within each other."""
LONGEST_NAME = 80
_LINE = re.compile(r"(?:^|/)line (\d+)(?:#\d+)?(?=/|$)")


class PlaceError(ValueError):
    """A name that cannot name a place."""


class Places:
    """Gives each place below one call its path: a name, and from its second time on which time that is (`refund#2`)."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._times: Counter[str] = Counter()
        self.count = 0

    def next(self, name: str) -> str:
        """The path of the next place of this name. Raises `PlaceError`."""
        if not isinstance(name, str) or not _is_name(name):
            raise PlaceError(
                f"name={name!r} must be a text of 1 to {LONGEST_NAME} printable characters, without / and #"
            )
        self.count += 1
        self._times[name] += 1
        times = self._times[name]
        own = name if times == 1 else f"{name}#{times}"
        return f"{self._path}/{own}" if self._path else own


def depth(path: str) -> int:
    """How many calls stand within each other at a path."""
    return path.count("/") + 1 if path else 0


def is_within(path: str, above: str) -> bool:
    """Whether a place is this one, or stands in it."""
    return path == above or path.startswith(f"{above}/")


def line_name(line: int | None) -> str:
    """The name of a place in a script: its line, or that it stands in a text which the script has executed."""
    return "a text of the script" if line is None else f"line {line}"


def line_of(path: str) -> int | None:
    """The line of the innermost script in which a place stands; `None` for one that stands in none."""
    lines = _LINE.findall(path)
    return int(lines[-1]) if lines else None


def _is_name(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip() and not set(name) & set("/#")

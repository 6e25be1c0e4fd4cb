"""A list of objects with the same keys as a table of aligned text, where it is narrow enough for a phone.

Slack's own table block stands in no modal and only once in a message (docs.slack.dev, reference/block-kit/blocks), so a
table is text of equal width everywhere, and looks the same on the card and behind it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.described import Described
from blocks.quantities import money
from blocks.telling import NOTHING
from blocks.text import beginning, one_line
from blocks.values import label_of, words_for

WIDTH = 48
"""Columns of text that stand beside each other in Slack's narrowest window before lines break."""
CELL = 24
LEAST_ROWS = 2
MOST_COLUMNS = 6
BETWEEN = "  "
COUNTED = re.compile(rf"-?\d[\d,.]*(?: ?[^\s\d]{{1,4}})?|{NOTHING}")
"""Cells of a column that is aligned to the right."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The text of a table, and whether words of a cell were cut."""

    text: str
    is_cut: bool


def grid(rows: Sequence[Any], about: Described, *, shown: int, whole: bool = False) -> Grid | None:
    """The first so many rows; `None` where they are no table, or too wide for one. With `whole` no cell is cut."""
    columns = _columns(rows)
    if not columns:
        return None
    known = about.of(rows[0])
    heads = [one_line(label_of(name, known.entry(name).of(rows[0][name]))) for name in columns]
    cells = [[_cell(row, name, about) for name in columns] for row in rows[:shown]]
    is_cut = not whole and any(_width(cell) > CELL for row in cells for cell in row)
    table = [[cell if whole else _within(cell) for cell in row] for row in ([heads, *cells])]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    if sum(widths) + len(BETWEEN) * (len(widths) - 1) > WIDTH:
        return None
    right = [all(map(COUNTED.fullmatch, column)) for column in zip(*table[1:], strict=True)]
    lines = [_line(row, widths, right) for row in table]
    rule = BETWEEN.join("─" * width for width in widths)
    return Grid("\n".join([lines[0], rule, *lines[1:]]), is_cut)


def _columns(rows: Sequence[Any]) -> list[str]:
    """The keys that all rows have, where they all have the same, with nothing nested beneath."""
    if len(rows) < LEAST_ROWS or not all(isinstance(row, Mapping) for row in rows):
        return []
    names = list(rows[0])
    same = 0 < len(names) <= MOST_COLUMNS and all(row.keys() == rows[0].keys() for row in rows)
    return names if same and all(_is_flat(row[name]) for row in rows for name in names) else []


def _is_flat(value: Any) -> bool:
    return (not isinstance(value, Mapping | list) or _is_sum(value)) and "\n" not in str(value)


def _is_sum(value: Any) -> bool:
    return isinstance(value, Mapping) and money(value) is not None


def _cell(row: Mapping[str, Any], name: str, about: Described) -> str:
    return one_line(words_for(row[name], about=about.of(row).entry(name), name=name)) or NOTHING


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (
        f"{' ' * (width - _width(cell))}{cell}" if is_right else f"{cell}{' ' * (width - _width(cell))}"
        for cell, width, is_right in zip(cells, widths, right, strict=True)
    )
    return BETWEEN.join(padded).rstrip()


def _within(cell: str) -> str:
    if _width(cell) <= CELL:
        return cell
    return f"{beginning(cell, CELL - 1, _width).rstrip()}…"


def _width(text: str) -> int:
    """How many columns a text takes: some characters are wide, and some stand on others."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200c\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

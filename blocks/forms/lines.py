"""Entries of a list as text, one a line: their values parted by semicolons, or JSON. Read and written."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any

from pydantic_core import to_json

from actions.kit.errors import Problem
from blocks.forms.entries import UNREADABLE, Unreadable, entered, entries_of, why_unreadable
from blocks.forms.plans import ABSENT, Absent, Column, Group, Input, Kind, Node
from blocks.values import BENEATH

MOST_COLUMNS = 8
MOMENTS = frozenset({Kind.DATE, Kind.TIME, Kind.MOMENT})
"""Typed as they are written in JSON, and left to validation."""
COLUMN_KINDS = MOMENTS | {
    *(Kind.TEXT, Kind.INTEGER, Kind.NUMBER, Kind.DECIMAL, Kind.ONE_OF, Kind.EMAIL, Kind.LINK),
}
BETWEEN = "; "
LIKE_JSON = re.compile(r"\s*(\[\s*[{\]]|\{\s*[\"}])")
TO_BE_QUOTED = re.compile(r'["\t;]')


@dataclass(frozen=True, slots=True)
class Entries:
    """What was typed: the value and the line of each entry, and what is wrong. With problems the values are not to be used."""

    values: tuple[Any, ...] = ()
    lines: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()


def columns_of(node: Node | None) -> tuple[Column, ...]:
    """What is written in the line of an entry; nothing where it has too many parts, or such as do not stand in a line."""
    if not isinstance(node, Group) or not 0 < len(node.members) <= MOST_COLUMNS:
        return ()
    columns = tuple(
        Column(name, member.place.label.rpartition(BENEATH)[2], member)
        for name, member in node.members
        if isinstance(member, Input) and member.kind in COLUMN_KINDS and not member.redraws and not member.source
    )
    return columns if len(columns) == len(node.members) else ()


def read_entries(plan: Input, text: str) -> Entries:
    """The entries of a list that were typed into one input."""
    if not plan.columns or LIKE_JSON.match(text):
        read = entries_of(text)
        if isinstance(read, str):
            return Entries(problems=(Problem(plan.path, read),))
        return Entries(tuple(value for value, _ in read), tuple(line for _, line in read))
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    read_lines = [_entry(plan.columns, line) for _, line in lines]
    problems = tuple(
        Problem((*plan.path, position, *problem.path), problem.message)
        for position, (_, wrong) in enumerate(read_lines)
        for problem in wrong
    )
    return Entries(tuple(value for value, _ in read_lines), tuple(number for number, _ in lines), problems)


def written(plan: Input, entries: Sequence[Any]) -> str:
    """The text that is read as these entries; what cannot be read in them stands in it as it was typed."""
    if plan.columns and all(isinstance(each, Mapping) for each in entries):
        text = "\n".join(_line(plan.columns, each) for each in entries)
        if read_entries(plan, text).values == tuple(_readable(plan.columns, each) for each in entries):
            return text
    return "\n".join(to_json(each).decode() for each in entries)


def _readable(columns: Sequence[Column], entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without what was typed and is no value."""
    plans = {column.name: column.plan for column in columns}
    return {
        name: value
        for name, value in entry.items()
        if not (name in plans and isinstance(value, str) and value and _value(plans[name], value) is UNREADABLE)
    }


def _entry(columns: Sequence[Column], line: str) -> tuple[dict[str, Any], list[Problem]]:
    """One line's values by name; what is left empty is left out, or null."""
    parts = _parts(line, len(columns)) if len(columns) > 1 else [line.strip()]
    if len(parts) > len(columns):
        titles = BETWEEN.join(column.title for column in columns)
        return {}, [Problem((), f"has {len(parts)} values, and these belong there: {titles}")]
    read = [(column, part, _value(column.plan, part)) for column, part in zip(columns, parts, strict=False)]
    wrong = [
        Problem((column.name,), why_unreadable(column.plan.kind, part))
        for column, part, value in read
        if value is UNREADABLE
    ]
    return {column.name: value for column, _, value in read if not isinstance(value, Unreadable | Absent)}, wrong


def _parts(line: str, count: int) -> list[str]:
    """Tabs part what was copied from a spreadsheet. Empty ones at the end, beyond so many, are none."""
    delimiter = "\t" if "\t" in line else ";"
    try:
        parts = [part.strip() for part in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
    except csv.Error:  # longer than anything that a field of Slack's holds
        parts = line.split(delimiter)
    while len(parts) > count and not parts[-1]:
        parts.pop()
    return parts


def _value(plan: Input, part: str) -> Any:
    if not part:
        return None if plan.nullable and plan.place.required else ABSENT
    if plan.kind is Kind.ONE_OF:
        said = part.casefold()
        alike = (each.value for each in plan.options if said in (each.title.casefold(), str(each.value).casefold()))
        return next(alike, UNREADABLE)
    if plan.kind in MOMENTS:
        return _as_picked(plan.kind, part)
    return entered(plan.kind, part)


def _as_picked(kind: Kind, part: str) -> str:
    """As a picker of Slack's would give it, so far as it can be read; validation sees to the rest."""
    try:
        if kind is Kind.TIME:
            return time.fromisoformat(part).isoformat()
        moment = datetime.fromisoformat(part)
    except ValueError:
        return part
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if kind is Kind.MOMENT and moment.tzinfo else part


def _line(columns: Sequence[Column], entry: Mapping[str, Any]) -> str:
    parts = [_part(column.plan, entry.get(column.name)) for column in columns]
    if len(columns) == 1:
        return parts[0]
    return BETWEEN.join(map(_quoted, parts)).rstrip(BETWEEN)


def _quoted(part: str) -> str:
    doubled = part.replace('"', '""')
    return f'"{doubled}"' if TO_BE_QUOTED.search(part) else part


def _part(plan: Input, value: Any) -> str:
    if value is None:
        return ""
    if plan.kind is Kind.ONE_OF:
        return next(
            (each.title for each in plan.options if type(each.value) is type(value) and each.value == value), ""
        )
    return str(value)

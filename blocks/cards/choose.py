"""A choice's card lists the options by their titles, each with what is said of it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from actions.kit.counting import counted
from blocks.data import facts_besides
from blocks.described import Described
from blocks.facts import Facts, Passage, Room
from blocks.text import one_line

HIDDEN = frozenset({"options", "several"})


def facts(data: Any, about: Described, room: Room) -> Facts | None:
    found = facts_besides(HIDDEN, data, room, about)
    options = data.get("options") if isinstance(data, Mapping) else None
    if found is None or not isinstance(options, list) or not options:
        return None
    shown, left = options[: room.rows], len(options) - room.rows
    lines = [_line(each) for each in shown] + ([f"and {left:,} more"] if left > 0 else [])
    many = f"{counted(len(options), 'option')}, {'several' if data.get('several') is True else 'one'} of them"
    passage = Passage("To choose", "\n".join(lines), is_abbreviated=left > 0, style="list", note=many)
    return replace(
        found, passages=(passage, *found.passages), is_abbreviated=found.is_abbreviated or passage.is_abbreviated
    )


def _line(option: Any) -> str:
    if not isinstance(option, Mapping):
        return one_line(str(option))
    title = option.get("title") or option.get("value")
    return one_line(": ".join(str(each) for each in (title, option.get("description")) if each is not None))

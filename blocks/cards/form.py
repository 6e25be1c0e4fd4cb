"""A form's card shows what it is about; its fields are in the form itself, and their schema is nothing to read."""

from typing import Any

from blocks.data import facts_besides
from blocks.described import Described
from blocks.facts import Facts, Room

HIDDEN = frozenset({"schema", "values"})


def facts(data: Any, about: Described, room: Room) -> Facts | None:
    return facts_besides(HIDDEN, data, room, about)

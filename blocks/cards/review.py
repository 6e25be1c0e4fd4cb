"""A review's card shows the document, or where it stands for a change to another, what changes."""

import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from blocks.data import facts_besides
from blocks.described import NOTHING_KNOWN, Described
from blocks.facts import Facts, Passage, Room
from blocks.texts import note_on, style_of

HIDDEN = frozenset({"document", "before"})
MOST_LINES = 2_000
"""Lines up to which a change is worked out; it takes their square."""
DIFF = Described({"type": "string", "contentMediaType": "text/x-diff"})


def facts(data: Any, about: Described, room: Room) -> Facts | None:
    found = facts_besides(HIDDEN, data, room, about)
    document = data.get("document") if isinstance(data, Mapping) else None
    if found is None or not isinstance(document, str):
        return None
    return replace(found, passages=(_passage(document, data.get("before")), *found.passages))


def _passage(document: str, before: Any) -> Passage:
    if isinstance(before, str) and (change := _change(before, document)):
        return Passage("Change", change, style="code", note=note_on(change, DIFF))
    note, style = note_on(document, NOTHING_KNOWN), style_of(document, NOTHING_KNOWN)
    return Passage("Document", document, style=style, note="as it is now" if before == document else note)


def _change(before: str, after: str) -> str:
    """What changes, line by line; empty where nothing does, or where the texts are too long to tell."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > MOST_LINES:
        return ""
    lines = list(difflib.unified_diff(old, new, lineterm="", n=2))
    return "\n".join(lines[2:])

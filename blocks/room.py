"""How many entries of a list one message holds: Slack limits its blocks, and the text of all of them together."""

from collections.abc import Iterable
from typing import Any

from blocks import limits
from blocks.validate import all_text

Entry = list[dict[str, Any]]

TEXT = limits.MESSAGE_ALL_TEXT_SAFE - 1_000
BLOCKS = limits.MESSAGE_BLOCKS - 6
"""What is left for entries beside a head and a foot."""


def as_many_as_fit(entries: Iterable[Entry], *, text: int = TEXT, blocks: int = BLOCKS) -> list[Entry]:
    """The first entries that have room together."""
    kept: list[Entry] = []
    for entry in entries:
        text, blocks = text - all_text(entry), blocks - len(entry)
        if text < 0 or blocks < 0:
            break
        kept.append(entry)
    return kept

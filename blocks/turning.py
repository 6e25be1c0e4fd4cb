"""Pages of a window: as many blocks as are read at a time, the way to the next ones, and to all of it as a file."""

import json
from dataclasses import dataclass
from typing import Any

from blocks.choices import actions_block, to_text
from blocks.text import plain

Blocks = list[dict[str, Any]]

PAGE_BLOCKS, PAGE_BYTES = 40, 24_000
"""What is drawn on a page, of the 100 blocks and 250,000 bytes of a window (docs.slack.dev, surfaces/modals)."""
MOST_PAGES = 20
"""Nobody turns more; the rest is in the file."""
TOO_LONG = "What follows is longer than a window of Slack holds. The file has all of it."
IN_FILE = "Send me the file"


@dataclass(frozen=True, slots=True)
class Page:
    """The page that is shown: its number, from 0, and its blocks with the buttons that turn it."""

    number: int
    blocks: Blocks


def page_of(blocks: Blocks, wanted: int) -> Page:
    """A page of `blocks`; one after the last is the last. A single page has no buttons."""
    pages = _pages(blocks)
    kept = pages[:MOST_PAGES]
    number = max(0, min(wanted, len(kept) - 1))
    shown = list(kept[number])
    if len(pages) > len(kept) and number == len(kept) - 1:
        shown.append(_said(TOO_LONG))
    return Page(number, [*shown, *_turns(number, len(kept))])


def _pages(blocks: Blocks) -> list[Blocks]:
    """What belongs together is not looked at: a page is full when it is full. None begins with a line between parts."""
    pages: list[Blocks] = [[]]
    room = PAGE_BYTES
    for block in blocks:
        size = len(json.dumps(block))
        if pages[-1] and (size > room or len(pages[-1]) == PAGE_BLOCKS):
            pages.append([])
            room = PAGE_BYTES
        if pages[-1] or block["type"] != "divider":
            pages[-1].append(block)
            room -= size
    return pages


def _turns(number: int, count: int) -> Blocks:
    if count == 1:
        return []
    turns = [("back", "Previous", number - 1)] if number else []
    turns += [("more", "Next", number + 1)] if number < count - 1 else []
    file = {"type": "button", "action_id": "page:file", "text": plain(IN_FILE), "value": to_text({"page": number})}
    buttons = [*(_turn(*each) for each in turns), file]
    return [_said(f"Page {number + 1} of {count}"), *actions_block("pages", buttons)]


def _turn(way: str, title: str, page: int) -> dict[str, Any]:
    return {"type": "button", "action_id": f"page:{way}", "text": plain(title), "value": to_text({"page": page})}


def _said(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [plain(text)]}

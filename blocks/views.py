"""The frame of a modal: a title that is never cut in the middle of a word, its buttons, and what the form will come back with."""

from typing import Any

from blocks import limits
from blocks.summary import words_within
from blocks.text import beginning, mrkdwn, one_line, plain, width


def modal(title: str, blocks: list[dict[str, Any]], *, close: str = "Back") -> dict[str, Any]:
    return {
        "type": "modal",
        "title": plain(short(title, limits.VIEW_TITLE), limits.VIEW_TITLE),
        "close": plain(close),
        "blocks": blocks[: limits.VIEW_BLOCKS],
    }


def form_modal(
    title: str, blocks: list[dict[str, Any]], *, callback_id: str, metadata: str, submit: str
) -> dict[str, Any]:
    """A modal that comes back as a submission, with `metadata` as its `private_metadata`."""
    return {
        **modal(title, blocks, close="Cancel"),
        "submit": plain(short(submit, limits.VIEW_SUBMIT), limits.VIEW_SUBMIT),
        "callback_id": callback_id,
        "private_metadata": metadata,
    }


def short(text: str, limit: int) -> str:
    """One line within `limit`, cut between two words where it has more than one."""
    line = one_line(text)
    if width(line) <= limit:
        return line
    return f"{beginning(words_within(line, limit - 1) or line, limit - 1)}…"


def notice_view(title: str, text: str) -> dict[str, Any]:
    """A modal that only says something. `text` is mrkdwn: whatever in it is data was escaped by the caller."""
    return modal(title, [{"type": "section", "text": mrkdwn(text)}], close="Close")

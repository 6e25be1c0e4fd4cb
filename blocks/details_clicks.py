"""What people press in the window that shows all of a card, parsed.

What it carries is no authority: whoever turns a page is looked up again, and so is what they may see.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from blocks.payloads import BlockActions, Carried, Id, Number, strict_json

DETAILS_VIEW = "details"
"""The `callback_id` of the window."""


@dataclass(frozen=True, slots=True)
class DetailsClick:
    """A person wants another page of an interrupt's details; or, `in_file`, all of it as a file."""

    interrupt_id: str
    page: int
    person: str
    view_id: str
    in_file: bool = False


class _Shown(Carried):
    interrupt: Id
    page: Number


class _Turned(Carried):
    page: Number


def parse_details_click(body: Any) -> DetailsClick | None:
    """A page's button in our window; `None` for everything else."""
    try:
        sent = BlockActions.model_validate(body)
        pressed, view = sent.actions[0], sent.view
        kind, _, way = pressed.action_id.partition(":")
        if kind != "page" or pressed.type != "button" or view is None or view.callback_id != DETAILS_VIEW:
            return None
        shown = _Shown.model_validate(strict_json(view.private_metadata))
        turned = _Turned.model_validate(strict_json(pressed.value))
    except (ValidationError, ValueError, RecursionError):
        return None
    return DetailsClick(shown.interrupt, turned.page, sent.user.id, view.id, in_file=way == "file")

"""What a run returned, where a message has not room for all of it: the button, the window behind it, and the file.

What a button carries is no authority: whoever presses it is looked up, each time.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from actions.kit.records.runs import RunRecord
from blocks.choices import to_text
from blocks.described import NOTHING_KNOWN
from blocks.details import whole_of
from blocks.details_file import File
from blocks.payloads import BlockActions, Carried, Id, Number, strict_json
from blocks.returned import SHOW, text_returned
from blocks.text import plain
from blocks.texts import pretty
from blocks.turning import page_of
from blocks.values import parse_json
from blocks.views import modal

RESULT_VIEW = "result"
"""The `callback_id` of the window."""
NOTHING = {"type": "section", "text": plain("There is nothing to show.")}
"""Where a run that returned something ran again meanwhile: Slack takes no window without a block."""


@dataclass(frozen=True, slots=True)
class ResultClick:
    """A person wants to see all that a run returned: the window, another page of it, or (`in_file`) a file."""

    run_id: str
    page: int
    person: str
    trigger_id: str
    response_url: str | None
    view_id: str | None
    in_file: bool


class _Shown(Carried):
    run: Id
    page: Number = 0


class _Turned(Carried):
    page: Number


def parse_result_click(body: Any) -> ResultClick | None:
    """The button, or one in our window; `None` for everything else."""
    try:
        sent = BlockActions.model_validate(body)
        pressed, view = sent.actions[0], sent.view
        if pressed.action_id == SHOW:
            return _asked(sent, _Shown.model_validate(strict_json(pressed.value)))
        if view is None or view.callback_id != RESULT_VIEW or not pressed.action_id.startswith("page:"):
            return None
        page = _Turned.model_validate(strict_json(pressed.value)).page
        shown = _Shown.model_validate(strict_json(view.private_metadata)).model_copy(update={"page": page})
    except (ValidationError, ValueError, RecursionError):
        return None
    return _asked(sent, shown, view_id=view.id, in_file=pressed.action_id == "page:file")


def _asked(sent: BlockActions, shown: _Shown, *, view_id: str | None = None, in_file: bool = False) -> ResultClick:
    return ResultClick(shown.run, shown.page, sent.user.id, sent.trigger_id, sent.response_url, view_id, in_file)


def result_view(run: RunRecord, *, page: int = 0, told: str | None = None) -> dict[str, Any]:
    """One page of what it returned. A page after the last one is the last one."""
    shown = page_of(whole_of(_output(run), NOTHING_KNOWN), page)
    notes = [{"type": "context", "elements": [plain(told)]}] if told else []
    return {
        **modal(run.action_name, [*notes, *(shown.blocks or [NOTHING])], close="Close"),
        "callback_id": RESULT_VIEW,
        "private_metadata": to_text({"run": run.id, "page": shown.number}),
    }


def result_file(run: RunRecord) -> File:
    """As JSON; a text that is all there is stands in the file as it was written."""
    text = text_returned(run)
    return File("result.json", f"{pretty(_output(run))}\n") if text is None else File("result.txt", f"{text}\n")


def _output(run: RunRecord) -> Any:
    text = text_returned(run)
    return parse_json(run.output or "null") if text is None else text

"""What a run returned, as far as a message has room for it: a text alone, and the button behind which all of it stands."""

import json
from typing import Any

from actions.kit.records.runs import RunRecord, RunStatus
from blocks.choices import ORDER_TITLES, to_text
from blocks.text import plain

SHOW = "result:show"


def text_returned(run: RunRecord) -> str | None:
    """The text that a run came to, where that is all that it returned."""
    if run.status is not RunStatus.SUCCEEDED or run.output is None:
        return None
    output = json.loads(run.output)
    values = list(output.values()) if isinstance(output, dict) else [output]
    return values[0] if len(values) == 1 and isinstance(values[0], str) and values[0].strip() else None


def result_button(run: RunRecord) -> dict[str, Any]:
    """Opens all that the run returned."""
    return {
        "type": "button",
        "action_id": SHOW,
        "text": plain(ORDER_TITLES["show_all"]),
        "value": to_text({"run": run.id}),
    }

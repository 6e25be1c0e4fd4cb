"""A turn of an agent's model as it stands in a run's tree: what it said, which calls it wants, and which of them are one."""

import json
from collections.abc import Iterator

from pydantic import ValidationError

from actions.kit.agents.calls import twin_of
from actions.kit.agents.shapes import MODEL_TURN, Turn, Wanted
from actions.kit.running.calls import CallRecord
from blocks.said import Words, said
from blocks.text import clip, one_line

SAID, ARGUMENTS = 300, 200


def turn_of(call: CallRecord) -> Turn | None:
    """The turn that a call came to; `None` where it is none, or none that this code can read."""
    if call.action_id != MODEL_TURN or call.output is None:
        return None
    try:
        return Turn.model_validate_json(call.output)
    except ValidationError:
        return None


def turn_told(turn: Turn, *, values: bool) -> Iterator[Words]:
    """What it said, and each call that it wants; without `values` only what it wants to call."""
    if values and turn.text:
        yield said("says: ", clip(one_line(turn.text), SAID))
    for place, wanted in enumerate(turn.wanted):
        yield said("wants ", wanted.tool, _arguments(wanted) if values else "", _remark(turn, place))


def _arguments(wanted: Wanted) -> str:
    return f" {clip(json.dumps(wanted.arguments, ensure_ascii=False), ARGUMENTS)}"


def _remark(turn: Turn, place: int) -> str:
    wanted = turn.wanted[place]
    if wanted.fault:
        return f", which makes no sense: {wanted.fault}"
    return ", which it wants already: the two are carried out once" if twin_of(turn.wanted, place) is not None else ""

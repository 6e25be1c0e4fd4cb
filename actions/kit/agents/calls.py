"""Carries out the calls that a turn wants, one after another: each ends with exactly one result for the model."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from actions.kit.agents.approval import RejectedError, approved
from actions.kit.agents.shapes import Prompt, Result, Wanted
from actions.kit.agents.tools import Tool, Toolbox
from actions.kit.context import Context
from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.shapes.filling import same

LONGEST, TOGETHER = 20_000, 200_000
"""Characters of one result, and of all of a turn, that a model is given; the rest is left out, and it is told so."""
ONCE = "The same call was wanted more than once in this turn. This is what came of it the one time."
NOT_IN_TIME = "Not done: nobody answered in time, so it timed out."


async def carry_out(
    wanted: Sequence[Wanted], tools: Toolbox, ctx: Context, *, agent: str, asked: Prompt, turn: int
) -> list[Result]:
    """The results of a turn's calls, in the order of the calls. What is wanted twice is carried out once."""
    results: list[Result] = []
    for place, each in enumerate(wanted):
        twin, tool = twin_of(wanted, place), tools.get(each.tool)
        if each.fault is not None or tool is None:
            results.append(_result(each, "retried", each.fault or "There is no such tool any more."))
        elif twin is not None:
            results.append(_joined(results[twin], each))
        else:
            results.append(await _carried_out(each, tool, ctx, agent=agent, asked=asked, name=f"{turn}.{place + 1}"))
    room = min(LONGEST, TOGETHER // max(len(results), 1))
    return [each.model_copy(update={"content": _cut(each.content, room)}) for each in results]


def twin_of(wanted: Sequence[Wanted], place: int) -> int | None:
    """The place of an earlier call in the turn that is the same: of the same tool, with the same arguments."""
    return next((before for before in range(place) if _key(wanted[before]) == _key(wanted[place])), None)


def _key(wanted: Wanted) -> str:
    return json.dumps([wanted.tool, wanted.arguments, wanted.fault], sort_keys=True)


async def _carried_out(wanted: Wanted, tool: Tool, ctx: Context, *, agent: str, asked: Prompt, name: str) -> Result:
    """Asks first where that is needed, then executes with exactly what was approved. Raises nothing that people decide."""
    arguments = wanted.arguments
    try:
        if tool.asks_first:
            arguments = await approved(tool, arguments, ctx, agent=agent, asked=asked, name=f"{name} approval")
        output = await ctx.call(tool.action, arguments, name=f"{name} {tool.action.id}", for_requester=True)
    except (Declined, Expired, RejectedError) as no:
        return _result(wanted, "denied", not_done(no))
    except CallFailed as failed:
        return _result(wanted, "failed", f"It failed: {failed.failure.message}")
    return _result(wanted, "success", _told(tool, arguments, wanted.arguments, output))


def not_done(no: Declined | Expired | RejectedError) -> str:
    """What a model is told where people said no, or did not answer."""
    if isinstance(no, Expired):
        return NOT_IN_TIME
    if isinstance(no, RejectedError):
        return f"Not done: whoever asked does not want it, and said: {no}"
    if not no.by:
        return "Not done: nobody answered in time, and that declines it."
    answered = no.data if isinstance(no.data, dict) else {}
    said = answered.get("reason") or no.reason
    return f"Not done: people declined it, and said: {said}" if said else "Not done: people declined it."


def _told(tool: Tool, approved: JsonValue, proposed: JsonValue, output: Any) -> JsonValue:
    """What came of it, with the arguments where people changed them: the model knows only those that it gave."""
    returned = json.loads(tool.action.output_text(output))
    return returned if same(approved, proposed) else {"changed_by_people_to": approved, "result": returned}


def _cut(value: JsonValue, room: int) -> JsonValue:
    text = json.dumps(value, ensure_ascii=False)
    return value if len(text) <= room else f"{text[:room]}… ({len(text) - room:,} more characters left out)"


def _joined(result: Result, wanted: Wanted) -> Result:
    told = {"note": ONCE, "result": result.content}
    return result.model_copy(update={"call": wanted.call, "content": told})


def _result(wanted: Wanted, outcome: Any, content: JsonValue) -> Result:
    return Result(call=wanted.call, tool=wanted.tool, outcome=outcome, content=content)

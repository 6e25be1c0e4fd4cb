"""`ctx.ask`: a place in a run that returns the answer once there is one, and parks until then."""

import asyncio
from collections.abc import Callable
from typing import Any, NoReturn

from actions.kit.errors import AnswerError
from actions.kit.interrupt import ActionInterrupt
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.outcomes import AskAgain, Paused, PauseRequest
from actions.kit.request import ask_request
from actions.kit.running.breaking import diverged, for_ever, next_place, stop, told
from actions.kit.running.calls import Answered
from actions.kit.running.endings import not_agreed
from actions.kit.running.passing import Node, Parked
from actions.kit.shapes.answers import Resume

ASK = "ask"
"""The name of a question that was given none."""
NOT_ANY_MORE = "the answer does not fit any more"


async def ask(node: Node, pause: Callable[[], ActionInterrupt], name: str | None) -> Any:
    """The answer as its type. Raises `Declined` and `Expired`."""
    path = await next_place(node, ASK if name is None else name)
    asked = pause()
    asked.is_asked = True
    request, resume = ask_request(node.action, asked, node.input_text, path=path, asker=node.asker)
    called, settled = node.of.log.calls.get(path), node.of.log.settled.get(path)
    if called is not None:
        asked.take_over()
        await diverged(node, path, f"called {called.action_name!r}", f"asks {asked.message!r}")
    if settled is None:
        node.questions.append(asked)
        await _park(node, Parked(node, Paused(request, resume), node.order_here, asyncio.current_task()), asked)
    asked.take_over()
    return await _answered(node, request, resume, settled)


async def _park(node: Node, parked: Parked, asked: ActionInterrupt) -> NoReturn:
    """Where the action itself stops waiting before the pass is over, the question is lost, and that is noticed.

    Unless somebody said no meanwhile: then what was asked beside it is not wanted any more.
    """
    node.of.park(parked)
    try:
        await for_ever()
    finally:
        if not node.over.done():
            node.of.unpark(parked)
            if node.was_told_no:
                asked.take_over()


async def _answered(node: Node, request: PauseRequest, resume: Resume, settled: Answered) -> Any:
    asked = settled[0]
    if asked.message != request.message:
        await diverged(node, request.call_path, f"asked {asked.message!r}", f"asks {request.message!r}")
    if asked.status is not InterruptStatus.ANSWERED:
        expired = asked.status is InterruptStatus.EXPIRED
        raise told(node, not_agreed(request.call_path, settled, expired=expired))
    try:
        answer = resume.restore(asked.choice or "", asked.answer or "null")
    except AnswerError:
        await _unfit(node, request, settled)
    node.passed(request.call_path)
    return answer


async def _unfit(node: Node, request: PauseRequest, settled: Answered) -> NoReturn:
    """The code changed after the answer. Nothing rests yet on the newest one, so that can be asked again."""
    asked = settled[0]
    if node.of.log.is_newest(asked):
        await stop(node, AskAgain(asked, NOT_ANY_MORE, request))
    before, now = (", ".join(choice.key for choice in each.shape.choices) for each in (asked, request))
    taken = f"asks for one of {now}, which that answer does not fit"
    await diverged(node, request.call_path, f"was answered {asked.choice!r}, one of {before},", taken)

"""`ctx.call`: a place in a run that executes another action once, and from then on returns what came of it."""

import asyncio
import json
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from actions.kit.action import Action
from actions.kit.errors import AnswerError
from actions.kit.records.outcomes import AskAgain, Unfit
from actions.kit.records.runs import Failure
from actions.kit.running.asking import NOT_ANY_MORE
from actions.kit.running.breaking import diverged, next_place, stop, told
from actions.kit.running.calls import CallEnding, CallRecord, CallStatus
from actions.kit.running.carrying import carry
from actions.kit.running.endings import CallFailed, Declined, Expired, not_agreed
from actions.kit.running.passing import Node
from actions.kit.running.pauses import enter
from actions.kit.shapes.json_text import NotJson, to_json_text

BACK = "It goes on by itself when the action fits again. It can be cancelled."


async def call(
    node: Node,
    action: Action,
    given: Any,
    name: str | None,
    *,
    for_requester: bool,
    on_wait: Callable[[], None] | None = None,
) -> Any:
    """What the action returned, as its type. Raises `CallFailed`, `Declined` and `Expired`.

    `on_wait` is called whenever something begins to wait in it for people.
    """
    if not isinstance(action, Action):
        raise TypeError(f"ctx.call takes an action, made by @action, and not {type(action).__name__}")
    path = await next_place(node, action.id if name is None else name)
    known, settled = node.of.log.calls.get(path), node.of.log.settled.get(path)
    if known is None and settled is not None:
        await diverged(node, path, f"asked {settled[0].message!r}", f"calls {action.name!r}")
    text = await _input(node, path, action, given, known)
    if known is not None and known.status.ended:
        return await _replayed(node, path, action, known)
    child = await _child(node, path, action, text)
    child.needs_leave = known is None and for_requester
    child.on_wait = on_wait or child.on_wait
    return await _executed(node, child)


async def _input(node: Node, path: str, action: Action, given: Any, known: CallRecord | None) -> str:
    """The input as JSON text, the stored one where there is one. Raises `CallFailed` for one that does not fit."""
    try:
        text = action.validate_input(given)
    except AnswerError as error:
        if known is None:
            raise _refused(node, path, action, error) from None
        text = _as_given(given)
    if known is None:
        return text
    if known.action_id != action.id:
        await diverged(node, path, f"called {known.action_name!r}", f"calls {action.name!r}")
    if not _is_same(action, known.input, text):
        await diverged(node, path, f"called {action.name!r} with {known.input}", f"calls it with {text}")
    return known.input


def _as_given(given: Any) -> str:
    try:
        return to_json_text(given, what="input")
    except NotJson as error:
        return json.dumps(str(error))


def _is_same(action: Action, stored: str, text: str) -> bool:
    """Whether both inputs mean the same today: a field that got a default meanwhile makes no difference."""
    try:
        today = action.validate_input(json.loads(stored))
    except AnswerError:
        today = stored
    return stored == text or json.dumps(json.loads(today), sort_keys=True) == json.dumps(
        json.loads(text), sort_keys=True
    )


def _refused(node: Node, path: str, action: Action, error: AnswerError) -> BaseException:
    return told(node, CallFailed(action.name, path, Failure(kind="input", message=f"its input does not fit: {error}")))


async def _replayed(node: Node, path: str, action: Action, known: CallRecord) -> Any:
    error = _error_of(node, path, action, CallEnding(known.status, known.output, known.failure))
    if error is not None:
        raise told(node, error)
    try:
        output = action.restore_output("null" if known.output is None else known.output)
    except AnswerError as unfit:
        if known.output is None:
            raise told(node, _not_known(path, action, known)) from None
        message = f"What {action.name!r} returned does not fit it any more, because it was changed meanwhile: {unfit}"
        await stop(node, Unfit(Failure(kind="output", message=message, advice=BACK, call=path)))
    node.passed(path)
    return output


def _not_known(path: str, action: Action, known: CallRecord) -> CallFailed:
    """A person marked a call as having happened, and the caller needs what it returned."""
    message = f"{known.marked_by} marked it as having happened. What it returned is not known, and is needed to go on."
    advice = "It is not executed again. Do by hand what should have come after it."
    return CallFailed(action.name, path, Failure(kind="output_unknown", message=message, advice=advice))


async def _executed(node: Node, child: Node) -> Any:
    """Executes it in a task of its own, which the end of the caller does not cut: that would execute it twice."""
    path, action = child.path, child.action
    ended: asyncio.Future[CallEnding] = asyncio.get_running_loop().create_future()
    outside = enter(copy_context(), None)
    child.caller = asyncio.current_task()
    child.carrier = asyncio.get_running_loop().create_task(carry(child, ended), name=f"call {path}", context=outside)
    try:
        ending = await ended
    finally:
        child.is_unwanted = not ended.done() and not node.over.done() and node.was_told_no
    error = _error_of(node, path, action, ending)
    if error is not None:
        raise told(node, error)
    node.passed(path)
    return action.restore_output(ending.output or "null")


async def _child(node: Node, path: str, action: Action, text: str) -> Node:
    try:
        action.restore_input(text)
        action = action.bound(text)
    except AnswerError as error:
        raise _refused(node, path, action, error) from None
    settled = node.of.log.settled.get(path)
    try:
        context = node.context.of_call(path, settled, action.resume)
    except (AnswerError, KeyError):
        if settled is None:
            raise
        if node.of.log.is_newest(settled[0]):
            await stop(node, AskAgain(settled[0], NOT_ANY_MORE))
        await diverged(node, path, f"was answered {settled[0].choice!r}", "takes no such answer")
    return Node(node.of, action, text, context, node)


def _error_of(node: Node, path: str, action: Action, ending: CallEnding) -> CallFailed | Declined | Expired | None:
    failure = ending.failure or Failure(kind="unknown", message="it is not known why")
    match ending.status:
        case CallStatus.FAILED:
            return CallFailed(action.name, path, failure)
        case CallStatus.DECLINED | CallStatus.EXPIRED:
            settled = node.of.log.settled.get(ending.failure.call or "" if ending.failure else path)
            expired = ending.status is CallStatus.EXPIRED
            if settled is not None:
                return not_agreed(path, settled, expired=expired)
            return (Expired if expired else Declined)(failure.message, path=path)
    return None

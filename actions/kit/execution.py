"""Executes an action once, from the top, and tells how that ended."""

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from actions.kit.action import Action
from actions.kit.context import Context
from actions.kit.errors import AnswerError
from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.judge import bad_pause, judge
from actions.kit.pauses import Execution, enter
from actions.kit.records import Failure, Outcome, Paused, Raised, Returned, Stopped
from actions.kit.request import pause_request
from actions.kit.stray import tidy, watch

RETURN_IT = "Return what the annotation after `->` says; a function that ends without `return` returns None."


async def execute(action: Action, input_text: str, context: Context) -> Outcome:
    """Run the action's function once, on the current loop. Never raises what the action raised.

    Returns:
        `Paused` when one pause came out of it, alone or in an exception group; `Returned` with its validated output;
        `Raised` when it failed, exited, or broke a rule of pausing: two pauses, a pause beside an error, a swallowed
        pause, a task or thread that still ran 5 seconds after it was cancelled. `Stopped` when this call was cancelled
        from outside and the action ended because of it; one that had paused or returned all the same has done so.

    Takes up to 5 seconds longer than the action where that leaves tasks or threads behind. A daemon thread may outlive
    an action that returned.
    """
    try:
        value = action.restore_input(input_text)
        action = action.bound(input_text)
    except AnswerError as error:
        message = f"The stored input does not fit the action: {error}"
        return Raised(Failure(kind="input", message=message), error=error)
    watch(asyncio.get_running_loop())
    execution = Execution(context.run_id, action.function.__module__, context.resources)
    try:
        return await _ended(execution, _start(execution, action, value, context), action, input_text, context)
    finally:
        execution.close()


def _start(execution: Execution, action: Action, value: Any, context: Context) -> "asyncio.Task[Any]":
    own = enter(copy_context(), execution)
    return asyncio.get_running_loop().create_task(action(value, context), name=f"action {action.id}", context=own)


async def _ended(
    execution: Execution, task: "asyncio.Task[Any]", action: Action, input_text: str, context: Context
) -> Outcome:
    stopped = not await _ends_by_itself(task)
    left = await _undisturbed(tidy(execution, spare_daemons=_has_returned(task)))
    verdict = judge(execution, _error_of(task, stopped=stopped), left)
    match verdict:
        case Raised():
            return Stopped() if stopped and not left else verdict
        case ActionInterrupt():
            return _paused(action, verdict, input_text, context)
        case None:
            return Stopped() if task.cancelled() else _returned(action, task.result())


async def _ends_by_itself(task: "asyncio.Task[Any]") -> bool:
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        return task.done()
    return True


async def _undisturbed(work: Coroutine[Any, Any, list[str]]) -> list[str]:
    """Wait for work that ends soon by itself, however often this task is cancelled meanwhile."""
    task = asyncio.get_running_loop().create_task(work)
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
    return task.result()


def _has_returned(task: "asyncio.Task[Any]") -> bool:
    return task.done() and not task.cancelled() and task.exception() is None


def _error_of(task: "asyncio.Task[Any]", *, stopped: bool) -> BaseException | None:
    if not task.done():
        return None
    if task.cancelled():
        return None if stopped else asyncio.CancelledError("the action cancelled itself")
    return task.exception()


def _paused(action: Action, pause: ActionInterrupt, input_text: str, context: Context) -> Outcome:
    try:
        return Paused(pause_request(action, pause, input_text, context))
    except InterruptError as error:
        return bad_pause(error)


def _returned(action: Action, value: Any) -> Outcome:
    try:
        return Returned(action.output_text(value))
    except AnswerError as error:
        wanted = getattr(action.output_type, "__name__", str(action.output_type))
        message = f"What the action returned ({type(value).__name__}) is not {wanted}: {error}"
        return Raised(Failure(kind="output", message=message, advice=RETURN_IT), error=error)

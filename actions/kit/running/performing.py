"""Executes one action of a pass, from the top, and tells how that ended."""

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from actions.kit.errors import AnswerError
from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.records.outcomes import Outcome, Paused, Raised, Returned, Stopped, TurnedDown
from actions.kit.records.runs import Failure
from actions.kit.request import pause_request, resume_of
from actions.kit.running.judge import bad_pause, beside, judge, swallowed
from actions.kit.running.passing import Node, Parked, behind
from actions.kit.running.pauses import enter
from actions.kit.running.stray import GRACE, tidy

RETURN_IT = "Return what the annotation after `->` says; a function that ends without `return` returns None."


async def perform(node: Node) -> Outcome | None:
    """Run the action's function once, on the current loop. Never raises what the action raised.

    `None`: it waits for people, here or in what it called, and was cut by the end of the pass.
    """
    task = node.main = _start(node)
    is_stopped = not await _ends_or_waits(node, task)
    is_ended = task.done()
    if is_ended and not is_stopped:
        is_stopped = not await _without_cancel(node.of.calls_end(node))
    waiting = node.of.within(node)
    if is_stopped:
        node.of.stop()
    node.cut_children() if is_ended else node.cut()
    left = await _undisturbed(_cut_short(node, spare_daemons=_has_returned(task)))
    if is_ended or node.of.is_stopped:
        return _judged(node, task, left, waiting)
    return _cut(node, task, left, waiting)


def _start(node: Node) -> "asyncio.Task[Any]":
    own = enter(copy_context(), node.execution)
    own.run(behind.set, "")
    value = node.action.restore_input(node.input_text)
    work = node.action(value, node.context)
    return asyncio.get_running_loop().create_task(work, name=f"action {node.action.id}", context=own)


async def _ends_or_waits(node: Node, task: "asyncio.Task[Any]") -> bool:
    """False where it was cancelled from outside first."""
    try:
        await asyncio.wait({task, node.over}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        return task.done()
    return True


async def _without_cancel(work: Coroutine[Any, Any, None]) -> bool:
    try:
        await work
    except asyncio.CancelledError:
        return False
    return True


async def _cut_short(node: Node, *, spare_daemons: bool) -> list[str]:
    """What it called is cut first; then its own tasks and threads."""
    carriers = {child.carrier for child in node.children if child.carrier}
    if carriers:
        await asyncio.wait(carriers, timeout=GRACE)
    return await tidy(node.execution, spare_daemons=spare_daemons)


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


def _judged(node: Node, task: "asyncio.Task[Any]", left: list[str], waiting: list[Parked]) -> Outcome:
    """How it ended by itself, or because it was stopped."""
    is_stopped = node.of.is_stopped
    error = _error_of(task, stopped=is_stopped)
    if error is not None or is_stopped:
        for question in node.questions:
            question.take_over()
    verdict = judge(node.execution, error, left)
    match verdict:
        case Raised():
            return Stopped() if is_stopped and not left else verdict
        case ActionInterrupt():
            return _paused(node, verdict, 1 + len(waiting))
        case TurnedDown():
            return verdict
    if task.cancelled() or not task.done():
        return Stopped()
    return swallowed(waiting[0].message) if waiting else _returned(node, task.result())


def _cut(node: Node, task: "asyncio.Task[Any]", left: list[str], waiting: list[Parked]) -> Outcome | None:
    """Whether everything that waited let itself be cut; what did not went on without an answer."""
    if left:
        for question in node.questions:
            question.take_over()
        verdict = judge(node.execution, None, left)
        return verdict if isinstance(verdict, Raised) else None
    if not waiting:
        return None
    pause = ActionInterrupt(waiting[0].message)
    for each in {task, *(one for parked in waiting for one in parked.tasks)} - {None}:
        if each is None or each.cancelled() or not each.done():
            continue
        error = each.exception()
        return swallowed(waiting[0].message) if error is None else beside([pause], [error])
    return None


def _error_of(task: "asyncio.Task[Any]", *, stopped: bool) -> BaseException | None:
    if not task.done():
        return None
    if task.cancelled():
        return None if stopped else asyncio.CancelledError("the action cancelled itself")
    return task.exception()


def _paused(node: Node, pause: ActionInterrupt, total: int) -> Outcome:
    context = node.context
    try:
        request = pause_request(
            node.action,
            pause,
            node.input_text,
            path=node.path,
            occurrence=context.occurrence,
            asker=node.asker,
        )
    except InterruptError as error:
        return bad_pause(error)
    return Paused(replace(request, total=total), resume_of(node.action, request))


def _returned(node: Node, value: Any) -> Outcome:
    try:
        return Returned(node.action.output_text(value))
    except AnswerError as error:
        wanted = getattr(node.action.output_type, "__name__", str(node.action.output_type))
        message = f"What the action returned ({type(value).__name__}) is not {wanted}: {error}"
        return Raised(Failure(kind="output", message=message, advice=RETURN_IT), error=error)

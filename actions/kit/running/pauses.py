"""Remembers every pause that an execution makes, so that one which does not arrive is noticed.

The record travels in a context variable: into every task and thread that the action starts. Whatever makes a pause
writes it down there; when the action has ended, what was written is compared with what came out.
"""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextvars import Context, ContextVar
from typing import Any


class Execution:
    """What one execution made besides its result: pauses, exits, and the tasks, threads and pool jobs it started.

    `steps` counts what its tasks do. `module` is where the action's code is. `resources` are the shared objects that it may use; what those start for
    themselves is not the action's.
    """

    def __init__(self, run_id: str, module: str, resources: tuple[object, ...] = ()) -> None:
        self.run_id = run_id
        self.module = module
        self.resources = resources
        self.pauses: list[BaseException] = []
        self.exits: list[BaseException] = []
        self.tasks: set[asyncio.Task[Any]] = set()
        self.jobs: dict[Future[Any], str] = {}
        self.threads: list[threading.Thread] = []
        self.steps = 0
        self.ended = False

    def close(self) -> None:
        """Forgets everything, because frames hang on tracebacks; what is still running goes unnoticed from here on."""
        self.ended = True
        for kept in (self.pauses, self.exits, self.tasks, self.jobs, self.threads):
            kept.clear()


_current: ContextVar[Execution | None] = ContextVar("signoff_execution", default=None)
_aside: ContextVar[bool] = ContextVar("signoff_aside", default=False)


def current(context: Context | None = None) -> Execution | None:
    """The execution that this code, or code in that context, belongs to, while it lasts."""
    execution = _current.get() if context is None else context.get(_current)
    return None if execution is None or execution.ended else execution


def enter(context: Context, execution: Execution | None) -> Context:
    """Make a context belong to an execution, or to none; gives it back."""
    context.run(_current.set, execution)
    return context


def set_aside(context: Context) -> Context:
    """Mark that what runs in a context is a resource's, though pauses in it are still the execution's; gives it back."""
    context.run(_aside.set, True)
    return context


def is_aside(context: Context | None = None) -> bool:
    """Whether this code, or code in that context, is a resource's."""
    return _aside.get() if context is None else context.get(_aside, False)


def note(pause: BaseException) -> None:
    """Write a pause down in the execution that makes it, if one does."""
    execution = current()
    if execution is not None:
        execution.pauses.append(pause)


def leaves(error: BaseException) -> list[BaseException]:
    """The exceptions in a group, at any depth and each once; of a plain exception, itself."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if isinstance(each, BaseExceptionGroup):
            waiting += reversed(each.exceptions)
        elif not _is_in(each, found):
            found.append(each)
    return found


def lost(execution: Execution, surfaced: Sequence[BaseException], *, and_replaced: bool = False) -> list[BaseException]:
    """The pauses that were made and did not surface.

    With `and_replaced`, those that stand in the `__context__` chain of what surfaced count as arrived: raising a better
    pause while one is handled is no loss.
    """
    arrived = [each for one in surfaced for each in _family(one)] if and_replaced else list(surfaced)
    return [pause for pause in execution.pauses if not _is_in(pause, arrived)]


def _family(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        inner = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        waiting += [other for other in (each.__context__, each.__cause__, *inner) if other is not None]


def _is_in(error: BaseException, errors: Sequence[BaseException]) -> bool:
    return any(error is other for other in errors)

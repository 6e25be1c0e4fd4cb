"""Carries the record of an execution into the tasks and threads that its action starts, and ends what it left behind.

A pause, or an exit, may happen in any of them. The loop's task factory carries the record into tasks. For threads
Python has no such place before 3.14, so `Thread.start` and `ThreadPoolExecutor.submit` are wrapped, once per process;
outside of an execution the wrappers do nothing.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from functools import partial
from types import FrameType
from typing import Any
from weakref import WeakSet

from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.running.owners import is_resources_own
from actions.kit.running.pauses import Execution, current, enter, is_aside, set_aside

GRACE = 5.0
"""Seconds that what an action left behind has to end after it was cancelled."""
LOOK_EVERY = 0.01
"""Seconds between two looks at a thread, which cannot be awaited."""

_watched: WeakSet[asyncio.AbstractEventLoop] = WeakSet()
_hooks = threading.Lock()
_start = threading.Thread.start
_submit: Callable[..., Future[Any]] = ThreadPoolExecutor.submit


class ExitedError(Exception):
    """`SystemExit` or `KeyboardInterrupt` of an action, as an ordinary error: the originals would end the loop."""

    def __init__(self, exit_: BaseException) -> None:
        super().__init__(repr(exit_))
        self.exit = exit_


class Guarded(Coroutine[Any, Any, Any]):
    """A coroutine of an action whose exits become an `ExitedError`. Everything else is the coroutine's own."""

    def __init__(self, coroutine: Any, execution: Execution) -> None:
        self._coroutine = coroutine
        self._execution = execution

    def send(self, value: Any) -> Any:
        return self._step(self._coroutine.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._coroutine.throw, *error)

    def close(self) -> None:
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield from self._coroutine.__await__())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._coroutine, name)

    def _step(self, step: Callable[..., Any], *arguments: Any) -> Any:
        self._execution.steps += 1
        try:
            return step(*arguments)
        except (SystemExit, KeyboardInterrupt) as exit_:
            self._execution.exits.append(exit_)
            raise ExitedError(exit_) from exit_


def watch(loop: asyncio.AbstractEventLoop) -> None:
    """Make a loop and this process carry executions; once is enough, and further calls do nothing."""
    with _hooks:
        threading.Thread.start = _carrying_start  # type: ignore[method-assign, assignment]
        ThreadPoolExecutor.submit = _carrying_submit  # type: ignore[method-assign, assignment]
    if loop not in _watched:
        _watched.add(loop)
        loop.set_task_factory(partial(_make_task, loop.get_task_factory()))


def run_on(frames: Iterable[FrameType]) -> str | None:
    """The id of the run that a loop's thread is executing, from the frames of its stack; `None` between executions."""
    guards = (frame.f_locals["self"] for frame in frames if frame.f_code is Guarded._step.__code__)  # noqa: SLF001
    return next((guard._execution.run_id for guard in guards), None)  # noqa: SLF001


async def tidy(execution: Execution, *, spare_daemons: bool = False) -> list[str]:
    """Cancel and await the action's tasks, await its threads; the names of what still runs after `GRACE`."""
    if spare_daemons:
        execution.threads = [thread for thread in execution.threads if not thread.daemon]
    loop = asyncio.get_running_loop()
    deadline = loop.time() + GRACE
    cancelled: set[asyncio.Task[Any]] = set()
    while (left := _running(execution)) and loop.time() < deadline:
        for task in execution.tasks - cancelled:
            cancelled.add(task)
            task.add_done_callback(_retrieve)
            task.cancel()
        for job in tuple(execution.jobs):
            job.cancel()
        await _a_moment(execution.tasks.copy())
    return left


def _make_task(factory: Any, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> "asyncio.Future[Any]":
    make: Callable[..., asyncio.Task[Any]] = factory or _plain_task
    context = options.get("context")
    execution = current(context)
    if execution is None:
        return make(loop, coroutine, **options)
    guarded = Guarded(coroutine, execution)
    if is_aside(context):
        return make(loop, guarded, **options)
    if is_resources_own(execution):
        own = set_aside((context or copy_context()).copy())
        return make(loop, guarded, **options | {"context": own})
    task = make(loop, guarded, **options)
    execution.tasks.add(task)
    task.add_done_callback(partial(_let_go, execution))
    return task


def _plain_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> "asyncio.Task[Any]":
    return asyncio.Task(coroutine, loop=loop, **options)


def _carrying_start(thread: threading.Thread) -> None:
    execution = current()
    if execution is not None:
        context = copy_context()
        if is_aside() or is_resources_own(execution):
            set_aside(context)
        else:
            execution.threads.append(thread)
        thread.run = partial(_run_thread, context, thread.run)  # type: ignore[method-assign]
    _start(thread)


def _run_thread(context: Context, run: Callable[[], None]) -> None:
    """A pause that leaves a thread is lost, and its execution knows; Python need not print it."""
    try:
        context.run(run)
    except (ActionInterrupt, InterruptError):
        if current(context) is None:
            raise


def _carrying_submit(pool: ThreadPoolExecutor, function: Any, /, *arguments: Any, **named: Any) -> "Future[Any]":
    """Submit from outside of the execution, so that a new worker thread, which serves anybody, does not belong to it."""
    execution = current()
    if execution is None:
        return _submit(pool, function, *arguments, **named)
    context = copy_context()
    is_own = is_aside() or is_resources_own(execution)
    if is_own:
        set_aside(context)
    job: Future[Any] = enter(copy_context(), None).run(_submit, pool, context.run, function, *arguments, **named)
    if not is_own:
        execution.jobs[job] = _name(function)
        job.add_done_callback(lambda done: execution.jobs.pop(done, None))
    return job


def _running(execution: Execution) -> list[str]:
    tasks = [f"task {task.get_name()!r}" for task in tuple(execution.tasks) if not task.done()]
    jobs = [f"function {name!r} in a thread pool" for job, name in tuple(execution.jobs.items()) if not job.done()]
    threads = [f"thread {thread.name!r}" for thread in execution.threads if thread.is_alive()]
    return [*tasks, *jobs, *threads]


async def _a_moment(tasks: set[asyncio.Task[Any]]) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=LOOK_EVERY)
    else:
        await asyncio.sleep(LOOK_EVERY)


def _name(function: Any) -> str:
    while isinstance(function, partial):
        function = next((each for each in function.args if callable(each)), function.func)
    return str(getattr(function, "__qualname__", function))


def _let_go(execution: Execution, task: "asyncio.Task[Any]") -> None:
    """Forget an ended task. Where the execution has paused or exited, that decides, and asyncio need not print errors."""
    execution.tasks.discard(task)
    if execution.pauses or execution.exits:
        _retrieve(task)


def _retrieve(task: "asyncio.Task[Any]") -> None:
    """A task that fails while it is being cancelled has nobody left to tell."""
    if not task.cancelled():
        task.exception()

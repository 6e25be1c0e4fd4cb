"""A thread with an event loop of its own, because an author's action may block, spin or ask the interpreter to exit."""

import asyncio
import contextvars
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, suppress
from types import FrameType
from typing import Any

import structlog

log = structlog.get_logger(__name__)

OpenResources = Callable[[], AbstractAsyncContextManager[Any]]

LAST_TASKS_GRACE = 1.0
"""Seconds that tasks of a closing loop have to notice their cancellation."""


class Interrupted(BaseException):
    """Raised inside an action that blocked its loop beyond its time limit; passes through `except Exception`."""


class ActionsLoop:
    """One thread, its loop, and the team's resources opened on it.

    A beat is a callback that the loop has to answer; how long one has been waiting says how long the loop has been
    blocked. `SystemExit` and `KeyboardInterrupt` of a task end `run_forever`, which is then entered again: the loop
    and everything else on it go on.
    """

    def __init__(self, open_resources: OpenResources, *, number: int) -> None:
        self._open_resources = open_resources
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=f"actions-{number}", daemon=True)
        self._finished = False
        self._closing = asyncio.Event()
        self.opened: Future[Any] = Future()
        self.opened.set_running_or_notify_cancel()
        self._ended: Future[None] = Future()
        self._ended.set_running_or_notify_cancel()
        self._beat_sent: float | None = None
        self._interrupted = False

    def start(self) -> None:
        self._thread.start()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Has the loop call a function, in a context that carries nothing of the caller's; does nothing once closed."""
        try:
            self._loop.call_soon_threadsafe(function, *arguments, context=contextvars.Context())
        except RuntimeError:
            log.debug("loop_closed", thread=self._thread.name)

    async def resources(self) -> Any:
        """The opened resources, from whichever loop one asks; raises what opening them raised."""
        if self.opened.done():
            return self.opened.result()
        return await asyncio.shield(asyncio.wrap_future(self.opened))

    @property
    def is_broken(self) -> bool:
        """Whether the resources could not be opened: every execution here would fail."""
        return self.opened.done() and self.opened.exception() is not None

    def spawn(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> "asyncio.Task[None]":
        """Starts a task; to be called on this loop only."""
        return self._loop.create_task(work(), name=name)

    def beat(self) -> None:
        """Asks the loop for a sign of life, unless it still owes one."""
        if self._beat_sent is None:
            self._beat_sent = time.monotonic()
            self.call(self._answer_beat)

    @property
    def late(self) -> float:
        """Seconds for which the loop has owed a sign of life."""
        sent = self._beat_sent
        return 0.0 if sent is None else time.monotonic() - sent

    @property
    def running_task(self) -> "asyncio.Task[Any] | None":
        return asyncio.current_task(self._loop)

    def frames(self) -> list[FrameType]:
        """What the thread is executing, innermost first."""
        frame = sys._current_frames().get(self._thread.ident or 0)  # noqa: SLF001 - documented; there is no other way
        found = []
        while frame is not None:
            found.append(frame)
            frame = frame.f_back
        return found

    def interrupt(self) -> None:
        """Raises `Interrupted` in the thread if it owes a sign of life, once until it gives one.

        Python code ends there; a blocking call only when it returns.
        """
        if self._beat_sent is not None and not self._interrupted:
            self._interrupted = True
            ident, error = ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(Interrupted)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)

    async def close(self, grace: float) -> bool:
        """Closes the resources and ends the thread; whether it ended within `grace` seconds."""
        self.beat()
        self.call(self._closing.set)
        ended = asyncio.wrap_future(self._ended)
        done, _ = await asyncio.wait({ended}, timeout=grace)
        return bool(done)

    def _answer_beat(self) -> None:
        self._beat_sent = None
        self._interrupted = False

    def _run(self) -> None:
        keeper = self._loop.create_task(self._keep_resources(), name="resources")
        while not self._loop.is_closed():
            try:
                self._run_until_finished(keeper)
            except BaseException as error:  # noqa: BLE001 - whatever an action raises, the loop goes on
                log.warning("actions_loop_restarted", error=type(error).__name__)
        self._ended.set_result(None)

    def _run_until_finished(self, keeper: "asyncio.Task[None]") -> None:
        while not self._finished:
            self._loop.run_forever()
        self._end_tasks(besides=keeper)
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _keep_resources(self) -> None:
        """Enters and leaves the resources in one task, as anyio's cancel scopes demand."""
        try:
            async with self._open_resources() as resources:
                self.opened.set_result(resources)
                await self._until_closing()
        except BaseException as error:
            if self.opened.done():
                log.exception("resources_not_closed")
            else:
                self.opened.set_exception(_plain(error))
            await self._closing.wait()
        finally:
            self._finished = True
            self._loop.stop()

    async def _until_closing(self) -> None:
        """An action that cancels every task of its loop does not close what all others use."""
        while not self._closing.is_set():
            with suppress(asyncio.CancelledError):
                await self._closing.wait()

    def _end_tasks(self, *, besides: "asyncio.Task[None]") -> None:
        left = {task for task in asyncio.all_tasks(self._loop) if task is not besides}
        for task in left:
            task.cancel()
        if left:
            self._loop.run_until_complete(asyncio.wait(left, timeout=LAST_TASKS_GRACE))


def _plain(error: BaseException) -> Exception:
    return error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")

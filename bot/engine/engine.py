"""The seam between "a run is queued" and "somebody executes it": wakes go in, claims come out; the table carries the truth."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import structlog

from actions.kit.records.runs import Wake

log = structlog.get_logger(__name__)

Execute = Callable[[Wake], Coroutine[Any, Any, None]]


class Engine(Protocol):
    """Carries wake-ups to whoever executes.

    A wake may be lost, doubled or late: a lost one is repaired by the recovery sweep, and the claim makes the others
    harmless.
    """

    def wake(self, wake: Wake) -> None:
        """Says that a run is queued; called on the bot's loop after the commit that queued it."""

    def reserve(self) -> bool:
        """Takes a free place for a run that is about to be started and claimed in one commit, if there is one."""

    def release(self) -> None:
        """Gives a reserved place back."""

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Carries out, in the reserved place, what was claimed."""

    async def start(self, execute: Execute) -> None:
        """Executes every wake from now on, those that came before included."""

    async def stop(self, grace: float) -> None:
        """Takes nothing new, lets what runs finish for `grace` seconds, and cancels the rest."""


class EmbeddedEngine:
    """Executes in this very process, at most `concurrency` runs at a time, in the order in which they were queued."""

    def __init__(self, *, concurrency: int = 32) -> None:
        self._free = concurrency
        self._execute: Execute | None = None
        self._waiting: deque[Wake] = deque()
        self._known: set[Wake] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, wake: Wake) -> None:
        if wake not in self._known:
            self._known.add(wake)
            self._waiting.append(wake)
            self._take_next()

    def reserve(self) -> bool:
        if self._execute is None or self._free == 0:
            return False
        self._free -= 1
        return True

    def release(self) -> None:
        self._free += 1
        self._take_next()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._carry_out(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def start(self, execute: Execute) -> None:
        self._execute = execute
        self._take_next()

    async def stop(self, grace: float) -> None:
        self._execute = None
        running = set(self._tasks)
        if running:
            await asyncio.wait(running, timeout=grace)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _take_next(self) -> None:
        while self._waiting and self._execute is not None and self.reserve():
            wake = self._waiting.popleft()
            self._known.discard(wake)
            self.begin(self._execute(wake))

    async def _carry_out(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("execution_broke_off")
        finally:
            self.release()

"""The processes in which scripts run, each in one of its own that nobody used before it and nobody uses after it.

The interpreter is driven from a thread for each script rather than from the loop. Its own bridge to asyncio ends the
whole process now and then when that exits soon afterwards.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from actions.kit.sandbox.limits import DEEPEST, SUSPENSIONS, Limits

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontySession

T = TypeVar("T")

AT_ONCE = 32
"""Scripts that are under way, computing or waiting for an action; further ones wait. Who waits for people does not count."""
COMPUTING = 4
"""Scripts that compute at the same time."""
NICENESS = 10
"""How far a script gives way to the bot, where both want the processor."""
LEFT_BEHIND = 8
"""More processes than that, as one that is left takes a moment to end."""


class Opened:
    """One script's process, and the thread in which it is spoken to. `spent` are the seconds that its steps took."""

    def __init__(self, sandbox: "Sandbox", thread: ThreadPoolExecutor, session: "MontySession") -> None:
        self._sandbox = sandbox
        self._thread = thread
        self.session = session
        self.spent = 0.0
        self._process = session.worker_pid
        self._is_busy = False
        self._give_way()

    async def step(self, work: Callable[[], T]) -> T:
        return await self._sandbox.on(self._thread, partial(self._timed, work))

    def _timed(self, work: Callable[[], T]) -> T:
        began = time.monotonic()
        self._is_busy = True
        try:
            return work()
        finally:
            self._is_busy = False
            self.spent += time.monotonic() - began

    def cut(self) -> None:
        """Ends the process if a step is under way that nobody waits for any more."""
        if self._is_busy and self._process is not None:
            with suppress(OSError):
                os.kill(self._process, signal.SIGKILL)

    def _give_way(self) -> None:
        if self._process is not None:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process, NICENESS)


class Sandbox:
    """A resource: what runs scripts on one loop of actions. It costs nothing until the first one.

    The threads are started in methods of it, so that they count as a resource's own and not as what an action left.
    """

    def __init__(self) -> None:
        self._monty: Monty | None = None
        self._room = asyncio.Semaphore(AT_ONCE)
        self._turns = asyncio.Semaphore(COMPUTING)

    @asynccontextmanager
    async def opened(self, limits: Limits, seed: str) -> AsyncIterator[Opened]:
        """A process for one script; `seed` is what its random numbers start from."""
        async with self._room:
            checkout = self._checkout(limits, seed)
            thread = ThreadPoolExecutor(1, "script", initializer=_deaf)
            try:
                opened = Opened(self, thread, await self.on(thread, checkout.__enter__))
                try:
                    yield opened
                finally:
                    opened.cut()
            finally:
                thread.submit(_leave, checkout)
                thread.shutdown(wait=False)

    async def on(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        async with self._turns:
            return await asyncio.get_running_loop().run_in_executor(thread, work)

    def close(self) -> None:
        """Processes that are in use end when their step does."""
        if self._monty is not None:
            self._monty.__exit__(None, None, None)
            self._monty = None

    def _checkout(self, limits: Limits, seed: str) -> "MontySession":
        if self._monty is None:
            from pydantic_monty import Monty  # noqa: PLC0415 - loaded with the first script, where it is installed

            most = AT_ONCE + LEFT_BEHIND
            self._monty = Monty(min_processes=0, max_processes=most, max_checkouts_per_worker=1).__enter__()
        return self._monty.checkout(
            limits={
                "max_feed_duration_secs": limits.seconds,
                "max_memory": limits.memory,
                "max_suspensions": SUSPENSIONS,
                "max_recursion_depth": DEEPEST,
            },
            os_policy={"datetime": "call_host", "sleep": "call_host", "random_start": {"seed": seed}},
        )


def _deaf() -> None:
    """Ctrl-C at a terminal reaches the processes too. What they run is drained like every action, so they do not hear it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


def _leave(checkout: Any) -> None:
    with suppress(Exception):
        checkout.__exit__(None, None, None)

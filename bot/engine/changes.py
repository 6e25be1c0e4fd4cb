"""Tells those who wait that something happened to a run: at once in this process, while others are asked each second."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

LOOK_EVERY = 1.0
"""Seconds between two looks for what another process did."""


class Changes:
    """Give `tell` to the store as its `on_run_change`. `close` sends everybody home who still waits."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._closed = False

    def tell(self, run_id: str) -> None:
        for event in self._waiting.get(run_id, ()):
            event.set()

    def close(self) -> None:
        self._closed = True
        for run_id in self._waiting:
            self.tell(run_id)

    async def until(
        self, run_id: str, look: Callable[[], Awaitable[T]], reached: Callable[[T], bool], *, seconds: float
    ) -> T:
        """What `look` gives once it is as wanted; or as it is when the time is up, or this process stops."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        with self._watching(run_id) as event:
            while True:
                event.clear()
                found = await look()
                left = deadline - loop.time()
                if reached(found) or left <= 0 or self._closed:
                    return found
                await _wait(event, min(left, LOOK_EVERY))

    @contextmanager
    def _watching(self, run_id: str) -> Iterator[asyncio.Event]:
        event = asyncio.Event()
        watching = self._waiting.setdefault(run_id, set())
        watching.add(event)
        try:
            yield event
        finally:
            watching.discard(event)
            if not watching:
                self._waiting.pop(run_id, None)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return

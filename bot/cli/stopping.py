"""Ctrl-C and SIGTERM, for the commands that run until they are told to stop."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Told:
    """Ctrl-C or SIGTERM. Before `wait` it breaks off what starts up; from then on it ends the waiting."""

    def __init__(self) -> None:
        self._starting = asyncio.current_task()
        self._event = asyncio.Event()

    @property
    def has_come(self) -> bool:
        return self._event.is_set()

    def tell(self) -> None:
        if self._starting and not self.has_come:
            self._starting.cancel()
        self._event.set()

    async def wait(self) -> None:
        self._starting = None
        await self._event.wait()


@asynccontextmanager
async def until_told() -> AsyncIterator[Told]:
    """Ends quietly on Ctrl-C and SIGTERM, whenever they come: what was opened by then is closed."""
    told, loop = Told(), asyncio.get_running_loop()
    for each in SIGNALS:
        loop.add_signal_handler(each, told.tell)
    try:
        yield told
    except asyncio.CancelledError:
        if not told.has_come:
            raise
    finally:
        for each in SIGNALS:
            loop.remove_signal_handler(each)

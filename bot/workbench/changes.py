"""Tells those who look at the workspace that something in it changed, so that nobody has to poll."""

import asyncio
from collections.abc import Callable


class Changes:
    """A counter of changes that can be waited on.

    Everything in the workbench lives on one event loop, so between looking at the workspace and waiting for
    the next change nothing can slip through: take `count` first, look, then wait for it to move on.
    """

    def __init__(self) -> None:
        self.count = 0
        self._waiting: set[asyncio.Future[None]] = set()

    def happened(self) -> None:
        self.count += 1
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def after(self, count: int) -> None:
        """Return as soon as more than `count` changes have happened."""
        while self.count <= count:
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)

    async def until(self, reached: Callable[[], bool], *, timeout: float) -> bool:  # noqa: ASYNC109 - a wait that may fail is what tests ask for
        """Whether `reached` came true within `timeout` seconds; it is asked again after each change."""
        try:
            async with asyncio.timeout(timeout):
                while True:
                    seen = self.count
                    if reached():
                        return True
                    await self.after(seen)
        except TimeoutError:
            return reached()

"""Rounds over what the database says is due: taken under leases, so many at a time, until they are told to end.

Level-triggered: whatever is still due is found by the next round, whoever dropped it. Replicas share it by the leases.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Generic, TypeVar

import structlog

from bot.clock import now
from bot.logs import where

T = TypeVar("T")

AT_ONCE = 32
REST = 1.0
"""Seconds after which other processes' work is looked for; what our own store wants sets `due`."""
SHORT_REST = 0.05

log = structlog.get_logger(__name__)


async def _unknown() -> datetime | None:
    """When something will be due, where nobody knows."""
    return None


class Rounds(Generic[T]):
    """`take` leases at most so many, `carry` sees one of them to its end, `named` says which it is in logs.

    `due` is set when something became due in this process; `until` tells when, as far as is known, something will be.
    """

    def __init__(
        self,
        name: str,
        *,
        take: Callable[[int], Awaitable[Sequence[T]]],
        carry: Callable[[T], Coroutine[Any, Any, None]],
        named: Callable[[T], str],
        due: asyncio.Event,
        until: Callable[[], Awaitable[datetime | None]] = _unknown,
        rest: float = REST,
    ) -> None:
        self._name = name
        self._take = take
        self._carry = carry
        self._named = named
        self._due = due
        self._until = until
        self._longest = rest
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False
        self._looked = time.monotonic()
        self._working: set[asyncio.Task[None]] = set()

    @property
    def age(self) -> float:
        """Seconds since it was last looked for what is due, and could be."""
        return time.monotonic() - self._looked

    def start(self) -> None:
        self._loop = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Take nothing more, and let what is in hand end.

        The loop is told, not cancelled: what it has just leased would keep others waiting until the lease ends.
        """
        self._stopping = True
        self._due.set()
        if self._loop:
            await asyncio.gather(self._loop, return_exceptions=True)
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _run(self) -> None:
        while not self._stopping:
            self._due.clear()
            try:
                if not await self._round():
                    await self._rest(await self._until())
            except Exception as error:  # noqa: BLE001 - whatever the database has, it is asked again
                log.warning("could_not_look_for_work", who=self._name, error=type(error).__name__, where=where(error))
                await self._rest(None)

    async def _round(self) -> bool:
        """Whether there was anything to do, so that there may be more."""
        room = AT_ONCE - len(self._working)
        if room <= 0:
            await asyncio.wait(self._working, return_when=asyncio.FIRST_COMPLETED)
            return True
        taken = await self._take(room)
        self._looked = time.monotonic()
        for each in taken:
            task = asyncio.create_task(self._carry(each), name=self._named(each))
            self._working.add(task)
            task.add_done_callback(self._done)
        return bool(taken)

    def _done(self, task: asyncio.Task[None]) -> None:
        """What could not even be written down is taken up again when its lease ends."""
        self._working.discard(task)
        self._due.set()
        if not task.cancelled() and (error := task.exception()):
            log.error("work_not_noted", work=task.get_name(), error=type(error).__name__, where=where(error))

    async def _rest(self, until: datetime | None) -> None:
        """Until something becomes due, here or, as far as is known, anywhere."""
        left = self._longest if until is None else (until - now()).total_seconds()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(max(left, SHORT_REST), self._longest)):
                await self._due.wait()

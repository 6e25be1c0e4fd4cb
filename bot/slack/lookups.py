"""Answers that are kept for a while: one question is under way once at a time, however many wait for it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from bot.engine.people import CouldNotVerify

T = TypeVar("T")

MOST_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class _Kept:
    answer: Any
    until: float


class Lookups:
    """A cache with single flight. An answer that comes after the budget is kept all the same, for the next who asks."""

    def __init__(self, *, budget: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
        self._kept: dict[tuple[str, ...], _Kept] = {}
        self._asked: dict[tuple[str, ...], asyncio.Task[Any]] = {}

    async def get(self, key: tuple[str, ...], ask: Callable[[], Awaitable[T]], lasts: Callable[[T], float]) -> T:
        """The answer for `key`, kept for `lasts(answer)` seconds. Errors are not kept.

        Raises `CouldNotVerify` after the budget, and whatever `ask` raises.
        """
        kept = self._kept.get(key)
        if kept is not None and kept.until > self._clock():
            return cast("T", kept.answer)
        task = self._asked.get(key) or self._begin(key, ask, lasts)
        done, _ = await asyncio.wait({task}, timeout=self._budget)
        if not done:
            raise CouldNotVerify("timeout")
        if task.cancelled():
            raise CouldNotVerify("closing")
        return cast("T", task.result())

    def keep(self, key: tuple[str, ...], answer: Any, seconds: float) -> None:
        """Keep what was learned by the way."""
        if len(self._kept) >= MOST_KEPT:
            self._forget_old()
        self._kept[key] = _Kept(answer, self._clock() + seconds)

    async def close(self) -> None:
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(
        self, key: tuple[str, ...], ask: Callable[[], Awaitable[T]], lasts: Callable[[T], float]
    ) -> asyncio.Task[T]:
        async def run() -> T:
            answer = await ask()
            self.keep(key, answer, lasts(answer))
            return answer

        task = asyncio.create_task(run(), name=f"look up {' '.join(key)}")
        self._asked[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))
        return task

    def _ended(self, key: tuple[str, ...], task: asyncio.Task[Any]) -> None:
        self._asked.pop(key, None)
        if not task.cancelled():
            task.exception()  # seen here, since everybody who waited may have given up

    def _forget_old(self) -> None:
        now = self._clock()
        self._kept = {key: kept for key, kept in self._kept.items() if kept.until > now}
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()

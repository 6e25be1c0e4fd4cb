"""Runs authors' validators away from the bot's loop: a slow one makes its own answer late, and nobody else's."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from actions.kit.errors import AnswerError, Problem

T = TypeVar("T")

AT_ONCE = 64
"""Checks that may be under way; further ones wait their turn."""
AT_MOST = 60.0
"""Seconds after which a check is given up. Its thread may linger; it no longer counts."""


class NotCheckedError(Exception):
    """A check that did not end within `AT_MOST` (`too_slow`), or that asked the process to exit."""

    def __init__(self, *, too_slow: bool) -> None:
        super().__init__("too slow" if too_slow else "it asked the process to exit")
        self.too_slow = too_slow


class Validation:
    """Each check runs in a daemon thread of its own, so one that never ends keeps neither others nor the exit waiting."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(AT_ONCE)

    async def run(self, check: Callable[[], T]) -> T:
        """What `check` returns or raises. Raises `NotCheckedError`."""
        async with self._room:
            try:
                async with asyncio.timeout(AT_MOST):
                    return await _in_thread(check)
            except TimeoutError as error:
                raise NotCheckedError(too_slow=True) from error

    async def problems(self, check: Callable[[], object], *, within: float) -> tuple[Problem, ...]:
        """What `check` finds wrong; nothing where it takes longer than so many seconds, or breaks off."""
        try:
            async with asyncio.timeout(within):
                await self.run(check)
        except AnswerError as error:
            return tuple(error.problems)
        except (NotCheckedError, TimeoutError):
            pass
        return ()


def _in_thread(check: Callable[[], T]) -> "asyncio.Future[T]":
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        settle: Callable[[], None]
        try:
            settle = partial(ended.set_result, check())
        except Exception as error:  # noqa: BLE001 - raised again where the result is awaited
            settle = partial(ended.set_exception, error)
        except BaseException:  # noqa: BLE001 - an exit in a validator ends nothing but its check
            settle = partial(ended.set_exception, NotCheckedError(too_slow=False))
        with suppress(RuntimeError):  # the bot is gone; nobody waits any more
            loop.call_soon_threadsafe(lambda: None if ended.done() else settle())

    threading.Thread(target=contextvars.Context().run, args=(run,), name="validation", daemon=True).start()
    return ended

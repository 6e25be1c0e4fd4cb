"""Waiting for what another loop, process or transaction brings about: a condition with a deadline, never a sleep for luck."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

LOOK_EVERY = 0.02


async def until(reached: Callable[[], Awaitable[T | None]], what: str, *, timeout: float = 10.0) -> T:
    """The first result that is there; fails when time is up."""
    deadline = time.monotonic() + timeout
    while True:
        found = await reached()
        if found:
            return found
        assert time.monotonic() < deadline, f"waited {timeout:g} s for {what}"
        await asyncio.sleep(LOOK_EVERY)

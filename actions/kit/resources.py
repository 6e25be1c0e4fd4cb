"""What a team opens once at start-up and every action uses: clients, pools, credentials."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from inspect import isasyncgenfunction, signature
from typing import Any

OPENS_WITHIN = 60.0
"""Seconds in which all set-up functions must have reached their `yield`; the bot does not start before."""

SetUpFunction = Callable[[], AsyncIterator[Any]]


class Lent:
    """What the bot itself lends to actions: found by its type like a team's own, and not named among those."""


class ResourcesError(Exception):
    """A set-up function that failed, or is not one. `function` names it with its module."""

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(f"the resources of {function}: {reason}")
        self.function = function
        self.reason = reason


@dataclass(frozen=True, eq=False)
class SetUp:
    """A set-up function; `open()` runs it up to its `yield` and, on leaving, to its end."""

    function: SetUpFunction

    @property
    def name(self) -> str:
        return _name(self.function)

    def open(self) -> AbstractAsyncContextManager[Any]:
        return asynccontextmanager(self.function)()


def resources(function: SetUpFunction) -> SetUp:
    """Mark a set-up function: an async generator without arguments that yields once, one object or several.

    It runs on the actions' own loop, before the first action, and goes on after the last; put what closes things into
    a `finally`. Actions find what it yields by type: `ctx.resource(Ledger)`. Raises `ResourcesError` for any other function.
    """
    if not isasyncgenfunction(function):
        raise ResourcesError(_name(function), "write `async def NAME() -> AsyncIterator[...]:` with one `yield`")
    if signature(function).parameters:
        raise ResourcesError(_name(function), "it takes no arguments; read what it needs from the environment")
    return SetUp(function)


def _name(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}" if hasattr(function, "__qualname__") else repr(function)


@asynccontextmanager
async def opened(set_ups: Sequence[SetUp]) -> AsyncIterator[tuple[object, ...]]:
    """Open every set-up function in order, close them in reverse. Raises `ResourcesError` with the one that failed."""
    async with AsyncExitStack() as stack:
        found: list[object] = []
        until = asyncio.get_running_loop().time() + OPENS_WITHIN
        for set_up in set_ups:
            found += _several(await _enter(stack, set_up, until))
        yield tuple(found)


async def _enter(stack: AsyncExitStack, set_up: SetUp, until: float) -> Any:
    limit = asyncio.timeout_at(until)
    try:
        async with limit:
            return await stack.enter_async_context(set_up.open())
    except Exception as error:
        too_slow = f"it did not reach its `yield` within {OPENS_WITHIN:g} seconds"
        reason = too_slow if limit.expired() else f"{type(error).__name__}: {error}"
        raise ResourcesError(set_up.name, reason) from error


def _several(yielded: Any) -> Sequence[object]:
    if yielded is None:
        return ()
    return yielded if isinstance(yielded, list | tuple) else (yielded,)

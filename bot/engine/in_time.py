"""What an acknowledgement waits for: a check within its time, and then the commit, however long that takes.

Whoever is told that something was taken can rely on it; of a check that takes longer they are told that it goes on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from bot.engine.facts import Budget
from bot.engine.results import Checking
from bot.engine.tasks import OwnedTasks

Checked = TypeVar("Checked")
End = TypeVar("End")


async def in_time(
    check: Coroutine[Any, Any, Checked],
    store: Callable[[Checked], Awaitable[End]],
    *,
    tasks: OwnedTasks,
    budget: Budget,
) -> End | Checking[End]:
    """What `store` makes of what `check` found. Once begun, both are seen to their end, whoever is still waiting."""
    checked = asyncio.Event()

    async def both() -> End:
        try:
            found = await check
        finally:
            checked.set()
        return await store(found)

    task = tasks.spawn(both(), "a check")
    with suppress(TimeoutError):
        async with asyncio.timeout(budget.left):
            await checked.wait()
    return await asyncio.shield(task) if checked.is_set() else Checking(asyncio.shield(task))

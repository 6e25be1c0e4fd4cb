"""The end of the publisher: it stops whatever happens in the same instant, and keeps what it has leased."""

import asyncio
from datetime import datetime
from typing import Any, cast

import pytest

from bot.slack.publisher import Publisher


class NothingDue:
    """A store whose copies are all up to date."""

    def __init__(self) -> None:
        self.asked = 0
        self.was_asked = asyncio.Event()

    async def take_copies(self, **_: Any) -> tuple[()]:
        self.asked += 1
        self.was_asked.set()
        return ()

    async def next_copy(self, _now: datetime) -> None:
        """Nor will any be due."""


def publisher_of(store: NothingDue, due: asyncio.Event) -> Publisher:
    return Publisher(
        cast("Any", store), cast("Any", None), cast("Any", None), cast("Any", None), due=due, owner="tested"
    )


@pytest.mark.parametrize("steps", range(6))
async def test_it_stops_even_when_something_becomes_due_in_the_same_instant(steps: int):
    store, due = NothingDue(), asyncio.Event()
    publisher = publisher_of(store, due)
    publisher.start()
    await store.was_asked.wait()
    await asyncio.sleep(0)
    due.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(2):
        await publisher.stop()


async def test_it_asks_for_nothing_more_once_it_is_told_to_stop():
    store, due = NothingDue(), asyncio.Event()
    publisher = publisher_of(store, due)
    publisher.start()
    await store.was_asked.wait()
    await publisher.stop()
    asked = store.asked
    due.set()
    for _ in range(10):
        await asyncio.sleep(0)
    assert store.asked == asked

"""Waiting for a change: told at once, found by looking, given up in time."""

import asyncio

from bot.engine.changes import Changes


async def test_a_change_that_is_told_is_looked_at_at_once():
    changes, seen = Changes(), [0]

    async def look() -> int:
        return seen[0]

    waiting = asyncio.create_task(changes.until("r", look, lambda found: found == 1, seconds=60))
    await asyncio.sleep(0)
    seen[0] = 1
    changes.tell("another")
    changes.tell("r")
    async with asyncio.timeout(0.5):
        assert await waiting == 1
    assert changes._waiting == {}


async def test_a_change_that_happens_while_it_looks_is_not_missed():
    changes, looks = Changes(), 0

    async def look() -> int:
        nonlocal looks
        looks += 1
        if looks == 1:
            changes.tell("r")
        return looks

    async with asyncio.timeout(0.5):
        assert await changes.until("r", look, lambda found: found == 2, seconds=60) == 2


async def test_it_is_as_it_is_when_the_time_is_up_or_the_process_stops():
    changes = Changes()

    async def look() -> int:
        return 0

    assert await changes.until("r", look, bool, seconds=0.01) == 0
    waiting = [asyncio.create_task(changes.until(run, look, bool, seconds=60)) for run in "abc"]
    await asyncio.sleep(0)
    changes.close()
    async with asyncio.timeout(0.5):
        assert await asyncio.gather(*waiting) == [0, 0, 0]

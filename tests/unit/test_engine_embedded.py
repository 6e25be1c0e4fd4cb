"""The embedded engine: a queue that is fed after the commit, and a bound on what executes at once."""

import asyncio

from actions.kit.records.runs import Wake
from bot.engine.engine import EmbeddedEngine


async def test_wakes_that_came_before_the_start_are_kept_and_executed_in_order():
    engine, executed = EmbeddedEngine(), []

    async def execute(wake: Wake) -> None:
        executed.append(wake.run_id)

    for name in ("a", "b", "c"):
        engine.wake(Wake(name, 1))
    await engine.start(execute)
    await engine.stop(1.0)
    assert executed == ["a", "b", "c"]


async def test_a_wake_that_is_queued_already_is_not_queued_again():
    engine, executed = EmbeddedEngine(), []

    async def execute(wake: Wake) -> None:
        executed.append(wake)

    for _ in range(5):
        engine.wake(Wake("a", 1))
    engine.wake(Wake("a", 2))
    await engine.start(execute)
    await engine.stop(1.0)
    assert executed == [Wake("a", 1), Wake("a", 2)]


async def test_no_more_execute_at_once_than_there_are_places():
    engine, gate = EmbeddedEngine(concurrency=2), asyncio.Event()
    begun: list[str] = []

    async def execute(wake: Wake) -> None:
        begun.append(wake.run_id)
        await gate.wait()

    await engine.start(execute)
    for name in ("a", "b", "c"):
        engine.wake(Wake(name, 1))
    await asyncio.sleep(0)
    assert begun == ["a", "b"]
    assert not engine.reserve()
    gate.set()
    await engine.stop(1.0)


async def test_a_released_place_is_taken_by_what_waits():
    engine, executed = EmbeddedEngine(concurrency=1), asyncio.Event()

    async def execute(wake: Wake) -> None:
        executed.set()

    await engine.start(execute)
    assert engine.reserve()
    engine.wake(Wake("a", 1))
    await asyncio.sleep(0)
    assert not executed.is_set()
    engine.release()
    await asyncio.wait_for(executed.wait(), 1.0)
    await engine.stop(1.0)


async def test_an_execution_that_breaks_off_gives_its_place_back():
    engine, executed, both = EmbeddedEngine(concurrency=1), [], asyncio.Event()

    async def execute(wake: Wake) -> None:
        executed.append(wake.run_id)
        if len(executed) == 2:
            both.set()
        raise ValueError("the database went away")

    await engine.start(execute)
    engine.wake(Wake("a", 1))
    engine.wake(Wake("b", 1))
    await asyncio.wait_for(both.wait(), 5.0)
    await engine.stop(1.0)
    assert engine._free == 1


async def test_stopping_takes_nothing_new_and_cancels_what_takes_too_long():
    engine, executed, cancelled = EmbeddedEngine(concurrency=1), [], []

    async def execute(wake: Wake) -> None:
        executed.append(wake.run_id)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(wake.run_id)
            raise

    await engine.start(execute)
    engine.wake(Wake("a", 1))
    engine.wake(Wake("b", 1))
    await asyncio.sleep(0)
    await engine.stop(0.01)
    assert (executed, cancelled) == (["a"], ["a"])

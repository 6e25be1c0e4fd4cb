"""Whatever an action does to its loop, the bot's loop, the other actions and the process go on."""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

import pytest

from actions import Context
from actions.kit.records.outcomes import Outcome, Raised, Returned, Stopped
from actions.kit.records.runs import Failure
from actions.kit.resources import ResourcesError
from bot.engine import host as host_module
from bot.engine.host import ActionsHost
from bot.engine.running import Job, LoopLostError
from tests.authors import execute_once, executing


@asynccontextmanager
async def no_resources() -> AsyncIterator[tuple[object, ...]]:
    yield ()


def job(work: Any, *, limit: float = 5.0, action: str = "an_action", run: str = "run-1", module: str = __name__) -> Job:
    return Job(action_id=action, run_id=run, module=module, time_limit=timedelta(seconds=limit), work=work)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {
        "WATCH_EVERY": 0.02,
        "BLOCKED_AFTER": 0.15,
        "MOVE_ON_AFTER": 0.3,
        "STOP_GRACE": 0.6,
        "LAST_WORDS": 0.4,
    }.items():
        monkeypatch.setattr(host_module, name, seconds)


def action_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("actions-")]


@asynccontextmanager
async def hosting(resources: Any = no_resources, *, ends: bool = True) -> AsyncIterator[ActionsHost]:
    host = ActionsHost(resources)
    await host.start()
    try:
        yield host
    finally:
        assert await host.stop(grace=1.0)
        await until(lambda: not action_threads())


async def outcome(host: ActionsHost, wanted: Job) -> Outcome:
    return await host.outcome(host.submit(wanted))


async def until(condition: Any, *, within: float = 5.0) -> None:
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110 - threads end without telling a loop
            await asyncio.sleep(0.005)


async def returns(resources: Any) -> Outcome:
    return Returned(output="1")


async def spins(resources: Any) -> Outcome:
    while True:
        pass


async def test_an_action_runs_in_a_thread_of_its_own():
    async def where(resources: Any) -> Outcome:
        return Returned(output=threading.current_thread().name)

    async with hosting() as host:
        assert await outcome(host, job(where)) == Returned(output="actions-1")


async def test_many_actions_run_side_by_side():
    together = []
    all_here = asyncio.Event()

    async def meets(resources: Any) -> Outcome:
        together.append(1)
        if len(together) == 100:
            all_here.set()
        await all_here.wait()
        return Returned(output="1")

    async with hosting() as host:
        ended = await asyncio.gather(*(outcome(host, job(meets, run=f"run-{number}")) for number in range(100)))
    assert ended == [Returned(output="1")] * 100


async def test_an_action_that_spins_for_ever_fails_by_its_time_limit_and_its_thread_ends():
    async with hosting() as host:
        ended = await outcome(host, job(spins, limit=0.4, action="spinner"))
        assert isinstance(ended, Raised)
        assert ended.failure.kind == "time_limit"
        assert "1 second" in ended.failure.message
        await until(lambda: "actions-1" not in action_threads())
        assert host.blocked() is None


async def test_a_spinning_action_never_keeps_the_bots_loop_waiting():
    worst = 0.0
    async with hosting() as host:
        running = asyncio.create_task(outcome(host, job(spins, limit=0.8)))
        while not running.done():
            before = time.perf_counter()
            await asyncio.sleep(0)
            worst = max(worst, time.perf_counter() - before)
            await asyncio.sleep(0.002)
    assert worst < 0.25


async def test_a_blocked_loop_is_noticed_by_name():
    async with hosting() as host:
        running = asyncio.create_task(outcome(host, job(spins, limit=0.5, action="hog")))
        await until(lambda: host.blocked() == "hog")
        ended = await running
        assert isinstance(ended, Raised)
        assert "blocked its thread (test_engine_host.py, line " in ended.failure.message


async def test_the_culprit_is_told_from_the_others_on_its_loop():
    async def child_blocks(resources: Any) -> Outcome:
        async def block() -> None:
            time.sleep(0.4)  # noqa: ASYNC251 - the fault under test

        await asyncio.create_task(block())
        return Returned(output="1")

    async def waits(resources: Any) -> Outcome:
        await asyncio.sleep(0.3)
        return Returned(output="2")

    async with hosting() as host:
        waiting = asyncio.create_task(outcome(host, job(waits, action="patient", module="elsewhere")))
        await asyncio.sleep(0.05)
        blocking = asyncio.create_task(outcome(host, job(child_blocks, action="hog")))
        await until(lambda: host.blocked() is not None)
        assert host.blocked() == "hog"
        assert await waiting == Returned(output="2")
        assert await blocking == Returned(output="1")


@pytest.mark.parametrize("number", range(4))
async def test_the_culprit_is_told_from_other_runs_of_the_same_action(number: int):
    async def body(ctx: Context) -> None:
        if ctx.run_id == f"run-{number}":
            await asyncio.sleep(0.05)
            time.sleep(0.4)  # noqa: ASYNC251 - the fault under test
        await asyncio.sleep(0.3)

    action = executing(body)
    told: list[str] = []

    async def look() -> None:
        await until(lambda: host.blocked() is not None)
        told.extend(job.run_id for job in host._culprits.values() if job is not None)

    async with hosting() as host:
        jobs = [
            job(lambda _, run=f"run-{each}": execute_once(action, run_id=run), run=f"run-{each}") for each in range(4)
        ]
        _, *ended = await asyncio.gather(look(), *(outcome(host, each) for each in jobs))
    assert told == [f"run-{number}"]
    assert ended == [Returned(output="null")] * 4


async def test_a_new_action_does_not_wait_behind_a_blocked_one():
    async with hosting() as host:
        blocked = asyncio.create_task(outcome(host, job(spins, limit=1.5, action="hog")))
        await until(lambda: host.blocked() == "hog")
        assert await outcome(host, job(returns, action="quick")) == Returned(output="1")
        assert not blocked.done()
        await blocked


async def test_others_on_a_spinning_loop_go_on_once_it_was_interrupted():
    async def waits(resources: Any) -> Outcome:
        await asyncio.sleep(0.2)
        return Returned(output="2")

    async with hosting() as host:
        waiting = asyncio.create_task(outcome(host, job(waits, action="patient", limit=0.3, module="elsewhere")))
        await asyncio.sleep(0.02)
        ended = await outcome(host, job(spins, limit=0.6, action="hog"))
        assert isinstance(ended, Raised)
        assert await waiting == Returned(output="2")


async def test_others_on_a_loop_that_never_comes_back_are_lost_and_stopped_when_it_does():
    release = threading.Event()
    went_on = []

    async def blocks(resources: Any) -> Outcome:
        release.wait(20)
        return Returned(output="1")

    async def waits(resources: Any) -> Outcome:
        await asyncio.sleep(0.1)
        went_on.append(1)
        return Returned(output="2")

    async with hosting() as host:
        waiting = asyncio.create_task(outcome(host, job(waits, action="patient", module="elsewhere")))
        await asyncio.sleep(0.02)
        ended = await outcome(host, job(blocks, limit=0.3, action="hog"))
        assert isinstance(ended, Raised)
        assert ended.failure.kind == "time_limit"
        with pytest.raises(LoopLostError):
            await waiting
        assert await outcome(host, job(returns)) == Returned(output="1")
        release.set()
        await until(lambda: host.blocked() is None)
    assert went_on == []


async def test_an_exit_in_a_child_task_ends_neither_the_thread_nor_another_action():
    async def exits(resources: Any) -> Outcome:
        async def leave() -> None:
            sys.exit(3)

        child = asyncio.create_task(leave())
        await asyncio.wait({child})
        child.exception()
        return Returned(output="1")

    async def waits(resources: Any) -> Outcome:
        await asyncio.sleep(0.1)
        return Returned(output="2")

    async with hosting() as host:
        waiting = asyncio.create_task(outcome(host, job(waits)))
        assert await outcome(host, job(exits)) == Returned(output="1")
        assert await waiting == Returned(output="2")
        assert await outcome(host, job(returns)) == Returned(output="1")


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
async def test_an_exit_of_the_action_itself_is_its_failure(error: type[BaseException]):
    async def exits(resources: Any) -> Outcome:
        raise error

    async with hosting() as host:
        ended = await outcome(host, job(exits))
        assert isinstance(ended, Raised)
        assert ended.failure.kind == error.__name__
        assert await outcome(host, job(returns)) == Returned(output="1")


async def test_an_action_past_its_time_limit_is_stopped():
    stopped = []

    async def sleeps(resources: Any) -> Outcome:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append(1)
            raise
        return Returned(output="1")

    async with hosting() as host:
        ended = await outcome(host, job(sleeps, limit=0.05))
    assert isinstance(ended, Raised)
    assert ended.failure == Failure(
        kind="time_limit",
        message="It ran longer than its time limit of 1 second and was stopped.",
        advice="Raise the action's time_limit, or find out what it waits for.",
    )
    assert stopped == [1]


async def test_an_action_that_ignores_being_stopped_is_failed_all_the_same():
    release = threading.Event()

    async def ignores(resources: Any) -> Outcome:
        while not release.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue
        return Returned(output="1")

    async with hosting() as host:
        ended = await outcome(host, job(ignores, limit=0.05))
        assert isinstance(ended, Raised)
        assert "did not stop when it was told to" in ended.failure.message
        release.set()


async def test_what_an_action_returned_while_it_was_being_stopped_counts():
    async def finishes(resources: Any) -> Outcome:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return Returned(output="1")
        raise AssertionError

    async with hosting() as host:
        assert await outcome(host, job(finishes, limit=0.05)) == Returned(output="1")


async def test_an_action_can_be_stopped_from_outside():
    async def sleeps(resources: Any) -> Outcome:
        await asyncio.sleep(60)
        return Returned(output="1")

    async with hosting() as host:
        running = host.submit(job(sleeps))
        running.stop()
        assert await host.outcome(running) == Stopped()


async def test_resources_are_opened_and_closed_by_one_task_of_the_actions_loop():
    seen = []

    @asynccontextmanager
    async def resources() -> AsyncIterator[str]:
        seen.append(("open", threading.current_thread().name, asyncio.current_task()))
        yield "a client"
        seen.append(("close", threading.current_thread().name, asyncio.current_task()))

    async def uses(opened: Any) -> Outcome:
        return Returned(output=opened)

    async with hosting(resources) as host:
        assert await outcome(host, job(uses)) == Returned(output="a client")
    assert [(what, thread) for what, thread, _ in seen] == [("open", "actions-1"), ("close", "actions-1")]
    assert seen[0][2] is seen[1][2]


async def test_an_action_that_cancels_every_task_of_its_loop_closes_no_resources():
    closed: list[str] = []

    @asynccontextmanager
    async def kept_open() -> AsyncIterator[tuple[object, ...]]:
        yield ()
        closed.append("closed")

    async def cancels_everything(_: Any) -> Outcome:
        for task in asyncio.all_tasks():
            task.cancel()
        await asyncio.sleep(5)
        return Returned("never")

    async def looks(_: Any) -> Outcome:
        await asyncio.sleep(0)
        return Returned(str(closed))

    async with hosting(kept_open) as host:
        assert await outcome(host, job(cancels_everything)) == Stopped()
        assert await outcome(host, job(looks)) == Returned("[]")
    assert closed == ["closed"]


async def test_resources_that_cannot_be_opened_end_the_start_with_their_own_error():
    @asynccontextmanager
    async def resources() -> AsyncIterator[str]:
        if threading.current_thread().name.startswith("actions-"):
            raise ValueError("no credentials")
        yield ""

    host = ActionsHost(resources)
    with pytest.raises(ValueError, match="no credentials"):
        await host.start()
    await until(lambda: not action_threads())


async def test_resources_that_block_their_thread_end_the_start_with_the_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(host_module, "OPENING", 0.2)
    held = threading.Event()

    @asynccontextmanager
    async def blocking() -> AsyncIterator[tuple[object, ...]]:
        while not held.wait(0.01):
            pass
        yield ()

    with pytest.raises(ResourcesError, match=r"it blocks its thread \(\w+\.py, line \d+\)"):
        await ActionsHost(blocking).start()
    held.set()
    await until(lambda: not action_threads())


async def test_resources_that_cannot_be_opened_again_fail_the_execution_and_are_tried_anew():
    opened = []
    gate = threading.Event()

    def resources() -> AbstractAsyncContextManager[Any]:
        opened.append(1)
        return broken() if len(opened) == 2 else no_resources()

    @asynccontextmanager
    async def broken() -> AsyncIterator[str]:
        if await asyncio.to_thread(gate.wait, 10):
            raise ValueError("no route")
        yield ""

    async with hosting(resources) as host:
        blocked = asyncio.create_task(outcome(host, job(spins, limit=1.0)))
        await until(lambda: len(opened) == 2)
        waiting = host.submit(job(returns))
        gate.set()
        failed = await host.outcome(waiting)
        assert isinstance(failed, Raised)
        assert failed.failure == Failure(kind="resources", message="The resources could not be opened: no route")
        assert await outcome(host, job(returns)) == Returned(output="1")
        await blocked


async def test_nothing_of_the_callers_context_reaches_the_action():
    secret: ContextVar[str] = ContextVar("secret", default="nothing")

    async def looks(resources: Any) -> Outcome:
        return Returned(output=secret.get())

    secret.set("something")
    async with hosting() as host:
        assert await outcome(host, job(looks)) == Returned(output="nothing")


async def test_stopping_the_host_stops_what_still_runs():
    async def sleeps(resources: Any) -> Outcome:
        await asyncio.sleep(60)
        return Returned(output="1")

    async with hosting() as host:
        ended = asyncio.create_task(outcome(host, job(sleeps)))
        await asyncio.sleep(0.02)
    assert await ended == Stopped()

"""Checks off the loop, tasks with an owner, and sweeps on a schedule."""

import asyncio
import threading
import time

import pytest
import structlog
from structlog.testing import LogCapture

from bot.engine import offloop, sweeps
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.sweeps import Sweeps
from bot.engine.tasks import OwnedTasks


async def test_a_check_runs_beside_the_loop_and_returns_or_raises_as_it_would():
    validation = Validation()
    assert await validation.run(lambda: threading.current_thread() is threading.main_thread()) is False
    with pytest.raises(ValueError, match="gone"):
        await validation.run(lambda: int("gone"))


async def test_an_exit_in_a_check_is_a_failed_check():
    def leaves() -> None:
        raise SystemExit(3)

    with pytest.raises(NotCheckedError, match="exit"):
        await Validation().run(leaves)


async def test_a_slow_check_keeps_neither_the_loop_nor_other_checks_waiting():
    validation, gate = Validation(), threading.Event()
    slow = asyncio.create_task(validation.run(lambda: gate.wait(10)))
    await asyncio.sleep(0)
    began = time.perf_counter()
    assert await validation.run(lambda: 1) == 1
    assert time.perf_counter() - began < 1
    gate.set()
    assert await slow


async def test_a_check_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(offloop, "AT_MOST", 0.02)
    gate = threading.Event()
    with pytest.raises(NotCheckedError):
        await Validation().run(lambda: gate.wait(10))
    gate.set()


async def test_draining_waits_for_work_and_for_what_it_starts_meanwhile():
    tasks, done = OwnedTasks(), []

    async def second() -> None:
        await asyncio.sleep(0.01)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0.01)
        tasks.spawn(second(), "second")
        done.append("first")

    tasks.spawn(first(), "first")
    await tasks.drain(5.0)
    assert done == ["first", "second"]


async def test_draining_cancels_what_takes_too_long_and_hears_of_errors(monkeypatch: pytest.MonkeyPatch):
    heard = LogCapture()
    monkeypatch.setattr("bot.engine.tasks.log", structlog.wrap_logger(structlog.PrintLogger(), processors=[heard]))
    tasks = OwnedTasks()

    async def fails() -> None:
        raise ValueError("unheard")

    never = tasks.spawn(asyncio.sleep(60), "never")
    tasks.spawn(fails(), "fails")
    await tasks.drain(0.01)
    assert never.cancelled()
    assert [each["event"] for each in heard.entries] == ["background_work_failed"]


class Counting:
    """A runner whose sweeps only count, and one of which fails."""

    def __init__(self) -> None:
        self.expiries = 0
        self.recoveries = 0

    async def expire(self) -> int:
        self.expiries += 1
        raise ValueError("the database went away")

    async def pace(self) -> None:
        return

    async def turn_absences(self) -> None:
        return

    async def end_grants(self) -> None:
        """No grant is past its end."""

    async def recover(self) -> None:
        self.recoveries += 1

    async def forget(self) -> None:
        """Nothing is old enough."""

    async def tell(self) -> None:
        """Nothing is due."""


async def test_sweeps_go_on_after_one_failed(monkeypatch: pytest.MonkeyPatch):
    for name in ("EXPIRY_EVERY", "RECOVERY_EVERY", "REPUBLISH_EVERY"):
        monkeypatch.setattr(sweeps, name, 0.02)
    runner, nudges = Counting(), []
    swept = Sweeps(runner, republish=lambda: nudges.append(1), digests=runner.tell)  # type: ignore[arg-type]
    swept.start()
    async with asyncio.timeout(10):
        while not (runner.expiries > 2 and runner.recoveries > 2 and len(nudges) > 2):  # noqa: ASYNC110 - counts only
            await asyncio.sleep(0.005)
    swept.stop()

"""The schedule ends quietly, whatever it is in the middle of."""

import asyncio
import logging
from typing import Any, cast

import pytest

from bot.engine import sweeps
from bot.engine.sweeps import Sweeps
from storage.transitions.recovery import WAKE_PATIENCE


class Sweeping:
    """A runner whose expiry never ends by itself."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.ended = asyncio.Event()

    async def expire(self) -> None:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()

    async def pace(self) -> None:
        return

    async def recover(self) -> None:
        return

    async def forget(self) -> None:
        return

    async def turn_absences(self) -> None:
        """Nobody is away."""

    async def end_grants(self) -> None:
        """No grant is past its end."""

    async def tell(self) -> None:
        return


async def test_stopping_in_the_middle_of_a_sweep_is_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(sweeps, "EXPIRY_EVERY", 0.02)
    runner = Sweeping()
    schedule = Sweeps(cast("Any", runner), republish=lambda: None, digests=runner.tell)
    schedule.start()
    await runner.began.wait()
    schedule.stop()
    await runner.ended.wait()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_run_that_was_started_at_the_command_line_is_taken_up_as_soon_as_that_command_says():
    assert WAKE_PATIENCE.total_seconds() + sweeps.RECOVERY_EVERY <= 5

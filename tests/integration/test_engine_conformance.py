"""What every engine must bear: it carries wake-ups, and the table carries the truth."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from actions import ActionInterrupt, Context
from actions.kit.records.runs import RunStatus, Wake
from bot.engine.results import Refusal, Settled
from storage.results import NewRun
from storage.transitions import runs
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, RITA, VIA, click, engine_room


def counting(passes: list[str]) -> Any:
    async def body(ctx: Context) -> str:
        passes.append(ctx.idempotency_key)
        if ctx.resumption is None:
            raise ActionInterrupt("Shall I?")
        return "done"

    return executing(body)


async def test_a_rollback_leaves_nothing(tmp_path: Path):
    passes: list[str] = []
    action = counting(passes)
    async with engine_room(tmp_path, action) as room:
        new = NewRun(action.id, action.name, RITA, VIA, "{}")
        now = room.clock.now()

        def breaks(transaction: Any) -> None:
            runs.start(transaction, runs.new_record(new, now), None, None)
            raise ValueError("after the insert")

        with pytest.raises(ValueError, match="after the insert"):
            await room.store._database.write("k", breaks, room.store._hand_over)
        card = await room.paused(action)
        assert await room.store.runs() == (card.run,)
    assert len(passes) == 1


async def test_of_five_racing_answers_over_two_processes_one_wins_and_resumes_once(tmp_path: Path):
    passes: list[str] = []
    action = counting(passes)
    async with engine_room(tmp_path, action) as one, engine_room(tmp_path, action) as two:
        card = await one.paused(action)
        rooms = [one, two, one, two, one]
        results = await asyncio.gather(
            *(
                room.runner.click(click(card, "approve", person))
                for room, person in zip(rooms, [ANN, BEN] * 3, strict=False)
            )
        )
        await one.ended(card.run)
        await one.runner.recover()
        await two.runner.recover()
    assert sum(isinstance(result, Settled) for result in results) == 1
    assert sum(isinstance(result, Refusal) for result in results) == 4
    assert len(passes) == 2


async def test_a_lost_wake_is_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    passes: list[str] = []
    action = counting(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        monkeypatch.setattr(room.store, "_on_wake", lambda wake: None)
        await room.runner.click(click(card, "approve"))
        monkeypatch.undo()
        assert (await room.runner.recover()).woken == ()
        room.clock.ahead = timedelta(seconds=6)
        assert (await room.runner.recover()).woken == (card.run.id,)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
    assert len(passes) == 2


async def test_doubled_stale_and_foreign_wakes_are_harmless(tmp_path: Path):
    passes: list[str] = []
    action = counting(passes)
    async with engine_room(tmp_path, action) as one, engine_room(tmp_path, action) as two:
        card = await one.paused(action)
        stale = Wake(card.run.id, card.run.epoch)
        settled = await one.runner.click(click(card, "approve"))
        assert isinstance(settled, Settled)
        current = Wake(card.run.id, settled.card.run.epoch)
        for room in (one, two):
            for wake in (stale, current, current, Wake("nothing", 1), Wake(card.run.id, 99)):
                room.engine.wake(wake)
        ended = await one.ended(card.run)
        for room in (one, two):
            room.engine.wake(current)
    assert ended.status is RunStatus.SUCCEEDED
    assert len(passes) == 2


async def test_what_was_queued_before_the_start_is_executed_after_it(tmp_path: Path):
    passes: list[str] = []
    action = counting(passes)
    async with engine_room(tmp_path, action) as room:
        await room.engine.stop(1.0)
        run = await room.begin(action)
        assert run.status is RunStatus.QUEUED
        assert passes == []
        await room.engine.start(room.runner._executor.execute)
        await room.asked(run)

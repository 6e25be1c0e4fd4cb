"""Killed at each seam, the next process finishes what was half done exactly once, or says that it cannot know."""

import asyncio
import sys
from pathlib import Path

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from bot.engine import executor
from bot.engine.results import Settled
from tests.integration.engine_room import ANN, Room, click, engine_room, order
from tests.integration.engine_victim import lines, victim

LONG_AFTER = executor.LEASE * 2


async def killed_at(place: Path, point: str, victim: str = "engine_victim") -> None:
    """Runs the victim until it says that it has reached the point, and kills it there."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"tests.integration.{victim}", str(place), point, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            while (line := await process.stdout.readline()) and line.decode().strip() != point:
                pass
        assert line, "it ended before it got there"
    finally:
        process.kill()
        await process.wait()


async def recovered(room: Room) -> RunRecord:
    room.clock.ahead = LONG_AFTER
    await room.runner.recover()
    (run,) = await room.store.runs()
    return run


async def test_killed_before_its_pause_it_pauses_once_and_goes_on(tmp_path: Path):
    await killed_at(tmp_path, "first pass")
    action = victim(tmp_path, "")
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        card = await room.asked(run)
        assert isinstance(await room.runner.click(click(card, "approve")), Settled)
        ended = await room.ended(run)
        assert await room.store.card(f"{run.id}.2") is None
    assert ended.status is RunStatus.SUCCEEDED
    assert (len(lines(tmp_path / "passes")), len(lines(tmp_path / "effects"))) == (3, 1)


async def test_killed_while_it_waits_it_still_takes_its_answer(tmp_path: Path):
    await killed_at(tmp_path, "paused")
    action = victim(tmp_path, "")
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        assert isinstance(await room.runner.click(click(await room.asked(run), "approve")), Settled)
        assert (await room.ended(run)).status is RunStatus.SUCCEEDED
    assert len(lines(tmp_path / "effects")) == 1


async def test_killed_between_the_decision_and_its_resume_it_resumes_once(tmp_path: Path):
    await killed_at(tmp_path, "answered")
    action = victim(tmp_path, "")
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        ended = await room.ended(run)
        card = await room.asked(run)
    assert ended.status is RunStatus.SUCCEEDED
    assert [decision.person for decision in card.decisions] == [ANN]
    assert len(lines(tmp_path / "effects")) == 1


@pytest.mark.parametrize(("point", "effects"), [("second pass", 0), ("effect", 1)])
async def test_killed_while_it_executes_after_an_answer_it_is_shown_as_stalled(tmp_path: Path, point, effects):
    await killed_at(tmp_path, point)
    action = victim(tmp_path, "")
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        stalled = await room.ended(run)
        assert stalled.status is RunStatus.STALLED
        assert len(lines(tmp_path / "effects")) == effects
        await room.runner.order(order(stalled, "run_again", ANN))
        assert (await room.ended(run, epoch=stalled.epoch + 1)).status is RunStatus.SUCCEEDED
    assert len(lines(tmp_path / "effects")) == effects + 1
    assert len(set(lines(tmp_path / "effects"))) == 1


async def test_killed_while_an_idempotent_action_executes_it_runs_again_with_the_same_key(tmp_path: Path):
    await killed_at(tmp_path, "effect")
    action = victim(tmp_path, "", idempotent=True)
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        assert (await room.ended(run)).status is RunStatus.SUCCEEDED
    assert len(lines(tmp_path / "effects")) == 2
    assert len(set(lines(tmp_path / "effects"))) == 1

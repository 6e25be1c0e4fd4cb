"""What a runner does when it opens: what was left behind is taken up at once, before any sweep."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from actions import ActionInterrupt, Context
from actions.kit.records.runs import Origin, RunRecord, RunStatus
from storage.database import Database
from storage.results import Lease, NewRun
from storage.store import Store
from tests.authors import executing
from tests.integration.engine_room import RITA, engine_room
from tests.sqlite import sqlite_in


async def _ask(ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Go on?")


async def _left_behind(place: Path, *, lease: Lease | None) -> RunRecord:
    """A run that another process stored half a minute ago, and may have begun."""
    new = NewRun("tried", "Tried", RITA, Origin(), "{}", None)
    async with Database(sqlite_in(place)) as database:
        return (await Store(database).start(new, lease=lease, now=datetime.now(UTC) - timedelta(seconds=30))).run


async def test_a_queued_run_whose_wake_died_with_its_process_is_executed_at_once(tmp_path: Path):
    run = await _left_behind(tmp_path, lease=None)
    async with engine_room(tmp_path, executing(_ask)) as room:
        await room.reaches(run, RunStatus.WAITING)


async def test_a_run_whose_lease_ended_with_its_process_is_taken_over_at_once(tmp_path: Path):
    run = await _left_behind(tmp_path, lease=Lease("dead", datetime.now(UTC) - timedelta(seconds=15)))
    async with engine_room(tmp_path, executing(_ask)) as room:
        await room.reaches(run, RunStatus.WAITING)

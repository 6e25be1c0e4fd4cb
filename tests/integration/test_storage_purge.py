"""Purging takes ended runs with everything of theirs, leaves everything else, and a row that says what it took."""

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, text

from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import Failure, RunStatus
from storage.database import Transaction
from storage.errors import DatabaseError
from storage.results import Purge, Purged
from storage.tables import Row, audit, copies, decisions, interrupts, purges, purging, runs
from tests.integration.scenes import ANA, BEN, HOUR, ME, NO, NOW, SECOND, Scene, new_run, two_of

LATER = NOW + timedelta(days=100)
OLD = NOW + timedelta(days=10)
REQUEST = Purge("p1", OLD, "command line")
BOOM = Failure(kind="ValueError", message="boom")


async def declined(scene: Scene, **values: Any) -> str:
    """A run that Ana declined, everything of which is shown."""
    interrupt = await scene.posted(**values)
    await scene.vote(interrupt.id, choice=NO)
    await shown(scene)
    return interrupt.run_id


async def shown(scene: Scene) -> None:
    """What is wanted stands in Slack, however long that takes at the pace of each place."""
    at = NOW
    while (due := await scene.store.next_copy(at)) is not None:
        at = due
        for copy in await scene.take(at):
            if copy.shown_version == 0:
                await scene.post(copy, at)
            else:
                await scene.store.copy_updated(copy.id, owner=ME, version=copy.wanted_version, now=at)


async def ended(scene: Scene, status: RunStatus) -> str:
    run = await scene.running()
    failure = BOOM if status in {RunStatus.FAILED, RunStatus.STALLED} else None
    await scene.store.finish(run.id, run.epoch, owner=ME, status=status, failure=failure, now=NOW)
    await shown(scene)
    return run.id


async def all_of_it(scene: Scene, request: Purge = REQUEST, limit: int = 100) -> Purged:
    while (chunk := await scene.store.purge(request, now=LATER, limit=limit)) != Purged():
        assert chunk is not None
    return await scene.store.purged(request.id)


async def rows(scene: Scene) -> dict[str, int]:
    """How many rows each table has."""

    def counted(connection: Connection) -> dict[str, int]:
        tables = Row.metadata.tables.items()
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one() for name, table in tables
        }

    return await scene.database.read(counted)


async def test_a_purged_run_is_gone_with_everything_of_it_and_a_row_says_how_many_and_until_when(scene: Scene):
    await declined(scene)
    await ended(scene, RunStatus.SUCCEEDED)
    before = await rows(scene)
    assert await scene.store.purgeable(OLD) == 2
    assert await all_of_it(scene) == Purged(runs=2, decisions=1, entries=before[audit.name])
    after = await rows(scene)
    assert {name for name, count in after.items() if count} <= {purges.name, "lanes"}

    def the_row(connection: Connection) -> Any:
        return connection.execute(select(purges)).one()

    row = await scene.database.read(the_row)
    assert (row.ended_before, row.began_at, row.via, row.runs) == (OLD, LATER, "command line", 2)


async def test_what_is_under_way_waits_or_is_an_open_question_stays(scene: Scene):
    kept = [
        (await scene.posted()).run_id,
        (await scene.running()).id,
        (await scene.store.start(new_run(), lease=None, now=NOW)).run.id,
        await ended(scene, RunStatus.STALLED),
    ]
    gone = await ended(scene, RunStatus.FAILED)
    assert await all_of_it(scene) == Purged(1, 0, 3)
    assert [await scene.store.run(run_id) is None for run_id in [*kept, gone]] == [False] * 4 + [True]


async def test_what_ended_since_stays(scene: Scene):
    run = await scene.running()
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=OLD)
    await shown(scene)
    assert await scene.store.purgeable(OLD) == 0
    assert await all_of_it(scene) == Purged()
    assert await scene.store.purgeable(OLD + SECOND) == 1


async def test_a_run_whose_requester_was_not_told_yet_stays(scene: Scene):
    run = await scene.running()
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    assert await all_of_it(scene) == Purged()
    assert await scene.copies(run.id, CopyKind.OUTCOME)


async def test_it_goes_in_chunks_that_are_counted_together(scene: Scene):
    for _ in range(5):
        await ended(scene, RunStatus.CANCELLED)
    first = await scene.store.purge(REQUEST, now=LATER, limit=2)
    assert first == Purged(2, 0, 6)
    assert await scene.store.purgeable(OLD) == 3
    assert await all_of_it(scene, limit=2) == Purged(5, 0, 15)
    assert (await rows(scene))[purges.name] == 1
    await ended(scene, RunStatus.CANCELLED)
    assert await all_of_it(scene, Purge("p2", OLD, "command line")) == Purged(1, 0, 3)
    assert (await rows(scene))[purges.name] == 2


async def test_a_run_that_is_not_purged_keeps_its_decisions_and_its_trail(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id)
    await declined(scene)
    trail = await scene.store.trail(interrupt.run_id)
    await all_of_it(scene)
    assert await scene.store.trail(interrupt.run_id) == trail
    assert len((await scene.card(interrupt.id)).decisions) == 1
    kept = await rows(scene)
    assert [kept[table.name] for table in (runs, interrupts, decisions, copies)] == [1, 1, 1, 2]


def execute(statement: str, transaction: Transaction) -> None:
    transaction.connection.execute(text(statement))


@pytest.mark.parametrize("statement", ["DELETE FROM audit", "UPDATE audit SET event = 'x'", "DELETE FROM purges"])
async def test_nothing_else_makes_the_audit_let_go(scene: Scene, statement: str):
    await ended(scene, RunStatus.CANCELLED)
    await all_of_it(scene)
    await declined(scene)
    with pytest.raises(DatabaseError, match="the audit only grows"):
        await scene.database.write("", partial(execute, statement))
    assert (await rows(scene))[purging.name] == 0


async def test_purges_and_answers_at_the_same_time_harm_each_other_in_nothing(scene: Scene):
    for _ in range(20):
        await ended(scene, RunStatus.CANCELLED)
    waiting = [await scene.posted() for _ in range(10)]

    async def purged(number: int) -> None:
        await all_of_it(scene, Purge(f"p{number}", OLD, "command line"), limit=3)

    await asyncio.gather(purged(1), purged(2), *(scene.vote(each.id, now=NOW + HOUR / 2) for each in waiting))
    taken = [await scene.store.purged(f"p{number}") for number in (1, 2)]
    assert sum(each.runs for each in taken) == 20
    assert [len((await scene.card(each.id)).decisions) for each in waiting] == [1] * 10

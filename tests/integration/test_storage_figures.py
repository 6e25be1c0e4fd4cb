"""How much there is and how late it is, as metrics and readiness ask it."""

from datetime import timedelta

import pytest

from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import RunStatus
from storage.errors import ClosedError
from storage.figures import examine
from tests.integration.scenes import HOUR, NOW, SECOND, Scene

NONE = timedelta()


async def test_runs_are_counted_by_state(scene: Scene):
    await scene.running()
    await scene.posted()
    await scene.posted()
    figures = await examine(scene.database, NOW)
    assert figures.runs == dict.fromkeys(RunStatus, 0) | {RunStatus.RUNNING: 1, RunStatus.WAITING: 2}
    assert (figures.pending, figures.undeliverable) == (2, 0)


async def test_an_empty_database_is_late_with_nothing(scene: Scene):
    figures = await examine(scene.database, NOW)
    assert (figures.sweep_lag, figures.publisher_lag, figures.copies_behind) == (NONE, NONE, 0)


async def test_the_oldest_deadline_that_has_passed_says_how_late_sweeps_are(scene: Scene):
    await scene.posted()
    await scene.posted(now=NOW + 10 * SECOND)
    assert (await examine(scene.database, NOW + HOUR - SECOND)).sweep_lag == NONE
    assert (await examine(scene.database, NOW + HOUR + 30 * SECOND)).sweep_lag == 30 * SECOND
    await scene.store.expire_due(now=NOW + 2 * HOUR)
    assert (await examine(scene.database, NOW + 2 * HOUR)).sweep_lag == NONE


async def test_a_message_that_nobody_takes_says_how_late_the_publisher_is(scene: Scene):
    await scene.asked()
    figures = await examine(scene.database, NOW + 300 * SECOND)
    assert (figures.copies_behind, figures.publisher_lag) == (1, 300 * SECOND)


async def test_a_message_that_waits_for_slack_is_not_late(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    again = NOW + 600 * SECOND
    await scene.store.copy_retry(copy.id, owner="this process", error="ratelimited", next_at=again, lane_until=again)
    figures = await examine(scene.database, NOW + 300 * SECOND)
    assert (figures.copies_behind, figures.publisher_lag) == (1, NONE)
    assert len(await scene.copies(interrupt.run_id, CopyKind.CARD)) == 1


async def test_examining_writes_nothing(scene: Scene):
    run = await scene.running()
    before = await scene.events(run.id)
    await examine(scene.database, NOW)
    assert await scene.events(run.id) == before


async def test_a_writer_that_is_gone_is_found_out(scene: Scene):
    assert scene.database._writer is not None
    scene.database._writer.close()
    with pytest.raises(ClosedError):
        await examine(scene.database, NOW)

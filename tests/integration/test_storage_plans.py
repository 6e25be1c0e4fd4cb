"""Questions stay cheap, however long the history: an index for what is asked every second, few statements for many rows."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects import sqlite

from storage import grant_queries, home_queries
from storage.database import Database
from storage.digests import DUE as DIGESTS_DUE
from storage.digests import WAITING
from storage.queries import BELOW, NEXT_COPY
from storage.steps import DUE as STEPS_DUE
from storage.transitions import deliveries, drafts, homes
from storage.transitions.deadlines import DUE
from storage.transitions.grant_ends import PAST
from storage.transitions.lanes import NEXT
from storage.transitions.recovery import FORGOTTEN, LAPSED
from tests.integration.scenes import ANA, BEN, NOW, Scene, two_of
from tests.sqlite import sqlite_in


def plan_of(statement: Any, connection: Connection) -> list[str]:
    compiled = statement.compile(
        dialect=sqlite.dialect(paramstyle="qmark"), compile_kwargs={"render_postcompile": True}
    )
    asked = f"EXPLAIN QUERY PLAN {compiled}"
    return [row[3] for row in connection.exec_driver_sql(asked, (None,) * asked.count("?"))]


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (DUE, "ix_interrupts_due (expires_at<?)"),
        (STEPS_DUE, "ix_steps_due (due_at<?)"),
        (DIGESTS_DUE, "ix_digests_due (next_at<?)"),
        (PAST, "ix_grants_open (until<?)"),
        (grant_queries.LIVE, "ix_grants_open (until>?)"),
        (WAITING, "ix_interrupts_due"),
        (BELOW, "ix_copies_channel (channel=? AND ts=?)"),
        (NEXT, "ix_copies_due (next_at<?)"),
        (NEXT_COPY, "ix_copies_due"),
        (LAPSED, "ix_runs_"),
        (FORGOTTEN, "ix_runs_"),
        (deliveries.NEXT, "ix_deliveries_due (next_at<?)"),
        (homes.NEXT, "ix_homes_due (next_at<?)"),
        (home_queries.NEXT_DUE, "ix_homes_due"),
        (home_queries.OPEN, "ix_interrupts_due"),
        (home_queries.SETTLED, "ix_interrupts_settled"),
        (home_queries.ANSWERED, "ix_decisions_person (person=?)"),
        (home_queries.PAGE_OPEN, "ix_runs_requester (requester=? AND ended_at=?)"),
        (home_queries.PAGE_ENDED, "ix_runs_requester (requester=? AND ended_at>?)"),
        (drafts.oldest(NOW, 100), "ix_drafts_kept_at (kept_at<?)"),
    ],
)
async def test_a_sweep_does_not_walk_through_what_is_over(tmp_path: Path, statement: Any, index: str):
    async with Database(sqlite_in(tmp_path)) as database:
        plan = await database.read(lambda connection: plan_of(statement, connection))
    assert any(f"INDEX {index}" in step for step in plan), plan


async def test_all_cards_that_wait_cost_as_many_statements_as_one(scene: Scene):
    said: list[str] = []
    ids = sorted([(await scene.asked(policy=two_of(ANA, BEN))).id for _ in range(5)])
    for each in ids:
        await scene.vote(each, ANA)

    def hear(*about: Any) -> None:
        said.append(about[2])

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        found = await scene.store.pending()
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    assert [card.interrupt.id for card in found] == ids
    assert [[decision.person for decision in card.decisions] for card in found] == [[ANA]] * 5
    assert all(card.run.id == card.interrupt.run_id for card in found)
    assert len([each for each in said if "FROM" in each]) == 3

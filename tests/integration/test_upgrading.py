"""A database of each earlier schema, with open questions in it, is migrated when the bot opens, and everything goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, insert, inspect, select, text

from actions import ActionInterrupt, Context, Person, Policy
from actions.kit.action import Action
from actions.kit.records.runs import RunStatus
from bot.engine.results import Counted, Settled
from storage.connections import make_engines
from storage.database import Database
from storage.schema import HEAD, MIGRATIONS, revision_of
from storage.store import Store
from storage.tables import grant_uses, grants
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, Room, click, engine_room, refused
from tests.integration.scenes import NOW, REQUESTER, Scene
from tests.integration.test_storage_grants import TERMS
from tests.postgresql import Cluster

REVISIONS = sorted(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
TABLES = ("runs", "interrupts", "decisions", "copies", "lanes", "audit")
COUNTED = "seq"
NewUrl = Callable[[str], str]


async def _ask(ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt("Go on?", state={"step": 1})
    return f"{ctx.resumption.state['step']} {ctx.resumption.choice}"


def asking(**options: Any) -> Action:
    return executing(_ask, **options)


def asking_two(**options: Any) -> Action:
    return asking(id="two", policy=Policy(deciders=(Person(ANN), Person(BEN)), quorum=2), **options)


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewUrl]:
    """Makes empty databases of one kind."""
    if request.param == "sqlite":
        yield lambda name: f"sqlite:///{tmp_path / name}.db"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    with cluster.database() as one, cluster.database() as other:
        yield {"today": one, "old": other}.__getitem__


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engines: tuple[Engine, Engine] = make_engines(url, readers=1)
    try:
        with engines[0].begin() as connection:
            yield connection
    finally:
        for engine in engines:
            engine.dispose()


def made_at(revision: str, url: str, like: str) -> None:
    """A database as the program of that revision left it, with as much of today's rows as it could hold."""
    with connected(url) as old, connected(like) as today:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = old
        command.upgrade(config, revision)
        assert revision_of(old) == revision
        for table in TABLES:
            fill(table, old, today)


def fill(table: str, old: Connection, today: Connection) -> None:
    columns = [each["name"] for each in inspect(old).get_columns(table) if each["name"] != COUNTED]
    there = {each["name"] for each in inspect(today).get_columns(table)}
    order = f" ORDER BY {COUNTED}" if COUNTED in there else ""
    rows = today.execute(text(f"SELECT {', '.join(columns)} FROM {table}{order}")).all()  # noqa: S608 - our own names
    values = ", ".join(f":{column}" for column in columns)
    for row in rows:
        old.execute(text(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"), dict(row._mapping))  # noqa: S608 - as above


async def as_it_was(url: str, place: Path) -> dict[str, str]:
    """One run in each state that an upgrade can find, by what it waits for."""
    async with engine_room(place, asking(), asking_two(), url=url) as room:
        half = await room.post(await room.paused(asking_two()))
        assert isinstance(await room.runner.click(click(half, "approve", ANN)), Counted)
        waiting = await room.post(await room.paused(asking()))
        answered = await room.post(await room.paused(asking()))
        gone = await room.begin(asking(), key="gone")
        await room.asked(gone)
        done = await room.post(await room.paused(asking()))
        assert isinstance(await room.runner.click(click(done, "approve")), Settled)
        await room.reaches(done.run, RunStatus.SUCCEEDED)
        room.engine._execute = None  # what is queued from here on stays queued
        assert isinstance(await room.runner.click(click(answered, "approve")), Settled)
        await room.reaches(answered.run, RunStatus.QUEUED)
    return {
        "half": half.run.id,
        "waiting": waiting.run.id,
        "answered": answered.run.id,
        "unposted": gone.id,
        "done": done.run.id,
    }


@pytest.mark.parametrize("revision", REVISIONS)
async def test_open_questions_of_an_earlier_schema_are_answered_after_the_upgrade(
    revision: str, new_url: NewUrl, tmp_path: Path
):
    today, old = new_url("today"), new_url("old")
    ids = await as_it_was(today, tmp_path)
    made_at(revision, old, like=today)
    async with engine_room(tmp_path, asking(), asking_two(), url=old) as room:
        room.clock.ahead = timedelta(seconds=10)
        await room.runner.recover()
        await succeeds(room, ids["answered"])
        for name in ("waiting", "unposted"):
            card = await room.store.latest_card(ids[name])
            assert card is not None
            assert isinstance(await room.runner.click(click(await room.post(card), "approve")), Settled)
            await succeeds(room, ids[name])
        half = await room.store.latest_card(ids["half"])
        assert half is not None
        assert "already answered" in refused(await room.runner.click(click(half, "approve", ANN)))
        assert isinstance(await room.runner.click(click(half, "approve", BEN)), Settled)
        await succeeds(room, ids["half"])
        before = await room.store.run(ids["done"])
        assert before is not None
        assert before.output == '"1 approve"'
        new = await room.post(await room.paused(asking()))
        assert isinstance(await room.runner.click(click(new, "approve")), Settled)
        await succeeds(room, new.run.id)
    with connected(old) as connection:
        assert revision_of(connection) == HEAD


async def succeeds(room: Room, run_id: str) -> None:
    run = await room.store.run(run_id)
    assert run is not None
    assert (await room.reaches(run, RunStatus.SUCCEEDED)).output == '"1 approve"'


async def test_of_standing_grants_that_were_over_before_the_upgrade_nobody_is_told(new_url: NewUrl):
    today, old, later = new_url("today"), new_url("old"), datetime.now(UTC) + timedelta(days=1)
    async with Database(today) as database:
        holds, used_up, revoked, past = [(await Scene(database).running()).id for _ in range(4)]
    made_at("0016", old, like=today)
    known = {
        "holder": REQUESTER,
        "action_id": "send",
        "terms": TERMS.model_dump_json(),
        "approved_by": "[]",
        "times": 2,
    }
    with connected(old) as connection:
        for run_id, more in (
            (holds, {"used": 1}),
            (used_up, {"used": 2}),
            (revoked, {"revoked_at": NOW, "revoked_by": ANN}),
            (past, {"until": NOW}),
        ):
            values = {"run_id": run_id, "granted_at": NOW, "until": later, "used": 0, **known, **more}
            connection.execute(insert(grants).values(values))
        connection.execute(insert(grant_uses).values(grant_id=used_up, run_id=past, number=2, at=NOW))
    async with Database(old) as database:
        store = Store(database)
        assert [each.id for each in await store.grants.live(now=NOW)] == [holds]
        assert await store.grants.end_past(now=later) == 1
    with connected(old) as connection:
        ended = {row.run_id: row.ended_at for row in connection.execute(select(grants))}
    assert ended == {holds: later, used_up: NOW, revoked: NOW, past: NOW}

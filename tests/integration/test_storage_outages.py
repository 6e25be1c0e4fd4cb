"""A database server that breaks connections, restarts, fills up or stays away: what was acknowledged is there, and it goes on."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest
from sqlalchemy import Connection, make_url, text

from actions.kit.records.runs import RunStatus
from storage.database import Database, Transaction
from storage.errors import DatabaseError
from storage.locks import hold, outcome
from storage.outages import Patience
from storage.results import Answered
from tests.integration.scenes import NOW, Scene, lease, new_run
from tests.integration.test_storage_database import Gate, batch, started, starting
from tests.integration.wires import Cut, Wire, a_wire
from tests.postgresql import Cluster, Server, a_server
from tests.waiting import until


@pytest.fixture
async def scene(postgresql_url: str) -> AsyncIterator[Scene]:
    async with Database(postgresql_url) as database:
        yield Scene(database)


@pytest.fixture(scope="module")
def server(cluster: Cluster) -> Iterator[Server]:
    """A server that a test may stop; `cluster` says whether there can be one at all."""
    with a_server(durable=True) as server:
        yield server


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    with a_wire(server.socket) as wire:
        yield wire


@pytest.fixture
def own_url(server: Server) -> Iterator[str]:
    with Cluster(server.url).database() as url:
        yield url


def backend(transaction: Transaction) -> int:
    return int(transaction.connection.execute(text("SELECT pg_backend_pid()")).scalar_one())


class Breaking:
    """A transition that loses its connection the first time it is tried."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.tries = cluster, 0

    def __call__(self, transaction: Transaction) -> str:
        self.tries += 1
        if self.tries == 1:
            self.cluster.execute(f"SELECT pg_terminate_backend({backend(transaction)}, 5000)")
        return starting("breaking")(transaction)


async def test_a_connection_lost_in_the_middle_of_a_batch_costs_nobody_anything(scene: Scene, cluster: Cluster):
    breaking = Breaking(cluster)
    results = await batch(scene.database, starting("a"), breaking, starting("b"))
    assert [type(result) for result in results] == [str] * 3
    assert breaking.tries == 2
    assert await started(scene) == ["a", "b", "breaking"]


async def test_connections_that_broke_while_nobody_used_them_are_not_noticed(scene: Scene, cluster: Cluster):
    await scene.running()
    await scene.store.runs()
    name = make_url(scene.database.where).database
    cluster.execute(
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"  # noqa: S608 -- our own name
    )
    await asyncio.gather(*(scene.store.runs() for _ in range(8)))
    await scene.running()
    assert len(await scene.store.runs()) == 2


@pytest.mark.parametrize("cut", Cut)
async def test_a_commit_that_nobody_confirmed_is_done_exactly_once(own_url: str, wire: Wire, cut: Cut):
    url = f"postgresql://postgres@127.0.0.1:{wire.port}/{make_url(own_url).database}"
    async with Database(url) as database:
        scene = Scene(database)
        interrupt = await scene.posted()
        before = database.commits
        wire.cut = cut
        assert isinstance(await scene.vote(interrupt.id), Answered)
        assert (wire.cuts, database.commits) == (1, before + 1)
        assert [(wake.run_id, wake.epoch) for wake in scene.wakes] == [(interrupt.run_id, 2)]
        events = await scene.events(interrupt.run_id)
        assert events == ["started", "paused", "posted", "voted", "interrupt answered"]
        wire.cut = cut
        assert (await scene.claimed()).run.claims == 1
        wire.cut = cut
        await scene.running()
        assert len(await scene.store.runs()) == 2
        assert (wire.cuts, database.commits) == (3, before + 3)


async def test_the_outcome_of_a_transaction_can_be_asked_for_later(scene: Scene):
    gate, receipts = Gate(), list[str | None]()

    def remember(transaction: Transaction) -> None:
        receipts.append(hold(transaction.connection, ["x"]))

    def ask(connection: Connection) -> list[str | None]:
        return [outcome(connection, receipt or "") for receipt in [*receipts, "123456789"]]

    def fail(transaction: Transaction) -> None:
        remember(transaction)
        raise LookupError("on purpose")

    def wait(transaction: Transaction) -> None:
        remember(transaction)
        gate(transaction)

    await scene.database.write("", remember)
    with pytest.raises(LookupError):
        await scene.database.write("", fail)
    waiting = asyncio.ensure_future(scene.database.write("", wait))
    await asyncio.to_thread(gate.reached.wait, 10)
    assert await scene.database.read(ask) == ["committed", "aborted", "in progress", None]
    gate.opened.set()
    await waiting
    assert (await scene.database.read(ask))[2] == "committed"


async def test_a_server_that_crashes_and_restarts_under_load_loses_nothing_that_was_acknowledged(
    own_url: str, server: Server
):
    acknowledged: list[str] = []
    stopping = asyncio.Event()

    async def start_one_after_the_other(scene: Scene) -> None:
        while not stopping.is_set():
            acknowledged.append((await scene.running()).id)

    async def more_than(count: int) -> bool:
        return len(acknowledged) > count

    database = Database(own_url)
    database._patience = Patience(60)
    async with database:
        scene = Scene(database)
        load = [asyncio.create_task(start_one_after_the_other(scene)) for _ in range(4)]
        for _ in range(2):
            await until(partial(more_than, len(acknowledged) + 40), "runs that were started")
            await asyncio.to_thread(server.stop, "immediate")
            await asyncio.to_thread(server.start)
        await until(partial(more_than, len(acknowledged) + 40), "runs that were started after it")
        stopping.set()
        await asyncio.gather(*load)
        there = [run.id for run in await scene.store.runs(limit=10_000)]
        assert sorted(there) == sorted(acknowledged)
        assert {(await scene.run(run)).status for run in acknowledged[::20]} == {RunStatus.RUNNING}


async def test_an_outage_that_lasts_is_told_in_words_and_ends_by_itself(own_url: str, server: Server):
    database = Database(own_url)
    database._patience = Patience(0.2)
    async with database:
        scene = Scene(database)
        await scene.running()
        await asyncio.to_thread(server.stop)
        for _ in range(2):
            with pytest.raises(DatabaseError, match=r"cannot be reached: .*; see that the server runs"):
                await scene.running()
            with pytest.raises(DatabaseError, match="cannot be reached"):
                await scene.store.runs()
        await asyncio.to_thread(server.start)
        await scene.running()
        assert len(await scene.store.runs()) == 2


async def test_a_process_that_freezes_in_a_commit_does_not_keep_others_for_long(postgresql_url: str):
    impatient = (
        f"{postgresql_url}{'&' if '?' in postgresql_url else '?'}options=-c%20idle_in_transaction_session_timeout=300ms"
    )
    async with Database(impatient) as frozen, Database(postgresql_url) as other:
        interrupt = await Scene(other).posted()
        gate = Gate()
        freezing = asyncio.ensure_future(frozen.write(interrupt.run_id, gate))
        await asyncio.to_thread(gate.reached.wait, 10)
        assert isinstance(await Scene(other).vote(interrupt.id), Answered)
        assert not freezing.done()
        gate.opened.set()
        await freezing


async def test_a_full_disk_loses_nothing_and_the_writer_goes_on_when_there_is_room(scene: Scene, cluster: Cluster):
    await scene.running()
    url = scene.database._url
    cluster.execute(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
        url,
    )
    cluster.execute("CREATE TRIGGER full_disk BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION full_disk()", url)
    results = await asyncio.gather(*(scene.running() for _ in range(5)), return_exceptions=True)
    assert all(isinstance(result, DatabaseError) and "no room left on its disk" in str(result) for result in results)
    cluster.execute("DROP TRIGGER full_disk ON runs", url)
    await scene.running()
    assert len(await scene.store.runs()) == 2


async def test_what_postgresql_cannot_keep_harms_no_neighbour(scene: Scene):
    whole, broken = await asyncio.gather(
        scene.store.start(new_run(), lease=lease(), now=NOW),
        scene.store.start(new_run(action_name="a\0b"), lease=lease(), now=NOW),
        return_exceptions=True,
    )
    assert isinstance(broken, DatabaseError)
    assert "NUL" in str(broken)
    assert [run.id for run in await scene.store.runs()] == [whole.run.id]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"database": "nowhere"}, "is not there; check the name"),
        ({"username": "nobody_known"}, "does not know this user; check the user"),
        ({"query": {"host": "/nowhere"}}, "cannot be reached: .*No such file"),
        ({"host": "127.0.0.1", "port": 1, "query": {}}, "cannot be reached: .*refused"),
    ],
)
def test_a_server_that_cannot_be_used_is_told_at_once_in_words(own_url: str, change: dict[str, object], words: str):
    url = make_url(own_url).set(**change)  # type: ignore[arg-type]
    with pytest.raises(DatabaseError, match=words):
        Database(url.render_as_string(hide_password=False)).open()


def test_a_database_that_cannot_hold_every_text_is_refused(cluster: Cluster):
    with (
        cluster.database(encoding="LATIN1") as url,
        pytest.raises(DatabaseError, match="holds text as LATIN1; make it"),
    ):
        Database(url).open()


def test_a_kind_of_database_that_the_bot_does_not_know_is_refused():
    with pytest.raises(DatabaseError, match="of a kind that the bot does not know; give DATABASE_URL as"):
        Database("mysql://bot@db/signoff").open()

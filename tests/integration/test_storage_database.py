"""The database itself: one writer that groups commits, errors in words, and a schema that is what the code says."""

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, NullPool, create_engine, inspect, make_url, text, update

from actions.kit.records.runs import Wake
from storage import schema, tables
from storage.database import Database, Transaction
from storage.errors import ClosedError, DatabaseError, SchemaError
from storage.results import Claimed, Started
from storage.transitions import executions, runs
from tests.integration.scenes import NOW, Scene, lease, new_run


class Gate:
    """Holds the writer's thread inside a transition, so that what comes meanwhile becomes one batch."""

    def __init__(self) -> None:
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, _: Transaction) -> None:
        self.reached.set()
        assert self.opened.wait(10)


async def batch(database: Database, *transitions: Callable[[Transaction], object]) -> list[object]:
    """The results, or errors, of transitions that stood in one batch."""
    gate = Gate()
    first = asyncio.ensure_future(database.write("", gate))
    await asyncio.to_thread(gate.reached.wait, 10)
    others = [asyncio.ensure_future(database.write(f"{n:03}", each)) for n, each in enumerate(transitions)]
    await asyncio.sleep(0)
    gate.opened.set()
    await first
    return list(await asyncio.gather(*others, return_exceptions=True))


def starting(name: str) -> Callable[[Transaction], str]:
    def start(transaction: Transaction) -> str:
        started = runs.start(transaction, runs.new_record(new_run(action_id=name), NOW), None, None)
        return started.run.id if started else ""

    return start


def note(seen: list[str], key: str, _: Transaction) -> None:
    seen.append(key)


def failing(transaction: Transaction) -> str:
    starting("lost")(transaction)
    raise LookupError("on purpose")


async def started(scene: Scene) -> list[str]:
    return sorted(run.action_id for run in await scene.store.runs())


async def test_what_is_queued_is_one_commit(scene: Scene):
    before = scene.database.commits
    await batch(scene.database, *(starting(f"a{n}") for n in range(50)))
    assert scene.database.commits == before + 2
    assert len(await started(scene)) == 50


async def test_a_batch_is_ordered_by_its_keys(scene: Scene):
    gate, seen = Gate(), list[str]()
    first = asyncio.ensure_future(scene.database.write("", gate))
    await asyncio.to_thread(gate.reached.wait, 10)
    keys = ["c", "a", "b", "a"]
    others = [asyncio.ensure_future(scene.database.write(key, partial(note, seen, key))) for key in keys]
    await asyncio.sleep(0)
    gate.opened.set()
    await asyncio.gather(first, *others)
    assert seen == sorted(keys)


async def test_an_item_that_fails_harms_no_neighbour_and_leaves_nothing(scene: Scene):
    results = await batch(scene.database, starting("a"), failing, starting("b"), failing)
    assert [type(result) for result in results] == [str, LookupError, str, LookupError]
    assert await started(scene) == ["a", "b"]


async def test_a_transition_that_fails_alone_leaves_nothing_and_wakes_nobody(scene: Scene):
    told: list[Transaction] = []
    with pytest.raises(LookupError):
        await scene.database.write("", failing, told.append)
    assert await started(scene) == []
    assert told == []


async def test_wakes_of_a_batch_that_was_redone_are_told_once(scene: Scene):
    told: list[int] = []
    gate = Gate()
    first = asyncio.ensure_future(scene.database.write("", gate))
    await asyncio.to_thread(gate.reached.wait, 10)
    others = [scene.database.write("a", starting("a"), lambda done: told.append(len(done.wakes)))]
    others += [scene.database.write("b", failing)]
    waiting = asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0)
    gate.opened.set()
    await asyncio.gather(first, waiting)
    assert told == [1]


async def test_a_transition_that_was_committed_unseen_finds_its_own_rows(scene: Scene):
    record = runs.new_record(new_run(), NOW)

    def start(transaction: Transaction) -> Started | None:
        return runs.start(transaction, record, None, None)

    def start_again(transaction: Transaction) -> Started | None:
        return start(replace(transaction, again=True))

    def claim(transaction: Transaction) -> Claimed | None:
        return executions.claim(transaction, Wake(record.id, 1), lease(), "this claim", NOW)

    assert await scene.database.write("", start) == await scene.database.write("", start_again)
    first, second = await scene.database.write("", claim), await scene.database.write("", claim)
    assert first is not None
    assert first == second
    assert first.run.claims == 1


async def test_a_caller_that_was_cancelled_does_not_undo_its_write_and_its_wake_is_told(scene: Scene):
    gate, told = Gate(), asyncio.Event()
    first = asyncio.ensure_future(scene.database.write("", gate))
    await asyncio.to_thread(gate.reached.wait, 10)
    gone = asyncio.ensure_future(scene.database.write("a", starting("a"), lambda _: told.set()))
    await asyncio.sleep(0)
    gone.cancel()
    gate.opened.set()
    await asyncio.wait_for(told.wait(), 10)
    await first
    assert gone.cancelled()
    assert await started(scene) == ["a"]


async def test_a_listener_that_fails_does_not_take_the_result_away(scene: Scene):
    reported: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))

    def broken(_: Transaction) -> None:
        raise LookupError("on purpose")

    assert await scene.database.write("a", starting("a"), broken)
    await asyncio.sleep(0)
    assert len(reported) == 1


async def test_the_event_loop_goes_on_while_the_writer_works(scene: Scene):
    gate = Gate()
    writing = asyncio.ensure_future(scene.database.write("", gate))
    await asyncio.to_thread(gate.reached.wait, 10)
    assert await scene.store.runs() == ()
    assert not writing.done()
    gate.opened.set()
    await writing


async def test_reading_sees_what_is_committed_and_cannot_write(scene: Scene):
    await scene.database.write("", starting("a"))

    def cheat(connection: Connection) -> None:
        connection.execute(update(tables.runs).values(action_id="b"))

    with pytest.raises(DatabaseError, match="cannot be written to"):
        await scene.database.read(cheat)
    assert await started(scene) == ["a"]


async def test_closing_commits_and_answers_what_was_asked_before(database_url: str):
    database = Database(database_url)
    database.open()
    writes = [asyncio.ensure_future(database.write("", starting(f"a{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    database.close()
    database.close()
    assert len(set(await asyncio.gather(*writes))) == 20
    with pytest.raises(ClosedError):
        await database.write("", starting("late"))
    with pytest.raises(ClosedError):
        await database.read(lambda _: None)


def execute(statement: str, transaction: Transaction) -> None:
    transaction.connection.execute(text(statement))


async def test_the_audit_only_grows(scene: Scene, database_url: str):
    await scene.running()
    statements = ["UPDATE audit SET person = 'U0EVE'", "DELETE FROM audit"]
    if database_url.startswith("postgresql"):
        statements.append("TRUNCATE audit")
    for statement in statements:
        with pytest.raises(DatabaseError, match="the audit only grows"):
            await scene.database.write("", partial(execute, statement))


def test_opening_again_changes_nothing(empty_database_url: str):
    for migrate in (True, True, False):
        database = Database(empty_database_url, migrate=migrate)
        database.open()
        database.close()


async def test_the_migrations_make_what_the_tables_say(scene: Scene):
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, tables.Row.metadata))

    assert await scene.database.read(differences) == []


def test_the_newest_revision_is_the_one_that_the_program_knows():
    assert ScriptDirectory(str(schema.MIGRATIONS)).get_heads() == [schema.HEAD]


def driver_url(url: str) -> URL:
    parsed = make_url(url)
    return parsed.set(drivername="postgresql+psycopg") if parsed.get_backend_name() == "postgresql" else parsed


def change(url: str, statement: str) -> None:
    with create_engine(driver_url(url), poolclass=NullPool).begin() as connection:
        connection.execute(text(statement))


def tables_of(url: str) -> list[str]:
    with create_engine(driver_url(url), poolclass=NullPool).connect() as connection:
        return inspect(connection).get_table_names()


def opened(url: str, **options: bool) -> None:
    database = Database(url, **options)
    database.open()
    database.close()


def test_a_newer_schema_is_refused_with_both_revisions_and_what_to_do(empty_database_url: str):
    opened(empty_database_url)
    change(empty_database_url, "UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(
        SchemaError, match=f"'0999', which is newer than this program's '{schema.HEAD}'; start"
    ) as caught:
        opened(empty_database_url)
    assert (caught.value.found, caught.value.known) == ("0999", schema.HEAD)


def test_a_schema_that_is_not_migrated_is_refused_where_migrating_is_off(empty_database_url: str):
    with pytest.raises(SchemaError, match="migrate it first"):
        opened(empty_database_url, migrate=False)


def test_a_database_of_another_program_is_left_alone(empty_database_url: str):
    change(empty_database_url, "CREATE TABLE songs (name TEXT)")
    with pytest.raises(SchemaError, match="holds tables of another program \\(songs\\)"):
        opened(empty_database_url)
    assert tables_of(empty_database_url) == ["songs"]


def test_a_migration_that_fails_leaves_nothing(empty_database_url: str, monkeypatch: pytest.MonkeyPatch):
    def upgrade(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half (name TEXT)"))
        raise LookupError("on purpose")

    monkeypatch.setattr(schema, "_upgrade", upgrade)
    with pytest.raises(LookupError):
        opened(empty_database_url)
    assert tables_of(empty_database_url) == []


# What follows is about SQLite's files.


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


def test_a_missing_folder_is_made_for_its_owner_alone(tmp_path: Path):
    path = tmp_path / "new" / "signoff.db"
    opened(sqlite_url(path))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_no_database_is_named(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk. " * 200)
    with pytest.raises(DatabaseError, match=r"notes\.txt' is not an SQLite database"):
        opened(sqlite_url(path))
    assert path.read_text().startswith("Buy milk")


def test_a_place_that_cannot_be_opened_is_named(tmp_path: Path):
    with pytest.raises(DatabaseError, match="cannot be opened for writing: Is a directory"):
        opened(sqlite_url(tmp_path))
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseError, match="cannot be opened for writing"):
        opened(sqlite_url(tmp_path / "file" / "signoff.db"))


def test_a_disk_that_is_read_only_is_said(tmp_path: Path):
    path = tmp_path / "signoff.db"
    sqlite3.connect(path).close()
    with pytest.raises(DatabaseError, match="cannot be written to; make the file"):
        opened(f"sqlite:///file:{path}?mode=ro&uri=true")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_that_would_not_outlive_the_process_is_refused(url: str):
    with pytest.raises(DatabaseError, match="must outlive the process"):
        Database(url).open()


def test_what_is_no_url_is_said_without_showing_it():
    with pytest.raises(DatabaseError, match="'DATABASE_URL' is not a database URL") as caught:
        Database("pa55word").open()
    assert "pa55word" not in str(caught.value)


def test_a_password_is_never_shown():
    assert "pa55word" not in Database("postgresql://bot:pa55word@db/signoff").where


async def test_a_full_disk_loses_nothing_and_the_writer_goes_on_when_there_is_room(tmp_path: Path):
    async with Database(f"sqlite:///{tmp_path / 'signoff.db'}") as database:
        scene = Scene(database)
        await scene.running()
        await limit_pages(scene, 1)
        starts = (scene.running(text=f'"{"x" * 50_000}"') for _ in range(5))
        results = await asyncio.gather(*starts, return_exceptions=True)
        assert all(isinstance(result, DatabaseError) and "no room" in str(result) for result in results)
        assert len(await scene.store.runs()) == 1
        await limit_pages(scene, 1_000_000)
        await scene.running()
        assert len(await scene.store.runs()) == 2


async def limit_pages(scene: Scene, pages: int) -> None:
    """SQLite raises a limit that is below what the file has to what it has."""
    await scene.database.write("", lambda done: done.connection.exec_driver_sql(f"PRAGMA max_page_count={pages}").all())

"""Opening a database that is there, that is not, and that nobody waits for any more."""

import asyncio
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from storage.database import Database
from storage.errors import DatabaseError
from tests.nobody import as_nobody


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'var' / 'signoff.db'}"


def test_a_tool_that_only_looks_makes_no_database(tmp_path: Path):
    with pytest.raises(DatabaseError, match=r"is not there: no file '.*/var/signoff\.db'; start the bot"):
        Database(url(tmp_path), create=False).open()
    assert list(tmp_path.iterdir()) == []


async def test_a_tool_that_only_looks_opens_what_is_there(tmp_path: Path):
    async with Database(url(tmp_path)):
        pass
    async with Database(url(tmp_path), migrate=False, create=False) as database:
        assert await database.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar()) == 1


async def test_an_opening_that_is_broken_off_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    opening, may_go_on = threading.Event(), threading.Event()
    before = set(threading.enumerate())
    database, really = Database(url(tmp_path)), Database.open

    def slowly(self: Database) -> None:
        opening.set()
        assert may_go_on.wait(10)
        really(self)

    monkeypatch.setattr(Database, "open", slowly)
    task = asyncio.create_task(database.__aenter__())
    await asyncio.to_thread(opening.wait, 10)
    task.cancel()
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert database._engines is None
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "storage-write"]


def test_a_file_that_may_not_be_read_is_told_in_words_and_stays_as_it_was():
    with TemporaryDirectory(prefix="signoff-test-") as name:
        Path(name).chmod(0o755)
        file = Path(name) / "signoff.db"
        made = Database(f"sqlite:///{file}")
        made.open()
        made.close()
        before = file.read_bytes()
        file.chmod(0o000)
        with as_nobody(), pytest.raises(DatabaseError) as told:
            Database(f"sqlite:///{file}").open()
        file.chmod(0o600)
        assert file.read_bytes() == before
    assert "cannot be opened for writing: Permission denied; check '/" in str(told.value)


@pytest.mark.parametrize("password", ["hush@hush:hush", "hush/hush:hush", "hush]"])
def test_a_url_that_is_none_is_told_without_its_password(password: str):
    url = f"postgresql://signoff:{password}@127.0.0.1:no-port/signoff"
    with pytest.raises(DatabaseError, match="is not a database URL; give DATABASE_URL as") as told:
        Database(url).open()
    assert "hush" not in str(told.value)
    assert told.value.__cause__ is None

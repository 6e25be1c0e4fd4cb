"""A backup is whole while the bot writes: every decision that was acknowledged before it is in it, and it can be run on."""

import asyncio
import itertools
import os
import shutil
import sqlite3
import stat
from functools import partial
from pathlib import Path

import pytest

from storage import backup
from storage.backup import Backup, BackupError, back_up, dump_command
from storage.database import Database
from storage.errors import DatabaseError
from storage.results import Answered
from storage.schema import HEAD
from tests.integration.scenes import Scene
from tests.sqlite import sqlite_url
from tests.waiting import until


@pytest.fixture
def url(tmp_path: Path) -> str:
    return sqlite_url(tmp_path)


def made(url: str, target: Path, *, force: bool = False) -> Backup:
    return back_up(url, target, force=force, progress=lambda _done, _total: None)


async def test_every_acknowledged_decision_is_in_a_backup_that_was_made_while_the_bot_wrote(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(backup, "PAGES", 5)
    acknowledged: list[str] = []
    told: list[tuple[int, int]] = []
    async with Database(url) as database:
        scene, enough = Scene(database), asyncio.Event()

        async def decide() -> None:
            while not enough.is_set():
                interrupt = await scene.posted()
                assert isinstance(await scene.vote(interrupt.id), Answered)
                acknowledged.append(interrupt.id)

        deciding = asyncio.gather(*(decide() for _ in range(4)))
        for number in range(3):
            await until(partial(_more_than, acknowledged, len(acknowledged) + 20), "more decisions")
            before = list(acknowledged)
            target = tmp_path / f"copy-{number}.db"
            await asyncio.to_thread(back_up, url, target, force=False, progress=lambda *each: told.append(each))
            await _holds(target, before)
        enough.set()
        await deciding
    assert len(told) > 10
    assert all(done <= total for done, total in told)


async def _more_than(acknowledged: list[str], count: int) -> bool:
    return len(acknowledged) > count


async def _holds(target: Path, acknowledged: list[str]) -> None:
    """The restored copy opens, has these decisions, and whatever it has is complete; a bot can go on with it."""
    restored = shutil.copy(target, target.with_suffix(".restored"))
    async with Database(f"sqlite:///{restored}", migrate=False) as database:
        scene = Scene(database)
        cards = [await scene.card(each) for each in acknowledged]
        assert [len(card.decisions) for card in cards] == [1] * len(acknowledged)
        assert {card.run.status for card in cards} == {"queued"}
        interrupt = await scene.posted()
        assert isinstance(await scene.vote(interrupt.id), Answered)
    with sqlite3.connect(restored) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        decided, voted = (
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own names
            for table in ("decisions", "audit WHERE event = 'voted'")
        )
        assert decided == voted
    connection.close()


def test_a_backup_is_one_file_that_only_its_owner_reads_and_says_what_is_in_it(url: str, tmp_path: Path):
    Database(url).open()
    target = tmp_path / "copies" / "today.db"
    target.parent.mkdir()
    before = os.umask(0)
    try:
        copy = made(url, target)
    finally:
        os.umask(before)
    assert (copy.path, copy.runs, copy.revision, copy.size) == (target, 0, HEAD, target.stat().st_size)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert list(target.parent.iterdir()) == [target]


def test_nothing_is_overwritten_without_force(url: str, tmp_path: Path):
    Database(url).open()
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(BackupError, match="is there already; name another file, or overwrite it with --force"):
        made(url, target)
    assert target.read_text() == "precious"
    made(url, target, force=True)
    with sqlite3.connect(target) as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_the_database_itself_is_never_overwritten(url: str, tmp_path: Path, suffix: str):
    database = Database(url)
    database.open()
    link = tmp_path / "elsewhere.db"
    link.symlink_to(tmp_path / f"signoff.db{suffix}")
    for target in (tmp_path / f"signoff.db{suffix}", link):
        with pytest.raises(BackupError, match="is the database itself"):
            made(url, target, force=True)
    database.close()


@pytest.mark.parametrize(
    ("target", "reason"), [("", "is a directory"), ("no/where.db", "has no directory to stand in")]
)
def test_a_place_that_is_none_is_told(url: str, tmp_path: Path, target: str, reason: str):
    Database(url).open()
    with pytest.raises(BackupError, match=reason):
        made(url, tmp_path / target)


def test_a_database_that_is_not_there_is_told_and_not_made(url: str, tmp_path: Path):
    with pytest.raises(DatabaseError, match="is not there"):
        made(url, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_database_gives_no_backup_and_keeps_the_older_one(url: str, tmp_path: Path):
    database = Database(url)
    database.open()
    database.close()
    target = tmp_path / "copy.db"
    made(url, target)
    whole = target.read_bytes()
    with (tmp_path / "signoff.db").open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 4096 * 8)
    with pytest.raises(BackupError, match=r"does not hold|could not be made"):
        made(url, target, force=True)
    assert target.read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir() if ".part" in path.name) == []


def test_a_server_is_left_to_its_own_tool_and_no_password_is_in_the_command(tmp_path: Path):
    secrets = itertools.product(("postgresql", "postgresql+psycopg"), ("", "&password=hunter2"))
    for driver, more in secrets:
        url = f"{driver}://bot:hunter2@db.example.com:5433/signoff?sslmode=require{more}"
        command = dump_command(url, tmp_path / "copy")
        assert command == [
            "pg_dump",
            "--format=custom",
            f"--file={tmp_path / 'copy'}",
            "--dbname=postgresql://bot@db.example.com:5433/signoff?sslmode=require",
        ]
    assert dump_command("sqlite:///x.db", tmp_path) is None

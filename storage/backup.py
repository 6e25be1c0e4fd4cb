"""Copies a database while the bot writes to it: what was committed when the copy began is in it, whole, and nothing else."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import make_url

from storage.connections import BUSY_SECONDS, SECRETS, describe, file_of, prepare_place
from storage.errors import StorageError

PAGES = 1_000
"""Pages of one step, after which the progress is told: 4 MB."""


class BackupError(StorageError):
    """No backup was made, and what stood in its place is as it was: `reason` says why, `advice` what to do."""

    def __init__(self, target: Path, reason: str, advice: str = "") -> None:
        super().__init__(f"the backup {str(target)!r} {reason}" + (f"; {advice}" if advice else ""))
        self.target, self.reason, self.advice = target, reason, advice


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made and checked. `revision` is its schema's."""

    path: Path
    size: int
    runs: int
    revision: str | None


def dump_command(url: str, target: Path) -> list[str] | None:
    """What backs up a database on a server, without its password; `None` for a file, which `back_up` copies."""
    if file_of(url) is not None:
        return None
    shown = make_url(url).set(drivername="postgresql").difference_update_query(SECRETS)
    # `set` overlooks a password of None; a URL without one is made anew.
    plain = shown._replace(password=None).render_as_string(hide_password=False)
    return ["pg_dump", "--format=custom", f"--file={target}", f"--dbname={plain}"]


def back_up(url: str, target: Path, *, force: bool, progress: Callable[[int, int], None]) -> Backup:
    """Copies the file of an SQLite database to `target`, checks the copy, and only then puts it in its place (0600).

    `progress` gets how many pages were copied, and of how many. Blocks.

    Raises:
        DatabaseError: when there is no such database.
        BackupError: when there is a file already (without `force`), or the copy cannot be made or does not hold.
    """
    where = describe(url)
    prepare_place(url, where, create=False)
    source = file_of(url)
    if source is None:
        raise BackupError(target, "cannot be made of a database on a server", "use pg_dump")
    _refuse(source, target, force=force)
    with _unfinished(target) as copy, _in_words(target):
        _copy(source, copy, progress)
        made = _checked(copy, target)
        _refuse(source, target, force=force)
        copy.replace(target)
        _sync(target.parent)
    return made


def _refuse(source: Path, target: Path, *, force: bool) -> None:
    if target.is_dir():
        raise BackupError(target, "is a directory", "name a file in it")
    if not target.parent.is_dir():
        raise BackupError(target, "has no directory to stand in", f"make {str(target.parent)!r} first")
    if not target.exists():
        return
    ours = [source, source.with_name(source.name + "-wal"), source.with_name(source.name + "-shm")]
    if any(each.exists() and each.samefile(target) for each in ours):
        raise BackupError(target, "is the database itself", "name another file")
    if not force:
        raise BackupError(target, "is there already", "name another file, or overwrite it with --force")


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file of our own beside the target, which goes unless it is moved into place."""
    path = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        path.unlink(missing_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        yield path
    except OSError as error:
        raise BackupError(target, f"cannot be written: {error.strerror}", "check its directory") from error
    finally:
        for each in (path, path.with_name(path.name + "-journal")):
            each.unlink(missing_ok=True)


@contextmanager
def _in_words(target: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupError(target, f"could not be made: {error}", "nothing was changed") from error


def _copy(source: Path, copy: Path, progress: Callable[[int, int], None]) -> None:
    """Within one read transaction: what is written meanwhile is not seen, and does not make the copy begin anew."""
    address = f"file:{quote(str(source))}?mode=rw"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as reading,
        closing(sqlite3.connect(copy, isolation_level=None)) as writing,
    ):
        reading.execute("PRAGMA query_only=ON")
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_master").fetchone()
        reading.backup(writing, pages=PAGES, progress=lambda _, left, total: progress(total - left, total))
        reading.execute("COMMIT")


def _checked(copy: Path, target: Path) -> Backup:
    """As one file, without a log beside it, and found whole."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            raise BackupError(target, f"does not hold: {'; '.join(found)}", "check the disk and the database itself")
        runs = connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    _sync(copy)
    return Backup(target, copy.stat().st_size, int(runs), None if revision is None else str(revision[0]))


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""SQLite files with their tables already: a copy takes a thousandth of the time of all migrations."""

import tempfile
from functools import cache
from pathlib import Path

from storage.database import Database

NAME = "signoff.db"


def sqlite_url(folder: Path) -> str:
    """Where a database of this folder is, whether or not it is there."""
    return f"sqlite:///{folder / NAME}"


def sqlite_in(folder: Path) -> str:
    """The URL of a database in this folder: the one that is there, or else a new one without a row."""
    file = folder / NAME
    if not file.exists():
        file.write_bytes(_migrated())
    return sqlite_url(folder)


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory(prefix="signoff-migrated-") as folder:
        database = Database(sqlite_url(Path(folder)))
        database.open()
        database.close()
        return (Path(folder) / NAME).read_bytes()

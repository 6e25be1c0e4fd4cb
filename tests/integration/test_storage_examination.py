"""A database is looked at from outside: what it is like is told, and nothing of it changes."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from storage.database import Database
from storage.errors import DatabaseError
from storage.examination import Schema, examine, is_made, schema_of
from storage.schema import HEAD
from tests.nobody import as_nobody
from tests.sqlite import sqlite_url


def opened(url: str) -> None:
    database = Database(url)
    database.open()
    database.close()


def change(url: str, statement: str) -> None:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    with create_engine(parsed, poolclass=NullPool).begin() as connection:
        connection.execute(text(statement))


def test_a_database_in_order_is_current_and_writable(database_url: str):
    opened(database_url)
    found = examine(database_url)
    assert (found.schema, found.unwritable) == (Schema(HEAD, HEAD, "current"), None)
    assert (found.place is not None) is database_url.startswith("sqlite")


def test_the_revisions_are_told_apart(empty_database_url: str):
    if empty_database_url.startswith("sqlite"):
        assert not is_made(empty_database_url)
        with pytest.raises(DatabaseError, match="is not there"):
            schema_of(empty_database_url)
    opened(empty_database_url)
    assert is_made(empty_database_url)
    for found, step in ((HEAD, "current"), ("0001", "behind"), ("0999", "newer")):
        change(empty_database_url, f"UPDATE alembic_version SET version_num = '{found}'")  # noqa: S608 - our own
        assert schema_of(empty_database_url) == Schema(found, HEAD, step)  # type: ignore[arg-type]


def test_a_server_without_our_tables_has_no_revision(empty_database_url: str):
    if empty_database_url.startswith("postgresql"):
        assert examine(empty_database_url).schema == Schema(None, HEAD, "none")
        assert schema_of(empty_database_url).step == "none"


def test_a_server_that_only_reads_is_told(postgresql_url: str):
    found = examine(f"{postgresql_url}&options=-c%20default_transaction_read_only%3Don")
    assert found.unwritable is not None
    assert "only reads" in found.unwritable


def test_of_a_file_its_size_its_log_the_room_and_who_may_read_it_are_told(tmp_path: Path):
    url, path = sqlite_url(tmp_path), tmp_path / "signoff.db"
    database = Database(url)
    database.open()
    place = examine(url).place
    database.close()
    assert place is not None
    assert place.size > 0
    assert place.log >= 0
    assert place.free > 0
    assert not place.others_may_read
    path.chmod(0o644)
    again = examine(url).place
    assert again is not None
    assert again.others_may_read


def test_a_file_that_must_not_be_written_is_told():
    with TemporaryDirectory(prefix="signoff-test-") as name:
        folder = Path(name)
        url = sqlite_url(folder)
        opened(url)
        examine(url)
        folder.chmod(0o555)
        (folder / "signoff.db").chmod(0o444)
        with as_nobody(), pytest.raises(DatabaseError, match="cannot be opened for writing"):
            examine(url)
        folder.chmod(0o755)

"""Opens connections as each database needs them: one engine that writes, one that can only read."""

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from storage.errors import DatabaseError

BUSY_SECONDS = 10
MISSING_ADVICE = "start the bot, which makes it, or see that DATABASE_URL and the working directory are the bot's"
URL_ADVICE = "give DATABASE_URL as sqlite:////absolute/path/signoff.db"


def describe(url: str) -> str:
    """The URL as it may be shown: without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "DATABASE_URL"


def prepare_place(url: str, where: str, *, create: bool) -> None:
    """Makes the folder (0700) and the file (0600) of an SQLite database that is not there yet.

    Raises:
        DatabaseError: when the URL is none, or the place cannot be made, or is not there and must not be made.
    """
    path = _file_of(_parsed(url, where), where)
    if path is None:
        return
    try:
        if create:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600))
    except FileNotFoundError as error:
        raise DatabaseError(where, f"is not there: no file {os.fspath(path.absolute())!r}", MISSING_ADVICE) from error
    except OSError as error:
        reason = f"cannot be opened for writing: {error.strerror}"
        raise DatabaseError(where, reason, f"check {os.fspath(path)!r} and its folder") from error


def make_engines(url: str) -> tuple[Engine, Engine]:
    """The writing and the reading engine. Neither connects yet."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        options: dict[str, Any] = {"pool_pre_ping": True, "hide_parameters": True}
        return create_engine(parsed, **options), create_engine(parsed, **options)
    return _sqlite_engine(parsed, "BEGIN IMMEDIATE"), _sqlite_engine(parsed, "BEGIN", read_only=True)


def _sqlite_engine(url: URL, begin: str, *, read_only: bool = False) -> Engine:
    arguments = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(url, connect_args=arguments, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA query_only=ON" if read_only else "PRAGMA journal_mode=WAL")

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _parsed(url: str, where: str) -> URL:
    try:
        return make_url(url)
    except ArgumentError as error:
        raise DatabaseError(where, "is not a database URL", URL_ADVICE) from error


def _file_of(url: URL, where: str) -> Path | None:
    if url.get_backend_name() != "sqlite" or url.query.get("uri"):
        return None
    if url.database in {None, "", ":memory:"}:
        raise DatabaseError(where, "has no file; what is decided must outlive the process", URL_ADVICE)
    return Path(url.database or "")

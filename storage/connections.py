"""Opens connections as each database needs them: one engine that writes, one that can only read."""

import importlib.util
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.exc import ArgumentError

from actions.kit.extras import install_advice
from storage.errors import DatabaseError, MissingDatabaseError

BUSY_SECONDS = 10
MISSING_ADVICE = "start the bot, which makes it, or see that DATABASE_URL and the working directory are the bot's"
URL_ADVICE = "give DATABASE_URL as sqlite:////absolute/path/signoff.db or postgresql://user:password@host/name"
POSTGRESQL = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
DRIVER_ADVICE = install_advice("postgres")
NO_URL = (ArgumentError, ValueError)
"""What SQLAlchemy raises for what is none; the latter where a password has an unescaped `@` or `:` in it."""
SECRETS = frozenset({"password", "sslpassword", "passfile"})
"""Parameters of a URL that are never shown."""
OLDEST = 130_000
FITNESS = text("SELECT current_setting('server_version_num')::int, current_setting('server_encoding')")
# Seconds after which a connection that has gone silent counts as broken; a URL may say otherwise.
NETWORK = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "signoff",
}
# A process that freezes in the middle of a commit must not keep the rows of others for long.
LIMITS = {
    "timezone": "UTC",
    "statement_timeout": "30s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "5s",
}


def describe(url: str) -> str:
    """The URL as it may be shown: without its password."""
    try:
        parsed = make_url(url)
    except NO_URL:
        return "DATABASE_URL"
    secret = parsed.query.keys() & SECRETS
    return parsed.update_query_dict(dict.fromkeys(secret, "***")).render_as_string(hide_password=True)


def prepare_place(url: str, where: str, *, create: bool) -> None:
    """Makes the folder (0700) and the file (0600) of an SQLite database that is not there yet; a server has its own.

    Raises:
        DatabaseError: when the URL is none of ours, or the place cannot be made.
        MissingDatabaseError: when it is not there and must not be made.
    """
    path = _file_of(_parsed(url, where), where)
    if path is None:
        return
    try:
        if create:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600))
    except FileNotFoundError as error:
        reason = f"is not there: no file {os.fspath(path.absolute())!r}"
        raise MissingDatabaseError(where, reason, MISSING_ADVICE) from error
    except OSError as error:
        reason = f"cannot be opened for writing: {error.strerror}"
        raise DatabaseError(where, reason, f"check {os.fspath(path)!r} and its folder") from error


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; `None` for one on a server.

    Raises:
        DatabaseError: when the URL is none of ours.
    """
    where = describe(url)
    return _file_of(_parsed(url, where), where)


def make_engines(url: str, *, readers: int) -> tuple[Engine, Engine]:
    """The writing engine, of one connection, and the reading one. Neither connects yet."""
    parsed = make_url(url)
    if parsed.drivername in POSTGRESQL:
        parsed = parsed.set(drivername="postgresql+psycopg")
        reading = _postgresql_engine(parsed, "REPEATABLE READ", readers, default_transaction_read_only="on")
        return _postgresql_engine(parsed, "READ COMMITTED", 1), reading
    return _sqlite_engine(parsed, "BEGIN IMMEDIATE"), _sqlite_engine(parsed, "BEGIN", read_only=True)


def refuse_unfit(connection: Connection, where: str) -> None:
    """A server that is too old, or a database that cannot hold every text, is told before anything is written to it.

    Raises:
        DatabaseError: in words.
    """
    if connection.dialect.name != "postgresql":
        return
    version, encoding = connection.execute(FITNESS).one()
    if version < OLDEST:
        raise DatabaseError(where, "is of a PostgreSQL older than 13", "move it to a newer server")
    if encoding != "UTF8":
        raise DatabaseError(
            where, f"holds text as {encoding}", "make it anew: createdb --template=template0 --encoding=UTF8"
        )


def _postgresql_engine(url: URL, isolation: IsolationLevel, connections: int, **more: str) -> Engine:
    """What the URL says itself stands: its options come last, and its parameters instead of ours."""
    options = [f"-c {name}={value}" for name, value in (LIMITS | more).items()]
    theirs = url.query.get("options", ())
    options += [theirs] if isinstance(theirs, str) else theirs
    arguments: dict[str, Any] = {name: value for name, value in NETWORK.items() if name not in url.query}
    return create_engine(
        url,
        connect_args=arguments | {"options": " ".join(options)},
        isolation_level=isolation,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
    )


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
        parsed = make_url(url)
    except NO_URL:  # whose words may quote the password
        raise DatabaseError(where, "is not a database URL", URL_ADVICE) from None
    if parsed.drivername in POSTGRESQL:
        if importlib.util.find_spec("psycopg") is None:
            raise DatabaseError(where, "needs a driver that is not installed", DRIVER_ADVICE)
    elif parsed.get_backend_name() != "sqlite":
        raise DatabaseError(where, "is of a kind that the bot does not know", URL_ADVICE)
    return parsed


def _file_of(url: URL, where: str) -> Path | None:
    if url.get_backend_name() != "sqlite" or url.query.get("uri"):
        return None
    if url.database in {None, "", ":memory:"}:
        raise DatabaseError(where, "has no file; what is decided must outlive the process", URL_ADVICE)
    return Path(url.database or "")

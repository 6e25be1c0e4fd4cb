"""Looks at a database from outside, for whoever is to run a bot on it: nothing is made, migrated or written."""

import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from storage.connections import describe, file_of, make_engines, prepare_place, refuse_unfit
from storage.schema import HEAD, known_revisions, revision_of
from storage.words import in_words

# Asks for the right to write, and for the lock, and changes nothing.
WRITE_NOTHING = text("UPDATE lanes SET next_at = next_at WHERE 1 = 0")

Step = Literal["none", "behind", "current", "newer"]


@dataclass(frozen=True, slots=True)
class Schema:
    """The migration revision that was found (`None`: no tables of ours yet), and the one that this program knows."""

    found: str | None
    known: str
    step: Step


@dataclass(frozen=True, slots=True)
class Place:
    """The disk of an SQLite database, in bytes: its file, the log of what is not in the file yet, and what is free."""

    size: int
    log: int
    free: int
    others_may_read: bool


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found. `unwritable` says in words why nothing could be written; `place` is known of files only."""

    where: str
    schema: Schema
    unwritable: str | None
    place: Place | None


def is_made(url: str) -> bool:
    """Whether there is a database to look at: a server always counts as there."""
    path = file_of(url)
    return path is None or path.exists()


def schema_of(url: str) -> Schema:
    """Which revision a database is at. Blocks.

    Raises:
        DatabaseError: when it cannot be reached, or is not there.
    """
    with _Visit(url) as visit:
        return visit.schema()


def examine(url: str) -> Examined:
    """Everything that can be seen of a database without changing it. Blocks.

    Raises:
        DatabaseError: when it cannot be reached, or is not there.
    """
    with _Visit(url) as visit:
        schema = visit.schema()
        unwritable = visit.why_unwritable() if schema.step in {"behind", "current"} else None
    path = file_of(url)
    return Examined(visit.where, schema, unwritable, None if path is None else _place(path))


class _Visit:
    """Both kinds of connections to one database, for as long as the block lasts."""

    def __init__(self, url: str) -> None:
        self.where = describe(url)
        self._url = url
        self._engines: tuple[Engine, ...] = ()

    def __enter__(self) -> Self:
        prepare_place(self._url, self.where, create=False)
        self._engines = make_engines(self._url, readers=1)
        return self

    def __exit__(self, *_: object) -> None:
        for engine in self._engines:
            engine.dispose()

    def schema(self) -> Schema:
        try:
            with self._engines[1].begin() as connection:
                refuse_unfit(connection, self.where)
                found = revision_of(connection)
                return Schema(found, HEAD, _step(found))
        except DBAPIError as error:
            raise in_words(error, self.where) from error

    def why_unwritable(self) -> str | None:
        try:
            with self._engines[0].connect() as connection:
                connection.execute(WRITE_NOTHING)
                connection.rollback()
        except DBAPIError as error:
            told = in_words(error, self.where)
            return "; ".join(filter(None, (told.reason, told.advice)))
        return None


def _step(found: str | None) -> Step:
    if found is None or found == HEAD:
        return "none" if found is None else "current"
    return "behind" if found in known_revisions() else "newer"


def _place(path: Path) -> Place:
    log = path.with_name(path.name + "-wal")
    status = path.stat()
    return Place(
        size=status.st_size,
        log=log.stat().st_size if log.exists() else 0,
        free=shutil.disk_usage(path.parent).free,
        others_may_read=bool(status.st_mode & (stat.S_IRGRP | stat.S_IROTH)),
    )

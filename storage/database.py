"""Runs transitions on one writer thread that groups what is queued into one commit, and reads beside it.

A transition is a plain synchronous function of an open `Transaction`. It may run twice (when the batch it stood in
failed, or when the outcome of a commit is unknown), so it must find its own rows again instead of repeating itself.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from storage.connections import describe, make_engines, prepare_place, refuse_unfit
from storage.errors import ClosedError, DatabaseError
from storage.outages import OutageError, Patience, is_passing
from storage.schema import migrate_to_head, require_head
from storage.transaction import Transaction
from storage.words import in_words
from storage.writer import Item, Writer

T = TypeVar("T")
READERS = 4


class Database:
    """One database by its URL (`sqlite:////path/to/file.db`, `postgresql://user@host/name`). Nothing happens before `open`.

    `open` and `close` block (they migrate, and drain); on an event loop use the asynchronous context manager.
    `create` says whether a file that is not there is made; without it that is an error.
    """

    def __init__(self, url: str, *, migrate: bool = True, create: bool = True) -> None:
        self.where = describe(url)
        self._url = url
        self._migrate = migrate
        self._create = create
        self._engines: tuple[Engine, Engine] | None = None
        self._writer: Writer | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._patience = Patience()

    def open(self) -> None:
        """Connects, migrates, and starts the writer.

        Raises:
            DatabaseError: in words, when the database cannot be used.
            SchemaError: when its schema is newer than this program (or older, with `migrate=False`).
        """
        prepare_place(self._url, self.where, create=self._create)
        writing, reading = make_engines(self._url, readers=READERS)
        try:
            self._check(writing)
        except BaseException:
            writing.dispose()
            reading.dispose()
            raise
        self._engines = writing, reading
        self._writer = Writer(writing, self.where, self._patience)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="storage-read")

    def close(self) -> None:
        """Commits what was asked so far, answers everybody, and lets go of the database. A second call does nothing."""
        if self._writer is None or self._readers is None or self._engines is None:
            return
        self._writer.close()
        self._readers.shutdown()
        for engine in self._engines:
            engine.dispose()
        self._writer = self._readers = self._engines = None

    @property
    def commits(self) -> int:
        """How many transactions the writer has committed: what a batch saves can be read from it."""
        return 0 if self._writer is None else self._writer.commits

    async def __aenter__(self) -> Self:
        opening = asyncio.ensure_future(asyncio.to_thread(self.open))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.wait({opening})
            await asyncio.to_thread(self.close)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)

    async def write(
        self,
        order_key: str,
        transition: Callable[[Transaction], T],
        committed: Callable[[Transaction], None] = lambda _: None,
    ) -> T:
        """Runs one transition in the next commit and returns its result after it.

        Items of one commit are ordered by `order_key` (the run's id), so that processes lock rows in one order.
        `committed` is called on the caller's loop after the commit, even when the caller was cancelled meanwhile: a
        cancelled caller does not undo its write.
        """
        if self._writer is None:
            raise ClosedError(f"{self.where!r} is not open")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._writer.submit(Item(order_key, transition, committed, loop, future))
        return await future

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Answers a question from one consistent view of the database, on a connection that cannot write."""
        if self._readers is None or self._engines is None:
            raise ClosedError(f"{self.where!r} is not open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._answer, self._engines[1], question)

    def _answer(self, engine: Engine, question: Callable[[Connection], T]) -> T:
        try:
            return self._patience.bear(partial(self._ask, engine, question))
        except OutageError as error:
            raise error.told from error

    def _ask(self, engine: Engine, question: Callable[[Connection], T]) -> T:
        try:
            with engine.begin() as connection:
                return question(connection)
        except DBAPIError as error:
            raise OutageError(in_words(error, self.where), passing=is_passing(error)) from error

    def _check(self, engine: Engine) -> None:
        step: Callable[[Connection, str], Any] = migrate_to_head if self._migrate else require_head
        try:
            with engine.begin() as connection:
                refuse_unfit(connection, self.where)
                step(connection, self.where)
        except DBAPIError as error:
            raise in_words(error, self.where) from error


__all__ = ["Database", "DatabaseError", "Transaction"]

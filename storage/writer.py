"""The one thread of a process that writes: it takes everything that is queued, commits once, and answers everybody."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from storage.errors import ClosedError, DatabaseError
from storage.locks import hold, outcome
from storage.outages import OutageError, Patience, is_passing
from storage.transaction import Transaction, write_down
from storage.transitions.homes import stir
from storage.transitions.hooks import announce
from storage.words import in_words

MAX_BATCH = 256


@dataclass(slots=True)
class Item:
    """One transition that somebody awaits."""

    order_key: str
    transition: Callable[[Transaction], Any]
    committed: Callable[[Transaction], None]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


@dataclass(slots=True)
class Done:
    """How an item went: committed with a result, or undone with an error."""

    item: Item
    transaction: Transaction | None = None
    result: Any = None
    error: Exception | None = None

    def tell(self) -> None:
        """Runs on the item's own loop; what `committed` raises goes to the loop's handler and harms nobody."""
        if self.transaction is not None:
            self.item.loop.call_soon(self.item.committed, self.transaction)
        if self.item.future.done():
            return
        if self.error is None:
            self.item.future.set_result(self.result)
        else:
            self.item.future.set_exception(self.error)


@dataclass(slots=True)
class Doubt:
    """What is known of a batch whose commit may have arrived although nobody confirmed it.

    `again`: the server that could tell is gone, so its transitions must look for their own rows.
    """

    receipt: str | None = None
    done: list[Done] | None = None
    again: bool = False

    def resolve(self, connection: Connection, where: str) -> list[Done] | None:
        """What the earlier try did, if it was committed after all."""
        receipt, done = self.receipt, self.done
        if receipt is None or done is None:
            return None
        match outcome(connection, receipt):
            case "committed":
                return done
            case "in progress":
                raise OutageError(DatabaseError(where, "has not said yet whether it kept a change"), passing=True)
            case "aborted":
                self.receipt = None
            case None:
                self.receipt, self.again = None, True
        return None


class Writer:
    """Owns the thread. Items are ordered by their key within a commit; an item that fails harms no neighbour.

    A connection that breaks harms none either: the batch is done again as soon as the server is back.
    """

    def __init__(self, engine: Engine, where: str, patience: Patience) -> None:
        self._engine = engine
        self._where = where
        self._patience = patience
        self._queue: SimpleQueue[Item | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self.commits = 0
        self._thread = threading.Thread(target=self._work, name="storage-write", daemon=True)
        self._thread.start()

    def submit(self, item: Item) -> None:
        with self._gate:
            if self._closed:
                raise ClosedError(f"{self._where!r} is closed")
            self._queue.put(item)

    def close(self) -> None:
        """Lets the thread finish what was submitted, and waits for it."""
        with self._gate:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        open_for_more = True
        while open_for_more:
            batch, open_for_more = self._gather()
            if batch:
                _tell(self._carry_out(sorted(batch, key=lambda item: item.order_key)))

    def _gather(self) -> tuple[list[Item], bool]:
        """Waits for one item and takes what else is there; the flag is false when there will be no more."""
        batch: list[Item] = []
        with contextlib.suppress(Empty):
            item = self._queue.get()
            while item is not None:
                batch.append(item)
                if len(batch) == MAX_BATCH:
                    break
                item = self._queue.get_nowait()
            else:
                return batch, False
        return batch, True

    def _carry_out(self, batch: list[Item]) -> list[Done]:
        """Item by item where the batch fails by one of them; an outage fails all, each would only wait for it again."""
        try:
            return self._patience.bear(partial(self._commit, batch, Doubt()))
        except OutageError as error:
            return [Done(item, error=error.told) for item in batch]
        except Exception as error:  # noqa: BLE001 -- whatever a transition raises belongs to its caller
            if len(batch) == 1:
                return [Done(batch[0], error=self._explain(error))]
        return [done for item in batch for done in self._carry_out([item])]

    def _commit(self, batch: list[Item], doubt: Doubt) -> list[Done]:
        with self._begin() as connection:
            done = doubt.resolve(connection, self._where)
            if done is None:
                receipt = hold(connection, (item.order_key for item in batch))
                done = [_run(item, Transaction(connection, doubt.again, copies_due=doubt.again)) for item in batch]
                transactions = [each.transaction for each in done if each.transaction]
                announce(connection, transactions)
                write_down(connection, transactions)
                stir(connection, transactions)
                doubt.receipt, doubt.done = receipt, done
        self.commits += 1
        return done

    @contextlib.contextmanager
    def _begin(self) -> Iterator[Connection]:
        """A transaction. What keeps it from beginning, or breaks its connection, is nobody's fault in the batch."""
        began = False
        try:
            with self._engine.begin() as connection:
                began = True
                yield connection
        except DBAPIError as error:
            if began and not is_passing(error):
                raise
            raise OutageError(in_words(error, self._where), passing=is_passing(error)) from error

    def _explain(self, error: Exception) -> Exception:
        return in_words(error, self._where) if isinstance(error, DBAPIError) else error


def _run(item: Item, transaction: Transaction) -> Done:
    return Done(item, transaction, item.transition(transaction))


def _tell(done: Iterable[Done]) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[Done]] = {}
    for each in done:
        by_loop.setdefault(each.item.loop, []).append(each)
    for loop, group in by_loop.items():
        # A loop that is closed has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell_all, group)


def _tell_all(group: list[Done]) -> None:
    for each in group:
        each.tell()

"""The door to nested calls: each is written down before it executes and after it, in a commit of its own."""

from collections.abc import Callable
from datetime import datetime

from actions.kit.records.interrupts import Asker
from actions.kit.running.calls import CallEnding, CallRecord
from storage import queries
from storage.database import Database, Transaction
from storage.transitions import calls


class Calls:
    """A part of the store: see there."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def begin(
        self,
        run_id: str,
        epoch: int,
        *,
        owner: str,
        path: str,
        asker: Asker,
        now: datetime,
        idempotent: bool | None = None,
    ) -> bool:
        """Marks a call as executing. False: the run is not this owner's any more, so it must not execute."""

        def transition(transaction: Transaction) -> bool:
            return calls.begin(
                transaction, run_id, epoch, owner=owner, path=path, asker=asker, idempotent=idempotent, now=now
            )

        return await self._database.write(run_id, transition, self._hand_over)

    async def end(self, run_id: str, epoch: int, *, owner: str, path: str, ending: CallEnding, now: datetime) -> bool:
        """Writes down how a call ended, or that it waits. False: the run was taken away and ordered anew meanwhile.

        A late original of a run that was given up as stalled is still heard.
        """

        def transition(transaction: Transaction) -> bool:
            return calls.end(transaction, run_id, epoch, owner=owner, path=path, ending=ending, now=now)

        return await self._database.write(run_id, transition, self._hand_over)

    async def of_run(self, run_id: str) -> tuple[CallRecord, ...]:
        """Every call of a run, in the order in which they began first."""
        return await self._database.read(lambda connection: queries.calls_of(connection, run_id))

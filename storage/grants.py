"""The store's part for standing grants. That one is used is a matter of the pause: see `Store.pause`."""

from collections.abc import Callable
from datetime import datetime

from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.records.interrupts import Card
from storage import grant_queries
from storage.database import Database, Transaction
from storage.transitions import grant_ends, grants

# First in a commit, as all sweeps are.
ENDING = ""


class Grants:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def give(self, run_id: str, epoch: int, terms: GrantTerms, *, now: datetime) -> GrantRecord | None:
        """The grant that people approved in this run, given once. `None`: nobody did, or others execute the run by now.

        May be called from any loop.
        """
        return await self._database.write(run_id, lambda writing: grants.give(writing, run_id, epoch, terms, now))

    async def revoke(self, grant_id: str, *, person: str, via: str, now: datetime) -> GrantRecord | None:
        """Ends a grant: no pause after it is settled by it. One that ended before stays as it was. `None`: unknown."""
        return await self._database.write(
            grant_id, lambda writing: grants.revoke(writing, grant_id, person=person, via=via, now=now), self._hand_over
        )

    async def end_past(self, *, now: datetime, limit: int = 100) -> int:
        """Ends those whose time has passed, and tells their holders; the count is at most `limit`, so call again."""
        return await self._database.write(
            ENDING, lambda writing: grant_ends.end_past(writing, now, limit), self._hand_over
        )

    async def get(self, grant_id: str) -> GrantRecord | None:
        return await self._database.read(lambda connection: grant_queries.grant(connection, grant_id))

    async def live(self, *, now: datetime) -> tuple[GrantRecord, ...]:
        """All that can be used, those that end soonest first."""
        return await self._database.read(lambda connection: grant_queries.live(connection, now))

    async def matching(self, holder: str, action_id: str, *, now: datetime) -> tuple[GrantRecord, ...]:
        """Those of a holder for an action that can be used, those that end soonest first."""
        return await self._database.read(lambda connection: grant_queries.matching(connection, holder, action_id, now))

    async def approval(self, grant_id: str) -> Card | None:
        """The card on which a grant was approved, with the answers of those who did."""
        return await self._database.read(lambda connection: grant_queries.approval(connection, grant_id))

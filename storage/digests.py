"""The store's part for digests: who gets one and when, and for whom questions wait."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, bindparam, select, text

from actions.kit.policies.policy import Policy
from storage import rows
from storage.database import Database, Transaction
from storage.queries import PENDING
from storage.results import Digest, Morning
from storage.tables import digests, interrupts, runs
from storage.transitions import digests as transitions

T = TypeVar("T")

# Before absences and Home tabs in a commit, and after the ids of all runs.
DIGESTS = "~a-digests"
MOST_ASKED = 500
"""Open questions that are looked at in one go."""
DUE = (
    select(digests)
    .where(text("NOT is_off"), digests.c.next_at <= bindparam("now", type_=digests.c.next_at.type))
    .order_by(digests.c.next_at, digests.c.person)
    .limit(bindparam("count"))
)
OFF = select(digests.c.person).where(digests.c.person == bindparam("person"), digests.c.is_off)
# An expression: by the column itself SQLite would walk every interrupt there ever was, in place of those that wait.
ITS_ID = interrupts.c.id.concat("")
WAITING = (
    select(interrupts.c.id, interrupts.c.policy, runs.c.requester)
    .select_from(interrupts.join(runs, runs.c.id == interrupts.c.run_id))
    .where(PENDING, bindparam("after") < ITS_ID)
    .order_by(ITS_ID)
    .limit(MOST_ASKED)
)


class Digests:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def asked(self, *, after: str = "") -> tuple[tuple[str, Policy, str], ...]:
        """The first so many questions that wait for an answer after this one, by their ids: each with its policy and requester."""

        def look(connection: Connection) -> tuple[tuple[str, Policy, str], ...]:
            found = connection.execute(WAITING, {"after": after})
            return tuple((row.id, rows.policy_of(row.policy), row.requester) for row in found)

        return await self._database.read(look)

    async def strangers(self, people: Collection[str]) -> tuple[str, ...]:
        """Those of these people of whom no digest is known, in the order of their ids."""

        def look(connection: Connection) -> tuple[str, ...]:
            known = set(connection.execute(transitions.KNOWN, {"people": sorted(people)}).scalars())
            return tuple(sorted(set(people) - known))

        return await self._database.read(look) if people else ()

    async def meet(self, mornings: Mapping[str, Morning]) -> int:
        """Keeps the first morning of people who are not known yet; how many. Another process may be doing so now: none."""
        return await self._write(DIGESTS, lambda writing: transitions.meet(writing, mornings))

    async def due(self, now: datetime, *, limit: int) -> tuple[Digest, ...]:
        """The digests whose time has come, those that wait longest first."""

        def look(connection: Connection) -> tuple[Digest, ...]:
            found = connection.execute(DUE, {"now": now, "count": limit})
            return tuple(Digest(row.person, row.day, row.next_at) for row in found)

        return await self._database.read(look)

    async def move_on(self, digest: Digest, morning: Morning, *, run_id: str | None, now: datetime) -> bool:
        """In one step: the next digest of a person is due in that morning, and this one is wanted, at a run.

        Without a run nothing waits, and nothing is told. False: another process was first, or they switched it off.
        """
        return await self._write(
            run_id or DIGESTS, lambda writing: transitions.move_on(writing, digest, morning, run_id, now)
        )

    async def put_off(self, digest: Digest, *, until: datetime) -> bool:
        """It is told later. False as above."""
        return await self._write(DIGESTS, lambda writing: transitions.put_off(writing, digest, until))

    async def switch(self, person: str, *, on: bool, now: datetime) -> None:
        """A person wants to get digests, or none; their Home tab is drawn again."""
        await self._write(DIGESTS, lambda writing: transitions.switch(writing, person, now, on=on))

    async def is_off(self, person: str) -> bool:
        """Whether a person switched theirs off."""
        return await self._database.read(
            lambda connection: connection.execute(OFF, {"person": person}).first() is not None
        )

    async def _write(self, key: str, transition: Callable[[Transaction], T]) -> T:
        return await self._database.write(key, transition, self._hand_over)

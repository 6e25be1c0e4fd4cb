"""The store's part for Home tabs: who has opened theirs, what each shall show, and which show less than the rows do."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from storage import home_queries
from storage.database import Database, Transaction
from storage.home_records import Concern, HomeRecord, Shown
from storage.transitions import homes

T = TypeVar("T")

# Home tabs are locked last of all, so whatever changes them stands last in a commit: after the ids of all runs.
HOMES = "~homes"


class Homes:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def open(self, person: str, *, view: str, now: datetime, anew: bool = False) -> None:
        """Somebody opened their Home tab. The first time it shows `view`; `anew`: Slack shows nothing of it yet."""
        await self._write(lambda writing: homes.open_home(writing, person, view, now, anew=anew))

    async def show(self, person: str, *, view: str, now: datetime) -> None:
        """Somebody wants to see something else in their Home tab, at once."""
        await self._write(lambda writing: homes.show(writing, person, view, now))

    async def look_again(self, person: str, *, now: datetime) -> None:
        """Publishes the Home tab of a person at once, if they have one, whatever Slack was given before."""
        await self._write(lambda writing: homes.look_again(writing, person, now))

    async def look_again_all(self, *, now: datetime) -> None:
        """Draws every Home tab again: this program may show the same rows differently."""
        await self._write(lambda writing: homes.stir_all(writing, now))

    async def forget(self, before: datetime) -> int:
        """Forgets the Home tabs that nobody has opened since; how many. Whoever opens theirs again has one again."""
        return await self._database.write(HOMES, lambda writing: homes.forget(writing, before))

    # For the publisher

    async def next_due(self, now: datetime) -> datetime | None:
        """The earliest moment, from `now` on, at which a Home tab may be due."""
        return await self._database.read(lambda connection: home_queries.next_due(connection, now))

    async def take(self, *, owner: str, now: datetime, lease_until: datetime, limit: int) -> tuple[HomeRecord, ...]:
        """Leases Home tabs that are due, those that wait longest first."""
        return await self._write(lambda writing: homes.take(writing, owner, now, lease_until, limit))

    async def published(
        self,
        home: HomeRecord,
        *,
        owner: str,
        digest: str,
        view_hash: str | None,
        now: datetime,
        again_at: datetime | None = None,
    ) -> bool:
        """Records what a Home tab shows now; `again_at` wants it drawn again then, since something could not be told.

        False: its lease had ended. What was published may lie over what somebody else published, so it is drawn again.
        """
        return await self._write(
            lambda writing: homes.published(
                writing,
                home.person,
                owner=owner,
                version=home.wanted_version,
                digest=digest,
                view_hash=view_hash,
                now=now,
                again_at=again_at,
            )
        )

    async def put_off(self, person: str, *, owner: str, error: str, until: datetime) -> bool:
        """Puts a Home tab off after a passing error. False: its lease went to somebody else."""
        return await self._write(lambda writing: homes.put_off(writing, person, owner, error, until))

    async def drop(self, person: str, *, owner: str) -> bool:
        """Forgets a Home tab that Slack will never take; opening it makes it again."""
        return await self._write(lambda writing: homes.drop(writing, person, owner))

    # What is shown

    async def concern(self, person: str) -> Concern:
        """What may concern a person, as far as the rows know; whether it does is the policy's to say."""
        return await self._database.read(lambda connection: home_queries.concern(connection, person))

    async def shown(self, person: str, *, cards: Sequence[str], skip: int, limit: int) -> Shown:
        """The cards of these interrupts, and the person's own runs from the `skip`-th on: open ones first."""
        return await self._database.read(lambda connection: home_queries.shown(connection, person, cards, skip, limit))

    async def _write(self, transition: Callable[[Transaction], T]) -> T:
        return await self._database.write(HOMES, transition, self._hand_over)

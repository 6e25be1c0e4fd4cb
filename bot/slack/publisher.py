"""Makes Slack show what the database says: level-triggered, paced per place, across restarts and replicas.

Each copy remembers which version it shows. Whatever is behind is taken under a lease, one at a time for each place, and
handed to the deliverer.
"""

import asyncio
from datetime import datetime, timedelta

from actions.kit.records.copies import CopyRecord
from bot.clock import now
from bot.engine.rounds import Rounds
from bot.slack.deliverer import Deliverer
from bot.slack.directory import Directory
from bot.slack.home_drawing import HomeDrawing
from bot.slack.posting import Posting
from storage.store import Store

PATIENCE = 12.0
"""Seconds that one copy may take."""
MARGIN = 3.0
"""Seconds by which a lease outlives that: after it a message may be looked for, and posted again."""


class Publisher:
    """One per process; replicas share the work through the leases of the store. `due` is set when copies became due."""

    def __init__(
        self,
        store: Store,
        posting: Posting,
        directory: Directory,
        homes: HomeDrawing,
        *,
        due: asyncio.Event,
        owner: str,
        check_cards: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self._store = store
        self._owner = owner
        self._lease = timedelta(seconds=patience + MARGIN)
        deliverer = Deliverer(store, posting, directory, homes, owner=owner, patience=patience, check_cards=check_cards)
        self._rounds = Rounds(
            "publisher",
            take=self._take,
            carry=deliverer.deliver,
            named=lambda copy: f"deliver {copy.id}",
            due=due,
            until=self._next,
        )

    def start(self) -> None:
        self._rounds.start()

    @property
    def age(self) -> float:
        """Seconds since it last looked for what is due, and could."""
        return self._rounds.age

    async def stop(self) -> None:
        """Take nothing more, and let what is in flight end: a post that is cut off would have to be looked for."""
        await self._rounds.stop()

    async def _take(self, room: int) -> tuple[CopyRecord, ...]:
        started = now()
        until = started + self._lease
        return await self._store.take_copies(owner=self._owner, now=started, lease_until=until, limit=room)

    async def _next(self) -> datetime | None:
        return await self._store.next_copy(now())

"""Makes Slack show what the database says: level-triggered, paced per place, across restarts and replicas.

Each copy remembers which version it shows. Whatever is behind is taken under a lease, one at a time for each place, and
handed to the deliverer.
"""

import asyncio
import time
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from actions.kit.records import CopyRecord
from bot.clock import now
from bot.slack.deliverer import Deliverer
from bot.slack.directory import Directory
from bot.slack.posting import Posting
from bot.slack.quiet import where
from storage.store import Store

AT_ONCE = 32
PATIENCE = 12.0
"""Seconds that one copy may take."""
MARGIN = 3.0
"""Seconds by which a lease outlives that: after it a message may be looked for, and posted again."""
REST = 1.0
"""Seconds after which other processes' work is looked for; what our own store wants sets `due`."""
SHORT_REST = 0.05

log = structlog.get_logger(__name__)


class Publisher:
    """One per process; replicas share the work through the leases of the store. `due` is set when copies became due."""

    def __init__(
        self,
        store: Store,
        posting: Posting,
        directory: Directory,
        *,
        due: asyncio.Event,
        owner: str,
        check_cards: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self._store = store
        self._deliverer = Deliverer(store, posting, directory, owner=owner, patience=patience, check_cards=check_cards)
        self._owner = owner
        self._lease = timedelta(seconds=patience + MARGIN)
        self._due = due
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False
        self._looked = time.monotonic()
        self._working: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self._loop = asyncio.create_task(self._run(), name="publisher")

    @property
    def age(self) -> float:
        """Seconds since it last looked for what is due, and could."""
        return time.monotonic() - self._looked

    async def stop(self) -> None:
        """Take nothing more, and let what is in flight end: a post that is cut off would have to be looked for.

        The loop is told, not cancelled: what it has just leased would keep others waiting until the lease ends.
        """
        self._stopping = True
        self._due.set()
        if self._loop:
            await asyncio.gather(self._loop, return_exceptions=True)
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _run(self) -> None:
        while not self._stopping:
            self._due.clear()
            try:
                if not await self._take():
                    await self._rest(await self._store.next_copy(now()))
            except Exception as error:  # noqa: BLE001 - whatever the database has, it is asked again
                log.warning("publisher_could_not_read", error=type(error).__name__, where=where(error))
                await self._rest(None)

    async def _take(self) -> int:
        room = AT_ONCE - len(self._working)
        if room <= 0:
            await asyncio.wait(self._working, return_when=asyncio.FIRST_COMPLETED)
            return 1
        started = now()
        until = started + self._lease
        copies = await self._store.take_copies(owner=self._owner, now=started, lease_until=until, limit=room)
        self._looked = time.monotonic()
        for copy in copies:
            self._begin(copy)
        return len(copies)

    def _begin(self, copy: CopyRecord) -> None:
        task = asyncio.create_task(self._deliverer.deliver(copy), name=f"deliver {copy.id}")
        self._working.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """A delivery that could not even be written down is taken up again when its lease ends."""
        self._working.discard(task)
        self._due.set()
        if not task.cancelled() and (error := task.exception()):
            log.error("delivery_not_noted", work=task.get_name(), error=type(error).__name__, where=where(error))

    async def _rest(self, until: datetime | None) -> None:
        """Until something becomes due, here or, as far as is known, anywhere."""
        left = REST if until is None else (until - now()).total_seconds()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(max(left, SHORT_REST), REST)):
                await self._due.wait()

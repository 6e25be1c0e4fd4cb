"""Sends what webhooks are to be told: level-triggered like the publisher, in order for each run, across restarts and replicas.

A receiver may be told twice (a process that dies between sending and writing it down), and never out of order: the next
delivery of a run goes only after the receiver took the one before, or after that was given up.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import assert_never

import structlog

from bot import clock
from bot.hooks.postman import PATIENCE, NotTaken, Postman, Taken, Unwanted
from bot.slack.quiet import where
from storage.deliveries import Parcel
from storage.store import Store

AT_ONCE = 32
MARGIN = 5.0
"""Seconds by which a lease outlives an attempt."""
REST = 1.0
"""Seconds after which it is looked whether anything is due; what our own store wants sets `due`."""
BACKOFF = tuple(timedelta(seconds=each) for each in (5, 30, 120, 600, 3600, 3 * 3600, 6 * 3600))
"""The waits between attempts; the last one repeats."""
GIVEN_UP_AFTER = timedelta(hours=24)
"""Since it was wanted."""
GONE = "it answered 410 Gone"

log = structlog.get_logger(__name__)


class Sender:
    """One per process; replicas share the work through the leases of the store. `due` is set when deliveries became due."""

    def __init__(
        self,
        store: Store,
        postman: Postman,
        *,
        due: asyncio.Event,
        owner: str,
        now: Callable[[], datetime] = clock.now,
        backoff: Sequence[timedelta] = BACKOFF,
        patience: float = PATIENCE,
        rest: float = REST,
    ) -> None:
        self._hooks = store.hooks
        self._postman = postman
        self._due = due
        self._owner = owner
        self._now = now
        self._backoff = backoff
        self._lease = timedelta(seconds=patience + MARGIN)
        self._rest_for = rest
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False
        self._working: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self._loop = asyncio.create_task(self._run(), name="sender")

    async def stop(self) -> None:
        """Take nothing more, and let what is on its way arrive."""
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
                    await self._rest()
            except Exception as error:  # noqa: BLE001 - whatever the database has, it is asked again
                log.warning("sender_could_not_read", error=type(error).__name__, where=where(error))
                await self._rest()

    async def _take(self) -> int:
        room = AT_ONCE - len(self._working)
        if room <= 0:
            await asyncio.wait(self._working, return_when=asyncio.FIRST_COMPLETED)
            return 1
        started = self._now()
        parcels = await self._hooks.take(owner=self._owner, now=started, lease_until=started + self._lease, limit=room)
        for parcel in parcels:
            task = asyncio.create_task(self._send(parcel), name=f"send {parcel.delivery.id}")
            self._working.add(task)
            task.add_done_callback(self._done)
        return len(parcels)

    def _done(self, task: asyncio.Task[None]) -> None:
        """A delivery that could not even be written down is taken up again when its lease ends."""
        self._working.discard(task)
        self._due.set()
        if not task.cancelled() and (error := task.exception()):
            log.error("sending_not_noted", work=task.get_name(), error=type(error).__name__, where=where(error))

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._rest_for):
                await self._due.wait()

    async def _send(self, parcel: Parcel) -> None:
        delivery, owner = parcel.delivery, self._owner
        reply = await self._postman.carry(parcel)
        now = self._now()
        match reply:
            case Taken(status):
                await self._hooks.delivered(delivery.id, response_status=status, now=now)
                log.info("webhook_delivered", delivery=delivery.id, webhook=delivery.hook_id, run=delivery.run_id)
            case Unwanted(status):
                log.warning("webhook_disabled", delivery=delivery.id, webhook=delivery.hook_id, reason=GONE)
                await self._hooks.give_up(
                    delivery.id, owner=owner, error=GONE, response_status=status, disables=GONE, now=now
                )
            case NotTaken():
                await self._not_taken(parcel, reply, now)
            case never:
                assert_never(never)

    async def _not_taken(self, parcel: Parcel, reply: NotTaken, now: datetime) -> None:
        delivery = parcel.delivery
        next_at = now + self._backoff[min(delivery.attempts, len(self._backoff)) - 1]
        about = {"delivery": delivery.id, "webhook": delivery.hook_id, "run": delivery.run_id, "error": reply.error}
        if next_at < delivery.since + GIVEN_UP_AFTER:
            log.warning("webhook_not_delivered", attempts=delivery.attempts, next_at=next_at.isoformat(), **about)
            await self._hooks.retry(
                delivery.id, owner=self._owner, error=reply.error, response_status=reply.status, next_at=next_at
            )
        else:
            log.error("webhook_given_up", attempts=delivery.attempts, **about)
            await self._hooks.give_up(
                delivery.id, owner=self._owner, error=reply.error, response_status=reply.status, now=now
            )

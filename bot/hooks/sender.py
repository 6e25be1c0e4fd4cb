"""Sends what webhooks are to be told: level-triggered like the publisher, in order for each run, across restarts and replicas.

A receiver may be told twice (a process that dies between sending and writing it down), and never out of order: the next
delivery of a run goes only after the receiver took the one before, or after that was given up.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import assert_never

import structlog

from bot import clock
from bot.engine.rounds import REST, Rounds
from bot.hooks.postman import PATIENCE, NotTaken, Postman, Taken, Unwanted
from storage.deliveries import Parcel
from storage.store import Store

MARGIN = 5.0
"""Seconds by which a lease outlives an attempt."""
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
        self._owner = owner
        self._now = now
        self._backoff = backoff
        self._lease = timedelta(seconds=patience + MARGIN)
        self._rounds = Rounds(
            "sender",
            take=self._take,
            carry=self._send,
            named=lambda parcel: f"send {parcel.delivery.id}",
            due=due,
            rest=rest,
        )

    def start(self) -> None:
        self._rounds.start()

    async def stop(self) -> None:
        """Take nothing more, and let what is on its way arrive."""
        await self._rounds.stop()

    async def _take(self, room: int) -> tuple[Parcel, ...]:
        started = self._now()
        return await self._hooks.take(owner=self._owner, now=started, lease_until=started + self._lease, limit=room)

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

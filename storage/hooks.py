"""What the rest of the bot asks of the webhooks: a part of the store, reached as `store.hooks`."""

from collections.abc import Callable
from datetime import datetime

from storage import hook_queries
from storage.database import Database, Transaction
from storage.deliveries import DeliveryRecord, DeliveryStatus, HookRecord, NewHook, Parcel, SendAgainResult
from storage.ids import new_hook_id, run_of
from storage.transitions import deliveries, hooks

# Deliveries of many runs, and only of those that nobody holds; they stand first in a commit, as sweeps do.
SENDING = ""


class Hooks:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def add(self, new: NewHook, *, now: datetime) -> str:
        """Registers a webhook, which is told of what happens from now on; its id."""
        hook_id = new_hook_id()
        await self._database.write(SENDING, lambda done: hooks.add(done, hook_id, new, now))
        return hook_id

    async def remove(self, hook_id: str, *, now: datetime) -> HookRecord | None:
        """Tells it nothing more, and forgets its secret. `None`: there is none of this id, or not any more."""
        return await self._database.write(SENDING, lambda done: hooks.remove(done, hook_id, now))

    async def registered(self) -> tuple[HookRecord, ...]:
        """Those that were added and not removed, the disabled ones included."""
        return await self._database.read(hook_queries.registered)

    async def hook(self, hook_id: str) -> HookRecord | None:
        """Any that there ever was, those of a single run included."""
        return await self._database.read(lambda connection: hook_queries.hook(connection, hook_id))

    async def deliveries(
        self,
        *,
        status: DeliveryStatus | None = None,
        run_id: str | None = None,
        hook_id: str | None = None,
        limit: int | None = None,
    ) -> tuple[DeliveryRecord, ...]:
        """The newest `limit` of them, in the order in which they were wanted."""
        return await self._database.read(
            lambda connection: hook_queries.list_deliveries(connection, status, run_id, hook_id, limit)
        )

    async def delivery(self, delivery_id: str) -> DeliveryRecord | None:
        return await self._database.read(lambda connection: hook_queries.delivery(connection, delivery_id))

    async def send_again(self, delivery_id: str, *, via: str, now: datetime) -> SendAgainResult | None:
        """Wants a delivery anew, whatever became of it. `None`: there is none of this id."""
        return await self._database.write(
            run_of(delivery_id), lambda done: deliveries.again(done, delivery_id, via, now), self._hand_over
        )

    # For the sender

    async def take(self, *, owner: str, now: datetime, lease_until: datetime, limit: int) -> tuple[Parcel, ...]:
        """Leases deliveries that are due, the oldest first: of each run and webhook only the next one."""
        return await self._database.write(
            SENDING, lambda done: deliveries.take(done, owner, now, lease_until, limit), self._hand_over
        )

    async def delivered(self, delivery_id: str, *, response_status: int, now: datetime) -> bool:
        """Records that a receiver took it. False: that is known already."""
        return await self._database.write(
            run_of(delivery_id),
            lambda done: deliveries.delivered(done, delivery_id, response_status, now),
            self._hand_over,
        )

    async def retry(
        self, delivery_id: str, *, owner: str, error: str, response_status: int | None, next_at: datetime
    ) -> bool:
        """Puts a delivery off, and what follows it. False: its lease had ended, and somebody else has it."""
        return await self._database.write(
            run_of(delivery_id),
            lambda done: deliveries.retry(
                done, delivery_id, owner=owner, error=error, response_status=response_status, next_at=next_at
            ),
        )

    async def give_up(
        self,
        delivery_id: str,
        *,
        owner: str,
        error: str,
        response_status: int | None,
        disables: str | None = None,
        now: datetime,
    ) -> bool:
        """Fails a delivery; with `disables` (the reason) its webhook too, and all that waits for it. False: as above."""
        return await self._database.write(
            run_of(delivery_id),
            lambda done: deliveries.give_up(
                done,
                delivery_id,
                owner=owner,
                error=error,
                response_status=response_status,
                disables=disables,
                now=now,
            ),
            self._hand_over,
        )

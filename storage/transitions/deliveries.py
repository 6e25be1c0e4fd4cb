"""Hands deliveries to the sender, in order for each run and webhook, and writes down what became of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, bindparam, func, literal_column, or_, select, update

from storage.deliveries import DeliveryStatus, HookDisabled, InFlight, Parcel, SendAgainResult, SentAgain
from storage.hook_queries import delivery, hook, parcel
from storage.locks import hold_free
from storage.tables import deliveries, hooks
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.hooks import disable

PER_HOOK = 8
"""How many deliveries a webhook is sent at once, by all processes: one that hangs holds up no other."""

IS_PENDING = deliveries.c.status == literal_column("'pending'")
IN_FLIGHT = and_(deliveries.c.lease_until.is_not(None), deliveries.c.lease_until > bindparam("b_now"))
OTHER = deliveries.alias("other")
# Of one run and hook only the first goes, and nothing while another is on its way.
IS_NEXT = ~(
    select(OTHER.c.seq)
    .where(
        OTHER.c.hook_id == deliveries.c.hook_id,
        OTHER.c.run_id == deliveries.c.run_id,
        OTHER.c.seq != deliveries.c.seq,
        OTHER.c.status == literal_column("'pending'"),
        or_(OTHER.c.number < deliveries.c.number, OTHER.c.lease_until > bindparam("b_now")),
    )
    .exists()
)
IS_DUE = and_(IS_PENDING, deliveries.c.next_at <= bindparam("b_now"))
RANKED = (
    select(
        deliveries.c.seq,
        deliveries.c.run_id,
        deliveries.c.hook_id,
        IN_FLIGHT.label("in_flight"),
        func.row_number()
        .over(partition_by=deliveries.c.hook_id, order_by=(IN_FLIGHT.desc(), deliveries.c.seq))
        .label("place"),
    )
    .where(IS_DUE, or_(IN_FLIGHT, IS_NEXT))
    .subquery()
)
NEXT: Select[Any] = (
    select(RANKED.c.seq, RANKED.c.run_id, hooks.c.url, hooks.c.secret, hooks.c.disabled_reason)
    .join(hooks, hooks.c.id == RANKED.c.hook_id)
    .where(~RANKED.c.in_flight, RANKED.c.place <= PER_HOOK)
    .order_by(RANKED.c.seq)
    .limit(bindparam("count"))
)
LEASE = (
    update(deliveries)
    .where(deliveries.c.seq == bindparam("b_seq"), IS_DUE, ~IN_FLIGHT, IS_NEXT)
    .values(attempts=deliveries.c.attempts + 1)
    .returning(deliveries)
)
FAIL = update(deliveries).where(deliveries.c.seq == bindparam("b_seq"), IS_PENDING)
# That a receiver took it is a fact, whoever reports it.
DELIVERED = update(deliveries).where(
    deliveries.c.id == bindparam("b_id"), deliveries.c.status != DeliveryStatus.DELIVERED
)
OURS = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("b_id"), IS_PENDING, deliveries.c.owner == bindparam("b_owner"))
    .returning(deliveries)
)
LATER_ONES = update(deliveries).where(
    deliveries.c.hook_id == bindparam("b_hook_id"),
    deliveries.c.run_id == bindparam("b_run_id"),
    deliveries.c.number > bindparam("b_number"),
    IS_PENDING,
)
AGAIN = update(deliveries).where(deliveries.c.id == bindparam("b_id"), ~and_(IS_PENDING, IN_FLIGHT))
RELEASED: dict[str, Any] = {"owner": None, "lease_until": None}


def take(transaction: Transaction, owner: str, now: datetime, lease_until: datetime, limit: int) -> tuple[Parcel, ...]:
    """Leases what is due. What waits for a webhook that was disabled fails instead; what others hold comes next time."""
    found = transaction.connection.execute(NEXT, {"b_now": now, "count": limit}).all()
    free = hold_free(transaction.connection, {row.run_id for row in found})
    leased = (_lease(transaction, row, owner, now, lease_until) for row in found if row.run_id in free)
    return tuple(each for each in leased if each is not None)


def delivered(transaction: Transaction, delivery_id: str, response_status: int, now: datetime) -> bool:
    """A second report of the same is none."""
    values: dict[str, Any] = {"status": DeliveryStatus.DELIVERED, "ended_at": now, "error": None}
    values |= RELEASED | {"response_status": response_status}
    done = transaction.connection.execute(DELIVERED, {"b_id": delivery_id, **values}).rowcount == 1
    transaction.deliveries_due |= done
    return done


def retry(
    transaction: Transaction,
    delivery_id: str,
    *,
    owner: str,
    error: str,
    response_status: int | None,
    next_at: datetime,
) -> bool:
    """What follows it waits with it. False: it is not ours any more."""
    row = _report(transaction, delivery_id, owner, error=error, response_status=response_status, next_at=next_at)
    if row is None:
        return False
    _put_off(transaction, row, next_at)
    return True


def give_up(
    transaction: Transaction,
    delivery_id: str,
    *,
    owner: str,
    error: str,
    response_status: int | None,
    disables: str | None,
    now: datetime,
) -> bool:
    """Fails for good; what follows it may go. `disables` is why its webhook is told nothing any more."""
    values = {"status": DeliveryStatus.FAILED, "ended_at": now, "error": error, "response_status": response_status}
    row = _report(transaction, delivery_id, owner, **values)
    if row is None:
        return False
    transaction.deliveries_due = True
    if disables is not None:
        disable(transaction, row.hook_id, disables, now)
    return True


def again(transaction: Transaction, delivery_id: str, via: str, now: datetime) -> SendAgainResult | None:
    """Whatever became of it, it is wanted anew, and goes before what waits behind it. `None`: there is none."""
    found = delivery(transaction.connection, delivery_id)
    if found is None:
        return None
    of_hook = hook(transaction.connection, found.hook_id)
    if of_hook is not None and of_hook.disabled_at is not None:
        return HookDisabled(of_hook)
    values = {"status": DeliveryStatus.PENDING, "attempts": 0, "since": now, "next_at": now, "ended_at": None}
    guard = {"b_id": delivery_id, "b_now": now}
    if transaction.connection.execute(AGAIN, guard | values | RELEASED).rowcount != 1:
        return InFlight(found)
    _put_off(transaction, found, now)
    transaction.deliveries_due = True
    note(transaction, found.run_id, "sent again", at=now, via=via, delivery=found.id, webhook=found.hook_id)
    return SentAgain(delivery(transaction.connection, delivery_id) or found)


def _lease(transaction: Transaction, row: Row[Any], owner: str, now: datetime, lease_until: datetime) -> Parcel | None:
    if row.disabled_reason is not None:
        error = f"the webhook is disabled: {row.disabled_reason}"
        values = {"status": DeliveryStatus.FAILED, "ended_at": now, "error": error}
        transaction.connection.execute(FAIL, {"b_seq": row.seq, **values, **RELEASED})
        return None
    lease = {"owner": owner, "lease_until": lease_until}
    leased = transaction.connection.execute(LEASE, {"b_seq": row.seq, "b_now": now, **lease}).one_or_none()
    return None if leased is None else parcel(leased, row.url, row.secret)


def _report(transaction: Transaction, delivery_id: str, owner: str, **values: Any) -> Row[Any] | None:
    guard = {"b_id": delivery_id, "b_owner": owner}
    return transaction.connection.execute(OURS, guard | RELEASED | values).one_or_none()


def _put_off(transaction: Transaction, first: Any, until: datetime) -> None:
    """They could not go before it anyway; nobody needs to look at them meanwhile."""
    guard = {"b_hook_id": first.hook_id, "b_run_id": first.run_id, "b_number": first.number}
    transaction.connection.execute(LATER_ONES, guard | {"next_at": until})

"""Hands copies to the publisher, lane by lane: one message in flight for each place, in the order in which they came."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, bindparam, func, insert, or_, select, update

from actions.kit.records.copies import CopyRecord
from storage import rows
from storage.locks import Task, alone, hold_free
from storage.queries import BEHIND
from storage.tables import CopyStatus, copies, lanes
from storage.transaction import Transaction

# https://docs.slack.dev/apis/web-api/rate-limits: one message a second and channel.
POST_PACE = timedelta(seconds=1)

# What stands in a thread comes last: an action that reports a thousand lines holds up nobody's card. It keeps its order.
IN_LANE = (copies.c.thread_ts.is_not(None), copies.c.seq)
RANKED = (
    select(
        copies,
        func.row_number().over(partition_by=copies.c.lane, order_by=IN_LANE).label("place_in_lane"),
    )
    .select_from(copies.outerjoin(lanes, lanes.c.lane == copies.c.lane))
    .where(
        BEHIND,
        copies.c.next_at <= bindparam("now"),
        or_(copies.c.lease_until.is_(None), copies.c.lease_until <= bindparam("now")),
        or_(lanes.c.next_at.is_(None), lanes.c.next_at <= bindparam("now")),
        or_(lanes.c.lease_until.is_(None), lanes.c.lease_until <= bindparam("now")),
    )
    .subquery()
)
NEXT = (
    select(RANKED)
    .where(RANKED.c.place_in_lane == 1)
    .order_by(RANKED.c.status == CopyStatus.WANTED, RANKED.c.seq)
    .limit(bindparam("count"))
)
# A lane that somebody else changes at this moment is not waited for: it is being leased, or its lease has ended.
LANE = lanes.alias("chosen")
CHOSEN = select(LANE.c.lane).where(LANE.c.lane == bindparam("b_lane")).with_for_update(skip_locked=True)
FREE = or_(LANE.c.lease_until.is_(None), LANE.c.lease_until <= bindparam("b_now"))
LEASE_LANE = update(lanes).where(
    lanes.c.lane == CHOSEN.where(LANE.c.next_at <= bindparam("b_now"), FREE).scalar_subquery()
)
HAS_LANE = select(lanes.c.lane).where(lanes.c.lane == bindparam("lane"))
NEW_LANE = insert(lanes)
FREE_LANE = (
    update(lanes)
    .where(lanes.c.lane == CHOSEN.where(LANE.c.owner == bindparam("b_owner")).scalar_subquery())
    .values(owner=None, lease_until=None)
)
# Whoever was given a copy that has no message yet, and never reported, may have posted it.
LEASE_COPY = (
    update(copies)
    .where(
        copies.c.seq == bindparam("b_seq"),
        copies.c.lane == bindparam("b_lane"),
        BEHIND,
        copies.c.next_at <= bindparam("b_now"),
        or_(copies.c.lease_until.is_(None), copies.c.lease_until <= bindparam("b_now")),
    )
    .values(
        attempts=copies.c.attempts + 1,
        maybe_posted=or_(copies.c.maybe_posted, and_(copies.c.ts.is_(None), copies.c.owner.is_not(None))),
    )
    .returning(copies)
)
RELEASED: dict[str, Any] = {"owner": None, "lease_until": None}


def take(
    transaction: Transaction, owner: str, now: datetime, lease_until: datetime, limit: int
) -> tuple[CopyRecord, ...]:
    """The first due copy of each free lane, leased together with its lane. What others work on comes the next time."""
    found = transaction.connection.execute(NEXT, {"now": now, "count": limit}).all()
    free = hold_free(transaction.connection, {row.run_id for row in found})
    ours = sorted((row for row in found if row.run_id in free), key=_lane)
    leased = {row.seq: _lease(transaction, row, owner, now, lease_until) for row in ours}
    return tuple(copy for row in found if (copy := leased.get(row.seq)) is not None)


def free_lane(transaction: Transaction, row: Row[Any], owner: str, **values: datetime) -> None:
    """Lets the next copy through; a lane that somebody else leased meanwhile stays theirs."""
    freed = RELEASED | values
    transaction.connection.execute(FREE_LANE, {"b_lane": row.lane, "b_owner": owner, **freed})
    transaction.copies_due = True


def _lane(row: Row[Any]) -> str:
    return str(row.lane)


def _lease(
    transaction: Transaction, row: Row[Any], owner: str, now: datetime, lease_until: datetime
) -> CopyRecord | None:
    if not _lease_lane(transaction, row.lane, owner, now, lease_until):
        return None
    guard = {"b_seq": row.seq, "b_lane": row.lane, "b_now": now}
    leased = transaction.connection.execute(LEASE_COPY, guard | {"owner": owner, "lease_until": lease_until}).first()
    if leased is None:
        free_lane(transaction, row, owner)
        return None
    return rows.copy_record(leased)


def _lease_lane(transaction: Transaction, lane: str, owner: str, now: datetime, lease_until: datetime) -> bool:
    """A lane comes into being with its first copy."""
    lease = {"owner": owner, "lease_until": lease_until}
    if transaction.connection.execute(LEASE_LANE, {"b_lane": lane, "b_now": now, **lease}).rowcount == 1:
        return True
    if not alone(transaction.connection, Task.MAKING_LANES):
        return False
    if transaction.connection.execute(HAS_LANE, {"lane": lane}).first() is not None:
        return False
    transaction.connection.execute(NEW_LANE, {"lane": lane, "next_at": now, **lease})
    return True

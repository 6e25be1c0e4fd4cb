"""Hands copies to the publisher, lane by lane, and writes down what became of them in Slack."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, or_, select, update

from actions.kit.records import Card, CopyKind, CopyRecord, InterruptStatus, NewCopy
from storage import queries, rows
from storage.queries import BEHIND
from storage.tables import CopyStatus, copies, interrupts, lanes
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.deadlines import deadline, set_clock
from storage.writer import Transaction

# https://docs.slack.dev/apis/web-api/rate-limits: one message a second and channel.
POST_PACE = timedelta(seconds=1)

RANKED = (
    select(
        copies,
        func.row_number().over(partition_by=copies.c.lane, order_by=copies.c.seq).label("place_in_lane"),
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
LEASE_LANE = update(lanes).where(
    lanes.c.lane == bindparam("b_lane"),
    lanes.c.next_at <= bindparam("b_now"),
    or_(lanes.c.lease_until.is_(None), lanes.c.lease_until <= bindparam("b_now")),
)
HAS_LANE = select(lanes.c.lane).where(lanes.c.lane == bindparam("lane"))
NEW_LANE = insert(lanes)
FREE_LANE = (
    update(lanes)
    .where(lanes.c.lane == bindparam("b_lane"), lanes.c.owner == bindparam("b_owner"))
    .values(owner=None, lease_until=None)
)
LEASE_COPY = update(copies).where(
    copies.c.seq == bindparam("b_seq"),
    or_(copies.c.lease_until.is_(None), copies.c.lease_until <= bindparam("b_now")),
)
COPY = select(copies).where(copies.c.id == bindparam("id"))
STANDING = (
    select(copies.c.seq)
    .where(
        copies.c.interrupt_id == bindparam("interrupt_id"),
        copies.c.kind == CopyKind.CARD,
        copies.c.status.in_(views.LIVE),
    )
    .limit(1)
)
LOCK_INTERRUPT = select(interrupts.c.id).where(interrupts.c.id == bindparam("id")).with_for_update()
TRIED = select(copies.c.place).where(copies.c.interrupt_id == bindparam("interrupt_id"), copies.c.kind == CopyKind.CARD)
# A message that stands is a fact, whoever reports it; but a copy stands only once.
POSTED = update(copies).where(copies.c.seq == bindparam("b_seq"), copies.c.ts.is_(None))
OURS = update(copies).where(copies.c.seq == bindparam("b_seq"), copies.c.owner == bindparam("b_owner"))
RELEASED: dict[str, Any] = {"owner": None, "lease_until": None}


def take(
    transaction: Transaction, owner: str, now: datetime, lease_until: datetime, limit: int
) -> tuple[CopyRecord, ...]:
    """The first due copy of each free lane, leased together with its lane."""
    found = transaction.connection.execute(NEXT, {"now": now, "count": limit}).all()
    leased = {row.seq: _lease(transaction, row, owner, now, lease_until) for row in sorted(found, key=_lane)}
    return tuple(copy for row in found if (copy := leased[row.seq]) is not None)


def posted(
    transaction: Transaction, copy_id: str, *, owner: str, channel: str, ts: str, version: int, at: datetime
) -> bool:
    """The first post of a pending card starts its clock; lines that waited for a thread have one now."""
    row = _find(transaction, copy_id)
    if row is None or row.ts is not None:
        return row is not None and (row.channel, row.ts) == (channel, ts)
    card = _lock_card(transaction, row)
    _free_lane(transaction, row, owner, next_at=at + POST_PACE)
    wanted = row.wanted_version if row.status is CopyStatus.WANTED else version + 1
    values: dict[str, Any] = {
        "status": CopyStatus.POSTED,
        "channel": channel,
        "ts": ts,
        "lane": views.editing_lane(channel),
    }
    values |= {"shown_version": version, "wanted_version": wanted, "attempts": 0, "error": None, "next_at": at}
    values |= RELEASED | {"maybe_posted": False}
    if transaction.connection.execute(POSTED, {"b_seq": row.seq, **values}).rowcount != 1:
        return False
    transaction.copies_due |= version < wanted
    if card is not None:
        _start_clock(transaction, card, at)
        views.address_lines(transaction, row.run_id)
    _note(transaction, row, "posted", at, channel=channel, ts=ts)
    return True


def updated(transaction: Transaction, copy_id: str, *, owner: str, version: int, now: datetime) -> bool:
    row = _find(transaction, copy_id)
    if row is None:
        return False
    _free_lane(transaction, row, owner, next_at=now)
    return _report(transaction, row, owner, shown_version=version, attempts=0, error=None)


def retry(
    transaction: Transaction,
    copy_id: str,
    *,
    owner: str,
    error: str,
    next_at: datetime,
    lane_until: datetime | None,
    maybe_posted: bool,
) -> bool:
    """A card that nobody has seen and that is settled by now is not tried again."""
    row = _find(transaction, copy_id)
    if row is None:
        return False
    _free_lane(transaction, row, owner, **({} if lane_until is None else {"next_at": lane_until}))
    maybe_posted = maybe_posted or row.maybe_posted
    if not _report(transaction, row, owner, error=error, next_at=next_at, maybe_posted=maybe_posted):
        return False
    card = _card_of(transaction, row)
    if card is not None and card.interrupt.status is not InterruptStatus.PENDING:
        views.drop_unseen(transaction, card.interrupt.id)
    return True


def gone(transaction: Transaction, copy_id: str, *, owner: str, repost: Sequence[NewCopy], now: datetime) -> bool:
    row = _find(transaction, copy_id)
    if row is None:
        return False
    card = _lock_card(transaction, row)
    _free_lane(transaction, row, owner, next_at=now)
    if not _report(transaction, row, owner, status=CopyStatus.GONE, wanted_version=row.shown_version):
        return False
    _note(transaction, row, "copy gone", now, channel=row.channel)
    if card is None:
        return False
    views.readdress_lines(transaction, row.run_id)
    if card.interrupt.status is not InterruptStatus.PENDING:
        return False
    again = [replace(each, reposted=True) for each in repost]
    views.want(transaction, row.run_id, row.interrupt_id, again, now)
    return _flag_unseen(transaction, card, "message_deleted", now)


def refused(
    transaction: Transaction, copy_id: str, *, owner: str, error: str, fallbacks: Sequence[NewCopy], now: datetime
) -> bool:
    row = _find(transaction, copy_id)
    if row is None:
        return False
    card = _lock_card(transaction, row)
    _free_lane(transaction, row, owner, next_at=now)
    failed = {"status": CopyStatus.FAILED, "error": error, "wanted_version": row.shown_version}
    if not _report(transaction, row, owner, **failed):
        return False
    _note(transaction, row, "copy refused", now, error=error)
    if card is None or card.interrupt.status is not InterruptStatus.PENDING:
        return False
    tried = {place.place for place in transaction.connection.execute(TRIED, {"interrupt_id": row.interrupt_id})}
    untried = [each for each in fallbacks if rows.place_text(each.place) not in tried]
    views.want(transaction, row.run_id, row.interrupt_id, untried, now)
    return _flag_unseen(transaction, card, error, now)


def _lane(row: Row[Any]) -> str:
    return str(row.lane)


def _lease(
    transaction: Transaction, row: Row[Any], owner: str, now: datetime, lease_until: datetime
) -> CopyRecord | None:
    if not _lease_lane(transaction, row.lane, owner, now, lease_until):
        return None
    maybe_posted = row.maybe_posted or (row.ts is None and row.owner is not None)
    values = {"owner": owner, "lease_until": lease_until, "attempts": row.attempts + 1, "maybe_posted": maybe_posted}
    guard = {"b_seq": row.seq, "b_now": now}
    if transaction.connection.execute(LEASE_COPY, guard | values).rowcount != 1:
        return None
    return replace(rows.copy_record(row), attempts=row.attempts + 1, maybe_posted=maybe_posted)


def _lease_lane(transaction: Transaction, lane: str, owner: str, now: datetime, lease_until: datetime) -> bool:
    """A lane comes into being with its first copy."""
    lease = {"owner": owner, "lease_until": lease_until}
    if transaction.connection.execute(LEASE_LANE, {"b_lane": lane, "b_now": now, **lease}).rowcount == 1:
        return True
    if transaction.connection.execute(HAS_LANE, {"lane": lane}).first() is not None:
        return False
    transaction.connection.execute(NEW_LANE, {"lane": lane, "next_at": now, **lease})
    return True


def _free_lane(transaction: Transaction, row: Row[Any], owner: str, **values: datetime) -> None:
    freed = RELEASED | values
    transaction.connection.execute(FREE_LANE, {"b_lane": row.lane, "b_owner": owner, **freed})
    transaction.copies_due = True


def _report(transaction: Transaction, row: Row[Any], owner: str, **values: Any) -> bool:
    """Writes down what became of a copy that is ours. False: its lease had ended, and somebody else has it."""
    found = transaction.connection.execute(OURS, {"b_seq": row.seq, "b_owner": owner, **RELEASED, **values})
    return found.rowcount == 1


def _find(transaction: Transaction, copy_id: str) -> Row[Any] | None:
    return transaction.connection.execute(COPY, {"id": copy_id}).one_or_none()


def _card_of(transaction: Transaction, row: Row[Any]) -> Card | None:
    if row.kind is not CopyKind.CARD:
        return None
    return queries.card(transaction.connection, row.interrupt_id)


def _lock_card(transaction: Transaction, row: Row[Any]) -> Card | None:
    """The card that a copy shows, its interrupt locked before any copy is."""
    if row.kind is CopyKind.CARD:
        transaction.connection.execute(LOCK_INTERRUPT, {"id": row.interrupt_id})
    return _card_of(transaction, row)


def _start_clock(transaction: Transaction, card: Card, at: datetime) -> None:
    interrupt = card.interrupt
    if interrupt.posted_at is not None and interrupt.undeliverable is None:
        return
    expires_at = deadline(interrupt, at)
    values = {"posted_at": interrupt.posted_at or at, "expires_at": expires_at, "undeliverable": None}
    if set_clock(transaction, interrupt, **values) and (expires_at, None) != (
        interrupt.expires_at,
        interrupt.undeliverable,
    ):
        views.touch(transaction, card.run.id, at)


def _flag_unseen(transaction: Transaction, card: Card, reason: str, now: datetime) -> bool:
    """A pending card of which nothing stands or is wanted: its clock runs, and the requester is told."""
    interrupt = card.interrupt
    if transaction.connection.execute(STANDING, {"interrupt_id": interrupt.id}).first() is not None:
        return False
    if not set_clock(transaction, interrupt, undeliverable=reason, expires_at=deadline(interrupt, now)):
        return False
    views.touch(transaction, card.run.id, now)
    notice = NewCopy(CopyKind.UNDELIVERABLE, views.to_requester(card.run))
    views.want(transaction, card.run.id, interrupt.id, [notice], now)
    note(
        transaction,
        card.run.id,
        "undeliverable",
        at=now,
        via="publisher",
        interrupt_id=interrupt.id,
        reason=reason,
    )
    return True


def _note(transaction: Transaction, row: Row[Any], event: str, at: datetime, **details: Any) -> None:
    about = {"copy": row.id, "kind": row.kind.value, **details}
    note(transaction, row.run_id, event, at=at, via="publisher", interrupt_id=row.interrupt_id, **about)

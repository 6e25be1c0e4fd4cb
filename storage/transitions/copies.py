"""Writes down what became of a copy in Slack, and what follows from it for its interrupt."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, select, update

from actions.kit.policies.deciders import DirectMessage
from actions.kit.records.audit import MESSAGE_POSTED
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries, rows
from storage.tables import CopyStatus, copies
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.deadlines import set_clock, started
from storage.transitions.lanes import POST_PACE, RELEASED, free_lane
from storage.transitions.pacing import plan

COPY = select(copies).where(copies.c.id == bindparam("id"))
STANDING = (
    select(copies.c.seq)
    .where(
        copies.c.interrupt_id == bindparam("interrupt_id"),
        copies.c.kind == CopyKind.CARD,
        copies.c.fallback.is_(False),
        views.IS_LIVE,
    )
    .limit(1)
)
STILL_WANTED = STANDING.where(copies.c.status == CopyStatus.WANTED)
SEEN = (
    select(copies.c.seq)
    .where(
        copies.c.interrupt_id == bindparam("interrupt_id"),
        copies.c.kind == CopyKind.CARD,
        copies.c.status == CopyStatus.POSTED,
    )
    .limit(1)
)
NOTICE = (
    select(copies.c.seq)
    .where(copies.c.interrupt_id == bindparam("interrupt_id"), views.IS_NOTICE, views.IS_LIVE)
    .limit(1)
)
TRIED = select(copies.c.place).where(copies.c.interrupt_id == bindparam("interrupt_id"), copies.c.kind == CopyKind.CARD)
# A message that stands is a fact, whoever reports it; but a copy stands only once.
POSTED = update(copies).where(copies.c.seq == bindparam("b_seq"), copies.c.ts.is_(None))
OURS = update(copies).where(copies.c.seq == bindparam("b_seq"), copies.c.owner == bindparam("b_owner"))


def posted(
    transaction: Transaction, copy_id: str, *, owner: str, channel: str, ts: str, version: int, at: datetime
) -> bool:
    """The first post of a pending card starts its clock; lines that waited for a thread have one now."""
    row = _find(transaction, copy_id)
    if row is None or row.ts is not None:
        return row is not None and (row.channel, row.ts) == (channel, ts)
    card = _card_of(transaction, row)
    free_lane(transaction, row, owner, next_at=at + POST_PACE)
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
        _start_clock(transaction, card, at, delivered=not row.fallback)
        views.address_lines(transaction, row.run_id)
    _note(transaction, row, MESSAGE_POSTED, at, channel=channel, ts=ts)
    return True


def updated(transaction: Transaction, copy_id: str, *, owner: str, version: int, now: datetime) -> bool:
    row = _find(transaction, copy_id)
    if row is None:
        return False
    free_lane(transaction, row, owner, next_at=now)
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
    free_lane(transaction, row, owner, **({} if lane_until is None else {"next_at": lane_until}))
    maybe_posted = maybe_posted or row.maybe_posted
    if not _report(transaction, row, owner, error=error, next_at=next_at, maybe_posted=maybe_posted):
        return False
    card = _card_of(transaction, row)
    if card is not None and card.interrupt.status is not InterruptStatus.PENDING:
        views.drop_unseen(transaction, card.interrupt.id)
    return True


def blocked(
    transaction: Transaction,
    copy_id: str,
    *,
    owner: str,
    error: str,
    next_at: datetime,
    maybe_posted: bool,
    now: datetime,
) -> bool:
    """The copy stays wanted: whoever mends the bot need not order it again."""
    row = _find(transaction, copy_id)
    card = None if row is None else _card_of(transaction, row)
    put_off = retry(
        transaction, copy_id, owner=owner, error=error, next_at=next_at, lane_until=None, maybe_posted=maybe_posted
    )
    if not put_off or card is None or card.interrupt.undeliverable is not None:
        return False
    # Before its clock has started, what stands is from an earlier stage: whoever is asked now has seen nothing.
    has_begun = card.interrupt.posted_at is not None
    if has_begun and transaction.connection.execute(SEEN, {"interrupt_id": card.interrupt.id}).first() is not None:
        return False
    return flag_undeliverable(transaction, card, error, now)


def gone(transaction: Transaction, copy_id: str, *, owner: str, repost: Sequence[NewCopy], now: datetime) -> bool:
    row = _find(transaction, copy_id)
    if row is None:
        return False
    card = _card_of(transaction, row)
    free_lane(transaction, row, owner, next_at=now)
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
    card = _card_of(transaction, row)
    free_lane(transaction, row, owner, next_at=now)
    if row.kind is CopyKind.OUTCOME and row.thread_ts is not None:
        return _tell_directly(transaction, row, owner, error, now)
    failed = {"status": CopyStatus.FAILED, "error": error, "wanted_version": row.shown_version}
    if not _report(transaction, row, owner, **failed):
        return False
    _note(transaction, row, "copy refused", now, error=error)
    if row.kind is CopyKind.OUTCOME:
        _tell_in_thread(transaction, row, error, now)
    if card is None or card.interrupt.status is not InterruptStatus.PENDING:
        return False
    tried = {place.place for place in transaction.connection.execute(TRIED, {"interrupt_id": row.interrupt_id})}
    untried = [each for each in fallbacks if rows.place_text(each.place) not in tried]
    views.want(transaction, row.run_id, row.interrupt_id, untried, now)
    return _flag_unseen(transaction, card, error, now)


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


def _start_clock(transaction: Transaction, card: Card, at: datetime, *, delivered: bool) -> None:
    """The first post starts it. `delivered`: it stands where it belongs, so nothing is undeliverable (any more)."""
    interrupt = card.interrupt
    lifted = delivered and interrupt.undeliverable is not None
    if interrupt.posted_at is not None and not lifted:
        return
    values: dict[str, Any] = {"posted_at": interrupt.posted_at or at, **started(interrupt, at)}
    if lifted:
        values["undeliverable"] = None
        views.drop_notices(transaction, interrupt.id)
    if not set_clock(transaction, interrupt, **values):
        return
    plan(transaction, interrupt, at, values["expires_at"])
    if lifted:
        views.touch(transaction, card.run.id, at)


def _flag_unseen(transaction: Transaction, card: Card, reason: str, now: datetime) -> bool:
    """A pending card of which nothing stands or is wanted where it belongs; the first reason stays.

    Until the clock of a stage has started, what stands is where an earlier one was asked.
    """
    if card.interrupt.undeliverable is not None:
        return False
    reaching = STILL_WANTED if card.interrupt.posted_at is None else STANDING
    if transaction.connection.execute(reaching, {"interrupt_id": card.interrupt.id}).first() is not None:
        return False
    return flag_undeliverable(transaction, card, reason, now)


def flag_undeliverable(transaction: Transaction, card: Card, reason: str, now: datetime) -> bool:
    """Nobody sees it: its clock runs, and the requester is told. A notice that stands from before is drawn anew."""
    interrupt = card.interrupt
    values = started(interrupt, now)
    if not set_clock(transaction, interrupt, undeliverable=reason, **values):
        return False
    plan(transaction, interrupt, now, values["expires_at"])
    views.touch(transaction, card.run.id, now)
    if transaction.connection.execute(NOTICE, {"interrupt_id": interrupt.id}).first() is None:
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


def _tell_directly(transaction: Transaction, row: Row[Any], owner: str, error: str, now: datetime) -> bool:
    """How a run ended cannot be told where it was asked for (any more): its requester gets it as everybody does."""
    lane = views.posting_lane(rows.place_of(row.place))
    address = {"channel": None, "thread_ts": None, "ts": None, "lane": lane, "status": CopyStatus.WANTED}
    again = _report(transaction, row, owner, error=error, next_at=now, attempts=0, maybe_posted=False, **address)
    transaction.copies_due |= again
    return again


def _tell_in_thread(transaction: Transaction, row: Row[Any], error: str, now: datetime) -> None:
    """A requester cannot be told directly how it ended: they are called into the card's thread."""
    place = rows.place_of(row.place)
    if isinstance(place, DirectMessage) and place.person is not None:
        said = f"could not be told directly how this ended ({error})"
        views.want_line(transaction, row.run_id, said, now, person=place.person.id)


def _note(transaction: Transaction, row: Row[Any], event: str, at: datetime, **details: Any) -> None:
    about = {"copy": row.id, "kind": row.kind.value, **details}
    note(transaction, row.run_id, event, at=at, via="publisher", interrupt_id=row.interrupt_id, **about)

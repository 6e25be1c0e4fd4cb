"""When the clock of an interrupt starts, is moved, and runs out."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, bindparam, select, update

from actions.kit.policies.hours import elapsed, later
from actions.kit.policies.steps import WHILE_PAUSED, StepKind
from actions.kit.records.interrupts import Card, InterruptRecord, InterruptStatus
from storage import queries
from storage.locks import Task, alone
from storage.queries import PENDING
from storage.tables import interrupts, runs
from storage.transaction import Transaction
from storage.transitions import digests, grant_ends, views
from storage.transitions.audit import note
from storage.transitions.decisions import expire
from storage.transitions.pacing import move_steps

RUNS_ON = interrupts.c.paused_at.is_(None)
WITH_RUN = interrupts.join(runs, runs.c.id == interrupts.c.run_id)
# Ordered by an expression: to save a sort, SQLite would walk every interrupt there ever was in the order of ids.
DUE = (
    select(interrupts.c.id)
    .select_from(WITH_RUN)
    .where(PENDING, RUNS_ON, interrupts.c.expires_at <= bindparam("now"))
    .order_by(interrupts.c.id.concat(""))
    .limit(bindparam("count"))
    .with_for_update(of=runs, key_share=True, skip_locked=True)
)
CLOCKS = (
    select(interrupts).select_from(WITH_RUN).where(PENDING).order_by(runs.c.id).with_for_update(of=runs, key_share=True)
)
SET_CLOCK = update(interrupts).where(interrupts.c.id == bindparam("b_id"), PENDING)
PAUSE = SET_CLOCK.where(RUNS_ON)
RESUME = SET_CLOCK.where(interrupts.c.paused_at.is_not(None))


def expire_due(transaction: Transaction, now: datetime, limit: int) -> int:
    """What somebody else works on is left to the next sweep; each card is read once its run is ours."""
    if not alone(transaction.connection, Task.EXPIRING):
        return 0
    due = transaction.connection.execute(DUE, {"now": now, "count": limit}).scalars().all()
    cards = (queries.card(transaction.connection, each) for each in due)
    return sum(card is not None and _expire(transaction, card, now) for card in cards)


def _expire(transaction: Transaction, card: Card, now: datetime) -> bool:
    is_due = card.interrupt.status is InterruptStatus.PENDING and card.interrupt.is_over(now)
    return is_due and expire(transaction, card, now) is not None


def deadline(interrupt: InterruptRecord, since: datetime) -> datetime | None:
    """What runs already stays; an interrupt that never expires has no deadline."""
    if interrupt.expires_at is not None or interrupt.expires_in is None:
        return interrupt.expires_at
    return later(since, interrupt.expires_in, interrupt.policy.hours)


def started(interrupt: InterruptRecord, at: datetime) -> dict[str, datetime | None]:
    """What is written when its clock starts, or would if it did not run already; one that was paused before stands from now on."""
    values = {"expires_at": deadline(interrupt, at)}
    ran = interrupt.posted_at or interrupt.expires_at or interrupt.undeliverable
    return values if ran or interrupt.paused_at is None else {**values, "paused_at": at}


def set_clock(transaction: Transaction, interrupt: InterruptRecord, **values: object) -> bool:
    """Writes what starts or ends a wait for delivery. False: the interrupt is settled by now."""
    return transaction.connection.execute(SET_CLOCK, {"b_id": interrupt.id, **values}).rowcount == 1


def pause_clock(transaction: Transaction, card: Card, now: datetime, *, via: str, person: str | None = None) -> bool:
    """Stops the time of a question, also before it runs. False: it is settled or too late, or its clock stands already."""
    if card.interrupt.is_over(now):
        return False
    if transaction.connection.execute(PAUSE, {"b_id": card.interrupt.id, "paused_at": now}).rowcount != 1:
        return False
    _tell(transaction, card, "clock paused", now, via=via, person=person)
    return True


def resume_clock(transaction: Transaction, card: Card, now: datetime, *, via: str, person: str | None = None) -> bool:
    """Lets it go on with as much time as was left. False: it is settled, or its clock runs."""
    left = card.interrupt.time_left
    expires_at = card.interrupt.expires_at if left is None else later(now, left, card.interrupt.policy.hours)
    values = {"b_id": card.interrupt.id, "paused_at": None, "expires_at": expires_at}
    if transaction.connection.execute(RESUME, values).rowcount != 1:
        return False
    _move_on(transaction, card.interrupt, now)
    _tell(transaction, card, "clock resumed", now, via=via, person=person)
    return True


def _move_on(transaction: Transaction, interrupt: InterruptRecord, now: datetime) -> None:
    """What is to happen by itself waits as long as the clock stood."""
    paused_at, hours = interrupt.paused_at, interrupt.policy.hours
    if paused_at is not None:
        move_steps(transaction, interrupt.id, lambda due: later(now, elapsed(paused_at, due, hours), hours))


def _tell(transaction: Transaction, card: Card, event: str, now: datetime, *, via: str, person: str | None) -> None:
    views.touch(transaction, card.run.id, now)
    note(transaction, card.run.id, event, at=now, via=via, interrupt_id=card.interrupt.id, person=person)


def bring_forward(transaction: Transaction, by: timedelta, now: datetime) -> int:
    """How many deadlines moved. A clock that stands stays; when it goes on, and when a claim lapses, comes nearer all the same.

    Row by row: date arithmetic is not the same in every database, and this is for demos and tests.
    """
    digests.bring_forward(transaction, by)
    grant_ends.bring_forward(transaction, by)
    return sum(_bring_forward(transaction, row, by, now) for row in transaction.connection.execute(CLOCKS).all())


def _bring_forward(transaction: Transaction, row: Row[Any], by: timedelta, now: datetime) -> bool:
    """Whether it has a deadline that moved."""
    stands = row.paused_at is not None
    move_steps(transaction, row.id, lambda due: due - by, WHILE_PAUSED if stands else tuple(StepKind))
    moments = {"claimed_until": row.claimed_until, "expires_at": None if stands else row.expires_at}
    moved = {name: moment - by for name, moment in moments.items() if moment is not None}
    if not moved or transaction.connection.execute(SET_CLOCK, {"b_id": row.id, **moved}).rowcount != 1:
        return False
    views.touch(transaction, row.run_id, now)
    if "expires_at" not in moved:
        return False
    about = {"interrupt_id": row.id, "seconds": -by.total_seconds()}
    note(transaction, row.run_id, "deadline moved", at=now, via="clock control", **about)
    return True

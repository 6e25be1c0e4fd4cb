"""A question gets more time from somebody who may decide it, once after each warning, as often as its policy says."""

from datetime import datetime

from actions.kit.records import Card, InterruptStatus
from actions.kit.steps import StepKind, extended_until, warning
from storage import queries
from storage.results import AlreadySettled, Extended, ExtendResult, Extension, NoMoreTime, Unknown
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.answers import LOCK
from storage.transitions.audit import note
from storage.transitions.deadlines import set_clock
from storage.transitions.decisions import expire
from storage.transitions.pacing import add, forget_kind


def extend(transaction: Transaction, asked: Extension, now: datetime) -> ExtendResult:
    """The same click again changes nothing."""
    pending = transaction.connection.execute(LOCK, {"b_id": asked.interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, asked.interrupt_id)
    if card is None:
        return Unknown()
    if queries.extended_by(transaction.connection, asked.interrupt_id) == asked.source:
        return Extended(card)
    if not pending or card.interrupt.status is not InterruptStatus.PENDING:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return AlreadySettled(expire(transaction, card, now) or card)
    until = extended_until(card.interrupt)
    return NoMoreTime(card) if until is None else _extend(transaction, card, until, asked, now)


def _extend(transaction: Transaction, card: Card, expires_at: datetime, asked: Extension, now: datetime) -> Extended:
    interrupt = card.interrupt
    number = interrupt.extended + 1
    values = {"expires_at": expires_at, "extended": number, "extended_source": asked.source, "warned_at": None}
    set_clock(transaction, interrupt, **values)
    forget_kind(transaction, interrupt, StepKind.WARN)
    add(transaction, interrupt, [warning(interrupt.policy, number + 1, now, expires_at)])
    views.want_line(transaction, card.run.id, "gave it more time", now, person=asked.person)
    views.touch(transaction, card.run.id, now)
    about = {"interrupt_id": interrupt.id, "person": asked.person, "until": expires_at.isoformat()}
    note(transaction, card.run.id, "extended", at=now, via=asked.via, **about)
    return Extended(queries.card(transaction.connection, interrupt.id) or card)

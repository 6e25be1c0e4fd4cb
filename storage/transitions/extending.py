"""A question gets more time from somebody who may decide it, once after each warning, as often as its policy says."""

from datetime import datetime

from actions.kit.policies.steps import StepKind, extended_until, warning
from actions.kit.records.interrupts import Card
from storage import queries, rows
from storage.results import Extended, ExtendResult, Extension, NoMoreTime, Stale
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.deadlines import set_clock
from storage.transitions.opening import open_card
from storage.transitions.pacing import add, forget_kind


def extend(transaction: Transaction, asked: Extension, now: datetime) -> ExtendResult:
    """The same click again changes nothing."""
    card = open_card(transaction, asked.interrupt_id, now)
    if not isinstance(card, Card):
        return card
    known = queries.extended_by(transaction.connection, asked.interrupt_id)
    if asked.source in known:
        return Extended(card)
    if asked.content_version != card.interrupt.content_version:
        return Stale(card)
    until = extended_until(card.interrupt)
    if until is None:
        return NoMoreTime(card)
    sources = rows.words_text((*known, asked.source))
    values = {"expires_at": until, "extended": card.interrupt.extended + 1, "extended_by": sources, "warned_at": None}
    set_clock(transaction, card.interrupt, **values)
    return _extended(transaction, card, until, asked, now)


def _extended(transaction: Transaction, card: Card, until: datetime, asked: Extension, now: datetime) -> Extended:
    """Who gave it more time is told in its thread, and it is warned of again before that is over."""
    interrupt = card.interrupt
    forget_kind(transaction, interrupt, StepKind.WARN)
    add(transaction, interrupt, [warning(interrupt.policy, interrupt.extended + 2, now, until)])
    views.want_line(transaction, card.run.id, "gave it more time", now, person=asked.person)
    views.touch(transaction, card.run.id, now)
    about = {"interrupt_id": interrupt.id, "person": asked.person, "until": until.isoformat()}
    note(transaction, card.run.id, "extended", at=now, via=asked.via, **about)
    return Extended(queries.card(transaction.connection, interrupt.id) or card)

"""Somebody takes a question on for a while, and others see it. It is no authority: whoever may decide still may."""

from datetime import datetime

from sqlalchemy import bindparam, update

from actions.kit.policies.hours import later
from actions.kit.policies.steps import Step, StepKind
from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries
from storage.queries import PENDING
from storage.results import AlreadySettled, Claim, ClaimResult, HeldByOther, NotHeld, Taken, Unknown
from storage.tables import interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.answers import LOCK
from storage.transitions.audit import note
from storage.transitions.decisions import expire
from storage.transitions.pacing import add, forget_kind

SET = update(interrupts).where(interrupts.c.id == bindparam("b_id"), PENDING)


def claim(transaction: Transaction, asked: Claim, now: datetime) -> ClaimResult:
    """Takes it on or, where `lets_go`, lets it go; whoever holds it already holds it longer."""
    card = _open(transaction, asked.interrupt_id, now)
    if not isinstance(card, Card):
        return card
    holder = card.interrupt.holder(now)
    if asked.lets_go and holder is None:
        return Taken(card)
    if asked.lets_go and holder != asked.person:
        return NotHeld(card)
    if holder not in {None, asked.person}:
        return HeldByOther(card)
    return _let_go(transaction, card, asked, now) if asked.lets_go else _take(transaction, card, asked, now)


def lapse(transaction: Transaction, card: Card, now: datetime) -> None:
    """Its time is over: the card says so no more."""
    _set(transaction, card, None, None, now)
    note(transaction, card.run.id, "claim lapsed", at=now, via="sweep", interrupt_id=card.interrupt.id)


def _open(transaction: Transaction, interrupt_id: str, now: datetime) -> Card | AlreadySettled | Unknown:
    pending = transaction.connection.execute(LOCK, {"b_id": interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, interrupt_id)
    if card is None:
        return Unknown()
    if not pending or card.interrupt.status is not InterruptStatus.PENDING:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return AlreadySettled(expire(transaction, card, now) or card)
    return card


def _take(transaction: Transaction, card: Card, asked: Claim, now: datetime) -> ClaimResult:
    interrupt = card.interrupt
    if interrupt.policy.claim_for is None:
        return NotHeld(card)
    until = later(now, interrupt.policy.claim_for, interrupt.policy.hours)
    _set(transaction, card, asked.person, until, now)
    add(transaction, interrupt, [Step(StepKind.LAPSE, 1, until)])
    _note(transaction, card, "claimed", asked, now)
    return Taken(queries.card(transaction.connection, interrupt.id) or card)


def _let_go(transaction: Transaction, card: Card, asked: Claim, now: datetime) -> ClaimResult:
    _set(transaction, card, None, None, now)
    _note(transaction, card, "let go", asked, now)
    return Taken(queries.card(transaction.connection, card.interrupt.id) or card)


def _set(transaction: Transaction, card: Card, person: str | None, until: datetime | None, now: datetime) -> None:
    transaction.connection.execute(SET, {"b_id": card.interrupt.id, "claimed_by": person, "claimed_until": until})
    forget_kind(transaction, card.interrupt, StepKind.LAPSE)
    views.touch(transaction, card.run.id, now)


def _note(transaction: Transaction, card: Card, event: str, asked: Claim, now: datetime) -> None:
    about = {"interrupt_id": card.interrupt.id, "person": asked.person}
    note(transaction, card.run.id, event, at=now, via=asked.via, **about)

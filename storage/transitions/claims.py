"""Somebody takes a question on for a while, and others see it. It is no authority: whoever may decide still may."""

from datetime import datetime

from sqlalchemy import bindparam, update

from actions.kit.policies.hours import later
from actions.kit.policies.steps import Step, StepKind
from actions.kit.records.interrupts import Card
from storage import queries, rows
from storage.queries import PENDING
from storage.results import Claim, ClaimResult, HeldByOther, NotHeld, Stale, Taken
from storage.tables import interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.opening import open_card
from storage.transitions.pacing import add, forget_kind

REMEMBERED = 20
"""Clicks, the last, that are known when they are delivered again."""
SET = update(interrupts).where(interrupts.c.id == bindparam("b_id"), PENDING)


def claim(transaction: Transaction, asked: Claim, now: datetime) -> ClaimResult:
    """Takes it on or, where `lets_go`, lets it go. What is so already stays so: nobody holds it longer by a second click.

    The same click again changes nothing, whatever came after it.
    """
    card = open_card(transaction, asked.interrupt_id, now)
    if not isinstance(card, Card):
        return card
    known = queries.claimed_from(transaction.connection, asked.interrupt_id)
    holder = card.interrupt.holder(now)
    if asked.source in known or holder == (None if asked.lets_go else asked.person):
        return Taken(card)
    if asked.content_version != card.interrupt.content_version:
        return Stale(card)
    if card.interrupt.policy.claim_for is None or (asked.lets_go and holder != asked.person):
        return NotHeld(card)
    if holder not in {None, asked.person}:
        return HeldByOther(card)
    return _change(transaction, card, asked, (*known, asked.source), now)


def lapse(transaction: Transaction, card: Card, now: datetime) -> None:
    """Its time is over: the card says so no more."""
    _set(transaction, card, None, None, now)
    note(transaction, card.run.id, "claim lapsed", at=now, via="sweep", interrupt_id=card.interrupt.id)


def _change(transaction: Transaction, card: Card, asked: Claim, clicks: tuple[str, ...], now: datetime) -> Taken:
    interrupt = card.interrupt
    length = None if asked.lets_go else interrupt.policy.claim_for
    until = None if length is None else later(now, length, interrupt.policy.hours)
    known = rows.words_text(clicks[-REMEMBERED:])
    _set(transaction, card, None if asked.lets_go else asked.person, until, now, claimed_from=known)
    if until is not None:
        add(transaction, interrupt, [Step(StepKind.LAPSE, 1, until)])
    about = {"interrupt_id": interrupt.id, "person": asked.person}
    note(transaction, card.run.id, "let go" if asked.lets_go else "claimed", at=now, via=asked.via, **about)
    return Taken(queries.card(transaction.connection, interrupt.id) or card)


def _set(
    transaction: Transaction, card: Card, person: str | None, until: datetime | None, now: datetime, **values: object
) -> None:
    values |= {"b_id": card.interrupt.id, "claimed_by": person, "claimed_until": until}
    transaction.connection.execute(SET, values)
    forget_kind(transaction, card.interrupt, StepKind.LAPSE)
    views.touch(transaction, card.run.id, now)

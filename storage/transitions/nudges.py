"""A requester nudges those who must act: at most once in four hours for each question, however many ask."""

from datetime import datetime

from sqlalchemy import bindparam, insert, select

from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries
from storage.results import NUDGED_EVERY, AlreadySettled, NotStanding, Nudge, Nudged, NudgeResult, TooSoon, Unknown
from storage.tables import nudges
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.decisions import expire
from storage.transitions.reminding import want_nudges

INSERT = insert(nudges)
LATEST = select(nudges).where(nudges.c.interrupt_id == bindparam("id")).order_by(nudges.c.seq.desc()).limit(1)


def nudge(transaction: Transaction, asked: Nudge, now: datetime) -> NudgeResult:
    """The row and the messages that it wants are one transaction."""
    card = queries.card(transaction.connection, asked.interrupt_id)
    if card is None:
        return Unknown()
    latest = transaction.connection.execute(LATEST, {"id": asked.interrupt_id}).one_or_none()
    if latest is not None and latest.source == asked.source:
        return Nudged(card)
    refused = _refused(transaction, card, None if latest is None else latest.at, now)
    if refused is None and not want_nudges(transaction, card, asked, now):
        refused = NotStanding(card)
    if refused is not None:
        return refused
    about = {"run_id": card.run.id, "interrupt_id": asked.interrupt_id, "person": asked.person}
    transaction.connection.execute(INSERT, about | {"source": asked.source, "at": now})
    note(
        transaction, card.run.id, "nudged", at=now, via=asked.via, interrupt_id=asked.interrupt_id, person=asked.person
    )
    return Nudged(card)


def _refused(
    transaction: Transaction, card: Card, latest: datetime | None, now: datetime
) -> AlreadySettled | TooSoon | NotStanding | None:
    if card.interrupt.status is not InterruptStatus.PENDING:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return AlreadySettled(expire(transaction, card, now) or card)
    if latest is not None and now < latest + NUDGED_EVERY:
        return TooSoon(card, latest + NUDGED_EVERY)
    return None

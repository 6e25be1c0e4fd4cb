"""The card of a question with which somebody does something besides answering it, as long as it is open."""

from datetime import datetime

from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries
from storage.results import AlreadySettled, Unknown
from storage.transaction import Transaction
from storage.transitions.answers import LOCK
from storage.transitions.decisions import expire


def open_card(transaction: Transaction, interrupt_id: str, now: datetime) -> Card | AlreadySettled | Unknown:
    """Bumps its row counter first, as a vote does. Whoever comes too late has it expire."""
    pending = transaction.connection.execute(LOCK, {"b_id": interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, interrupt_id)
    if card is None:
        return Unknown()
    if not pending or card.interrupt.status is not InterruptStatus.PENDING:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return AlreadySettled(expire(transaction, card, now) or card)
    return card

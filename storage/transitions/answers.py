"""What one person's answer does: it is refused with the facts, counted, or decides."""

from datetime import datetime

from sqlalchemy import bindparam, insert, literal_column, update

from actions.kit.records import Card, Cause, DecisionRecord
from actions.kit.tally import tally
from storage import queries
from storage.errors import BrokenRuleError
from storage.results import (
    AlreadySettled,
    AlreadyVoted,
    Answered,
    AnswerResult,
    Duplicate,
    Late,
    Stale,
    Unknown,
    Vote,
    Voted,
)
from storage.tables import decisions, interrupts
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.decisions import decide, expire, is_over
from storage.writer import Transaction

LOCK = (
    update(interrupts)
    .where(interrupts.c.id == bindparam("b_id"), interrupts.c.status == literal_column("'pending'"))
    .values(revision=interrupts.c.revision + 1)
)
INSERT = insert(decisions)


def answer(transaction: Transaction, vote: Vote, now: datetime) -> AnswerResult:
    """Locks the interrupt by its row counter first, so that votes of several processes come one after the other."""
    pending = transaction.connection.execute(LOCK, {"b_id": vote.interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, vote.interrupt_id)
    if card is None:
        return Unknown()
    return _refusal(transaction, card, vote, now, pending=pending) or _count(transaction, card, vote, now)


def _refusal(
    transaction: Transaction, card: Card, vote: Vote, now: datetime, *, pending: bool
) -> Duplicate | AlreadySettled | Late | Stale | AlreadyVoted | None:
    earlier = next((each for each in card.decisions if each.person == vote.person), None)
    if earlier is not None and earlier.source == vote.source:
        return Duplicate(card, _what_it_did(card, earlier))
    if not pending:
        return AlreadySettled(card)
    if is_over(card, now):
        expire(transaction, card, now)
        return Late(_again(transaction, card))
    if vote.content_version not in {None, card.interrupt.content_version}:
        return Stale(card)
    if earlier is not None:
        return AlreadyVoted(card)
    return None


def _count(transaction: Transaction, card: Card, vote: Vote, now: datetime) -> Answered | Voted:
    values = {
        "interrupt_id": vote.interrupt_id,
        "person": vote.person,
        "choice": vote.choice.key,
        "value": vote.value,
        "note": vote.note,
        "at": now,
        "source": vote.source,
        "via": vote.via,
    }
    transaction.connection.execute(INSERT, values)
    choices = [*(each.choice for each in card.decisions), vote.choice.key]
    details = {"interrupt_id": vote.interrupt_id, "person": vote.person, "choice": vote.choice.key}
    note(transaction, card.run.id, "voted", at=now, via=vote.via, **details)
    if tally(card.interrupt.policy, card.interrupt.shape, choices) == vote.choice.key:
        return _settle(transaction, card, vote, now)
    views.want_line(transaction, card.run.id, f"voted {vote.choice.title}", now, person=vote.person)
    views.touch(transaction, card.run.id, now)
    return Voted(_again(transaction, card))


def _settle(transaction: Transaction, card: Card, vote: Vote, now: datetime) -> Answered:
    stored = card.interrupt.shape.choice(vote.choice.key) or vote.choice
    decide(transaction, card, stored, vote.value, now=now, cause=Cause.HUMAN, via=vote.via, by=vote.person)
    views.want_line(transaction, card.run.id, f"decided {vote.choice.title}", now, person=vote.person)
    return Answered(_again(transaction, card))


def _what_it_did(card: Card, decision: DecisionRecord) -> Answered | Voted:
    """A vote is the deciding one when the interrupt was settled by its person with its choice."""
    interrupt = card.interrupt
    decided = interrupt.cause is Cause.HUMAN and interrupt.settled_by == decision.person
    return Answered(card) if decided and interrupt.choice == decision.choice else Voted(card)


def _again(transaction: Transaction, card: Card) -> Card:
    again = queries.card(transaction.connection, card.interrupt.id)
    if again is None:
        raise BrokenRuleError("an interrupt that was locked is there", card.interrupt.id)
    return again

"""What one person's answer does: it is refused with the facts, counted, or decides."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, insert, literal_column, update

from actions.kit.policies.tally import has_answered, reached
from actions.kit.records.interrupts import Card, Cause, Choice, DecisionRecord
from storage import queries, rows
from storage.results import (
    AlreadySettled,
    AlreadyVoted,
    Answered,
    AnswerResult,
    Duplicate,
    Late,
    OwnRequest,
    Stale,
    Unknown,
    Vote,
    Voted,
)
from storage.tables import decisions, interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.decisions import decide, expire
from storage.transitions.stages import enter

LOCK = (
    update(interrupts)
    .where(interrupts.c.id == bindparam("b_id"), interrupts.c.status == literal_column("'pending'"))
    .values(revision=interrupts.c.revision + 1)
)
INSERT = insert(decisions)


def answer(transaction: Transaction, vote: Vote, now: datetime) -> AnswerResult:
    """Bumps the interrupt's row counter first, so that votes of several processes come one after the other."""
    pending = transaction.connection.execute(LOCK, {"b_id": vote.interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, vote.interrupt_id)
    if card is None:
        return Unknown()
    return _refusal(transaction, card, vote, now, pending=pending) or _count(transaction, card, vote, now)


def _refusal(
    transaction: Transaction, card: Card, vote: Vote, now: datetime, *, pending: bool
) -> Answered | Voted | Duplicate | AlreadySettled | Late | OwnRequest | Stale | AlreadyVoted | None:
    same = next((each for each in card.decisions if (each.person, each.source) == (vote.person, vote.source)), None)
    if same is not None:
        did = _what_it_did(card, same)
        return did if transaction.again else Duplicate(card, did)
    if not pending:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return Late(expire(transaction, card, now) or card)
    if vote.content_version not in {None, card.interrupt.content_version} or _stored(card, vote) is None:
        return Stale(card)
    if has_answered(card, vote.person, vote.standing_for):
        return AlreadyVoted(card)
    return OwnRequest(card) if _asked_for_it(card, vote) else None


def _asked_for_it(card: Card, vote: Vote) -> bool:
    """Whether somebody whose vote it is joined the request after it was judged that they may decide it."""
    if vote.standing_for is not None and vote.person in card.run.joined:
        return True
    forbids = card.interrupt.shape.is_approval or card.interrupt.policy.requester_excluded
    return forbids and not {vote.person, vote.standing_for}.isdisjoint(card.run.joined)


def _count(transaction: Transaction, card: Card, vote: Vote, now: datetime) -> Answered | Voted:
    stage = card.interrupt.policy.stage
    decision = DecisionRecord(
        vote.person, vote.choice.key, vote.value, vote.note, now, vote.source, stage, vote.fits, vote.standing_for
    )
    values = rows.decision_values(decision) | {"interrupt_id": vote.interrupt_id, "via": vote.via}
    transaction.connection.execute(INSERT, values)
    details = {"interrupt_id": vote.interrupt_id, "person": vote.person, "choice": vote.choice.key}
    details |= {"for": vote.standing_for} if vote.standing_for else {}
    note(transaction, card.run.id, "voted", at=now, via=vote.via, **details)
    counted = replace(card, decisions=(*card.decisions, decision))
    policy, key = reached(card.interrupt.policy, card.interrupt.shape, counted.decisions)
    if key is not None:
        return _settle(transaction, counted, key, vote, now)
    views.want_line(
        transaction, card.run.id, f"voted “{vote.choice.title}”{_in_a_place(vote)}", now, person=vote.person
    )
    if policy.stage == stage:
        views.touch(transaction, card.run.id, now)
        return Voted(counted)
    return Voted(enter(transaction, counted, policy, vote.following, now, via=vote.via))


def _settle(transaction: Transaction, card: Card, key: str, vote: Vote, now: datetime) -> Answered:
    """The value is that of whoever chose so last: this vote's, unless an earlier stage had agreed on something else."""
    choice = card.interrupt.shape.choice(key) or vote.choice
    value = next((each.value for each in reversed(card.decisions) if each.choice == key), vote.value)
    settled = decide(transaction, card, choice, value, now=now, cause=Cause.HUMAN, via=vote.via, by=vote.person)
    views.want_line(transaction, card.run.id, f"decided “{choice.title}”{_in_a_place(vote)}", now, person=vote.person)
    return Answered(settled or card)


def _in_a_place(vote: Vote) -> str:
    """For a line of the thread, in which nobody but its person is named: the card says whom it was for."""
    return "" if vote.standing_for is None else " in the place of somebody who is away"


def _stored(card: Card, vote: Vote) -> Choice | None:
    """The choice as it is stored: what a caller hands over has no authority."""
    return card.interrupt.shape.choice(vote.choice.key)


def _what_it_did(card: Card, decision: DecisionRecord) -> Answered | Voted:
    """A vote is the deciding one when the interrupt was settled by its person with its choice."""
    interrupt = card.interrupt
    decided = interrupt.cause is Cause.HUMAN and interrupt.settled_by == decision.person
    return Answered(card) if decided and interrupt.choice == decision.choice else Voted(card)

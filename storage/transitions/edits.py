"""A decider edits what is asked for: its question is over with the answers so far, and the run executes anew from the top."""

from datetime import datetime

from actions.kit.edits import field_edits
from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Card, Cause, InterruptStatus
from actions.kit.records.runs import Edit
from storage import queries
from storage.errors import BrokenRuleError
from storage.results import (
    AlreadySettled,
    Edited,
    EditResult,
    Late,
    NewEdit,
    NotEditable,
    OwnRequest,
    Stale,
    Unknown,
)
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.answers import LOCK
from storage.transitions.audit import note
from storage.transitions.decisions import expire
from storage.transitions.interrupts import settle
from storage.transitions.runs import queue


def edit(transaction: Transaction, new: NewEdit, now: datetime) -> EditResult:
    """Bumps the interrupt's row counter first, as a vote does, so that of an edit and a vote one comes after the other."""
    pending = transaction.connection.execute(LOCK, {"b_id": new.interrupt_id}).rowcount == 1
    card = queries.card(transaction.connection, new.interrupt_id)
    if card is None:
        return Unknown()
    return _refusal(transaction, card, new, now, pending=pending) or _carry_out(transaction, card, new, now)


def _refusal(
    transaction: Transaction, card: Card, new: NewEdit, now: datetime, *, pending: bool
) -> Edited | AlreadySettled | Late | Stale | OwnRequest | NotEditable | None:
    same = card.edited_away
    if same is not None and (same.person, same.source) == (new.person, new.source):
        return Edited(card)
    if not pending:
        return AlreadySettled(card)
    if card.interrupt.is_over(now):
        return Late(expire(transaction, card, now) or card)
    if new.content_version != card.interrupt.content_version or new.before != card.run.input:
        return Stale(card)
    if not {new.person, new.standing_for}.isdisjoint(card.run.requesters):
        return OwnRequest(card)
    return None if card.interrupt.editable and not card.run.answered else NotEditable(card)


def _carry_out(transaction: Transaction, card: Card, new: NewEdit, now: datetime) -> Edited:
    """Nobody else asked for what it is by now, so that nobody joins it any more."""
    run, interrupt = card.run, card.interrupt
    made = Edit(
        person=new.person,
        at=now,
        source=new.source,
        question=interrupt.number,
        before=run.input,
        described=new.described,
        standing_for=new.standing_for,
    )
    settled = settle(transaction, interrupt, InterruptStatus.SUPERSEDED, now=now, cause=Cause.HUMAN, by=new.person)
    queued = queue(transaction, run, now, claims=0, input=new.input, edits=(*run.edits, made), join_key=None)
    if settled is None or queued is None:
        raise BrokenRuleError("a run stands where its pending interrupt says", run.id)
    views.want_line(transaction, run.id, new.said, now, person=new.person)
    _tell(transaction, card, new.person, now)
    changed = [
        {"field": each.field, "before": each.before, "after": each.after}
        for each in field_edits(queued.edits[-1:], queued.input)
    ]
    about = {"interrupt_id": interrupt.id, "person": new.person, "standing_for": new.standing_for}
    note(transaction, run.id, "edited", at=now, via=new.via, fields=changed, epoch=queued.epoch, **about)
    return Edited(Card(queued, settled, card.decisions))


def _tell(transaction: Transaction, card: Card, editor: str, now: datetime) -> None:
    """Whoever asks for it, and whose answers do not count any more."""
    people = dict.fromkeys((*card.run.asking, *(each.person for each in card.decisions)))
    places = [DirectMessage(person=Person(id=each)) for each in people if each != editor]
    wanted = [NewCopy(CopyKind.EDITED, place) for place in places]
    views.want(transaction, card.run.id, card.interrupt.id, wanted, now)

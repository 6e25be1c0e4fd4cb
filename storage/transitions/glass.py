"""Somebody breaks the glass: they approve alone, everybody is told, and the run that reviews it starts in the same step."""

import json
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, update

from actions.kit.policies.deciders import DirectMessage, Person, Place
from actions.kit.policies.glass_review import GLASS_REVIEW
from actions.kit.records.copies import CopyKind, CopyRecord, NewCopy
from actions.kit.records.interrupts import BrokenGlass, Card, Cause
from actions.kit.records.runs import RunRecord, RunStatus
from storage import queries
from storage.errors import BrokenRuleError
from storage.results import AlreadySettled, BreakResult, Broke, NewBreak, OwnRequest, Stale
from storage.tables import interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.decisions import decide
from storage.transitions.opening import open_card
from storage.transitions.runs import start

SAY_SO = update(interrupts).where(interrupts.c.id == bindparam("b_id"))
REVIEWED = "glass reviewed"


def break_glass(transaction: Transaction, new: NewBreak, review: RunRecord, now: datetime) -> BreakResult:
    """The same again changes nothing; of it and a vote one comes after the other."""
    card = open_card(transaction, new.interrupt_id, now)
    if isinstance(card, AlreadySettled) and card.card.was_broken_by(new.person, new.source):
        return Broke(card.card)
    if not isinstance(card, Card):
        return card
    if new.content_version != card.interrupt.content_version:
        return Stale(card)
    if new.person in card.run.requesters:
        return OwnRequest(card)
    return _settle(transaction, card, new, review, now)


def _settle(transaction: Transaction, card: Card, new: NewBreak, review: RunRecord, now: datetime) -> Broke:
    """The review is asked of what is stored by now: whoever joined meanwhile does not review it either."""
    asked_by = {"asked_by": list(card.run.requesters)}
    review = replace(review, input=json.dumps(json.loads(review.input) | asked_by, ensure_ascii=False))
    broken = BrokenGlass(reason=new.reason, review=review.id, source=new.source)
    transaction.connection.execute(SAY_SO, {"b_id": new.interrupt_id, "broken": broken.model_dump_json()})
    settling = replace(card, interrupt=replace(card.interrupt, broken=broken))
    settled = decide(
        transaction,
        settling,
        new.choice,
        new.value,
        now=now,
        cause=Cause.BREAK_GLASS,
        via=new.via,
        by=new.person,
    )
    if settled is None:
        raise BrokenRuleError("a pending interrupt that is locked is settled by nobody else", card.run.id)
    about = {"interrupt_id": new.interrupt_id, "person": new.person, "reason": new.reason, "review": review.id}
    note(transaction, card.run.id, "glass broken", at=now, via=new.via, **about)
    _tell(transaction, card, new.person, now)
    start(transaction, review, None, None)
    return Broke(settled)


def _tell(transaction: Transaction, card: Card, breaker: str, now: datetime) -> None:
    """Wherever the card stands, and whoever asks for it or has answered: that the card changes calls nobody."""
    copies = queries.copies_of(transaction.connection, card.run.id)
    stands = [_place(each) for each in copies if each.kind is CopyKind.CARD and each.interrupt_id == card.interrupt.id]
    people = [*card.run.asking, *(each.person for each in card.decisions)]
    places: list[Place] = [place for place in (*stands, *map(_direct, people)) if place and place != _direct(breaker)]
    wanted = [NewCopy(CopyKind.GLASS, place) for place in dict.fromkeys(places)]
    views.want(transaction, card.run.id, card.interrupt.id, wanted, now)


def _place(copy: CopyRecord) -> Place | None:
    """Where a posted card stands; somebody's direct messages by their id alone."""
    place = copy.place if copy.ts is not None else None
    if isinstance(place, DirectMessage):
        return _direct(place.person.id) if place.person and place.person.id else None
    return place


def _direct(person: str) -> DirectMessage:
    return DirectMessage(person=Person(id=person))


def reviewed(transaction: Transaction, review_id: str, epoch: int, *, was_right: bool, now: datetime) -> None:
    """Tells in the thread of what was approved what came of the review, once."""
    review = queries.run(transaction.connection, review_id)
    if (
        review is None
        or review.action_id != GLASS_REVIEW
        or (review.epoch, review.status) != (epoch, RunStatus.RUNNING)
    ):
        return
    run_id = json.loads(review.input)["run"]
    trail = queries.trail(transaction.connection, run_id)
    is_told = any(each.event == REVIEWED and each.details.get("review") == review_id for each in trail)
    if is_told or queries.run(transaction.connection, run_id) is None:
        return
    found = "right" if was_right else "not right"
    note(transaction, run_id, REVIEWED, at=now, via="runner", review=review_id, verdict=found)
    views.want_line(transaction, run_id, f"The review found that it was {found} to break the glass.", now)

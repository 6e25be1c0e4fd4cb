"""Calls those who must act: replies below the copies of a card, where they are asked, drawn when they are posted."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select

from actions.kit.policies.deciders import DirectMessage, Person, Place
from actions.kit.policies.steps import StepNotice
from actions.kit.policies.tally import has_answered
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card
from storage import rows
from storage.results import Nudge
from storage.tables import CopyStatus, copies
from storage.transaction import Transaction
from storage.transitions import views

STANDING = (
    select(copies.c.channel, copies.c.ts, copies.c.place)
    .where(
        copies.c.interrupt_id == bindparam("interrupt_id"),
        copies.c.kind == CopyKind.CARD,
        copies.c.status == CopyStatus.POSTED,
    )
    .order_by(copies.c.seq)
)


def want_nudges(transaction: Transaction, card: Card, nudge: Nudge, now: datetime) -> bool:
    """Wants those of a requester who nudges. False: the card stands nowhere where somebody must act.

    Of those that stand, it is the ones at the nudge's places; where there is none, all but those of who has answered.
    """
    return _want(transaction, card, _aimed(transaction, card, nudge.places), now, person=nudge.person)


def want_notices(
    transaction: Transaction,
    card: Card,
    notice: StepNotice,
    now: datetime,
    *,
    places: Collection[Place] = (),
    away: Collection[str] = (),
) -> bool:
    """Wants those of a step that came by itself, in the same way; without places, wherever somebody must act.

    Not in the direct messages of those who are `away` while somebody stands in for them.
    """
    return _want(transaction, card, _aimed(transaction, card, places, away), now, text=notice.model_dump_json())


def want_notices_of_requesters(transaction: Transaction, card: Card, notice: StepNotice, now: datetime) -> None:
    """Those who asked are told of it as well, in their direct messages, unless they are called themselves."""
    for person in (each for each in card.run.asking if each not in notice.people):
        place = DirectMessage(person=Person(id=person))
        values = {"interrupt_id": card.interrupt.id, "text": notice.model_dump_json()}
        views.want_one(transaction, card.run.id, CopyKind.NUDGE, now, place=place, **values)


def _standing(transaction: Transaction, card: Card) -> list[tuple[Any, Place]]:
    found = transaction.connection.execute(STANDING, {"interrupt_id": card.interrupt.id}).all()
    return [(row, rows.place_of(row.place)) for row in found]


def _aimed(
    transaction: Transaction, card: Card, places: Collection[Place], away: Collection[str] = ()
) -> list[tuple[Any, Place]]:
    open_ones = [(row, place) for row, place in _standing(transaction, card) if not _is_done_at(place, card, away)]
    aimed = [(row, place) for row, place in open_ones if place in places]
    return aimed or [(row, place) for row, place in open_ones if not _is_past_at(place, card)]


def _want(
    transaction: Transaction, card: Card, below: Collection[tuple[Any, Place]], now: datetime, **said: str
) -> bool:
    for row, place in below:
        values = {"interrupt_id": card.interrupt.id, "channel": row.channel, "thread_ts": row.ts, **said}
        views.want_one(transaction, card.run.id, CopyKind.NUDGE, now, place=place, **values)
    return bool(below)


def _is_past_at(place: Place, card: Card) -> bool:
    """Whether it is the direct messages of somebody who answered an earlier stage: what is asked now is asked of others."""
    person = place.person if isinstance(place, DirectMessage) else None
    return person is not None and any(person.id in each.voices for each in card.decisions)


def _is_done_at(place: Place, card: Card, away: Collection[str]) -> bool:
    """Whether it is the direct messages of somebody whose answer counts already, or for whom somebody else answers."""
    person = place.person if isinstance(place, DirectMessage) else None
    return person is not None and person.id is not None and (person.id in away or has_answered(card, person.id))

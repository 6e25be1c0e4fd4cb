"""Keeps what people say about a request, and calls those whom it is for. A comment is kept whatever became of the request."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from actions.kit.policies.deciders import Channel, DirectMessage, Person
from actions.kit.policies.remarks import PAUSES, RESUMES_AFTER, UNANSWERED, Remark, RemarkKind, is_full, kept
from actions.kit.policies.steps import Step, StepKind
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries, rows
from storage.results import (
    AlreadySettled,
    NewRemark,
    NothingAsked,
    Remarked,
    RemarkResult,
    Stale,
    TooManyRemarks,
    Unknown,
)
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.deadlines import pause_clock, resume_clock
from storage.transitions.decisions import expire
from storage.transitions.pacing import add, forget_kind
from storage.transitions.runs import change

WORDS_DECIDE_NOTHING = "Words here are kept with the request. They decide nothing: the buttons of the card do."


def remark(transaction: Transaction, new: NewRemark, now: datetime) -> RemarkResult:
    """The same again changes nothing."""
    card = _asked_now(transaction, new)
    if card is None:
        return Unknown()
    if any(each.source == new.source for each in card.run.remarks):
        return Remarked(card)
    is_open = card.interrupt.status is InterruptStatus.PENDING
    if is_open and card.interrupt.is_over(now):
        card, is_open = expire(transaction, card, now) or card, False
    if new.kind is not RemarkKind.COMMENT and not is_open:
        return AlreadySettled(card)
    if new.content_version not in {None, card.interrupt.content_version}:
        return Stale(card)
    if is_full(card.run.remarks, new.kind):
        return TooManyRemarks(card)
    return _say(transaction, card, new, now, is_open=is_open)


def _asked_now(transaction: Transaction, new: NewRemark) -> Card | None:
    """What stands below a card that was asked anew is about the new one, unless it is a question of who saw the old one."""
    card = queries.card(transaction.connection, new.interrupt_id)
    if card is None or card.interrupt.status is not InterruptStatus.SUPERSEDED or new.kind is RemarkKind.QUESTION:
        return card
    return queries.latest_card(transaction.connection, card.run.id)


def _say(transaction: Transaction, card: Card, new: NewRemark, now: datetime, *, is_open: bool) -> RemarkResult:
    waiting = card.unanswered
    match new.kind:
        case RemarkKind.QUESTION if len(waiting) >= UNANSWERED:
            return TooManyRemarks(card)
        case RemarkKind.QUESTION:
            said = _keep(transaction, card, new, new.kind, now)
            _tell(transaction, said, [each for each in card.run.asking if each != new.person], now)
            _pause(transaction, said, new, now)
        case RemarkKind.REPLY if not waiting:
            return NothingAsked(card)
        case RemarkKind.COMMENT if not (is_open and _answers(waiting, card, new.person)):
            said = _keep(transaction, card, new, new.kind, now)
            if is_open and not any(each.kind is RemarkKind.COMMENT for each in card.remarks):
                _say_once(transaction, card, new, now)
        case _:
            said = _keep(transaction, card, new, RemarkKind.REPLY, now)
            _tell(
                transaction,
                said,
                [each for each in dict.fromkeys(one.person for one in waiting) if each != new.person],
                now,
            )
            _resume(transaction, said, new, now)
    return Remarked(said)


def _answers(waiting: Sequence[Remark], card: Card, person: str) -> bool:
    """Whether what this person typed is the reply that somebody else waits for."""
    return person in card.run.requesters and any(each.person != person for each in waiting)


def _keep(transaction: Transaction, card: Card, new: NewRemark, kind: RemarkKind, now: datetime) -> Card:
    """Every card of the run shows it, and Home tabs follow."""
    made = Remark(
        kind=kind,
        question=card.interrupt.number,
        person=new.person,
        text=kept(new.text),
        at=now,
        source=new.source,
    )
    remarks = (*card.run.remarks, made)
    change(transaction, card.run.id, remarks=rows.remarks_text(remarks))
    views.touch(transaction, card.run.id, now)
    about = {"interrupt_id": card.interrupt.id, "person": new.person}
    note(transaction, card.run.id, f"{kind.value} kept", at=now, via=new.via, **about)
    return replace(card, run=replace(card.run, remarks=remarks))


def _tell(transaction: Transaction, card: Card, people: list[str], now: datetime) -> None:
    """In their direct messages, with the remark itself: that is what the message shows."""
    said = card.run.remarks[-1].model_dump_json()
    for person in people:
        place = DirectMessage(person=Person(id=person))
        views.want_one(
            transaction, card.run.id, CopyKind.REMARK, now, place=place, interrupt_id=card.interrupt.id, text=said
        )


def _pause(transaction: Transaction, card: Card, new: NewRemark, now: datetime) -> None:
    """Where the policy says so, its time stands until somebody replies, and never for ever."""
    if card.interrupt.policy.may_ask != PAUSES:
        return
    if pause_clock(transaction, card, now, via=new.via, person=new.person):
        add(transaction, card.interrupt, [Step(StepKind.RESUME, 1, now + RESUMES_AFTER)])


def _resume(transaction: Transaction, card: Card, new: NewRemark, now: datetime) -> None:
    if card.interrupt.paused_at is not None:
        forget_kind(transaction, card.interrupt, StepKind.RESUME)
        resume_clock(transaction, card, now, via=new.via, person=new.person)


def _say_once(transaction: Transaction, card: Card, new: NewRemark, now: datetime) -> None:
    """Below the first words that somebody typed, whoever it was."""
    if new.channel is None or new.thread is None:
        return
    lane = views.posting_lane(Channel(new.channel))
    views.want_one(
        transaction,
        card.run.id,
        CopyKind.LINE,
        now,
        text=WORDS_DECIDE_NOTHING,
        channel=new.channel,
        thread_ts=new.thread,
        lane=lane,
    )

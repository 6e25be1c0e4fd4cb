"""What a named person may order: cancel, run again, settle what is stalled, deliver again."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, assert_never

from sqlalchemy import bindparam, select

from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Cause, InterruptStatus
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from actions.kit.running.calls import CallStatus
from storage import queries, rows
from storage.results import (
    AlreadyEnded,
    Cancelled,
    CancelRequested,
    CancelResult,
    DeliverResult,
    NotUndeliverable,
    Ordered,
    OrderResult,
    OrderVerb,
    OutOfOrder,
    Redelivering,
    Unknown,
    Withdrew,
)
from storage.tables import copies as copy_rows
from storage.transaction import Transaction
from storage.transitions import calls, views
from storage.transitions.audit import note
from storage.transitions.deadlines import set_clock
from storage.transitions.interrupts import settle
from storage.transitions.joining import withdraw
from storage.transitions.runs import advance, end, queue

LIVE_PLACES = select(copy_rows.c.place).where(
    copy_rows.c.interrupt_id == bindparam("interrupt_id"), copy_rows.c.kind == CopyKind.CARD, views.IS_LIVE
)
MAY_RUN_AGAIN = frozenset({RunStatus.FAILED, RunStatus.STALLED})
DID_NOT = Failure(kind="did_not_happen", message="It was marked as not having happened.")


def cancel(
    transaction: Transaction, run_id: str, *, person: str, via: str, cause: Cause, now: datetime, alone: bool = False
) -> CancelResult:
    """The open interrupt is settled first and its run after it, in the order in which everybody locks rows.

    `alone`: a requester takes back what they asked for; as long as others ask for it too, it goes on.

    Whoever moves the run meanwhile was first: then it is looked at again as it stands by then.
    """
    run = queries.run(transaction.connection, run_id)
    if run is None:
        return Unknown()
    if run.status.ended:
        return AlreadyEnded(run)
    if alone and set(run.asking) - {person}:
        return Withdrew(withdraw(transaction, run, person, via, now))
    if run.status is RunStatus.RUNNING:
        return _ask_to_stop(transaction, run, person=person, via=via, cause=cause, now=now)
    pending = queries.open_interrupt(transaction.connection, run_id)
    if pending is not None:
        settle(transaction, pending, InterruptStatus.CANCELLED, now=now, cause=cause, by=person)
    ended = end(transaction, run, RunStatus.CANCELLED, now=now, via=via, by=person, cause=cause.value)
    if ended is None:
        return cancel(transaction, run_id, person=person, via=via, cause=cause, now=now, alone=alone)
    views.want_line(transaction, run_id, "cancelled the run", now, person=person)
    return Cancelled(ended)


def order(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    verb: OrderVerb,
    *,
    person: str,
    via: str,
    cause: Cause,
    now: datetime,
) -> OrderResult:
    """Guarded by epoch and status: the second click on the same button finds the run moved on."""
    run = queries.run(transaction.connection, run_id)
    if run is None:
        return Unknown()
    if run.epoch != epoch or run.status not in _starting_points(verb):
        return OutOfOrder(run)
    moved = _carry_out(transaction, run, verb, person=person, via=via, cause=cause, now=now)
    if moved is None:
        return OutOfOrder(queries.run(transaction.connection, run_id) or run)
    views.want_line(transaction, run_id, _said(verb), now, person=person)
    return Ordered(moved)


def deliver_again(
    transaction: Transaction,
    interrupt_id: str,
    *,
    copies: Sequence[NewCopy],
    person: str,
    via: str,
    cause: Cause,
    now: datetime,
) -> DeliverResult:
    card = queries.card(transaction.connection, interrupt_id)
    if card is None:
        return Unknown()
    if card.interrupt.undeliverable is None or not set_clock(transaction, card.interrupt, undeliverable=None):
        return NotUndeliverable(card)
    views.touch(transaction, card.run.id, now)
    views.want(transaction, card.run.id, interrupt_id, _not_wanted(transaction, interrupt_id, copies), now)
    about = {"interrupt_id": interrupt_id, "person": person, "cause": cause.value}
    note(transaction, card.run.id, "deliver again", at=now, via=via, **about)
    return Redelivering(queries.card(transaction.connection, interrupt_id) or card)


def _not_wanted(transaction: Transaction, interrupt_id: str, copies: Sequence[NewCopy]) -> list[NewCopy]:
    """What was blocked by the bot's own fault is still wanted, and needs no second copy."""
    wanted = transaction.connection.execute(LIVE_PLACES, {"interrupt_id": interrupt_id}).scalars().all()
    return [each for each in copies if rows.place_text(each.place) not in wanted]


def _ask_to_stop(
    transaction: Transaction, run: RunRecord, *, person: str, via: str, cause: Cause, now: datetime
) -> CancelResult:
    if run.cancel_requested_by is not None:
        return CancelRequested(run)
    asked = advance(transaction, run, cancel_requested_by=person)
    if asked is None:
        return cancel(transaction, run.id, person=person, via=via, cause=cause, now=now)
    views.touch(transaction, run.id, now)
    views.want_line(transaction, run.id, "asked to cancel the run", now, person=person)
    note(transaction, run.id, "cancel requested", at=now, via=via, person=person, cause=cause.value)
    return CancelRequested(asked)


def _starting_points(verb: OrderVerb) -> frozenset[RunStatus]:
    return MAY_RUN_AGAIN if verb == "run_again" else frozenset({RunStatus.STALLED})


def _carry_out(
    transaction: Transaction, run: RunRecord, verb: OrderVerb, *, person: str, via: str, cause: Cause, now: datetime
) -> RunRecord | None:
    if verb != "run_again" and run.failure and run.failure.call:
        return _settle_call(transaction, run, run.failure.call, verb, person=person, via=via, cause=cause, now=now)
    marked: dict[str, Any] = {"by": person, "marked_by": person, "cause": cause.value}
    match verb:
        case "run_again":
            calls.run_again(transaction, run, person, now)
            queued = queue(transaction, run, now, claims=0, cancel_requested_by=None, marked_by=None)
            if queued is not None:
                details: dict[str, Any] = {"was": run.status.value, "epoch": queued.epoch, "cause": cause.value}
                note(transaction, run.id, "run again", at=now, via=via, person=person, **details)
            return queued
        case "it_happened":
            return end(transaction, run, RunStatus.SUCCEEDED, now=now, via=via, **marked)
        case "it_did_not":
            return end(transaction, run, RunStatus.FAILED, now=now, via=via, failure=DID_NOT, **marked)
        case never:
            assert_never(never)


def _settle_call(
    transaction: Transaction,
    run: RunRecord,
    path: str,
    verb: OrderVerb,
    *,
    person: str,
    via: str,
    cause: Cause,
    now: datetime,
) -> RunRecord | None:
    """What became of the call at which a run stalled; then the next one in doubt is asked about, or the run goes on."""
    happened = verb == "it_happened"
    call = queries.call(transaction.connection, run.id, path)
    if call is not None and call.status is CallStatus.EXECUTING:
        calls.mark(transaction, call, person, now, failure=None if happened else DID_NOT)
    told = {"via": via, "person": person, "cause": cause.value, "call": path}
    note(transaction, run.id, "call happened" if happened else "call did not happen", at=now, **told)
    doubted = calls.executing_calls(transaction, run.id)
    if doubted:
        failure = calls.lost_at(doubted[0], len(doubted) - 1)
        again = advance(transaction, run, status=RunStatus.STALLED, epoch=run.epoch + 1, failure=failure)
        if again is not None:
            views.touch(transaction, run.id, now)
            views.want_outcome(transaction, again, now)
        return again
    if run.cancel_requested_by is not None:
        return end(transaction, run, RunStatus.CANCELLED, now=now, via=via, by=run.cancel_requested_by)
    return queue(transaction, run, now, claims=0, marked_by=None)


def _said(verb: OrderVerb) -> str:
    match verb:
        case "run_again":
            return "ordered to run it again"
        case "it_happened":
            return "marked it as happened"
        case "it_did_not":
            return "marked it as not happened"
        case never:
            assert_never(never)

"""How an interrupt is decided, by people or by the clock, and what that does to its run: always one step."""

import json
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from actions.kit.records.interrupts import (
    Answer,
    Card,
    Cause,
    Choice,
    Decline,
    Expire,
    InterruptRecord,
    InterruptStatus,
)
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallStatus
from storage.deliveries import HookEvent
from storage.errors import BrokenRuleError
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.calls import turn_down
from storage.transitions.hooks import happened
from storage.transitions.interrupts import settle
from storage.transitions.runs import end, queue


def decide(
    transaction: Transaction,
    card: Card,
    choice: Choice,
    value: str,
    *,
    now: datetime,
    cause: Cause,
    via: str,
    by: str | None = None,
) -> Card | None:
    """Settles with a choice: one that declines ends what asked, any other has it executed again. `None`: somebody was first.

    Where the run asked itself, that is its end; else the caller of what asked is executed again and told.
    """
    status = InterruptStatus.DECLINED if choice.declines else InterruptStatus.ANSWERED
    settled = settle(transaction, card.interrupt, status, now=now, cause=cause, by=by, choice=choice.key, answer=value)
    if settled is None:
        return None
    _note(transaction, settled, now, via)
    ends = choice.declines and not settled.call_path
    _tell(transaction, card, settled, RunStatus.DECLINED if ends else RunStatus.QUEUED, now)
    if choice.declines:
        _turn_down(transaction, settled, now)
    if ends:
        run = end(transaction, card.run, RunStatus.DECLINED, now=now, via=via, by=by)
    else:
        run = queue(transaction, card.run, now, claims=0, answered=True)
    return _settled(card, settled, run)


def expire(transaction: Transaction, card: Card, now: datetime) -> Card | None:
    """Does what the interrupt says shall happen when nobody answers. `None`: somebody was first."""
    match card.interrupt.on_expiry:
        case Answer(choice=key, value=value):
            choice = card.interrupt.shape.choice(key)
            if choice is None:
                return _run_out(transaction, card, InterruptStatus.EXPIRED, RunStatus.EXPIRED, now)
            text = json.dumps(value, ensure_ascii=False)
            return decide(transaction, card, choice, text, now=now, cause=Cause.EXPIRED, via="sweep")
        case Decline():
            return _run_out(transaction, card, InterruptStatus.DECLINED, RunStatus.DECLINED, now)
        case Expire():
            return _run_out(transaction, card, InterruptStatus.EXPIRED, RunStatus.EXPIRED, now)
        case never:
            assert_never(never)


def _run_out(
    transaction: Transaction, card: Card, status: InterruptStatus, run_status: RunStatus, now: datetime
) -> Card | None:
    settled = settle(transaction, card.interrupt, status, now=now, cause=Cause.EXPIRED)
    if settled is None:
        return None
    _note(transaction, settled, now, "sweep")
    becomes = RunStatus.QUEUED if settled.call_path else run_status
    if status is InterruptStatus.DECLINED:
        _tell(transaction, card, settled, becomes, now)
    _turn_down(transaction, settled, now)
    if becomes is RunStatus.QUEUED:
        return _settled(card, settled, queue(transaction, card.run, now, claims=0, answered=True))
    return _settled(card, settled, end(transaction, card.run, run_status, now=now, via="sweep"))


def _turn_down(transaction: Transaction, settled: InterruptRecord, now: datetime) -> None:
    """The call that raised this pause, if one did, ends with it."""
    is_expired = settled.status is InterruptStatus.EXPIRED
    status = CallStatus.EXPIRED if is_expired else CallStatus.DECLINED
    turn_down(transaction, settled.run_id, settled.call_path, status, now)


def _note(transaction: Transaction, settled: InterruptRecord, now: datetime, via: str) -> None:
    note(
        transaction,
        settled.run_id,
        f"interrupt {settled.status.value}",
        at=now,
        via=via,
        interrupt_id=settled.id,
        person=settled.settled_by,
        cause=settled.cause,
        choice=settled.choice,
    )


def _tell(transaction: Transaction, card: Card, settled: InterruptRecord, becomes: RunStatus, now: datetime) -> None:
    """Before the end that may follow from it, so that webhooks hear the two in this order."""
    run = replace(card.run, status=becomes)
    happened(transaction, HookEvent.DECIDED, run, now, interrupt=settled, decisions=card.decisions)


def _settled(card: Card, interrupt: InterruptRecord, run: RunRecord | None) -> Card:
    if run is None:
        raise BrokenRuleError("the run of a pending interrupt waits", card.run.id)
    return replace(card, interrupt=interrupt, run=run)

"""How an interrupt is decided, by people or by the clock, and what that does to its run: always one step."""

import json
from datetime import datetime
from typing import assert_never

from actions.kit.records import Answer, Card, Cause, Choice, Decline, Expire, InterruptStatus, RunStatus
from storage.errors import BrokenRuleError
from storage.transitions.audit import note
from storage.transitions.interrupts import settle
from storage.transitions.runs import end, queue
from storage.writer import Transaction


def is_over(card: Card, now: datetime) -> bool:
    """Whether the deadline has passed; at its very moment it has."""
    return card.interrupt.expires_at is not None and card.interrupt.expires_at <= now


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
) -> bool:
    """Settles with a choice: one that declines ends the run, any other queues it again. False: somebody was first."""
    status = InterruptStatus.DECLINED if choice.declines else InterruptStatus.ANSWERED
    settled = settle(transaction, card.interrupt, status, now=now, cause=cause, by=by, choice=choice.key, answer=value)
    if not settled:
        return False
    _note(transaction, card, status, now, cause=cause, via=via, by=by, choice=choice.key)
    if choice.declines:
        _must(card, end(transaction, card.run, RunStatus.DECLINED, now=now, via=via, by=by))
    else:
        _must(card, queue(transaction, card.run, now, claims=0, answered=True))
    return True


def expire(transaction: Transaction, card: Card, now: datetime) -> bool:
    """Does what the interrupt says shall happen when nobody answers. False: somebody was first."""
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
) -> bool:
    if not settle(transaction, card.interrupt, status, now=now, cause=Cause.EXPIRED):
        return False
    _note(transaction, card, status, now, cause=Cause.EXPIRED, via="sweep")
    _must(card, end(transaction, card.run, run_status, now=now, via="sweep"))
    return True


def _note(
    transaction: Transaction,
    card: Card,
    status: InterruptStatus,
    now: datetime,
    *,
    cause: Cause,
    via: str,
    by: str | None = None,
    choice: str | None = None,
) -> None:
    details = {"interrupt": card.interrupt.number, "cause": cause.value, "choice": choice}
    note(
        transaction,
        card.run.id,
        f"interrupt {status.value}",
        at=now,
        via=via,
        interrupt_id=card.interrupt.id,
        person=by,
        **details,
    )


def _must(card: Card, moved: object | None) -> None:
    if moved is None:
        raise BrokenRuleError("the run of a pending interrupt waits", card.run.id)

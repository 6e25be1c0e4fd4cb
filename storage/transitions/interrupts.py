"""How an interrupt is opened, settled, and asked again under a new shape."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from actions.kit.records.copies import NewCopy
from actions.kit.records.interrupts import Cause, InterruptRecord, InterruptStatus
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import turn
from storage import queries, rows
from storage.deliveries import HookEvent
from storage.errors import BrokenRuleError
from storage.ids import interrupt_id as make_id
from storage.tables import interrupts
from storage.transaction import Transaction
from storage.transitions import calls, views
from storage.transitions.audit import note
from storage.transitions.carrying import begun, carry_over, waiting_at
from storage.transitions.hooks import happened
from storage.transitions.pacing import forget
from storage.transitions.runs import FRESH, advance, end, executing

INSERT = insert(interrupts)
SETTLE = update(interrupts).where(interrupts.c.id == bindparam("b_id"), interrupts.c.status == bindparam("b_status"))
OTHER_ANSWERS = (
    select(interrupts.c.id)
    .where(
        interrupts.c.run_id == bindparam("run_id"),
        interrupts.c.status == InterruptStatus.ANSWERED,
        interrupts.c.id != bindparam("id"),
    )
    .limit(1)
)


def pause(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    *,
    owner: str,
    request: PauseRequest,
    copies: Sequence[NewCopy],
    now: datetime,
) -> InterruptRecord | None:
    """A run that was given up as stalled may still pause, late, as long as nobody ran it again."""
    run = executing(transaction, run_id, epoch, owner)
    if run is None:
        return None
    if run.status is RunStatus.WAITING:
        return queries.open_interrupt(transaction.connection, run_id)
    if run.status not in {RunStatus.RUNNING, RunStatus.STALLED}:
        return None
    calls.pause(transaction, run_id)
    if run.cancel_requested_by is not None:
        end(transaction, run, RunStatus.CANCELLED, now=now, via="runner", by=run.cancel_requested_by)
        return None
    waiting = advance(transaction, run, **FRESH, status=RunStatus.WAITING)
    if waiting is None:
        return None
    position, total = turn(queries.latest_interrupt(transaction.connection, run_id), request.total)
    return _open(transaction, waiting, replace(request, position=position, total=total), copies, now)


def _editable(transaction: Transaction, run: RunRecord, request: PauseRequest) -> tuple[str, ...]:
    """Only where nothing rests on the input yet: no answer, and no call."""
    if not request.editable or run.answered or queries.calls_of(transaction.connection, run.id):
        return ()
    return request.editable


def settle(
    transaction: Transaction,
    interrupt: InterruptRecord,
    status: InterruptStatus,
    *,
    now: datetime,
    cause: Cause | None,
    by: str | None = None,
    **values: Any,
) -> InterruptRecord | None:
    """Settles an interrupt, and forgets the cards of it that nobody has seen. `None`: somebody was first."""
    guard = {"b_id": interrupt.id, "b_status": interrupt.status}
    fields: dict[str, Any] = {"status": status, "settled_at": now, "settled_by": by, "cause": cause, **values}
    if transaction.connection.execute(SETTLE, guard | fields).rowcount != 1:
        return None
    views.drop_unseen(transaction, interrupt.id)
    forget(transaction, interrupt)
    return replace(interrupt, **fields)


def supersede(
    transaction: Transaction,
    interrupt_id: str,
    *,
    request: PauseRequest,
    because: str,
    copies: Sequence[NewCopy],
    owner: str | None,
    now: datetime,
) -> InterruptRecord | None:
    """The old question is settled as superseded and a new one opened, in one step."""
    card = queries.card(transaction.connection, interrupt_id)
    if card is None or not _can_be_asked_again(card.interrupt, card.run, owner):
        return None
    old = card.interrupt
    if settle(transaction, old, InterruptStatus.SUPERSEDED, now=now, cause=Cause.POLICY) is None:
        return None
    ids = {"run_id": old.run_id, "id": old.id}
    answered = transaction.connection.execute(OTHER_ANSWERS, ids).first() is not None
    waiting = advance(transaction, card.run, **FRESH, status=RunStatus.WAITING, answered=answered)
    if waiting is None:
        raise BrokenRuleError("a run stands where its interrupt says", old.run_id)
    note(transaction, old.run_id, "superseded", at=now, via="runner", interrupt_id=old.id, because=because)
    calls.pause(transaction, old.run_id)
    again = replace(request, position=old.position, total=old.total)
    return _open(transaction, waiting, again, copies, now, because=because)


def _can_be_asked_again(interrupt: InterruptRecord, run: RunRecord, owner: str | None) -> bool:
    match interrupt.status:
        case InterruptStatus.PENDING:
            return run.status is RunStatus.WAITING
        case InterruptStatus.ANSWERED:
            return run.status is RunStatus.RUNNING and owner is not None and run.lease_owner == owner
        case _:
            return False


def _open(
    transaction: Transaction,
    run: RunRecord,
    request: PauseRequest,
    copies: Sequence[NewCopy],
    now: datetime,
    *,
    because: str | None = None,
) -> InterruptRecord:
    latest = queries.latest_interrupt(transaction.connection, run.id)
    number = 1 if latest is None else latest.number + 1
    waiting = waiting_at(run, latest)
    interrupt = InterruptRecord(
        **rows.request_values(request),
        id=make_id(run.id, number),
        run_id=run.id,
        number=number,
        status=InterruptStatus.PENDING,
        content_version=1,
        created_at=now,
        asked_again_because=because,
        run_epoch=run.epoch,
    )
    interrupt = begun(replace(interrupt, editable=_editable(transaction, run, request)), waiting)
    values = rows.interrupt_values(interrupt) | {"revision": 0}
    transaction.connection.execute(INSERT, values)
    carry_over(transaction, run, interrupt, waiting, now)
    views.touch(transaction, run.id, now)
    views.want(transaction, run.id, interrupt.id, copies, now)
    happened(transaction, HookEvent.WAITING, run, now, interrupt=interrupt)
    note(transaction, run.id, "paused", at=now, via="runner", interrupt_id=interrupt.id, epoch=run.epoch)
    return interrupt

"""How a nested call is begun and ended, and what becomes of the calls of a run that is cut, paused or ordered anew."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, literal_column, update

from actions.kit.records.interrupts import Asker
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from actions.kit.running.calls import CallEnding, CallRecord, CallStatus, deepest
from storage import queries, rows
from storage.tables import calls
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.runs import executing

INSERT = insert(calls)
AT = update(calls).where(calls.c.run_id == bindparam("b_run_id"), calls.c.path == bindparam("b_path"))
MOVE = AT.where(calls.c.status == bindparam("b_status"))
PAUSE = (
    update(calls)
    .where(calls.c.run_id == bindparam("b_run_id"), calls.c.status == literal_column("'executing'"))
    .values(status=CallStatus.PAUSED)
)
UNDER_WAY = frozenset({CallStatus.EXECUTING, CallStatus.AGAIN})


def begin(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    *,
    owner: str,
    path: str,
    asker: Asker,
    idempotent: bool | None,
    now: datetime,
) -> bool:
    """Only of a run that executes: one that was given up meanwhile begins nothing more."""
    run = executing(transaction, run_id, epoch, owner)
    if run is None or run.status is not RunStatus.RUNNING:
        return False
    known = queries.call(transaction.connection, run_id, path)
    if known is not None and known.status is CallStatus.EXECUTING and known.epoch == epoch:
        return transaction.again
    if known is not None and known.status.ended:
        return False
    executions = 1 if known is None else known.executions + 1
    fields: dict[str, Any] = {"status": CallStatus.EXECUTING, "epoch": epoch, "executions": executions, "began_at": now}
    fields["idempotent"] = idempotent
    if known is None:
        asked = {"action_id": asker.action_id, "action_name": asker.action_name, "input": asker.input}
        transaction.connection.execute(INSERT, {"run_id": run_id, "path": path, **asked, **fields})
    else:
        ended = {"ended_at": None, "failure": None, "output": None, "marked_by": None}
        transaction.connection.execute(AT, {"b_run_id": run_id, "b_path": path, **fields, **ended})
    note(transaction, run_id, "call executing", at=now, via="runner", call=path, action=asker.action_id, epoch=epoch)
    return True


def end(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    *,
    owner: str,
    path: str,
    ending: CallEnding,
    now: datetime,
) -> bool:
    run = executing(transaction, run_id, epoch, owner)
    known = queries.call(transaction.connection, run_id, path)
    if run is None or known is None or known.epoch != epoch:
        return False
    if known.status not in UNDER_WAY:
        return known.status is ending.status
    fields = {"status": ending.status, "output": ending.output, "failure": rows.failure_text(ending.failure)}
    at = now if ending.status.ended else None
    transaction.connection.execute(AT, {"b_run_id": run_id, "b_path": path, "ended_at": at, **fields})
    why = ending.failure.message if ending.failure else None
    note(transaction, run_id, f"call {ending.status}", at=now, via="runner", call=path, message=why)
    return True


def pause(transaction: Transaction, run_id: str) -> None:
    """The pass ended with a question: what had begun and not ended waits for its answer."""
    transaction.connection.execute(PAUSE, {"b_run_id": run_id})


def turn_down(transaction: Transaction, run_id: str, path: str, status: CallStatus, now: datetime) -> None:
    """The pause that a call raised was declined or ran out: it ends so, without being executed again.

    Where a question was asked, no call stands at the path; nothing happens then.
    """
    guard = {"b_run_id": run_id, "b_path": path, "b_status": CallStatus.PAUSED}
    if transaction.connection.execute(MOVE, {**guard, "status": status, "ended_at": now}).rowcount:
        note(transaction, run_id, f"call {status}", at=now, via="runner", call=path)


def in_doubt(found: Collection[CallRecord], unsafe: Collection[str]) -> tuple[CallRecord, ...]:
    """Of the calls that executed when their run was cut, those of which nobody knows whether they happened.

    `unsafe` are the paths of those that must not be executed twice. What they stood in only waited for them.
    """
    doubted = deepest(unsafe)
    return tuple(call for call in found if call.path in doubted)


def leave_in_doubt(transaction: Transaction, run_id: str, doubted: Collection[str]) -> None:
    """What executed and is not in doubt is simply executed again when its run goes on."""
    for call in executing_calls(transaction, run_id):
        if call.path not in doubted:
            move(transaction, call, CallStatus.AGAIN)


def executing_calls(transaction: Transaction, run_id: str) -> list[CallRecord]:
    found = queries.calls_of(transaction.connection, run_id)
    return [call for call in found if call.status is CallStatus.EXECUTING]


def run_again(transaction: Transaction, run: RunRecord, person: str, now: datetime) -> None:
    """A person orders it: what was in doubt is executed again, and the calls by which the run failed.

    What ended otherwise is replayed, and so are failures that their callers caught.
    """
    for call in executing_calls(transaction, run.id):
        _order_again(transaction, call, person, now)
    failure = run.failure
    while failure is not None and failure.kind == "call_failed" and failure.call:
        failed = queries.call(transaction.connection, run.id, failure.call)
        if failed is None or failed.status is not CallStatus.FAILED:
            return
        _order_again(transaction, failed, person, now)
        failure = failed.failure


def mark(transaction: Transaction, call: CallRecord, person: str, now: datetime, *, failure: Failure | None) -> None:
    """A person says what became of a call in doubt: it happened, or (with a `failure`) it did not."""
    status = CallStatus.FINISHED if failure is None else CallStatus.FAILED
    fields = {"ended_at": now, "marked_by": person, "failure": rows.failure_text(failure)}
    move(transaction, call, status, **fields)


def move(transaction: Transaction, call: CallRecord, status: CallStatus, **values: Any) -> bool:
    guard = {"b_run_id": call.run_id, "b_path": call.path, "b_status": call.status}
    return transaction.connection.execute(MOVE, {**guard, "status": status, **values}).rowcount == 1


def lost_at(call: CallRecord, others: int) -> Failure:
    """What is known of a call that was cut off."""
    more = f" (and {others} more)" if others else ""
    return Failure(
        kind="lost",
        message=f"The call “{call.action_name}” at {call.path}{more} was cut off while it executed; "
        "we do not know whether it happened.",
        advice="Look whether that call happened, then say so, or run it again. What ended before it is not done twice.",
        call=call.path,
    )


def _order_again(transaction: Transaction, call: CallRecord, person: str, now: datetime) -> None:
    if move(transaction, call, CallStatus.AGAIN):
        note(transaction, call.run_id, "call again", at=now, via="runner", person=person, call=call.path)

"""How a run begins, moves and ends: what all other transitions of a run are made of."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, update

from actions.kit.records.runs import Failure, RunRecord, RunStatus, Wake
from storage import queries, rows
from storage.deliveries import HookEvent, RunHook
from storage.ids import new_hook_id, new_run_id
from storage.locks import hold_request
from storage.results import Lease, NewRun, Started
from storage.tables import runs
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.hooks import add_for_run, happened
from storage.transitions.views import to_requester, touch, want_line, want_outcome

INSERT = insert(runs)
ADVANCE = update(runs).where(
    runs.c.id == bindparam("b_id"), runs.c.status == bindparam("b_status"), runs.c.epoch == bindparam("b_epoch")
)
CHANGE = update(runs).where(runs.c.id == bindparam("b_id"))
AS_TEXT: dict[str, Callable[[Any], str | None]] = {"failure": rows.failure_text, "edits": rows.edits_text}
KEPT_ALONE = frozenset({"queued_at", "claim_id", "join_key"})
"""Columns that are no part of the record."""
FRESH: dict[str, Any] = {"lease_until": None, "ended_at": None, "ended_by": None, "failure": None, "output": None}


def request_name(requester: str, action_id: str, key: str) -> str:
    """What tells a request from all others. Starts with a key are ordered by it, so that processes wait in one order."""
    return f"{requester} {action_id} {key}"


def new_record(new: NewRun, now: datetime) -> RunRecord:
    """The run as it is stored first, with an id of its own.

    Raises:
        ValueError: when the requester is not a Slack id, so that nobody could be told how the run ended.
    """
    run = RunRecord(
        id=new_run_id(now),
        action_id=new.action_id,
        action_name=new.action_name,
        requester=new.requester,
        origin=new.origin,
        input=new.input,
        status=RunStatus.QUEUED,
        epoch=1,
        claims=0,
        answered=False,
        created_at=now,
        request=new.request,
    )
    to_requester(run)
    return run


def start(
    transaction: Transaction,
    run: RunRecord,
    key: str | None,
    lease: Lease | None,
    *,
    webhook: RunHook | None = None,
    join_key: str | None = None,
) -> Started | None:
    """Inserts a run, with its first claim where there is a lease; a known key, or a second try, finds what is there.

    `None`: an equal request was faster, and its run is to be joined.
    """
    if join_key is not None:
        hold_request(transaction.connection, join_key)
    known = _known(transaction, run, key)
    if known is not None:
        return known
    if join_key is not None and queries.joinable(transaction.connection, join_key, run.requester) is not None:
        return None
    if lease is not None:
        run = replace(
            run,
            status=RunStatus.RUNNING,
            claims=1,
            lease_owner=lease.owner,
            lease_until=lease.until,
            started_at=run.created_at,
        )
    values = rows.run_values(run) | {"idempotency_key": key, "queued_at": run.created_at, "join_key": join_key}
    transaction.connection.execute(INSERT, values)
    if lease is None:
        transaction.wakes.append(Wake(run.id, run.epoch))
    if webhook is not None:
        add_for_run(transaction, new_hook_id(), run.id, webhook, run.created_at)
    happened(transaction, HookEvent.STARTED, run, run.created_at)
    details = {"action": run.action_id, "channel": run.origin.channel}
    note(transaction, run.id, "started", at=run.created_at, via=run.origin.via, person=run.requester, **details)
    return Started(run, created=True)


def report(transaction: Transaction, run_id: str, text: str, now: datetime) -> None:
    """A run that is not there has no thread; nothing happens then."""
    if queries.run(transaction.connection, run_id) is not None:
        want_line(transaction, run_id, text, now)


def blocked(transaction: Transaction, run_id: str, where: str, text: str, now: datetime) -> None:
    """A run that ended meanwhile blocks nothing any more; nothing happens then."""
    run = queries.run(transaction.connection, run_id)
    if run is not None and run.status is RunStatus.RUNNING:
        note(transaction, run_id, "blocked", at=now, via="runner", epoch=run.epoch, where=where)
        want_line(transaction, run_id, text, now)


def executing(transaction: Transaction, run_id: str, epoch: int, owner: str) -> RunRecord | None:
    """The run, if this owner is the one that executed or executes this epoch; whatever its status is by now."""
    run = queries.run(transaction.connection, run_id)
    if run is None or run.epoch != epoch or run.lease_owner != owner:
        return None
    return run


def advance(transaction: Transaction, run: RunRecord, **values: Any) -> RunRecord | None:
    """The guarded move that all others are made of: `None` when the run is no longer as `run` says."""
    guard = {"b_id": run.id, "b_status": run.status, "b_epoch": run.epoch}
    stored = values | {name: AS_TEXT[name](values[name]) for name in AS_TEXT if name in values}
    if transaction.connection.execute(ADVANCE, guard | stored).rowcount != 1:
        return None
    return replace(run, **{name: value for name, value in values.items() if name not in KEPT_ALONE})


def change(transaction: Transaction, run_id: str, **values: Any) -> None:
    """Writes what is known of a run beside its state, whatever that is."""
    transaction.connection.execute(CHANGE, {"b_id": run_id, **values})


def queue(transaction: Transaction, run: RunRecord, now: datetime, **values: Any) -> RunRecord | None:
    """Queues a run under a new epoch, which fences whoever executed it before, and wakes somebody."""
    fields = FRESH | {"status": RunStatus.QUEUED, "epoch": run.epoch + 1, "queued_at": now} | values
    queued = advance(transaction, run, **fields)
    if queued is not None:
        transaction.wakes.append(Wake(queued.id, queued.epoch))
        touch(transaction, queued.id, now)
    return queued


def end(
    transaction: Transaction,
    run: RunRecord,
    status: RunStatus,
    *,
    now: datetime,
    via: str,
    by: str | None = None,
    marked_by: str | None = None,
    output: str | None = None,
    failure: Failure | None = None,
    **details: Any,
) -> RunRecord | None:
    """Ends a run, and with it wants the requester's message and newer cards; `None` when somebody was first."""
    ended = advance(
        transaction,
        run,
        status=status,
        ended_at=now,
        ended_by=by,
        marked_by=marked_by,
        output=output,
        failure=failure,
        lease_until=None,
    )
    if ended is None:
        return None
    touch(transaction, ended.id, now)
    want_outcome(transaction, ended, now)
    happened(transaction, HookEvent.ENDED, ended, now)
    if failure is not None:
        details |= {"failure": failure.kind, "message": failure.message}
    note(
        transaction,
        ended.id,
        status.value,
        at=now,
        via=via,
        person=by,
        was=run.status.value,
        epoch=run.epoch,
        **details,
    )
    return ended


def same_request(transaction: Transaction, requester: str, action_id: str, key: str) -> Started | None:
    """What came of an earlier request of this person with this key: the run that it started, or joined."""
    hold_request(transaction.connection, request_name(requester, action_id, key))
    found = queries.requests_of_key(transaction.connection, requester, key)
    return next((each for each in found if each.run.action_id == action_id), None)


def _known(transaction: Transaction, run: RunRecord, key: str | None) -> Started | None:
    if key is None:
        made = queries.run(transaction.connection, run.id) if transaction.again else None
        return None if made is None else Started(made, created=True)
    known = same_request(transaction, run.requester, run.action_id, key)
    return known and replace(known, created=known.run.id == run.id)

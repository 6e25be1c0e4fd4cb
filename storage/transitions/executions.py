"""Claims, leases and ends of executions. One epoch has one execution: whoever lost the epoch is fenced."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from actions.kit.records.runs import Failure, RunRecord, RunStatus, Wake
from storage import queries
from storage.results import Claimed, Lease, Renewal
from storage.tables import runs
from storage.transaction import Transaction
from storage.transitions import calls, views
from storage.transitions.audit import note
from storage.transitions.runs import advance, end, executing, queue

RENEW = (
    update(runs)
    .where(
        runs.c.id == bindparam("b_id"),
        runs.c.epoch == bindparam("b_epoch"),
        runs.c.status == RunStatus.RUNNING,
        runs.c.lease_owner == bindparam("b_owner"),
    )
    .returning(runs.c.cancel_requested_by)
)
OUR_CLAIM = select(runs.c.id).where(runs.c.id == bindparam("id"), runs.c.claim_id == bindparam("claim_id"))


def claim(transaction: Transaction, wake: Wake, lease: Lease, claim_id: str, now: datetime) -> Claimed | None:
    """`claim_id` is of this very call, so that a second try after an unknown commit finds its own claim."""
    run = queries.run(transaction.connection, wake.run_id)
    if run is None or run.epoch != wake.epoch:
        return None
    if run.status is RunStatus.QUEUED:
        claimed = _claim(transaction, run, lease, claim_id, now)
    else:
        ours = transaction.connection.execute(OUR_CLAIM, {"id": run.id, "claim_id": claim_id}).first()
        claimed = run if ours else None
    if claimed is None:
        return None
    connection = transaction.connection
    return Claimed(claimed, queries.resumptions(connection, run.id), queries.calls_of(connection, run.id))


def renew(transaction: Transaction, run_id: str, epoch: int, lease: Lease) -> Renewal:
    """A lease that ended is renewed all the same, as long as nobody took the run away."""
    guard = {"b_id": run_id, "b_epoch": epoch, "b_owner": lease.owner}
    row = transaction.connection.execute(RENEW, guard | {"lease_until": lease.until}).first()
    if row is None:
        return Renewal(held=False, cancel_requested=False)
    return Renewal(held=True, cancel_requested=row.cancel_requested_by is not None)


def finish(
    transaction: Transaction,
    run_id: str,
    epoch: int,
    *,
    owner: str,
    status: RunStatus,
    output: str | None,
    failure: Failure | None,
    by: str | None = None,
    in_doubt: Sequence[str] = (),
    now: datetime,
) -> RunRecord | None:
    """A late original settles a run that was given up as stalled; a second try finds its own end."""
    run = executing(transaction, run_id, epoch, owner)
    if run is None or run.status is status:
        return run
    if run.status not in {RunStatus.RUNNING, RunStatus.STALLED}:
        return None
    if status is RunStatus.CANCELLED:
        by = run.cancel_requested_by
    if status is RunStatus.STALLED:
        calls.leave_in_doubt(transaction, run_id, in_doubt)
    return end(transaction, run, status, now=now, via="runner", by=by, output=output, failure=failure)


def hold(
    transaction: Transaction, run_id: str, epoch: int, *, owner: str, failure: Failure, now: datetime
) -> RunRecord | None:
    """Sets a claimed run aside; one that somebody wanted cancelled is cancelled instead."""
    run = executing(transaction, run_id, epoch, owner)
    if run is None or run.status is RunStatus.HELD:
        return run
    if run.status is not RunStatus.RUNNING:
        return None
    if run.cancel_requested_by is not None:
        return end(transaction, run, RunStatus.CANCELLED, now=now, via="runner", by=run.cancel_requested_by)
    calls.pause(transaction, run_id)
    held = advance(transaction, run, status=RunStatus.HELD, failure=failure, lease_until=None)
    if held is not None:
        views.touch(transaction, run.id, now)
        note(transaction, run.id, "held", at=now, via="runner", failure=failure.kind, message=failure.message)
    return held


def release(transaction: Transaction, run_id: str, now: datetime) -> RunRecord | None:
    run = queries.run(transaction.connection, run_id)
    if run is None or run.status is not RunStatus.HELD:
        return None
    queued = queue(transaction, run, now, claims=0)
    if queued is not None:
        note(transaction, run.id, "released", at=now, via="runner", epoch=queued.epoch)
    return queued


def _claim(transaction: Transaction, run: RunRecord, lease: Lease, claim_id: str, now: datetime) -> RunRecord | None:
    values: dict[str, Any] = {"lease_owner": lease.owner, "lease_until": lease.until, "claim_id": claim_id}
    values |= {"status": RunStatus.RUNNING, "claims": run.claims + 1, "started_at": run.started_at or now}
    claimed = advance(transaction, run, **values)
    if claimed is not None:
        views.touch_soon(transaction, run.id, now)
        note(transaction, run.id, "claimed", at=now, via="runner", epoch=run.epoch, claims=claimed.claims)
    return claimed

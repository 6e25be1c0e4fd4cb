"""What happens to runs whose process died or whose wake was lost."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, literal_column, select

from actions.kit.records.runs import Failure, RunRecord, RunStatus, Wake
from actions.kit.running.calls import CallRecord
from storage import rows
from storage.locks import Task, alone
from storage.results import Recovered
from storage.tables import runs
from storage.transaction import Transaction
from storage.transitions import calls
from storage.transitions.audit import note
from storage.transitions.runs import end, queue

MOST_CLAIMS = 3
WAKE_PATIENCE = timedelta(seconds=2)
"""After which a queued run counts as forgotten: a wake too many does nothing."""
LAPSED = (
    select(runs)
    .where(runs.c.status == literal_column("'running'"), runs.c.lease_until <= bindparam("now"))
    .order_by(runs.c.id)
    .limit(bindparam("count"))
    .with_for_update(key_share=True, skip_locked=True)
)
FORGOTTEN = (
    select(runs.c.id, runs.c.epoch)
    .where(runs.c.status == literal_column("'queued'"), runs.c.queued_at <= bindparam("before"))
    .order_by(runs.c.queued_at)
    .limit(bindparam("count"))
)
LOST = Failure(
    kind="lost",
    message="The process that executed it ended or was cut off after an answer; we do not know whether it happened.",
    advice="Look whether it happened, then say so, or run it again.",
)
CRASHED = Failure(
    kind="crashed",
    message=f"The process that executed it ended {MOST_CLAIMS} times in a row.",
    advice="Look into the log of the bot for what ends it, then run it again.",
)


def recover(transaction: Transaction, idempotent: Callable[[str], bool], now: datetime, limit: int) -> Recovered:
    """Found runs go one of four ways. An owner that renews or ends its run in the same instant wins or is fenced."""
    if not alone(transaction.connection, Task.RECOVERING):
        return Recovered()
    ways: dict[RunStatus, list[str]] = {}
    found = transaction.connection.execute(LAPSED, {"now": now, "count": limit}).all()
    for run in map(rows.run_record, found):
        executing = calls.executing_calls(transaction, run.id)
        unsafe = [call.path for call in executing if not _may_be_repeated(call, idempotent)]
        doubted = calls.in_doubt(executing, unsafe)
        safe = not doubted and (not run.answered or idempotent(run.action_id))
        moved = _take_away(transaction, run, now, safe=safe, doubted=doubted)
        if moved is not None:
            ways.setdefault(moved.status, []).append(run.id)
    return Recovered(
        requeued=tuple(ways.get(RunStatus.QUEUED, ())),
        failed=tuple(ways.get(RunStatus.FAILED, ())),
        stalled=tuple(ways.get(RunStatus.STALLED, ())),
        cancelled=tuple(ways.get(RunStatus.CANCELLED, ())),
        woken=_wake_forgotten(transaction, now, limit),
    )


def _may_be_repeated(call: CallRecord, idempotent: Callable[[str], bool]) -> bool:
    """As its action said when it began: not every action that is called is registered."""
    return idempotent(call.action_id) if call.idempotent is None else call.idempotent


def _take_away(
    transaction: Transaction, run: RunRecord, now: datetime, *, safe: bool, doubted: Sequence[CallRecord]
) -> RunRecord | None:
    """`safe` says that executing again cannot do anything twice.

    So it is while no call executed that is not idempotent, and nobody answered yet or the action is idempotent itself.
    """
    calls.leave_in_doubt(transaction, run.id, [call.path for call in doubted])
    if run.cancel_requested_by is not None and not run.answered and not doubted:
        return end(transaction, run, RunStatus.CANCELLED, now=now, via="sweep", by=run.cancel_requested_by)
    if not safe or run.cancel_requested_by is not None:
        lost = calls.lost_at(doubted[0], len(doubted) - 1) if doubted else LOST
        return end(transaction, run, RunStatus.STALLED, now=now, via="sweep", failure=lost, owner=run.lease_owner)
    if run.claims >= MOST_CLAIMS:
        return end(transaction, run, RunStatus.FAILED, now=now, via="sweep", failure=CRASHED, owner=run.lease_owner)
    queued = queue(transaction, run, now)
    if queued is not None:
        note(transaction, run.id, "lease lost", at=now, via="sweep", owner=run.lease_owner, epoch=queued.epoch)
    return queued


def _wake_forgotten(transaction: Transaction, now: datetime, limit: int) -> tuple[str, ...]:
    wanted = {"before": now - WAKE_PATIENCE, "count": limit}
    forgotten = [Wake(row.id, row.epoch) for row in transaction.connection.execute(FORGOTTEN, wanted)]
    transaction.wakes.extend(forgotten)
    return tuple(wake.run_id for wake in forgotten)

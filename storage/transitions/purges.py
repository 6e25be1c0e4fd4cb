"""Purging: the one deletion there is. Ended runs go with everything of theirs, and a row about the purge stays.

The audit lets go of the entries of a run only while that run is named in `purging`, which is filled and emptied within
the same transaction.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, exists, func, insert, literal_column, select, update

from actions.kit.records.runs import ENDED, RunStatus
from storage.ids import first_of
from storage.locks import Task, alone, hold_free
from storage.queries import BEHIND
from storage.results import Purge, Purged
from storage.tables import (
    Row,
    audit,
    copies,
    decisions,
    deliveries,
    grant_uses,
    grants,
    interrupts,
    purges,
    purging,
    runs,
)
from storage.transaction import Transaction

OVER = sorted(ENDED - {RunStatus.STALLED})
"""A stalled run is an open question: it stays until somebody says what became of it."""

OWED = exists().where(copies.c.run_id == runs.c.id, BEHIND)
UNSENT = exists().where(deliveries.c.run_id == runs.c.id, deliveries.c.status == literal_column("'pending'"))
NAMED = select(purging.c.run_id)
OF_GRANTS = delete(grant_uses).where(grant_uses.c.grant_id.in_(NAMED))
"""Uses of grants that go, by runs that may stay."""
OF_RUN = [table for table in reversed(Row.metadata.sorted_tables) if "run_id" in table.c and table is not purging]
"""Every table whose rows belong to a run, those that others point to last."""


def count(connection: Connection, before: datetime) -> int:
    """How many runs would be purged."""
    return int(connection.execute(select(func.count()).select_from(_due(before).subquery())).scalar_one())


def purge(transaction: Transaction, request: Purge, limit: int, now: datetime) -> Purged | None:
    """One chunk. `None`: another purge is going on. What somebody else works on at this moment is left alone."""
    connection = transaction.connection
    if not alone(connection, Task.PURGING):
        return None
    found = connection.execute(_due(request.before).order_by(runs.c.id).limit(limit)).scalars().all()
    held = hold_free(connection, found)
    chosen = connection.execute(_due(request.before).where(runs.c.id.in_(sorted(held)))).scalars().all()
    gone = _delete(connection, chosen) if chosen else Purged()
    transaction.purged_at = now if chosen else None
    _write_down(connection, request, gone, now)
    return gone


def told(connection: Connection, purge_id: str) -> Purged:
    """What a purge has taken in all."""
    row = connection.execute(select(purges).where(purges.c.id == purge_id)).one_or_none()
    return Purged() if row is None else Purged(row.runs, row.decisions, row.entries)


def _due(before: datetime) -> Select[Any]:
    """The bound on the id is no further condition: it lets the database look at old runs alone.

    A run that asked for a grant is as old as the end of that.
    """
    granted = exists().where(grants.c.run_id == runs.c.id, grants.c.until >= before)
    return select(runs.c.id).where(
        runs.c.status.in_(OVER), runs.c.id < first_of(before), runs.c.ended_at < before, ~OWED, ~UNSENT, ~granted
    )


def _delete(connection: Connection, run_ids: Collection[str]) -> Purged:
    connection.execute(insert(purging), [{"run_id": each} for each in run_ids])
    answers = select(interrupts.c.id).where(interrupts.c.run_id.in_(NAMED))
    voted = connection.execute(delete(decisions).where(decisions.c.interrupt_id.in_(answers))).rowcount
    connection.execute(OF_GRANTS)
    entries = _rowcounts(connection, OF_RUN)[audit]
    connection.execute(delete(runs).where(runs.c.id.in_(NAMED)))
    connection.execute(delete(purging))
    return Purged(len(run_ids), voted, entries)


def _rowcounts(connection: Connection, tables: Sequence[Table]) -> dict[Table, int]:
    return {table: connection.execute(delete(table).where(table.c.run_id.in_(NAMED))).rowcount for table in tables}


def _write_down(connection: Connection, request: Purge, gone: Purged, now: datetime) -> None:
    """The row of the purge comes with its first chunk, and counts on with each further one."""
    more = {
        "runs": purges.c.runs + gone.runs,
        "decisions": purges.c.decisions + gone.decisions,
        "entries": purges.c.entries + gone.entries,
        "last_at": now,
    }
    if connection.execute(update(purges).where(purges.c.id == request.id).values(more)).rowcount == 1:
        return
    values = {"id": request.id, "began_at": now, "last_at": now, "ended_before": request.before, "via": request.via}
    counts = {"runs": gone.runs, "decisions": gone.decisions, "entries": gone.entries}
    connection.execute(insert(purges), values | counts)

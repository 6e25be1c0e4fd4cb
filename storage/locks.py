"""What several processes on one PostgreSQL agree on: who changes a run, who sweeps, and whether a commit arrived.

Whoever changes anything of a run (its row, interrupts, decisions, copies) holds the run's row. A commit takes all rows
that its items name first, in one order; what comes later never waits for a row (sweeps and publishers skip what
somebody holds), the names of requests are taken in the order of the items, then absences, and Home tabs, all at once, are
the last that a commit takes: so nobody ever waits in a circle.
In SQLite whoever writes holds the whole file, and none of this is needed.
"""

from collections.abc import Collection, Iterable
from enum import IntEnum
from typing import Literal

from sqlalchemy import ARRAY, Connection, Text, bindparam, text

# The name of this transaction comes with the rows, so that a commit costs no further question.
HOLD = text(
    "SELECT pg_current_xact_id()::text, "
    "(SELECT count(*) FROM (SELECT id FROM runs WHERE id = ANY(:ids) ORDER BY id FOR NO KEY UPDATE) AS held)"
).bindparams(bindparam("ids", type_=ARRAY(Text)))
FREE = text("SELECT id FROM runs WHERE id = ANY(:ids) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED").bindparams(
    bindparam("ids", type_=ARRAY(Text))
)
# Two bots may share a database in schemas of their own.
ALONE = text("SELECT pg_try_advisory_xact_lock(hashtext(current_schema()), :task)")
REQUEST = text("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || :name, 0))")
MIGRATION = HOMES = ABSENCES = text("SELECT pg_advisory_xact_lock(hashtext(current_schema()), :task)")
NO_LIMITS = text(
    "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"
)
# A server that took over and lags behind would call a transaction of the future an error.
OUTCOME = text(
    "SELECT CASE WHEN CAST(:receipt AS xid8) < pg_current_xact_id() THEN pg_xact_status(CAST(:receipt AS xid8)) END"
)

Outcome = Literal["committed", "aborted", "in progress"]


class Task(IntEnum):
    """What only one process does at a time."""

    EXPIRING = 1
    RECOVERING = 2
    MAKING_LANES = 3
    MIGRATING = 4
    PURGING = 5
    FORGETTING = 6
    SHOWING_HOMES = 7
    GOING_AWAY = 8
    DIGESTING = 9


def hold(connection: Connection, run_ids: Iterable[str]) -> str | None:
    """Takes the rows of these runs, one after the other; the receipt tells later whether this transaction committed."""
    if not _is_shared(connection):
        return None
    row = connection.execute(HOLD, {"ids": sorted(set(run_ids))}).one()
    return str(row[0])


def hold_free(connection: Connection, run_ids: Collection[str]) -> frozenset[str]:
    """Takes those of these runs that nobody else holds, and tells which."""
    if not run_ids or not _is_shared(connection):
        return frozenset(run_ids)
    return frozenset(connection.execute(FREE, {"ids": sorted(run_ids)}).scalars())


def alone(connection: Connection, task: Task) -> bool:
    """Whether this transaction is the one that does the task now; until its end nobody else does."""
    return not _is_shared(connection) or bool(connection.execute(ALONE, {"task": task}).scalar())


def hold_request(connection: Connection, name: str) -> None:
    """Waits for whoever makes the same request at this moment: then its run can be seen."""
    if _is_shared(connection):
        connection.execute(REQUEST, {"name": name})


def hold_absences(connection: Connection) -> None:
    """Waits for whoever says at this moment that they are away."""
    if _is_shared(connection):
        connection.execute(ABSENCES, {"task": Task.GOING_AWAY})


def hold_homes(connection: Connection) -> None:
    """Waits for whoever changes Home tabs at this moment. Nothing else may be waited for after it."""
    if _is_shared(connection):
        connection.execute(HOMES, {"task": Task.SHOWING_HOMES})


def hold_schema(connection: Connection) -> None:
    """Waits for whoever migrates at this moment, however long that takes."""
    if _is_shared(connection):
        connection.execute(NO_LIMITS)
        connection.execute(MIGRATION, {"task": Task.MIGRATING})


def outcome(connection: Connection, receipt: str) -> Outcome | None:
    """What became of an earlier transaction; `None`: this server never saw it, or has forgotten it."""
    known: Outcome | None = connection.execute(OUTCOME, {"receipt": receipt}).scalar()
    return known


def _is_shared(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"

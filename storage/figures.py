"""How much there is of everything, and how late it is: what metrics and readiness ask the database, in one view."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, case, func, select

from actions.kit.records.runs import RunStatus
from storage.database import Database
from storage.queries import BEHIND, NEXT_COPY, PENDING
from storage.tables import copies, interrupts, runs

# The index on (status, id) holds all that this needs.
RUNS = select(runs.c.status, func.count()).group_by(runs.c.status)
FIRST_DUE = func.min(case((interrupts.c.paused_at.is_(None), interrupts.c.expires_at)))
OPEN = select(func.count(), func.count(interrupts.c.undeliverable), FIRST_DUE).where(PENDING)
COPIES = select(func.count()).select_from(copies).where(BEHIND)
NOTHING = timedelta()
NO_RUN = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts, and two delays.

    `sweep_lag`: for how long the oldest deadline has been passed. `publisher_lag`: for how long a message has been due that
    nobody took; what waits for its turn, or for Slack, is not late.
    """

    runs: Mapping[RunStatus, int]
    pending: int
    undeliverable: int
    sweep_lag: timedelta
    copies_behind: int
    publisher_lag: timedelta


async def examine(database: Database, now: datetime) -> Figures:
    """Asks what there is, and has the writer commit nothing: both ways in must work. Raises `StorageError`."""
    found = await database.read(lambda connection: figures(connection, now))
    await database.write(NO_RUN, lambda _: None)
    return found


def figures(connection: Connection, now: datetime) -> Figures:
    counted = {RunStatus(status): count for status, count in connection.execute(RUNS)}
    pending, undeliverable, first_due = connection.execute(OPEN).one()
    return Figures(
        runs={status: counted.get(status, 0) for status in RunStatus},
        pending=pending,
        undeliverable=undeliverable,
        sweep_lag=_since(first_due, now),
        copies_behind=connection.execute(COPIES).scalar_one(),
        publisher_lag=_since(connection.execute(NEXT_COPY).scalar(), now),
    )


def _since(moment: datetime | None, now: datetime) -> timedelta:
    return NOTHING if moment is None else max(now - moment, NOTHING)

"""What is stuck, and what the publisher is behind with: questions for operators, answered from the rows alone."""

import json
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, case, func, or_, select

from actions.kit.records.audit import BESIDE_THE_RUN
from actions.kit.records.runs import Hindrance, RunStatus, Stuck
from storage import rows
from storage.queries import BEHIND, PENDING
from storage.results import Backlog, Behind, StuckPage
from storage.tables import audit, copies, interrupts, runs

PATIENCE = timedelta(minutes=1)
"""How long a queued run, or a wanted card, may take before somebody should look."""

LAPSED = timedelta(seconds=30)
"""A running bot takes over what was left within five seconds; this long after the lease none has."""

LATELY = timedelta(days=1)
"""How long a failure is shown among what is stuck."""

BEHIND_FOR = timedelta(minutes=2)
"""How long a message may be due before that is told, here and to whoever asks whether the bot is ready."""
ATTEMPTS = 6
"""So many tries of one message in a row take more than a minute."""

HOPES = {
    RunStatus.QUEUED,
    RunStatus.RUNNING,
    RunStatus.WAITING,
    RunStatus.FAILED,
    RunStatus.STALLED,
    RunStatus.HELD,
}
ENTRY = audit.alias("entry")
MOVED = and_(ENTRY.c.run_id == runs.c.id, ENTRY.c.event.not_in(sorted(BESIDE_THE_RUN)))
LAST = select(func.max(ENTRY.c.seq)).where(MOVED).correlate(runs).scalar_subquery()
EARLIER = interrupts.alias("earlier")
LATEST = select(func.max(EARLIER.c.number)).where(EARLIER.c.run_id == runs.c.id).correlate(runs).scalar_subquery()
IS_LATEST = and_(interrupts.c.run_id == runs.c.id, interrupts.c.number == LATEST)
WITH_LAST = runs.outerjoin(interrupts, IS_LATEST).outerjoin(audit, audit.c.seq == LAST)


def _is(status: RunStatus) -> Any:
    return runs.c.status == status


UNPOSTED = and_(PENDING, interrupts.c.posted_at.is_(None))
SIGNS: dict[Hindrance, Any] = {
    Hindrance.STALLED: _is(RunStatus.STALLED),
    Hindrance.UNDELIVERABLE: and_(_is(RunStatus.WAITING), PENDING, interrupts.c.undeliverable.is_not(None)),
    Hindrance.LOST: and_(_is(RunStatus.RUNNING), runs.c.lease_until < bindparam("lapsed")),
    Hindrance.BLOCKED: and_(_is(RunStatus.RUNNING), audit.c.event == "blocked"),
    Hindrance.LATE: and_(_is(RunStatus.QUEUED), runs.c.queued_at < bindparam("patience")),
    Hindrance.UNSEEN: and_(_is(RunStatus.WAITING), UNPOSTED, audit.c.at < bindparam("patience")),
    Hindrance.HELD: _is(RunStatus.HELD),
    Hindrance.FAILED: and_(_is(RunStatus.FAILED), runs.c.ended_at > bindparam("lately")),
}
RANKS = list(SIGNS)
SINCE = case(
    (_is(RunStatus.QUEUED), runs.c.queued_at),
    (and_(_is(RunStatus.RUNNING), runs.c.lease_until < bindparam("lapsed")), runs.c.lease_until),
    else_=func.coalesce(runs.c.ended_at, audit.c.at, runs.c.created_at),
)
FOUND = (
    select(
        runs,
        case(*((sign, rank) for rank, sign in enumerate(SIGNS.values()))).label("rank"),
        SINCE.label("since"),
        case((PENDING, interrupts.c.id)).label("pending_id"),
        interrupts.c.message.label("question"),
        interrupts.c.undeliverable,
        audit.c.details.label("last_details"),
    )
    .select_from(WITH_LAST)
    .where(runs.c.status.in_(sorted(HOPES)), or_(*SIGNS.values()))
    .subquery()
)
PAGE = select(FOUND).order_by(FOUND.c.rank, FOUND.c.id.desc()).limit(bindparam("count")).offset(bindparam("skipped"))
KINDS = select(FOUND.c.rank, func.count(), func.min(FOUND.c.since)).group_by(FOUND.c.rank)
LAGGING = (
    select(copies.c.error, func.count(), func.min(copies.c.next_at))
    .where(BEHIND, or_(copies.c.next_at < bindparam("behind"), copies.c.attempts >= ATTEMPTS))
    .group_by(copies.c.error)
)


def stuck(connection: Connection, now: datetime, limit: int, skip: int) -> StuckPage:
    """What needs a person most comes first; of one kind the newest."""
    moments = _moments(now)
    found = connection.execute(PAGE, {**moments, "count": limit, "skipped": skip}).all()
    total = connection.execute(select(func.count()).select_from(FOUND), moments).scalar_one()
    return StuckPage(tuple(map(_stuck, found)), int(total))


def backlog(connection: Connection, now: datetime) -> Backlog:
    kinds = connection.execute(KINDS, _moments(now)).all()
    lagging = connection.execute(LAGGING, {"behind": now - BEHIND_FOR}).all()
    return Backlog(
        stuck={RANKS[rank]: (int(count), since) for rank, count, since in sorted(kinds)},
        behind=tuple(Behind(error, int(count), since) for error, count, since in lagging),
    )


def _moments(now: datetime) -> dict[str, datetime]:
    return {"lapsed": now - LAPSED, "patience": now - PATIENCE, "lately": now - LATELY}


def _stuck(row: Row[Any]) -> Stuck:
    why = RANKS[row.rank]
    detail = row.undeliverable if why is Hindrance.UNDELIVERABLE else None
    if why is Hindrance.BLOCKED:
        detail = json.loads(row.last_details).get("where")
    return Stuck(rows.run_record(row), why, row.since, detail, row.pending_id, row.question)

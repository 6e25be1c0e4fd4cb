"""The questions: plain functions of a connection, used by transitions inside theirs and by the store on its own."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, case, func, literal_column, or_, select

from actions.kit.records.audit import ANSWER_REFUSED, AuditRecord
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card, DecisionRecord, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallRecord
from storage import rows
from storage.results import Resumed, RunFilters, Started
from storage.tables import audit, calls, copies, decisions, interrupts, joins, lanes, runs

# Spelt out, not bound: a database uses a partial index only where it can see its condition.
PENDING = interrupts.c.status == literal_column("'pending'")
BEHIND = (copies.c.shown_version < copies.c.wanted_version) & copies.c.lane.is_not(None)

RUN = select(runs).where(runs.c.id == bindparam("id"))
INTERRUPT = select(interrupts).where(interrupts.c.id == bindparam("id"))
OPEN = select(interrupts).where(interrupts.c.run_id == bindparam("run_id"), PENDING)
LATEST = select(interrupts.c.id).where(interrupts.c.run_id == bindparam("run_id")).order_by(interrupts.c.number.desc())
TURNED_DOWN = (InterruptStatus.DECLINED, InterruptStatus.EXPIRED)
SETTLED = (
    select(interrupts)
    .where(
        interrupts.c.run_id == bindparam("run_id"),
        (interrupts.c.status == InterruptStatus.ANSWERED)
        | (interrupts.c.status.in_(TURNED_DOWN) & (interrupts.c.call_path != literal_column("''"))),
    )
    .order_by(interrupts.c.number)
)
CALL = select(calls).where(calls.c.run_id == bindparam("run_id"), calls.c.path == bindparam("path"))
CALLS = select(calls).where(calls.c.run_id == bindparam("run_id")).order_by(calls.c.seq)
LATEST_INTERRUPT = (
    select(interrupts).where(interrupts.c.run_id == bindparam("run_id")).order_by(interrupts.c.number.desc()).limit(1)
)
OF_RUN = select(interrupts.c.id).where(interrupts.c.run_id == bindparam("run_id"))
SAME_KEY = (
    select(runs)
    .where(runs.c.requester == bindparam("requester"), runs.c.idempotency_key == bindparam("idempotency_key"))
    .order_by(runs.c.id)
)
JOINED_BY_KEY = (
    select(runs, joins.c.request.label("asked"))
    .join(joins, joins.c.run_id == runs.c.id)
    .where(joins.c.person == bindparam("requester"), joins.c.idempotency_key == bindparam("idempotency_key"))
    .order_by(runs.c.id)
)
HAS_DECIDED_IN_IT = (
    select(decisions.c.seq)
    .join(interrupts, interrupts.c.id == decisions.c.interrupt_id)
    .where(
        interrupts.c.run_id == runs.c.id,
        or_(decisions.c.person == bindparam("person"), decisions.c.standing_for == bindparam("person")),
    )
    .exists()
)
# Whoever decided in a run, or had somebody do so, cannot have asked for it as well; and what stops or has its effect is not asked for any more.
JOINABLE = (
    select(runs)
    .where(
        runs.c.join_key == bindparam("join_key"),
        runs.c.join_key.is_not(None),
        runs.c.ended_at.is_(None),
        runs.c.cancel_requested_by.is_(None),
        or_(
            runs.c.status == RunStatus.WAITING,
            and_(runs.c.status.in_((RunStatus.QUEUED, RunStatus.RUNNING)), runs.c.answered.is_(False)),
        ),
        ~HAS_DECIDED_IN_IT,
    )
    .order_by(runs.c.id)
    .limit(1)
)
DECISIONS = select(decisions).where(decisions.c.interrupt_id == bindparam("id")).order_by(decisions.c.seq)
# A digest is about everything that waits for one person: what stands below it is about no run, and is theirs alone.
BELOW = select(copies.c.run_id, copies.c.interrupt_id).where(
    copies.c.channel == bindparam("channel"),
    copies.c.ts == bindparam("ts"),
    copies.c.thread_ts.is_(None),
    copies.c.kind != CopyKind.DIGEST,
)
BEING_POSTED = (
    select(copies.c.seq)
    .where(
        BEHIND,
        copies.c.ts.is_(None),
        copies.c.thread_ts.is_(None),
        or_(copies.c.owner.is_not(None), copies.c.maybe_posted),
    )
    .limit(1)
)
EXTENDED_BY = select(interrupts.c.extended_by).where(interrupts.c.id == bindparam("id"))
CLAIMED_FROM = select(interrupts.c.claimed_from).where(interrupts.c.id == bindparam("id"))
PENDING_IDS = select(interrupts.c.id).where(PENDING).order_by(interrupts.c.id)
TRAIL = select(audit).where(audit.c.run_id == bindparam("run_id")).order_by(audit.c.seq)
REFUSED_WHILE_OPEN = (
    select(audit)
    .join(interrupts, (interrupts.c.run_id == audit.c.run_id) & (interrupts.c.id == audit.c.interrupt_id))
    .where(PENDING, audit.c.event == ANSWER_REFUSED)
    .order_by(audit.c.seq)
)
COPIES = select(copies).where(copies.c.run_id == bindparam("run_id")).order_by(copies.c.seq)


def _later(one: Any, other: Any) -> Any:
    return case((other > one, other), else_=one)


# A copy is due when it may be tried again, nobody else's lease is on it, and its lane is free.
NEXT_COPY = (
    select(
        func.min(
            _later(
                _later(copies.c.next_at, func.coalesce(copies.c.lease_until, copies.c.next_at)),
                _later(
                    func.coalesce(lanes.c.next_at, copies.c.next_at),
                    func.coalesce(lanes.c.lease_until, lanes.c.next_at, copies.c.next_at),
                ),
            )
        )
    )
    .select_from(copies.outerjoin(lanes, lanes.c.lane == copies.c.lane))
    .where(BEHIND)
)


def run(connection: Connection, run_id: str) -> RunRecord | None:
    row = connection.execute(RUN, {"id": run_id}).one_or_none()
    return None if row is None else rows.run_record(row)


def question_below(connection: Connection, channel: str, ts: str) -> str | None:
    """The interrupt that a message of ours in this place is about."""
    found = connection.execute(BELOW, {"channel": channel, "ts": ts}).first()
    return None if found is None else found.interrupt_id or latest_interrupt_id(connection, found.run_id)


def is_posting(connection: Connection) -> bool:
    return connection.execute(BEING_POSTED).first() is not None


def latest_interrupt_id(connection: Connection, run_id: str) -> str | None:
    latest = latest_interrupt(connection, run_id)
    return None if latest is None else latest.id


def extended_by(connection: Connection, interrupt_id: str) -> tuple[str, ...]:
    """The sources of the clicks that gave it more time, in their order."""
    return rows.words_of(connection.execute(EXTENDED_BY, {"id": interrupt_id}).scalar())


def claimed_from(connection: Connection, interrupt_id: str) -> tuple[str, ...]:
    """The sources of the last clicks that took it on or let it go, in their order."""
    return rows.words_of(connection.execute(CLAIMED_FROM, {"id": interrupt_id}).scalar())


def interrupt(connection: Connection, interrupt_id: str) -> InterruptRecord | None:
    row = connection.execute(INTERRUPT, {"id": interrupt_id}).one_or_none()
    return None if row is None else rows.interrupt_record(row)


def open_interrupt(connection: Connection, run_id: str) -> InterruptRecord | None:
    row = connection.execute(OPEN, {"run_id": run_id}).one_or_none()
    return None if row is None else rows.interrupt_record(row)


def latest_interrupt(connection: Connection, run_id: str) -> InterruptRecord | None:
    row = connection.execute(LATEST_INTERRUPT, {"run_id": run_id}).one_or_none()
    return None if row is None else rows.interrupt_record(row)


def call(connection: Connection, run_id: str, path: str) -> CallRecord | None:
    row = connection.execute(CALL, {"run_id": run_id, "path": path}).one_or_none()
    return None if row is None else rows.call_record(row)


def calls_of(connection: Connection, run_id: str) -> tuple[CallRecord, ...]:
    return tuple(map(rows.call_record, connection.execute(CALLS, {"run_id": run_id})))


def decisions_of(connection: Connection, interrupt_id: str) -> tuple[DecisionRecord, ...]:
    return tuple(map(rows.decision_record, connection.execute(DECISIONS, {"id": interrupt_id})))


def card(connection: Connection, interrupt_id: str) -> Card | None:
    found = interrupt(connection, interrupt_id)
    if found is None:
        return None
    of_run = run(connection, found.run_id)
    return None if of_run is None else Card(of_run, found, decisions_of(connection, interrupt_id))


def latest_card(connection: Connection, run_id: str) -> Card | None:
    latest = connection.execute(LATEST, {"run_id": run_id}).scalar()
    return None if latest is None else card(connection, latest)


def cards(connection: Connection, run_id: str) -> tuple[Card, ...]:
    return cards_of(connection, OF_RUN, run_id=run_id)


def pending(connection: Connection) -> tuple[Card, ...]:
    return cards_of(connection, PENDING_IDS)


def pending_after(connection: Connection, after: str | None, limit: int) -> tuple[Card, ...]:
    later = PENDING_IDS if after is None else PENDING_IDS.where(interrupts.c.id > after)
    return cards_of(connection, later.limit(limit))


def requests_of_key(connection: Connection, requester: str, key: str) -> tuple[Started, ...]:
    """What came of the requests with a key: runs that they started, and runs that they joined, each with what was asked."""
    about = {"requester": requester, "idempotency_key": key}
    started = (Started(rows.run_record(row), created=False) for row in connection.execute(SAME_KEY, about))
    joined = (
        Started(rows.run_record(row), created=False, joined=True, asked=row.asked)
        for row in connection.execute(JOINED_BY_KEY, about)
    )
    return (*started, *joined)


def joinable(connection: Connection, join_key: str, person: str) -> RunRecord | None:
    """The open run that an equal request of this person would share."""
    row = connection.execute(JOINABLE, {"join_key": join_key, "person": person}).one_or_none()
    return None if row is None else rows.run_record(row)


def cards_of(connection: Connection, chosen: Select[tuple[str]], **bound: str) -> tuple[Card, ...]:
    """The cards of the chosen interrupts, run by run in the order of their questions: three statements for all of them."""
    in_order = select(interrupts).where(interrupts.c.id.in_(chosen)).order_by(interrupts.c.run_id, interrupts.c.number)
    found = tuple(map(rows.interrupt_record, connection.execute(in_order, bound)))
    of_them = select(interrupts.c.run_id).where(interrupts.c.id.in_(chosen))
    their_runs = map(rows.run_record, connection.execute(select(runs).where(runs.c.id.in_(of_them)), bound))
    by_id = {each.id: each for each in their_runs}
    voted = defaultdict[str, list[DecisionRecord]](list)
    votes = select(decisions).where(decisions.c.interrupt_id.in_(chosen)).order_by(decisions.c.seq)
    for row in connection.execute(votes, bound):
        voted[row.interrupt_id].append(rows.decision_record(row))
    return tuple(Card(by_id[each.run_id], each, tuple(voted[each.id])) for each in found)


def resumptions(connection: Connection, run_id: str) -> tuple[Resumed, ...]:
    """The latest settled interrupt of each call path, in the order of their questions.

    One that nobody agreed to counts below the action that was started, whose end it is not.
    """
    latest: dict[str, InterruptRecord] = {}
    for row in connection.execute(SETTLED, {"run_id": run_id}):
        settled = rows.interrupt_record(row)
        latest[settled.call_path] = settled
    ordered = sorted(latest.values(), key=lambda each: each.number)
    return tuple(Resumed(each, decisions_of(connection, each.id)) for each in ordered)


def list_runs(connection: Connection, filters: RunFilters, limit: int, before: str | None) -> tuple[RunRecord, ...]:
    query: Select[Any] = select(runs).order_by(runs.c.id.desc()).limit(limit)
    if filters.statuses:
        query = query.where(runs.c.status.in_(sorted(filters.statuses)))
    if filters.action_id is not None:
        query = query.where(runs.c.action_id == filters.action_id)
    if filters.actions:
        query = query.where(runs.c.action_id.in_(sorted(filters.actions)))
    if filters.requester is not None:
        joined = select(joins.c.run_id).where(joins.c.person == filters.requester)
        query = query.where(or_(runs.c.requester == filters.requester, runs.c.id.in_(joined)))
    if filters.id_begins:
        query = query.where(runs.c.id.startswith(filters.id_begins, autoescape=True))
    if before is not None:
        query = query.where(runs.c.id < before)
    return tuple(map(rows.run_record, connection.execute(query)))


def trail(connection: Connection, run_id: str) -> tuple[AuditRecord, ...]:
    return tuple(map(rows.audit_record, connection.execute(TRAIL, {"run_id": run_id})))


def refused_answers(connection: Connection) -> tuple[AuditRecord, ...]:
    return tuple(map(rows.audit_record, connection.execute(REFUSED_WHILE_OPEN)))


def copies_of(connection: Connection, run_id: str) -> tuple[CopyRecord, ...]:
    return tuple(map(rows.copy_record, connection.execute(COPIES, {"run_id": run_id})))


def next_copy(connection: Connection, now: datetime) -> datetime | None:
    moment: datetime | None = connection.execute(NEXT_COPY).scalar()
    return None if moment is None else max(now, moment)

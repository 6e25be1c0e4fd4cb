"""What a Home tab shows, asked in the same few statements however much there is."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, or_, select

from actions.kit.policies.tally import has_answered
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunRecord
from storage import queries, rows
from storage.home_records import Asked, Concern, Question, Shown
from storage.queries import PENDING
from storage.tables import decisions, homes, interrupts, joins, nudges, runs

MOST_OPEN = 2_000
"""Open questions that are looked at for one person; of more than that the soonest are."""
MOST_SETTLED = 100
"""Settled questions that are looked at, and own answers."""

# Spelt out: a database uses a partial index only where it can see its condition.
BEHIND = homes.c.shown_version < homes.c.wanted_version
NEXT_DUE = select(
    func.min(case((homes.c.lease_until > homes.c.next_at, homes.c.lease_until), else_=homes.c.next_at))
).where(BEHIND)

IS_THEIRS = or_(decisions.c.person == bindparam("person"), decisions.c.standing_for == bindparam("person"))
HAS_ANSWERED = select(decisions.c.seq).where(decisions.c.interrupt_id == interrupts.c.id, IS_THEIRS).exists()
# Who answered a stage may be asked again in a later one: their answers are looked at one by one.
HAS_ANSWERED_ALL = (
    select(decisions.c.seq)
    .where(decisions.c.interrupt_id == interrupts.c.id, IS_THEIRS, decisions.c.stage == 0)
    .exists()
)
JOINED_IT = select(joins.c.seq).where(joins.c.run_id == runs.c.id, joins.c.person == bindparam("person")).exists()
IS_MINE = or_(runs.c.requester == bindparam("person"), JOINED_IT)
# Only a requester's own part depends on the shape, so it is not read for anybody else.
OWN_SHAPE = case((IS_MINE, interrupts.c.shape))
QUESTION = select(
    interrupts.c.id,
    interrupts.c.policy,
    OWN_SHAPE.label("shape"),
    case((JOINED_IT, bindparam("person")), else_=runs.c.requester).label("requester"),
    runs.c.action_id,
    runs.c.action_name,
).select_from(interrupts.join(runs, runs.c.id == interrupts.c.run_id))
OPEN = (
    QUESTION.add_columns(HAS_ANSWERED.label("is_answered"))
    .where(PENDING, ~HAS_ANSWERED_ALL)
    .order_by(interrupts.c.expires_at.is_(None), interrupts.c.expires_at, interrupts.c.id)
    .limit(MOST_OPEN + 1)
)
SETTLED = (
    QUESTION.add_columns(interrupts.c.settled_at.label("at"), HAS_ANSWERED.label("is_answered"))
    .where(interrupts.c.settled_at.is_not(None), interrupts.c.status != InterruptStatus.SUPERSEDED)
    .order_by(interrupts.c.settled_at.desc())
    .limit(MOST_SETTLED)
)
ANSWERED = (
    QUESTION.add_columns(func.coalesce(interrupts.c.settled_at, decisions.c.at).label("at"))
    .join(decisions, decisions.c.interrupt_id == interrupts.c.id)
    .where(decisions.c.person == bindparam("person"))
    .order_by(decisions.c.seq.desc())
    .limit(MOST_SETTLED)
)

STARTED_BY_ME = runs.c.requester == bindparam("person")
JOINED_BY_ME = runs.c.id.in_(select(joins.c.run_id).where(joins.c.person == bindparam("person")))
OWN_OPEN = (or_(STARTED_BY_ME, JOINED_BY_ME), runs.c.ended_at.is_(None))
COUNT_OPEN = select(func.count()).where(*OWN_OPEN)
PAGE_OPEN = select(runs).where(*OWN_OPEN).order_by(runs.c.id.desc()).limit(bindparam("count")).offset(bindparam("skip"))
# Of what somebody started there may be very much: no more of it is looked at than the page may need.
LATEST_ENDED = (
    select(runs.c.id)
    .where(STARTED_BY_ME, runs.c.ended_at.is_not(None))
    .order_by(runs.c.ended_at.desc(), runs.c.id.desc())
    .limit(bindparam("count") + bindparam("skip"))
    .subquery()
)
PAGE_ENDED = (
    select(runs)
    .where(or_(runs.c.id.in_(select(LATEST_ENDED.c.id)), JOINED_BY_ME), runs.c.ended_at.is_not(None))
    .order_by(runs.c.ended_at.desc(), runs.c.id.desc())
    .limit(bindparam("count"))
    .offset(bindparam("skip"))
)

EARLIER = interrupts.alias("earlier")
LATEST = select(func.max(EARLIER.c.number)).where(EARLIER.c.run_id == interrupts.c.run_id).scalar_subquery()
LATEST_OF = select(interrupts.c.run_id, interrupts.c.id).where(
    interrupts.c.run_id.in_(bindparam("run_ids", expanding=True)), interrupts.c.number == LATEST
)

NUDGED = (
    select(nudges.c.interrupt_id, func.max(nudges.c.at).label("at"))
    .where(nudges.c.interrupt_id.in_(bindparam("interrupt_ids", expanding=True)))
    .group_by(nudges.c.interrupt_id)
)


def next_due(connection: Connection, now: datetime) -> datetime | None:
    moment: datetime | None = connection.execute(NEXT_DUE).scalar()
    return None if moment is None else max(now, moment)


def concern(connection: Connection, person: str) -> Concern:
    """Three statements, and three more for somebody who answered in stages; who may decide is not looked at."""
    about = {"person": person}
    rows_open = connection.execute(OPEN, about).all()
    again = _asked_again(connection, person, [row.id for row in rows_open if row.is_answered])
    found = [_question(row) for row in rows_open if row.id in again or not row.is_answered]
    recent = {
        row.id: (row.at, _question(row, is_answered=row.is_answered)) for row in connection.execute(SETTLED, about)
    }
    recent |= {row.id: (row.at, _question(row, is_answered=True)) for row in connection.execute(ANSWERED, about)}
    latest = sorted(recent.values(), key=lambda each: (each[0], each[1].interrupt_id), reverse=True)
    return Concern(tuple(found[:MOST_OPEN]), tuple(each for _, each in latest), is_cut=len(rows_open) > MOST_OPEN)


def shown(connection: Connection, person: str, cards: Sequence[str], skip: int, limit: int) -> Shown:
    """Eight statements at most."""
    open_runs = int(connection.execute(COUNT_OPEN, {"person": person}).scalar_one())
    own = _own(connection, person, skip, limit, open_runs)
    latest = _latest(connection, [run.id for run in own])
    wanted = select(interrupts.c.id).where(interrupts.c.id.in_([*cards, *latest.values()]))
    found = {card.interrupt.id: card for card in queries.cards_of(connection, wanted)}
    nudged = _nudged(connection, list(latest.values()))
    asked = tuple(Asked(run, found.get(latest.get(run.id, "")), nudged.get(latest.get(run.id, ""))) for run in own)
    return Shown(tuple(found[each] for each in cards if each in found), asked, open_runs)


def _question(row: Any, *, is_answered: bool = False) -> Question:
    return Question(
        interrupt_id=row.id,
        action_id=row.action_id,
        action_name=row.action_name,
        requester=row.requester,
        policy=rows.policy_of(row.policy),
        approval=row.shape is None or rows.shape_of(row.shape).is_approval,
        is_answered=is_answered,
    )


def _asked_again(connection: Connection, person: str, answered: Sequence[str]) -> frozenset[str]:
    """Those of these open questions in whose stage no answer counts that this person gave."""
    wanted = select(interrupts.c.id).where(interrupts.c.id.in_(answered))
    cards = queries.cards_of(connection, wanted) if answered else ()
    return frozenset(card.interrupt.id for card in cards if not has_answered(card, person))


def _own(connection: Connection, person: str, skip: int, limit: int, open_runs: int) -> list[RunRecord]:
    """The open ones, the newest first, then those that ended, the latest first."""
    about = {"person": person}
    found = list(connection.execute(PAGE_OPEN, about | {"skip": skip, "count": limit})) if skip < open_runs else []
    left = limit - len(found)
    if left:
        ended = about | {"skip": max(0, skip - open_runs), "count": left}
        found += connection.execute(PAGE_ENDED, ended)
    return [rows.run_record(row) for row in found]


def _latest(connection: Connection, run_ids: Sequence[str]) -> dict[str, str]:
    """The question that each of these runs asked last."""
    return {row.run_id: row.id for row in connection.execute(LATEST_OF, {"run_ids": run_ids})} if run_ids else {}


def _nudged(connection: Connection, interrupt_ids: Sequence[str]) -> dict[str, datetime]:
    """When those who must act on each of these questions were nudged last."""
    if not interrupt_ids:
        return {}
    return {row.interrupt_id: row.at for row in connection.execute(NUDGED, {"interrupt_ids": interrupt_ids})}

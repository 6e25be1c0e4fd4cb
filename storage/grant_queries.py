"""What is known of standing grants."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from actions.kit.policies.granted import GrantRecord
from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries, rows
from storage.tables import grants, interrupts

GRANT = select(grants).where(grants.c.run_id == bindparam("id"))
LIVE = (
    select(grants)
    .where(grants.c.ended_at.is_(None), grants.c.until > bindparam("now"))
    .order_by(grants.c.until, grants.c.run_id)
)
MATCHING = LIVE.where(grants.c.holder == bindparam("holder"), grants.c.action_id == bindparam("action_id"))
APPROVAL = (
    select(interrupts.c.id)
    .where(interrupts.c.run_id == bindparam("run_id"), interrupts.c.status == InterruptStatus.ANSWERED)
    .order_by(interrupts.c.number.desc())
    .limit(1)
)


def grant(connection: Connection, grant_id: str) -> GrantRecord | None:
    row = connection.execute(GRANT, {"id": grant_id}).one_or_none()
    return None if row is None else rows.grant_record(row)


def live(connection: Connection, now: datetime) -> tuple[GrantRecord, ...]:
    """All that can be used, those that end soonest first."""
    return tuple(map(rows.grant_record, connection.execute(LIVE, {"now": now})))


def matching(connection: Connection, holder: str, action_id: str, now: datetime) -> tuple[GrantRecord, ...]:
    """Those of a holder for an action that can be used, those that end soonest first."""
    about = {"holder": holder, "action_id": action_id, "now": now}
    return tuple(map(rows.grant_record, connection.execute(MATCHING, about)))


def approval(connection: Connection, grant_id: str) -> Card | None:
    """The card on which a grant was approved, with the answers of those who did."""
    found = connection.execute(APPROVAL, {"run_id": grant_id}).scalar()
    return None if found is None else queries.card(connection, found)

"""How standing grants end by themselves, and their holders are told so, once."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, select, update

from actions.kit.counting import counted
from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.grants import what_words
from actions.kit.policies.standing_grant import STANDING_GRANT
from actions.kit.records.copies import CopyKind
from storage import rows
from storage.tables import grants, runs
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note

IS_OPEN = grants.c.ended_at.is_(None)
OPEN = select(grants.c.run_id, grants.c.until).where(IS_OPEN).order_by(grants.c.run_id)
PAST = (
    select(grants)
    .join(runs, runs.c.id == grants.c.run_id)
    .where(IS_OPEN, grants.c.until <= bindparam("now", type_=grants.c.until.type))
    .order_by(grants.c.until, grants.c.run_id)
    .limit(bindparam("count"))
    .with_for_update(of=runs, key_share=True, skip_locked=True)
)
IS_IT = grants.c.run_id == bindparam("b_id")
END = update(grants).where(IS_IT, IS_OPEN).returning(grants)
MOVE = update(grants).where(IS_IT, IS_OPEN)


def end_past(transaction: Transaction, now: datetime, limit: int) -> int:
    """Ends those whose time has passed; how many. What somebody else works on is left to the next sweep."""
    past = transaction.connection.execute(PAST, {"now": now, "count": limit}).all()
    return sum(_end(transaction, each.run_id, now) for each in past)


def tell_holder(transaction: Transaction, grant: GrantRecord, run_id: str, now: datetime) -> None:
    """Wants the words about its end, as a message of the run that is at work here: that of its last use, or its own."""
    said: dict[str, Any] = {"place": DirectMessage(Person(grant.holder)), "text": _over_words(grant)}
    views.want_one(transaction, run_id, CopyKind.LINE, now, **said)


def bring_forward(transaction: Transaction, by: timedelta) -> None:
    """For demos and tests, as with deadlines."""
    for row in transaction.connection.execute(OPEN).all():
        transaction.connection.execute(MOVE, {"b_id": row.run_id, "until": row.until - by})


def _end(transaction: Transaction, grant_id: str, now: datetime) -> bool:
    """False: its last use was taken, or it was revoked, since it was looked at."""
    row = transaction.connection.execute(END, {"b_id": grant_id, "ended_at": now}).one_or_none()
    if row is None:
        return False
    grant = rows.grant_record(row)
    tell_holder(transaction, grant, grant.id, now)
    note(transaction, grant.id, "grant over", at=now, via="sweep", used=grant.used)
    return True


def _over_words(grant: GrantRecord) -> str:
    is_used_up = grant.used >= grant.terms.times
    how = "is used up" if is_used_up else "is over, as its time has passed"
    often = f"{grant.used:,} of {counted(grant.terms.times, 'time')}"
    what = what_words(grant.terms.action_name, grant.terms.where)
    ask_again = f"To ask for another one, type /signoff {STANDING_GRANT}."
    return f"Your standing grant “{what}” {how}: it was used {often}. From now on people are asked again. {ask_again}"

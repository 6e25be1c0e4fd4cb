"""Keeps Home tabs current: what happens to a run wants those redrawn whom it concerns, in the commit in which it happens.

Where members of a channel decide, the rows cannot say whom it concerns: then all are drawn again, and those that come out
the same are not published. A Home tab that waits to be drawn already is left alone: whoever draws it reads the rows anew.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, case, delete, insert, or_, select, update

from actions.kit.policies.policy import Person, Policy, Requester, those
from storage import rows
from storage.home_queries import BEHIND
from storage.home_records import HomeRecord
from storage.locks import hold_homes
from storage.tables import homes, interrupts, runs
from storage.transaction import Transaction

SOON = timedelta(milliseconds=300)
"""How long a change waits for the next one: a run that is answered moves several times within a second."""
REST = timedelta(seconds=1.5)
"""The least time between two publications of one Home tab that nobody asked for."""

MOMENT = homes.c.next_at.type
IS_MINE = homes.c.person == bindparam("b_person")
IS_OURS = and_(IS_MINE, homes.c.owner == bindparam("b_owner"))
# One that is being drawn at this moment may have been read before.
DOES_NOT_WAIT = or_(homes.c.shown_version == homes.c.wanted_version, homes.c.owner.is_not(None))
IS_DUE = and_(
    BEHIND,
    homes.c.next_at <= bindparam("b_now", type_=MOMENT),
    or_(homes.c.lease_until.is_(None), homes.c.lease_until <= bindparam("b_now", type_=MOMENT)),
)

ANYBODY = select(homes.c.person).limit(1)
WHOM = (
    select(runs.c.requester, runs.c.joined, interrupts.c.policy)
    .select_from(runs.outerjoin(interrupts, interrupts.c.run_id == runs.c.id))
    .where(runs.c.id.in_(bindparam("run_ids", expanding=True)))
    .distinct()
)
STIR = (
    update(homes)
    .where(DOES_NOT_WAIT)
    .values(
        wanted_version=homes.c.wanted_version + 1,
        next_at=case(
            (homes.c.next_at > bindparam("b_soon", type_=MOMENT), homes.c.next_at),
            else_=bindparam("b_soon", type_=MOMENT),
        ),
    )
)
STIR_SOME = STIR.where(homes.c.person.in_(bindparam("b_people", expanding=True)))
AT_ONCE = (
    update(homes)
    .where(IS_MINE)
    .values(wanted_version=homes.c.wanted_version + 1, next_at=bindparam("b_now", type_=MOMENT), attempts=0)
)
NEW = insert(homes)
NEXT = select(homes.c.person).where(IS_DUE).order_by(homes.c.next_at).limit(bindparam("b_count"))
LEASE = (
    update(homes)
    .where(homes.c.person.in_(bindparam("b_people", expanding=True)), IS_DUE)
    .values(attempts=homes.c.attempts + 1)
    .returning(homes)
)
REPORT = update(homes).where(IS_OURS)
OVERLAID = update(homes).where(IS_MINE).values(wanted_version=homes.c.wanted_version + 1, shown_digest=None)
RELEASED: dict[str, Any] = {"owner": None, "lease_until": None}


def stir(connection: Connection, transactions: Sequence[Transaction]) -> None:
    """For a whole commit, last of all: one question where nobody has opened a Home tab, three statements otherwise."""
    stirring = [each for each in transactions if each.notes or each.purged_at]
    if not stirring:
        return
    # Before the question: whoever opens their first Home tab at this moment must not miss what happens in this commit.
    hold_homes(connection)
    if connection.execute(ANYBODY).first() is None:
        return
    people = _concerned(connection, stirring)
    soon = {"b_soon": max(_moments(stirring)) + SOON}
    if people is None:
        stirred = connection.execute(STIR, soon).rowcount
    else:
        stirred = connection.execute(STIR_SOME, soon | {"b_people": sorted(people)}).rowcount
    stirring[0].homes_due |= stirred > 0


def stir_all(transaction: Transaction, now: datetime) -> None:
    hold_homes(transaction.connection)
    transaction.connection.execute(STIR, {"b_soon": now})
    transaction.homes_due = True


def open_home(transaction: Transaction, person: str, view: str, now: datetime, *, anew: bool) -> None:
    """What it shows may still be right: then nothing is published."""
    values: dict[str, Any] = {"opened_at": now} | ({"shown_digest": None, "shown_hash": None} if anew else {})
    _at_once(transaction, person, view, now, **values)


def show(transaction: Transaction, person: str, view: str, now: datetime) -> None:
    """Somebody whose Home tab was forgotten meanwhile has one again."""
    _at_once(transaction, person, view, now, opened_at=now, view=view)


def look_again(transaction: Transaction, person: str, now: datetime) -> None:
    """Published in any case: its person may have seen something older than Slack was given."""
    hold_homes(transaction.connection)
    values = {"b_person": person, "b_now": now, "shown_digest": None}
    transaction.homes_due |= transaction.connection.execute(AT_ONCE, values).rowcount == 1


def take(
    transaction: Transaction, owner: str, now: datetime, lease_until: datetime, limit: int
) -> tuple[HomeRecord, ...]:
    hold_homes(transaction.connection)
    people = transaction.connection.execute(NEXT, {"b_now": now, "b_count": limit}).scalars().all()
    if not people:
        return ()
    lease = {"b_people": people, "b_now": now, "owner": owner, "lease_until": lease_until}
    leased = {row.person: row for row in transaction.connection.execute(LEASE, lease)}
    names = HomeRecord.__dataclass_fields__
    return tuple(HomeRecord(**{name: getattr(leased[each], name) for name in names}) for each in people)


def published(
    transaction: Transaction,
    person: str,
    *,
    owner: str,
    version: int,
    digest: str,
    view_hash: str | None,
    now: datetime,
    again_at: datetime | None,
) -> bool:
    """What was wanted meanwhile is still wanted; `again_at` wants it in any case."""
    hold_homes(transaction.connection)
    values: dict[str, Any] = {"shown_version": version, "shown_digest": digest, "shown_hash": view_hash}
    values |= RELEASED | {"attempts": 0, "error": None, "next_at": now + REST}
    if again_at is not None:
        is_done = homes.c.wanted_version == version
        values |= {"wanted_version": case((is_done, version + 1), else_=homes.c.wanted_version)}
        values |= {"next_at": case((is_done, again_at), else_=now + REST)}
    if _report(transaction, person, owner, values):
        transaction.homes_due = True
        return True
    transaction.connection.execute(OVERLAID, {"b_person": person, "next_at": now})
    transaction.homes_due = True
    return False


def put_off(transaction: Transaction, person: str, owner: str, error: str, until: datetime) -> bool:
    hold_homes(transaction.connection)
    return _report(transaction, person, owner, RELEASED | {"error": error, "next_at": until})


def drop(transaction: Transaction, person: str, owner: str) -> bool:
    hold_homes(transaction.connection)
    ours = {"b_person": person, "b_owner": owner}
    return transaction.connection.execute(delete(homes).where(IS_OURS), ours).rowcount == 1


def forget(transaction: Transaction, before: datetime) -> int:
    """One that is being drawn is forgotten too: whoever draws it reports to nobody."""
    hold_homes(transaction.connection)
    return transaction.connection.execute(delete(homes).where(homes.c.opened_at < before)).rowcount


def _at_once(transaction: Transaction, person: str, first_view: str, now: datetime, **values: Any) -> None:
    hold_homes(transaction.connection)
    transaction.homes_due = True
    if transaction.connection.execute(AT_ONCE, {"b_person": person, "b_now": now, **values}).rowcount == 1:
        return
    fields = {"person": person, "view": first_view, "opened_at": now, "next_at": now}
    transaction.connection.execute(NEW, fields | {"wanted_version": 1, "shown_version": 0, "attempts": 0})


def _moments(transactions: Sequence[Transaction]) -> Iterator[datetime]:
    for each in transactions:
        yield from (note["at"] for note in each.notes)
        if each.purged_at is not None:
            yield each.purged_at


def _concerned(connection: Connection, transactions: Sequence[Transaction]) -> frozenset[str] | None:
    """Those who asked or may decide; `None`: all, since only Slack knows who is in a channel, and nobody who was purged."""
    if any(each.purged_at for each in transactions):
        return None
    people: set[str] = set()
    run_ids = sorted({note["run_id"] for each in transactions for note in each.notes})
    for row in connection.execute(WHOM, {"run_ids": run_ids}):
        people |= {row.requester, *rows.words_of(row.joined)}
        named = frozenset() if row.policy is None else _named(rows.policy_of(row.policy))
        if named is None:
            return None
        people |= named
    return frozenset(people)


def _named(policy: Policy) -> frozenset[str] | None:
    """The ids of those who decide, the requester apart; `None` where the policy does not say them."""
    every = those([*policy.deciders, *(each for stage in policy.stages for each in stage.deciders)])
    deciders = [decider for decider in every if not isinstance(decider, Requester)]
    ids = [decider.id for decider in deciders if isinstance(decider, Person)]
    known = frozenset(each for each in ids if each is not None)
    return known if len(ids) == len(deciders) and None not in ids else None


def _report(transaction: Transaction, person: str, owner: str, values: dict[str, Any]) -> bool:
    ours = {"b_person": person, "b_owner": owner}
    return transaction.connection.execute(REPORT.values(values), ours).rowcount == 1

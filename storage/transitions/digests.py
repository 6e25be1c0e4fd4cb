"""The digests that are due: whom they reach, each morning moved on in the step in which its message is wanted."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import bindparam, insert, select, update

from storage.locks import Task, alone
from storage.results import Digest, Morning
from storage.tables import digests
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.homes import look_again

IS_THEIRS = digests.c.person == bindparam("b_person")
KNOWN = select(digests.c.person).where(digests.c.person.in_(bindparam("people", expanding=True)))
INSERT = insert(digests)
# Whoever moves a morning on is the one who tells it.
MOVE_ON = update(digests).where(
    IS_THEIRS,
    digests.c.next_at == bindparam("b_next_at", type_=digests.c.next_at.type),
    digests.c.is_off.is_(False),
)
SWITCH = update(digests).where(IS_THEIRS)
ALL = select(digests.c.person, digests.c.next_at).order_by(digests.c.person)


def meet(transaction: Transaction, mornings: Mapping[str, Morning]) -> int:
    """Those of these people who are not known yet have their first digest in that morning; how many."""
    if not alone(transaction.connection, Task.DIGESTING):
        return 0
    known = set(transaction.connection.execute(KNOWN, {"people": sorted(mornings)}).scalars())
    fresh = {person: mornings[person] for person in sorted(mornings) if person not in known}
    for person, morning in fresh.items():
        values = {"person": person, "day": morning.day, "next_at": morning.at, "is_off": False}
        transaction.connection.execute(INSERT, values)
    return len(fresh)


def move_on(transaction: Transaction, digest: Digest, morning: Morning, run_id: str | None, now: datetime) -> bool:
    """Their next digest is in that morning; this one is wanted where a run is named, at which it hangs.

    False: another process did so, or they switched it off meanwhile.
    """
    if not alone(transaction.connection, Task.DIGESTING):
        return False
    values = {"b_person": digest.person, "b_next_at": digest.at, "day": morning.day, "next_at": morning.at}
    if transaction.connection.execute(MOVE_ON, values).rowcount != 1:
        return False
    if run_id is not None:
        views.want_digest(transaction, run_id, digest.person, now)
    return True


def put_off(transaction: Transaction, digest: Digest, until: datetime) -> bool:
    """It stays that of its day."""
    values = {"b_person": digest.person, "b_next_at": digest.at, "next_at": until}
    return transaction.connection.execute(MOVE_ON, values).rowcount == 1


def switch(transaction: Transaction, person: str, now: datetime, *, on: bool) -> None:
    """Whoever is not known yet is kept, so that their choice holds when something waits for them."""
    if transaction.connection.execute(SWITCH, {"b_person": person, "is_off": not on}).rowcount != 1:
        transaction.connection.execute(INSERT, {"person": person, "day": None, "next_at": now, "is_off": not on})
    look_again(transaction, person, now)


def bring_forward(transaction: Transaction, by: timedelta) -> None:
    """For demos and tests, as with deadlines."""
    for row in transaction.connection.execute(ALL).all():
        transaction.connection.execute(SWITCH, {"b_person": row.person, "next_at": row.next_at - by})

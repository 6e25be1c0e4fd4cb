"""How somebody is away and comes back. What was said before is ended and kept, and Home tabs are drawn again.

All of them, since whoever stands in may be away too, and whoever stands in for them is concerned as well.
"""

from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from actions.kit.policies.absences import Absence, Path, comes_back
from storage.locks import hold_absences
from storage.rows import absence_record
from storage.tables import absences
from storage.transaction import Transaction
from storage.transitions.homes import stir_all

IS_OPEN = absences.c.ended_at.is_(None)
OPEN = select(absences).where(IS_OPEN)
END = (
    update(absences)
    .where(absences.c.person == bindparam("b_person"), IS_OPEN)
    .values(ended_at=bindparam("b_now", type_=absences.c.ended_at.type))
    .returning(absences)
)
INSERT = insert(absences)


def set_absence(transaction: Transaction, absence: Absence) -> Path | None:
    """One at a time, in all processes: two people could close a circle together. The way of a circle, where it is one."""
    hold_absences(transaction.connection)
    others = map(absence_record, transaction.connection.execute(OPEN))
    way = comes_back(absence, [each for each in others if each.until > absence.at])
    if way is not None:
        return way
    end_absence(transaction, absence.person, absence.at)
    values = {name: getattr(absence, name) for name in Absence.__dataclass_fields__}
    transaction.connection.execute(INSERT, values)
    stir_all(transaction, absence.at)
    return None


def end_absence(transaction: Transaction, person: str, now: datetime) -> Absence | None:
    """`None` where nothing was open that had not ended by itself."""
    row = transaction.connection.execute(END, {"b_person": person, "b_now": now}).one_or_none()
    ended = None if row is None else absence_record(row)
    if ended is None or ended.until <= now:
        return None
    stir_all(transaction, now)
    return ended

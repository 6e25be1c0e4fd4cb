"""The store's part for absences: who is away, until when, and who decides in their place."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import and_, bindparam, or_, select

from actions.kit.policies.absences import Absence, Path
from storage.database import Database, Transaction
from storage.rows import absence_record
from storage.tables import absences
from storage.transitions import absences as transitions

T = TypeVar("T")

# Before the Home tabs in a commit, and after the ids of all runs.
ABSENCES = "~absences"
OPEN = (
    select(absences)
    .where(absences.c.ended_at.is_(None), absences.c.until > bindparam("now", type_=absences.c.until.type))
    .order_by(absences.c.seq)
)
SINCE, NOW = bindparam("since", type_=absences.c.until.type), bindparam("now", type_=absences.c.until.type)
TURNED = (
    select(absences.c.seq)
    .where(
        absences.c.ended_at.is_(None),
        or_(*(and_(moment > SINCE, moment <= NOW) for moment in (absences.c.starts, absences.c.until))),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class InACircle:
    """It was not kept: by `way`, the person would stand in for themselves."""

    way: Path


class Absences:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def set(self, absence: Absence) -> Absence | InACircle:
        """Keeps that somebody is away, in place of what they said before. The caller has looked at the people and times."""

        def keep(transaction: Transaction) -> Absence | InACircle:
            way = transitions.set_absence(transaction, absence)
            return absence if way is None else InACircle(way)

        return await self._write(keep)

    async def end(self, person: str, *, now: datetime) -> Absence | None:
        """They are back: the absence that this ended, if there was one."""
        return await self._write(lambda writing: transitions.end_absence(writing, person, now))

    async def open(self, now: datetime) -> tuple[Absence, ...]:
        """All that hold now, or will: nobody has more than one."""
        return await self._database.read(
            lambda connection: tuple(map(absence_record, connection.execute(OPEN, {"now": now})))
        )

    async def turned(self, since: datetime, now: datetime) -> bool:
        """Whether one began or was over by itself after `since`, until `now`."""
        return await self._database.read(
            lambda connection: connection.execute(TURNED, {"since": since, "now": now}).first() is not None
        )

    async def _write(self, transition: Callable[[Transaction], T]) -> T:
        return await self._database.write(ABSENCES, transition, self._hand_over)

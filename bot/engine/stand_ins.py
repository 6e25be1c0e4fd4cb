"""Who is away now, and who decides in their place: the rows say what people said, and Slack what their status says.

A status that cannot be looked up says nothing: then its person is not away, and nobody decides in their place.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from actions.kit.absences import Absence, Path, ahead, behind
from blocks.presence import Presence
from bot.engine.people import CouldNotVerify, Directory
from storage.absences import Absences

STATUS_WITHIN = 1.0
"""Seconds that one status may take, while somebody waits for a click to count."""


class StandIns:
    """Asks the rows anew each time; the look-ups of statuses are the directory's, which keeps them for a minute."""

    def __init__(self, absences: Absences, directory: Directory, *, now: Callable[[], datetime]) -> None:
        self._absences = absences
        self._directory = directory
        self._now = now

    async def behind(self, person: str) -> tuple[Path, ...]:
        """The ways from each person who is away now to this one, who decides in their place; the shortest first."""
        now = self._now()
        ways = behind(person, await self._absences.open(now), now)
        if not ways:
            return ()
        away = await self._away(each for way in ways for each in way)
        return tuple(way for way in ways if away.issuperset(way))

    async def ahead(self, person: str) -> Path:
        """The way from this person, as far as each on it is away now; empty where they are not."""
        now = self._now()
        way = ahead(person, await self._absences.open(now), now)
        away = await self._away(way)
        number = next((number for number, each in enumerate(way) if each not in away), len(way))
        return way[:number]

    async def presence(self, person: str) -> Presence:
        """What this person said about being away, whether it holds now, and by which ways they decide for others."""
        now = self._now()
        every = await self._absences.open(now)
        own = next((each for each in every if each.person == person), None)
        ways = behind(person, every, now)
        away = await self._away(each for way in (*ways, (own,) if own else ()) for each in way)
        holds = own is not None and own.holds(now) and own in away
        return Presence(own, holds, tuple(way for way in ways if away.issuperset(way)))

    async def stand_in(self, person: str) -> str | None:
        """Who is to be told in place of this person: the first on the way from them who is not away. `None`: nobody."""
        way = await self.ahead(person)
        return way[-1].stand_in if way and not await self.ahead(way[-1].stand_in) else None

    async def _away(self, absences: Iterable[Absence]) -> frozenset[Absence]:
        every = tuple(dict.fromkeys(absences))
        found = await asyncio.gather(*map(self._status_says_so, every))
        return frozenset(each for each, is_away in zip(every, found, strict=True) if is_away)

    async def _status_says_so(self, absence: Absence) -> bool:
        if not absence.by_status:
            return True
        try:
            async with asyncio.timeout(STATUS_WITHIN):
                status = await self._directory.status_of(absence.person)
        except (CouldNotVerify, TimeoutError):
            return False
        return status is not None and status.is_away

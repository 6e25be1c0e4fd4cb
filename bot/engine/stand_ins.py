"""Who is away now, and who decides in their place: the rows say what people said, and Slack what their status says.

A status that cannot be looked up says nothing: then its person is not away, and nobody decides in their place.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from actions.kit.policies.absences import Absence, Path, ahead, behind, between
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
        return await self._on(person, await self._absences.open(self._now()))

    async def presence(self, person: str) -> Presence:
        """What this person said about being away, whether it holds now, and by which ways they decide for others."""
        now = self._now()
        every = await self._absences.open(now)
        own = next((each for each in every if each.person == person), None)
        ways = behind(person, every, now)
        away = await self._away(each for way in (*ways, (own,) if own else ()) for each in way)
        holds = own is not None and own.holds(now) and own in away
        return Presence(own, holds, tuple(way for way in ways if away.issuperset(way)))

    async def instead_of(self, people: Collection[str], *, requester: str, within: float) -> tuple[str, ...]:
        """Who is told beside these people, since one of them is away: the first on the way from each who is not away.

        Never the requester, nor anybody to whom it leads over them.

        Nobody where that is not known within so many seconds: they find it in their Home tab all the same.
        """
        try:
            async with asyncio.timeout(within):
                every = await self._absences.open(self._now())
                ways = [await self._on(person, every) for person in people]
                others = [way for way in ways if way and requester not in {*between(way), way[-1].stand_in}]
                found = [way[-1].stand_in for way in others if not await self._on(way[-1].stand_in, every)]
        except TimeoutError:
            return ()
        return tuple(dict.fromkeys(found))

    async def _on(self, person: str, every: Collection[Absence]) -> Path:
        """The way from this person, as far as each on it is away now."""
        way = ahead(person, every, self._now())
        away = await self._away(way)
        return way[: next((number for number, each in enumerate(way) if each not in away), len(way))]

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

"""Whoever is on call in a rota of the people file now: always the same, in turns, a group of Slack's, or by a calendar."""

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.directory.book import PeopleBook
from bot.directory.calendars import on_duty
from bot.directory.feeds import Feeds
from bot.directory.found import Found
from bot.directory.people_file import PeopleFile, RotaPart, turn_at
from bot.directory.written import Written
from bot.engine.people import UnknownName
from bot.slack.groups import UserGroups


class Rotas:
    """Looked at anew each time, so a hand-over counts at the minute: what is kept is the file and the calendar."""

    def __init__(
        self, book: PeopleBook, feeds: Feeds, groups: UserGroups, written: Written, *, now: Callable[[], datetime]
    ) -> None:
        self._book = book
        self._feeds = feeds
        self._groups = groups
        self._written = written
        self._now = now

    async def check(self, name: str) -> None:
        """Raises `UnknownName` where there is no such rota, or not the group that it is."""
        file, rota = await self._rota(name)
        if rota.group is not None:
            await self._of_group(rota.group, file.where("rotas", name))

    async def on_call(self, name: str) -> Found:
        """Who is on call now; nobody, between two shifts. Raises `UnknownName`, and `CouldNotVerify`."""
        file, rota = await self._rota(name)
        where = file.where("rotas", name)
        if rota.calendar is not None:
            return await self._by_calendar(file, rota, rota.calendar, where)
        if rota.group is not None:
            return await self._of_group(rota.group, where)
        return await self._written.found(self._by_turns(rota) if rota.turns else rota.people, where)

    async def _rota(self, name: str) -> tuple[PeopleFile, RotaPart]:
        file = await self._book.open()
        rota = file.said.rotas.get(name)
        if rota is None:
            raise UnknownName(
                f"there is no rota {name!r}", "Write it under `rotas` into the file of SIGNOFF_PEOPLE, or correct it."
            )
        return file, rota

    def _by_turns(self, rota: RotaPart) -> tuple[str, ...]:
        zone = ZoneInfo(rota.timezone) if rota.timezone else UTC
        turn = turn_at(rota, self._now().astimezone(zone).replace(tzinfo=None))
        return (turn,) if turn else ()

    async def _of_group(self, group: str, where: str) -> Found:
        members = await self._groups.members(group)
        if members is None:
            raise UnknownName(f"{where}: there is no user group @{group} in Slack", "Make it, or correct its name.")
        return Found(members, f"{where}, Slack's user group @{group}")

    async def _by_calendar(self, file: PeopleFile, rota: RotaPart, calendar: str, where: str) -> Found:
        shifts = await self._feeds.shifts(file.beside(calendar), rota.timezone)
        duty = on_duty(shifts, self._now(), rota.names)
        until = f", until {duty.until:%Y-%m-%d %H:%M %Z}" if duty.until else ""
        return await self._written.found(duty.people, f"{where}, its calendar{until}", strangers=duty.nameless)

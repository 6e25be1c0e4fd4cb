"""The directory: facts about people from Slack, and the people for whom a group, a manager or a rota stands now.

Slack is asked first, and where it has no such thing, the people file. What was refused or came late is never filled in from
another source: it could not be verified.
"""

import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import assert_never

from slack_sdk.web.async_client import AsyncWebClient

from actions.kit.policies.deciders import ChannelMembers, Group, Lookup, ManagerOf, OnCall, Requester
from blocks.text import is_person_id
from bot import clock
from bot.directory.book import PeopleBook
from bot.directory.feeds import Feeds
from bot.directory.found import Found
from bot.directory.managers import Managers
from bot.directory.rotas import Rotas
from bot.directory.written import Written
from bot.engine.people import UnknownName
from bot.slack.directory import BUDGET
from bot.slack.directory import Directory as SlackDirectory
from bot.slack.groups import UserGroups
from bot.slack.profiles import Profiles


class Directory(SlackDirectory):
    """Slack's directory, and above it the layers that expand what policies name."""

    def __init__(
        self,
        client: AsyncWebClient,
        book: PeopleBook,
        feeds: Feeds,
        *,
        manager_field: str | None = None,
        budget: float = BUDGET,
        timer: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = clock.now,
        away_statuses: Collection[str] = (),
    ) -> None:
        super().__init__(client, budget=budget, clock=timer, away_statuses=away_statuses)
        lookups = self._lookups
        written = Written(self)
        self._book = book
        self._groups = UserGroups(client, lookups)
        profiles = Profiles(client, lookups, manager_field) if manager_field else None
        self._managers = Managers(profiles, book, written)
        self._rotas = Rotas(book, feeds, self._groups, written, now=now)
        self._written = written

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        """The ids of those for whom a decider stands now: see `bot.engine.people.Directory`."""
        return (await self.found(lookup, requester=requester)).people

    async def found(self, lookup: Lookup, *, requester: str) -> Found:
        """The same, with where each comes from. Raises `UnknownName`, and `CouldNotVerify`."""
        match lookup:
            case ChannelMembers(channel=channel):
                return Found(await self.members(channel), f"the members of {channel}")
            case Group(group=group):
                return await self._group(group)
            case OnCall(rota=rota):
                return await self._rotas.on_call(rota)
            case ManagerOf():
                return await self._manager(lookup, requester)
            case never:
                assert_never(never)

    async def managers_source(self) -> str:
        """In words where managers are looked up. Raises `CouldNotVerify`."""
        return await self._managers.source()

    async def check(self, lookup: Lookup) -> None:
        """Whether the name of a decider is known, whoever it stands for. Raises `UnknownName`, and `CouldNotVerify`."""
        match lookup:
            case ManagerOf():
                await self._managers.check()
            case Group(group=group):
                await self._group(group)
            case OnCall(rota=rota):
                await self._rotas.check(rota)
            case ChannelMembers():
                pass
            case never:
                assert_never(never)

    async def _group(self, group: str) -> Found:
        members = await self._groups.members(group)
        if members is not None:
            return Found(members, f"Slack's user group @{group}")
        file = await self._book.open()
        if group not in file.said.groups:
            raise UnknownName(
                f"there is no group {group!r}",
                "Make the user group in Slack, write it under `groups` into the file of SIGNOFF_PEOPLE, or correct it.",
            )
        return await self._written.found(file.said.groups[group], file.where("groups", group))

    async def _manager(self, lookup: ManagerOf, requester: str) -> Found:
        of = lookup.of
        person = requester if isinstance(of, Requester) else of.id or await self._written.id_of(of.email or "")
        if person is None or not is_person_id(person):
            return Found(frozenset(), "whoever asks has no account in Slack, and so no manager")
        return await self._managers.above(person, lookup.level)


@asynccontextmanager
async def open_directory(
    client: AsyncWebClient,
    people: Path | None,
    manager_field: str | None,
    *,
    budget: float = BUDGET,
    away_statuses: Collection[str] = (),
) -> AsyncIterator[Directory]:
    """The directory, until the block ends. Raises `FileError` where the people file has mistakes."""
    book = PeopleBook(people)
    async with Feeds(budget=budget) as feeds:
        directory = Directory(
            client, book, feeds, manager_field=manager_field, budget=budget, away_statuses=away_statuses
        )
        try:
            yield directory
        finally:
            await directory.close()

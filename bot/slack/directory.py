"""What Slack knows of people and channels, looked up within a click's time and kept for a while.

A look-up that is late or refused is `CouldNotVerify`, never a guess; its text is "timeout", "unreachable" or Slack's own
word. Somebody or something that Slack does not know is an answer: `None`. Sources: users.info, users.lookupByEmail,
conversations.members, users.conversations and conversations.list in Slack's method reference.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from actions.kit.policies.deciders import ChannelMembers, Lookup
from actions.kit.records.people import PersonFacts
from blocks.text import is_channel_id, is_person_id
from bot.engine.people import CouldNotVerify, Status
from bot.slack.asking import asked, pages
from bot.slack.lookups import Lookups

__all__ = ["CouldNotVerify", "Directory"]

BUDGET = 1.5
PEOPLE_LAST = 300.0
MEMBERS_LAST = 30.0
CHANNELS_LAST = 600.0
STATUSES_LAST = 60.0
HANDLES_LAST = 60.0
NOTHING_LASTS = 0.0
"""Whoever was told that something is missing makes it and tries again at once."""

NOBODY = frozenset({"user_not_found", "users_not_found", "user_not_visible"})
NO_CHANNEL = frozenset({"channel_not_found"})


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """What Slack says of a channel, and whether the bot is in it."""

    id: str
    is_private: bool
    is_archived: bool
    is_member: bool


@dataclass(frozen=True, slots=True)
class _StatusSet:
    """A status as somebody set it, perhaps until a moment in Unix seconds."""

    emoji: str
    text: str
    until: float | None


class Directory:
    """Cached look-ups; each answers within the budget (seconds) or raises `CouldNotVerify`."""

    def __init__(
        self,
        client: AsyncWebClient,
        *,
        budget: float = BUDGET,
        clock: Callable[[], float] = time.monotonic,
        away_statuses: Collection[str] = (),
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._away_statuses = frozenset(away_statuses)
        self._wall_clock = wall_clock
        self._lookups = Lookups(budget=budget, clock=clock)

    async def close(self) -> None:
        """End what is still being looked up."""
        await self._lookups.close()

    async def person(self, person: str) -> PersonFacts | None:
        """Facts about the person of this id, at most five minutes old; `None` where Slack knows nobody by it."""
        if not is_person_id(person):
            return None
        return await self._lookups.get(("person", person), lambda: self._ask_person(person), _people_last)

    async def by_email(self, email: str) -> PersonFacts | None:
        """Facts about the person of this e-mail address; `None` where Slack knows nobody by it."""
        address = email.strip().lower()
        return await self._lookups.get(("email", address), lambda: self._ask_email(address), _people_last)

    async def by_handle(self, handle: str) -> tuple[PersonFacts, ...]:
        """Everybody who is called so, as of a minute ago; a workspace that is too large to be read in time is not verified."""
        name = handle.strip().removeprefix("@").casefold()
        return await self._lookups.get(("handle", name), lambda: self._ask_handle(name), lambda _: HANDLES_LAST)

    async def status_of(self, person: str) -> Status | None:
        """What the person's Slack status says, as of a minute ago at most; `None` where it says nothing, or expired."""
        status = await self._lookups.get(("status", person), lambda: self._ask_status(person), lambda _: STATUSES_LAST)
        is_over = status is None or (status.until is not None and status.until <= self._wall_clock())
        return (
            None
            if status is None or is_over
            else Status(status.emoji, status.text, status.emoji in self._away_statuses)
        )

    async def is_member(self, channel: str, person: str) -> bool:
        """Whether the person is in the channel (an id or a `#name`), as of half a minute ago at most."""
        return person in await self.members(channel)

    async def members(self, channel: str) -> frozenset[str]:
        """Who is in the channel, as of half a minute ago at most.

        A channel that the bot cannot see is `CouldNotVerify`: whether somebody is in it is not known.
        """
        return await self._lookups.get(("members", channel), lambda: self._ask_members(channel), lambda _: MEMBERS_LAST)

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        """The members of a channel; for whom anything else stands takes more than Slack: see `bot.directory`."""
        del requester
        if isinstance(lookup, ChannelMembers):
            return await self.members(lookup.channel)
        raise CouldNotVerify("not_known")

    async def channel_id(self, channel: str) -> str | None:
        """The id of a `#name`, among the bot's own channels first; an id is returned as it is."""
        if is_channel_id(channel):
            return channel
        name = channel.removeprefix("#").strip().lower()
        return await self._lookups.get(("channel", name), lambda: self._ask_channel(name), _channels_last)

    async def channel(self, channel: str) -> ChannelFacts | None:
        """Facts about a channel (an id or a `#name`), asked anew; `None` where the bot sees none."""
        found = await self.channel_id(channel)
        look = self._client.conversations_info
        answer = None if found is None else await asked(look(channel=found), absent=NO_CHANNEL)
        return _channel_facts(answer["channel"]) if answer else None

    async def _ask_person(self, person: str) -> PersonFacts | None:
        answer = await asked(self._client.users_info(user=person), absent=NOBODY)
        return _facts(answer["user"]) if answer else None

    async def _ask_handle(self, name: str) -> tuple[PersonFacts, ...]:
        found: list[PersonFacts] = []
        async for page in pages(self._client.users_list):
            found += [_facts(user) for user in page["members"] if name in _handles(user)]
        return tuple(each for each in found if not (each.is_bot or each.is_deleted))

    async def _ask_status(self, person: str) -> _StatusSet | None:
        """Of the profile in users.info; `status_expiration` is in Unix seconds, and 0 of one that does not expire."""
        answer = await asked(self._client.users_info(user=person), absent=NOBODY)
        profile = (answer["user"].get("profile") or {}) if answer else {}
        emoji, text = str(profile.get("status_emoji") or ""), str(profile.get("status_text") or "")
        until = profile.get("status_expiration") or None
        return _StatusSet(emoji, text, until) if emoji or text else None

    async def _ask_email(self, email: str) -> PersonFacts | None:
        answer = await asked(self._client.users_lookupByEmail(email=email), absent=NOBODY)
        if answer is None:
            return None
        facts = _facts(answer["user"])
        self._lookups.keep(("person", facts.id), facts, PEOPLE_LAST)
        return facts

    async def _ask_members(self, channel: str) -> frozenset[str]:
        found = await self.channel_id(channel)
        if found is None:
            raise CouldNotVerify("channel_not_found")
        members: set[str] = set()
        async for page in pages(self._client.conversations_members, channel=found):
            members.update(page["members"])
        return frozenset(members)

    async def _ask_channel(self, name: str) -> str | None:
        types = "public_channel,private_channel"
        async for page in pages(self._client.users_conversations, types=types):
            if found := _named(page["channels"], name):
                return found
        async for page in pages(self._client.conversations_list, types="public_channel"):
            if found := _named(page["channels"], name):
                return found
        return None


def _named(channels: list[Mapping[str, Any]], name: str) -> str | None:
    return next((str(each["id"]) for each in channels if name in {each.get("name"), each.get("name_normalized")}), None)


def _facts(user: Mapping[str, Any]) -> PersonFacts:
    """A person of another workspace, met in a shared channel, counts as a guest."""
    profile = user.get("profile") or {}
    name = user.get("real_name") or profile.get("real_name") or profile.get("display_name") or user.get("name")
    guest = ("is_restricted", "is_ultra_restricted", "is_stranger")
    return PersonFacts(
        id=str(user["id"]),
        name=str(name or user["id"]),
        email=profile.get("email") or None,
        is_bot=bool(user.get("is_bot")) or user["id"] == "USLACKBOT",
        is_guest=any(user.get(each) for each in guest),
        is_deleted=bool(user.get("deleted")),
        timezone=user.get("tz") or None,
    )


def _handles(user: Mapping[str, Any]) -> frozenset[str]:
    """What somebody may be called by: display names are free, and two people may have the same."""
    profile = user.get("profile") or {}
    names = (user.get("name"), profile.get("display_name"), profile.get("display_name_normalized"))
    return frozenset(str(each).casefold() for each in names if each)


def _channel_facts(channel: Mapping[str, Any]) -> ChannelFacts:
    known = ("is_private", "is_archived", "is_member")
    return ChannelFacts(str(channel["id"]), *(bool(channel.get(each)) for each in known))


def _people_last(facts: PersonFacts | None) -> float:
    return PEOPLE_LAST if facts else NOTHING_LASTS


def _channels_last(found: str | None) -> float:
    return CHANNELS_LAST if found else NOTHING_LASTS

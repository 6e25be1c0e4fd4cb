"""Looks those up for whom a policy's deciders stand; of one that cannot be looked up nothing is said, so that nobody passes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from actions.kit.policies.deciders import ChannelMembers, Lookup
from bot.engine.people import CouldNotVerify, Directory

Expansion = Mapping[Lookup, frozenset[str]]


async def expanded_for(
    directory: Directory, wanted: Iterable[Lookup], person: str, *, requester: str, within: float | None = None
) -> Expansion:
    """Of each that is told within so many seconds, whether it stands for this person: of a channel no more is asked."""

    async def one(lookup: Lookup) -> frozenset[str]:
        if isinstance(lookup, ChannelMembers):
            return frozenset({person}) if await directory.is_member(lookup.channel, person) else frozenset()
        return await directory.expand(lookup, requester=requester)

    return await _known(wanted, one, within)


async def expanded(
    directory: Directory, wanted: Iterable[Lookup], *, requester: str, within: float | None = None
) -> Expansion:
    """Everybody for whom each of them stands that is told within so many seconds."""

    async def one(lookup: Lookup) -> frozenset[str]:
        return await directory.expand(lookup, requester=requester)

    return await _known(wanted, one, within)


async def _known(
    wanted: Iterable[Lookup], one: Callable[[Lookup], Awaitable[frozenset[str]]], within: float | None
) -> Expansion:
    """One that is late is missing, and takes none of the others along."""

    async def in_time(lookup: Lookup) -> frozenset[str]:
        async with asyncio.timeout(within):
            return await one(lookup)

    wanted = tuple(wanted)
    known: dict[Lookup, frozenset[str]] = {}
    found = await asyncio.gather(*map(in_time, wanted), return_exceptions=True)
    for lookup, each in zip(wanted, found, strict=True):
        if isinstance(each, BaseException) and not isinstance(each, CouldNotVerify | TimeoutError):
            raise each
        if not isinstance(each, BaseException):
            known[lookup] = each
    return known

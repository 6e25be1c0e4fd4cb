"""Looks those up for whom a policy's deciders stand; of one that cannot be looked up nothing is said, so that nobody passes."""

import asyncio
from collections.abc import Iterable, Mapping

from actions.kit.deciders import ChannelMembers, Lookup
from bot.engine.people import CouldNotVerify, Directory

Expansion = Mapping[Lookup, frozenset[str]]


async def expanded_for(directory: Directory, wanted: Iterable[Lookup], person: str, *, requester: str) -> Expansion:
    """Of each, whether it stands for this person: of a channel no more is asked than that."""

    async def one(lookup: Lookup) -> frozenset[str]:
        if isinstance(lookup, ChannelMembers):
            return frozenset({person}) if await directory.is_member(lookup.channel, person) else frozenset()
        return await directory.expand(lookup, requester=requester)

    wanted = tuple(wanted)
    found = await asyncio.gather(*(one(lookup) for lookup in wanted), return_exceptions=True)
    return _known(wanted, found)


async def expanded(directory: Directory, wanted: Iterable[Lookup], *, requester: str) -> Expansion:
    """Everybody for whom each of them stands."""
    wanted = tuple(wanted)
    asked = (directory.expand(lookup, requester=requester) for lookup in wanted)
    return _known(wanted, await asyncio.gather(*asked, return_exceptions=True))


def _known(wanted: Iterable[Lookup], found: Iterable[frozenset[str] | BaseException]) -> Expansion:
    known: dict[Lookup, frozenset[str]] = {}
    for lookup, each in zip(wanted, found, strict=True):
        if isinstance(each, BaseException) and not isinstance(each, CouldNotVerify):
            raise each
        if not isinstance(each, BaseException):
            known[lookup] = each
    return known

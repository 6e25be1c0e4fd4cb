"""Whom a card reaches directly when it cannot stand where it belongs."""

from actions.kit.policies.policy import (
    Allowed,
    ChannelMembers,
    DirectMessage,
    Person,
    Place,
    those,
    verdict,
)
from actions.kit.policies.showing import place_lookups, places
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Card
from bot.engine.expanding import expanded
from bot.slack.directory import CouldNotVerify, Directory
from storage.store import Store

MOST_MEMBERS = 10
"""Members of a channel who are written to where nobody is named: enough for an answer, and no flood."""


class Fallbacks:
    """The deciders who are named or looked up; where only channels decide, their members, as far as Slack tells who they are."""

    def __init__(self, store: Store, directory: Directory) -> None:
        self._store = store
        self._directory = directory

    async def of(self, card: Card) -> list[NewCopy]:
        """The card for the direct messages of each of them to whom it was never sent."""
        copies = await self._store.copies(card.run.id)
        tried = {each.place for each in copies if each.interrupt_id == card.interrupt.id and each.kind is CopyKind.CARD}
        named = card.interrupt.policy.model_copy(update={"show": (DirectMessage(),)})
        requester = card.run.requester
        known = await expanded(self._directory, place_lookups(named), requester=requester)
        direct = places(named, requester=requester, expanded=known) or await self._members(card)
        return [NewCopy(CopyKind.CARD, place, fallback=True) for place in direct if place not in tried]

    async def _members(self, card: Card) -> list[Place]:
        found: list[Place] = []
        for decider in those(card.interrupt.policy.deciders):
            if isinstance(decider, ChannelMembers):
                found += await self._of_channel(decider.channel, card)
        return found[:MOST_MEMBERS]

    async def _of_channel(self, channel: str, card: Card) -> list[Place]:
        try:
            members = sorted(await self._directory.members(channel))
            return [
                DirectMessage(person=Person(each)) for each in members if await self._may_decide(each, channel, card)
            ]
        except CouldNotVerify:
            return []

    async def _may_decide(self, person: str, channel: str, card: Card) -> bool:
        facts = await self._directory.person(person)
        if facts is None:
            return False
        interrupt = card.interrupt
        judged = verdict(
            interrupt.policy,
            facts,
            requester=card.run.requester,
            approval=interrupt.shape.is_approval,
            expanded={ChannelMembers(channel): frozenset({person})},
        )
        return isinstance(judged, Allowed)

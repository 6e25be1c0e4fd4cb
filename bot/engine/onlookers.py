"""Who may see all of a card: whoever it concerns, and whoever is in a conversation in which it stands."""

import asyncio
from collections.abc import Collection

from actions.kit.policies.policy import Allowed, DirectMessage
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.results import Refusal
from storage.store import Store


class Onlookers:
    """Nobody is let look on a guess. `operators` are ids."""

    def __init__(
        self, *, store: Store, directory: Directory, entitlement: Entitlement, operators: Collection[str]
    ) -> None:
        self._store = store
        self._directory = directory
        self._entitlement = entitlement
        self._operators = frozenset(operators)

    async def refusal(self, card: Card, person: str) -> Refusal | None:
        """Why this person is not shown all of this card; `None` for its requester, who decides it or did, its channel."""
        if person in {*card.run.requesters, *card.voices, *self._operators}:
            return None
        budget = Budget()
        decides = await self._entitlement.to_see(card, person, budget)
        if isinstance(decides, Allowed):
            return None
        is_there = await self._is_there(card, person, budget)
        if is_there:
            return None
        if is_there is None or (isinstance(decides, NotVerified) and not decides.nobody):
            return NotVerified().refusal(card)
        return Refusal(refusals.NOT_IN_CONVERSATION, card)

    async def _is_there(self, card: Card, person: str, budget: Budget) -> bool | None:
        """Whether the person is in a conversation of the card; `None` where Slack did not tell in time."""
        try:
            async with asyncio.timeout(budget.left):
                return await self._is_in_one(card, person)
        except TimeoutError:
            return None

    async def _is_in_one(self, card: Card, person: str) -> bool | None:
        """`None` where Slack did not tell of every conversation, and the person is in none of the others."""
        copies = await self._store.copies(card.run.id)
        posted = [each for each in copies if each.interrupt_id == card.interrupt.id and each.kind is CopyKind.CARD]
        is_unsure = False
        for copy in posted:
            try:
                if copy.channel and await self._is_in(copy, copy.channel, person):
                    return True
            except CouldNotVerify:
                is_unsure = True
        return None if is_unsure else False

    async def _is_in(self, copy: CopyRecord, channel: str, person: str) -> bool:
        """Of a direct message nobody needs to ask Slack: it is with whom it was sent to."""
        if not isinstance(copy.place, DirectMessage):
            return await self._directory.is_member(channel, person)
        to = copy.place.person
        if to is None or to.email is None:
            return to is not None and to.id == person
        found = await self._directory.by_email(to.email)
        return found is not None and found.id == person

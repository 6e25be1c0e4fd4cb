"""What a vote under a policy of several stages or needs brings along: what its person may fill, and what comes next."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from actions.kit.policies.policy import Policy, every_lookup
from actions.kit.policies.quorum import Fits, needs_of
from actions.kit.policies.stages import entered, has_next, may_fill, may_speak
from actions.kit.records.interrupts import Card
from bot.engine.addresses import Addresses
from bot.engine.expanding import expanded_for
from bot.engine.people import CouldNotVerify, Directory
from storage.results import Following

PATIENCE = 1.5
"""Seconds for all look-ups; what is not told by then counts as no, and as nobody."""


@dataclass(frozen=True, slots=True)
class Brought:
    """See `Vote`. `None` in place of it: it could not be verified what the person may fill."""

    fits: tuple[Fits, ...] = ()
    following: Mapping[int, Following] = field(default_factory=dict)


class Staging:
    """Asks nothing about a policy of one stage and one need: there every answer counts the same."""

    def __init__(self, directory: Directory, addresses: Addresses) -> None:
        self._directory = directory
        self._addresses = addresses

    async def brought(self, card: Card, person: str, *, today: Policy | None = None) -> Brought | None:
        """`today` is the policy of its action as it is by now. Whoever stands in brings along what the other may fill."""
        policy, principal = card.interrupt.policy, card.answering_for or person
        if not policy.stages and len(needs_of(policy)) == 1:
            return Brought()
        fits, following = await asyncio.gather(self._fits(card, principal, today), self._following(card, person))
        if fits and person != principal:
            fits = await self._spoken_for(card, fits, person)
        number = max(policy.stage, 1) - 1
        return Brought(fits, following) if fits and fits[number] else None

    async def _fits(self, card: Card, person: str, today: Policy | None) -> tuple[Fits, ...]:
        policy, requester = card.interrupt.policy, card.run.requester
        wanted = dict.fromkeys(each for one in (policy, today) if one for each in every_lookup(one))
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
            known = await expanded_for(self._directory, wanted, person, requester=requester, within=PATIENCE)
        except (CouldNotVerify, TimeoutError):
            return ()
        if facts is None:
            return ()
        approval = card.interrupt.shape.is_approval
        return may_fill(policy, facts, requester=requester, approval=approval, expanded=known, today=today)

    async def _spoken_for(self, card: Card, fits: tuple[Fits, ...], person: str) -> tuple[Fits, ...]:
        """As much of what another may fill as is not of a stage that leaves out whoever speaks for them."""
        policy, requester = card.interrupt.policy, card.run.requester
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
            known = await expanded_for(
                self._directory, every_lookup(policy), person, requester=requester, within=PATIENCE
            )
        except (CouldNotVerify, TimeoutError):
            return ()
        return () if facts is None else may_speak(policy, fits, facts, requester=requester, expanded=known)

    async def _following(self, card: Card, person: str) -> Mapping[int, Following]:
        policy = card.interrupt.policy
        if not has_next(policy):
            return {}
        decided = {*(voice for each in card.decisions for voice in each.voices), person, card.answering_for or person}
        numbers = range(policy.stage + 1, len(policy.stages) + 1)
        later = [entered(policy, number, sorted(decided)) for number in numbers]
        approval = card.interrupt.shape.is_approval
        ahead = [self._addresses.following(each, card.run.requester, approval=approval) for each in later]
        return dict(zip(numbers, await asyncio.gather(*ahead), strict=True))

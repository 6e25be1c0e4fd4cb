"""Where a card goes, and whether anybody there can settle it: people who were named by e-mail become Slack ids, those whom deciders stand for are looked up, and places become the copies that are wanted."""

import asyncio
from collections.abc import Collection, Sequence

import structlog

from actions.kit.policies.deciders import ChannelMembers, DirectMessage, Lookup, OnCall, Person, Place
from actions.kit.policies.policy import (
    Policy,
    emails,
    every_lookup,
    lookups,
    lookups_in,
    named_ids,
    people_in,
    those,
    with_ids,
)
from actions.kit.policies.quorum import candidates, needed
from actions.kit.policies.showing import place_lookups, places
from actions.kit.policies.stages import entered
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.runs import Failure
from blocks.deciding import policy_said
from blocks.said import in_plain
from blocks.undelivered import NOBODY_DECIDES, NOT_LOOKED_UP
from bot.engine import refusals
from bot.engine.expanding import Expansion, expanded
from bot.engine.people import CouldNotVerify, Directory, UnknownName
from bot.engine.stand_ins import StandIns
from storage.results import Following

log = structlog.get_logger(__name__)

PATIENCE = 5.0
"""Seconds that looking people up may take; nobody waits for an acknowledgement here."""
FEW = 20
"""People of one group or rota who are looked up one by one, to see whether enough of them can decide."""
AT_A_CLICK = 1.5
"""Seconds that looking up the next stage may take, while somebody waits."""


class Addresses:
    """Resolves policies. An e-mail that cannot be resolved stays one: it can still answer, and be reached later."""

    def __init__(self, directory: Directory, stand_ins: StandIns | None = None) -> None:
        """Without `stand_ins`, nobody gets a card in the place of somebody who is away: for tools that post none."""
        self._directory = directory
        self._stand_ins = stand_ins

    async def of(self, policy: Policy, requester: str) -> tuple[Policy, tuple[NewCopy, ...]]:
        """The policy with ids, and a card for each place of the stage that is asked."""
        told = await asyncio.gather(*(self._id_of(email) for email in emails(policy)))
        found = {email: person for each in told for email, person in each.items()}
        resolved = with_ids(policy, {email: person for email, person in found.items() if person is not None})
        known = await self._expanded(_looked_up(resolved), requester, PATIENCE)
        nobody = [each for each in emails(resolved) if found.get(each, "") is None and each in _addresses(resolved)]
        of_looked_up = {each: known[each] for each in lookups_in(those(resolved.deciders)) if each in known}
        gone = await self._gone((*named_ids(resolved), *_few(of_looked_up)))
        asked = resolved.model_copy(update={"gone": (*gone, *nobody)})
        return asked, await self._cards(asked, requester, known, within=PATIENCE)

    def hindrance(self, policy: Policy, copies: Sequence[NewCopy]) -> str | None:
        """Why a question reaches nobody as it is asked, though somebody may decide it."""
        return NOT_LOOKED_UP if not copies and place_lookups(policy) else None

    async def following(self, policy: Policy, requester: str, *, approval: bool) -> Following:
        """What the stage that is asked wants, for when it is: its cards, or why nobody could settle it."""
        began = asyncio.get_running_loop().time()
        looked_up = self._expanded(_looked_up(policy), requester, AT_A_CLICK)
        known, gone = await asyncio.gather(looked_up, self._gone(named_ids(policy)))
        left = AT_A_CLICK - (asyncio.get_running_loop().time() - began)
        copies = await self._cards(policy.model_copy(update={"gone": gone}), requester, known, within=left)
        most = candidates(policy, requester=requester, approval=approval, expanded=known)
        if most is not None and most < needed(policy):
            return Following(copies, NOBODY_DECIDES, gone)
        return Following(copies, None if copies else NOT_LOOKED_UP, gone)

    async def unreachable(
        self, policy: Policy, requester: str, *, approval: bool, besides: Collection[str] = ()
    ) -> Failure | None:
        """Why nobody could ever settle this question, if so, in any of its stages.

        Whoever cannot be looked up now may decide later; a name that no source knows stands for nobody. `besides` are the
        ids of others who may not decide it.
        """
        if unknown := await self._unknown(policy, requester):
            what = f"Nobody could settle its question: {unknown.what}."
            return Failure(kind="unreachable", message=what, advice=unknown.advice)
        for number in range(1, len(policy.stages) + 1) if policy.stages else (0,):
            asked = entered(policy, number) if number else policy
            if failure := await self._unreachable(asked, requester, approval=approval, besides=besides):
                return failure
        return None

    async def _unknown(self, policy: Policy, requester: str) -> UnknownName | None:
        wanted = every_lookup(policy.model_copy(update={"starters": ()}))
        asked = [
            self._directory.expand(each, requester=requester) for each in wanted if not isinstance(each, ChannelMembers)
        ]
        try:
            async with asyncio.timeout(PATIENCE):
                found = await asyncio.gather(*asked, return_exceptions=True)
        except TimeoutError:
            return None
        return next((each for each in found if isinstance(each, UnknownName)), None)

    async def _unreachable(
        self, policy: Policy, requester: str, *, approval: bool, besides: Collection[str]
    ) -> Failure | None:
        later = policy.stage > 1
        wanted = [each for each in lookups(policy) if not (later and isinstance(each, OnCall))]
        known = await self._expanded(wanted, requester, PATIENCE)
        ids = tuple(dict.fromkeys((*named_ids(policy), *_few(known))))
        by_name = {person.id for person in people_in(those(policy.deciders))}
        able = await asyncio.gather(*(self.is_able(person, is_named=person in by_name) for person in ids))
        gone = [*(person for person, is_able in zip(ids, able, strict=True) if not is_able), *besides]
        most = candidates(policy, requester=requester, approval=approval, gone=gone, expanded=known)
        if most is None or most >= needed(policy):
            return None
        stage = f" in stage {policy.stage} of {len(policy.stages)}" if policy.stage else ""
        return Failure(
            kind="unreachable",
            message=f"Nobody could settle its question{stage}: it needs {needed(policy)} of those who may decide "
            f"({in_plain(policy_said(policy, requester))}), and only {most} can. The requester of an approval, bots, "
            "people who left and guests who are not named do not count.",
            advice="Name other people in the action's policy, or add some to its groups and rotas, then run it again.",
        )

    async def mistakes(self, policy: Policy, requester: str, *, approval: bool) -> list[str]:
        """Why those whom a policy names cannot decide, as far as Slack tells: nobody by that name, too few of them."""
        resolved, _ = await self.of(policy, requester)
        unknown = [*emails(resolved), *[person for person in named_ids(resolved) if await self._is_nobody(person)]]
        if unknown:
            return [refusals.nobody_by(who) for who in unknown]
        failure = await self.unreachable(resolved, requester, approval=approval)
        return [failure.message] if failure else []

    async def _expanded(self, wanted: Sequence[Lookup], requester: str, patience: float) -> Expansion:
        """What is told in time, of those who can be told in one look-up; a channel may have too many members for that."""
        people = [each for each in wanted if not isinstance(each, ChannelMembers)]
        return await expanded(self._directory, people, requester=requester, within=patience)

    async def _is_nobody(self, person: str) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._directory.person(person) is None
        except (CouldNotVerify, TimeoutError):
            return False

    async def is_able(self, person: str, *, is_named: bool = True) -> bool:
        """Whether a person can decide anything, as far as Slack tells in time; a guest where they are named."""
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
        except (CouldNotVerify, TimeoutError):
            return True
        return facts is None or not (facts.is_bot or facts.is_deleted or (facts.is_guest and not is_named))

    async def _id_of(self, email: str) -> dict[str, str | None]:
        """Nothing where Slack did not tell, and `None` where it knows nobody by this address."""
        try:
            async with asyncio.timeout(PATIENCE):
                person = await self._directory.by_email(email)
        except (CouldNotVerify, TimeoutError):
            log.warning("email_not_resolved")
            return {}
        return {email: person.id if person else None}

    async def _cards(self, policy: Policy, requester: str, known: Expansion, *, within: float) -> tuple[NewCopy, ...]:
        """A card for each place; none for those who left where there is another, and one more for each who stands in."""
        wanted = places(policy, requester=requester, expanded=known)
        there = [place for place in wanted if _person_at(place) not in policy.gone] or list(wanted)
        people = [person for person in map(_person_at, there) if person is not None]
        if policy.stand_ins and self._stand_ins is not None and people:
            instead = await self._stand_ins.instead_of(people, requester=requester, within=within)
            there += [DirectMessage(Person(id=person)) for person in instead]
        return tuple(NewCopy(kind=CopyKind.CARD, place=place) for place in dict.fromkeys(there))

    async def _gone(self, people: Sequence[str]) -> tuple[str, ...]:
        """Those who left Slack, as far as it tells in time."""
        ids = tuple(dict.fromkeys(people))
        left = await asyncio.gather(*map(self._has_left, ids))
        return tuple(person for person, has_left in zip(ids, left, strict=True) if has_left)

    async def _has_left(self, person: str) -> bool:
        try:
            async with asyncio.timeout(AT_A_CLICK):
                facts = await self._directory.person(person)
        except (CouldNotVerify, TimeoutError):
            return False
        return facts is not None and facts.is_deleted


def _looked_up(policy: Policy) -> tuple[Lookup, ...]:
    """All who must be looked up to say who decides the stage that is asked, and where."""
    return tuple(dict.fromkeys((*lookups(policy), *place_lookups(policy))))


def _addresses(policy: Policy) -> frozenset[str | None]:
    """The e-mail addresses by which the stage that is asked names those who decide it."""
    return frozenset(each.email for each in people_in(those(policy.deciders)))


def _person_at(place: Place) -> str | None:
    return place.person.id if isinstance(place, DirectMessage) and place.person else None


def _few(known: Expansion) -> tuple[str, ...]:
    """Those of look-ups that stand for a few people, so that each may be looked at."""
    return tuple(person for people in known.values() if len(people) <= FEW for person in people)

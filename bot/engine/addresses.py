"""Where a card goes, and whether anybody there can settle it: people who were named by e-mail become Slack ids, those whom deciders stand for are looked up, and places become the copies that are wanted."""

import asyncio
from collections.abc import Collection, Sequence

import structlog

from actions.kit.deciders import ChannelMembers, Lookup, OnCall
from actions.kit.policy import Policy, emails, every_lookup, lookups, named_ids, people_in, those, with_ids
from actions.kit.quorum import candidates, needed
from actions.kit.records import CopyKind, Failure, NewCopy
from actions.kit.showing import place_lookups, places
from actions.kit.stages import entered
from blocks.deciding import policy_said
from blocks.said import in_plain
from blocks.undelivered import NOBODY_DECIDES, NOT_LOOKED_UP
from bot.engine import refusals
from bot.engine.expanding import Expansion, expanded
from bot.engine.people import CouldNotVerify, Directory, UnknownName
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

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def of(self, policy: Policy, requester: str) -> tuple[Policy, tuple[NewCopy, ...]]:
        """The policy with ids, and a card for each place of the stage that is asked."""
        found = await asyncio.gather(*(self._id_of(email) for email in emails(policy)))
        resolved = with_ids(policy, {email: person for email, person in found if person is not None})
        known = await self._expanded(place_lookups(resolved), requester, PATIENCE)
        return resolved, _cards(resolved, requester, known)

    def hindrance(self, policy: Policy, copies: Sequence[NewCopy]) -> str | None:
        """Why a question reaches nobody as it is asked, though somebody may decide it."""
        return NOT_LOOKED_UP if not copies and place_lookups(policy) else None

    async def following(self, policy: Policy, requester: str, *, approval: bool) -> Following:
        """What the stage that is asked wants, for when it is: its cards, or why nobody could settle it."""
        wanted = tuple(dict.fromkeys((*lookups(policy), *place_lookups(policy))))
        known = await self._expanded(wanted, requester, AT_A_CLICK)
        copies = _cards(policy, requester, known)
        most = candidates(policy, requester=requester, approval=approval, expanded=known)
        if most is not None and most < needed(policy):
            return Following(copies, NOBODY_DECIDES)
        return Following(copies, None if copies else NOT_LOOKED_UP)

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
        able = await asyncio.gather(*(self._is_able(person, is_named=person in by_name) for person in ids))
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

    async def _is_able(self, person: str, *, is_named: bool) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
        except (CouldNotVerify, TimeoutError):
            return True
        return facts is None or not (facts.is_bot or facts.is_deleted or (facts.is_guest and not is_named))

    async def _id_of(self, email: str) -> tuple[str, str | None]:
        try:
            async with asyncio.timeout(PATIENCE):
                person = await self._directory.by_email(email)
        except (CouldNotVerify, TimeoutError):
            log.warning("email_not_resolved")
            return email, None
        return email, person.id if person else None


def _cards(policy: Policy, requester: str, known: Expansion) -> tuple[NewCopy, ...]:
    wanted = places(policy, requester=requester, expanded=known)
    return tuple(NewCopy(kind=CopyKind.CARD, place=place) for place in wanted)


def _few(known: Expansion) -> tuple[str, ...]:
    """Those of look-ups that stand for a few people, so that each may be looked at."""
    return tuple(person for people in known.values() if len(people) <= FEW for person in people)

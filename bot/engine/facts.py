"""May this person? The policy decides, purely; this asks the directory what the policy needs to know, within a time."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from actions.kit.policies.absences import Path, between
from actions.kit.policies.deciders import Lookup
from actions.kit.policies.emergencies import breaking
from actions.kit.policies.policy import Allowed, Policy, Refused, Unverified, Verdict, may_start, verdict
from actions.kit.policies.stages import counterparts, still
from actions.kit.policies.stand_ins import MAY_STAND_IN, stands_in
from actions.kit.policies.tally import has_answered
from actions.kit.records.interrupts import Card
from actions.kit.records.people import PersonFacts
from bot.engine import refusals
from bot.engine.expanding import Expansion, expanded_for
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.results import Refusal, Why
from bot.engine.stand_ins import StandIns

Judged = Allowed | Refused

PATIENCE = 1.5
"""Seconds that looking people up and validating what they answered may take together before Slack must be answered."""


class Budget:
    """What is left of the time that an acknowledgement may wait for others.

    It is about one person: `ways` are those by which they decide for others, once somebody asked for them.
    """

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self.ways: tuple[Path, ...] | None = None

    @property
    def left(self) -> float:
        return max(0.0, self._until - asyncio.get_running_loop().time())


@dataclass(frozen=True, slots=True)
class NotVerified:
    """Nobody is let pass on a guess; `why` is for the person, as mrkdwn. `nobody`: Slack told, and knows no such person."""

    why: str = refusals.COULD_NOT_VERIFY
    nobody: bool = False

    def refusal(self, card: Card | None = None) -> Refusal:
        return Refusal(self.why, card, Why.NOT_ALLOWED if self.nobody else Why.NOT_VERIFIED)


@dataclass(frozen=True, slots=True)
class Seen:
    """A person, and for whom look-ups stand as far as it is about them."""

    facts: PersonFacts
    expanded: Expansion


class Entitlement:
    """Who may answer and who may start, over what the directory knows."""

    def __init__(self, directory: Directory, stand_ins: StandIns) -> None:
        self._directory = directory
        self._stand_ins = stand_ins

    async def to_answer(
        self, card: Card, person: str, budget: Budget, *, today: Policy | None = None
    ) -> Judged | NotVerified:
        """Whether a person may answer this card now, themselves or else in the place of somebody who is away.

        `today` is the policy of its action as it is by now, which must let whoever decides do so, and a stand-in too.
        """
        approval, requester = card.interrupt.shape.is_approval, card.run.requester
        asked = person if person in card.run.joined else requester

        def by(each: Policy, seen: Seen) -> Verdict:
            return verdict(each, seen.facts, requester=asked, approval=approval, expanded=seen.expanded)

        found = await self._judged(_narrowed(by, card, today), person, budget=budget, requester=requester)
        if isinstance(found, Refused) and found.reason in MAY_STAND_IN:
            return await self._in_a_place(card, person, budget, today=today) or found
        return found

    async def _in_a_place(
        self, card: Card, person: str, budget: Budget, *, today: Policy | None
    ) -> Judged | NotVerified | None:
        """Whether a person may answer in somebody's place; one who was not heard yet is preferred. `None`: in nobody's."""
        approval, requesters = card.interrupt.shape.is_approval, card.run.requesters

        def by(each: Policy, seen: Seen, principal: Seen) -> Verdict:
            return stands_in(
                each,
                seen.facts,
                principal.facts,
                over=over[principal.facts.id],
                requesters=requesters,
                approval=approval,
                expanded=seen.expanded,
                of_principal=principal.expanded,
            )

        try:
            async with asyncio.timeout(budget.left):
                ways = budget.ways = await self._stand_ins.behind(person) if budget.ways is None else budget.ways
        except TimeoutError:
            return NotVerified()
        judge, over = _narrowed(by, card, today), {way[0].person: between(way) for way in ways}
        other: Judged | NotVerified | None = None
        for away in sorted(over, key=lambda each: has_answered(card, each)):
            found = await self._judged(judge, person, away, budget=budget, requester=card.run.requester)
            if isinstance(found, Allowed):
                return found
            if isinstance(found, Refused) and found.reason not in MAY_STAND_IN:
                other = other or Refused(found.reason, standing_for=away)
            elif isinstance(found, NotVerified):
                other = other or found
        return other

    async def to_break_glass(
        self, card: Card, person: str, budget: Budget, *, today: Policy | None = None
    ) -> Judged | NotVerified:
        """Whether a person may approve this card alone in an emergency, which they do in nobody's place.

        `today` is the policy of its action as it is by now, which must let them do so too.
        """
        policies = [breaking(each) for each in (card.interrupt.policy, today) if each is not None]

        def judge(seen: Seen) -> Verdict:
            by = [
                verdict(each, seen.facts, requester=card.run.requester, approval=True, expanded=seen.expanded)
                if each
                else Refused("not_any_more")
                for each in policies
            ]
            return still(by[0], by[1:] or by)

        if person in card.run.requesters:
            return Refused("requester")
        return await self._judged(judge, person, budget=budget, requester=card.run.requester)

    async def to_see(self, card: Card, person: str, budget: Budget) -> Judged | NotVerified:
        """Whether a person is one of those who decide this card, or would be if they had not asked for it themselves."""
        policy, requester = card.interrupt.policy, card.run.requester

        def judge(seen: Seen) -> Verdict:
            return verdict(policy, seen.facts, requester="", approval=False, expanded=seen.expanded)

        found = await self._judged(judge, person, budget=budget, requester=requester)
        if isinstance(found, Refused) and found.reason in MAY_STAND_IN:
            return await self._in_a_place(card, person, budget, today=None) or found
        return found

    async def to_start(self, policy: Policy, person: str, budget: Budget) -> Judged | NotVerified:
        """Whether a person may start an action of this policy."""

        def judge(seen: Seen) -> Verdict:
            return may_start(policy, seen.facts, seen.expanded)

        return await self._judged(judge, person, budget=budget, requester=person)

    async def _judged(
        self, judge: Callable[..., Verdict], *people: str, budget: Budget, requester: str
    ) -> Judged | NotVerified:
        """What `judge` says of these people, each as `Seen`, once all is looked up that it asks for."""
        try:
            async with asyncio.timeout(budget.left):
                facts = [await self._directory.person(person) for person in people]
                seen = [Seen(each, {}) for each in facts if each is not None]
                if len(seen) < len(people):
                    return NotVerified(refusals.NOBODY, nobody=True)
                found = judge(*seen)
                while isinstance(found, Unverified):  # named people never wait for a look-up
                    more = [await self._more(each, found.lookups, requester) for each in seen]
                    if more == seen:
                        return NotVerified()
                    seen = more
                    found = judge(*seen)
                return found
        except (CouldNotVerify, TimeoutError):
            return NotVerified()

    async def _more(self, seen: Seen, lookups: Iterable[Lookup], requester: str) -> Seen:
        wanted = [each for each in lookups if each not in seen.expanded]
        told = await expanded_for(self._directory, wanted, seen.facts.id, requester=requester)
        return replace(seen, expanded={**seen.expanded, **told})


def _narrowed(by: Callable[..., Verdict], card: Card, today: Policy | None) -> Callable[..., Verdict]:
    """Judges by the stored policy, and as far as there is one by that of today, which only narrows it."""
    policy = card.interrupt.policy

    def judge(*people: Seen) -> Verdict:
        found = by(policy, *people)
        return still(found, (by(each, *people) for each in counterparts(today, policy))) if today else found

    return judge

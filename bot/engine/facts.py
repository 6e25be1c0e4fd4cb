"""May this person? The policy decides, purely; this asks the directory what the policy needs to know, within a time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from actions.kit.deciders import Lookup
from actions.kit.policy import Allowed, Policy, Refused, Unverified, Verdict, may_start, verdict
from actions.kit.records import Card, PersonFacts
from actions.kit.stages import counterparts, still
from bot.engine import refusals
from bot.engine.expanding import Expansion, expanded_for
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.results import Refusal, Why

Judge = Callable[[PersonFacts, Expansion], Verdict]
Judged = Allowed | Refused

PATIENCE = 1.5
"""Seconds that looking people up and validating what they answered may take together before Slack must be answered."""


class Budget:
    """What is left of the time that an acknowledgement may wait for others."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._until = asyncio.get_running_loop().time() + seconds

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


class Entitlement:
    """Who may answer and who may start, over what the directory knows."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def to_answer(
        self, card: Card, person: str, budget: Budget, *, today: Policy | None = None
    ) -> Judged | NotVerified:
        """Whether a person may answer this card now; `today` is the policy of its action as it is by now."""
        policy, approval, requester = card.interrupt.policy, card.interrupt.shape.is_approval, card.run.requester
        asked = person if person in card.run.joined else requester

        def judge(facts: PersonFacts, expanded: Expansion) -> Verdict:
            def by(each: Policy) -> Verdict:
                return verdict(each, facts, requester=asked, approval=approval, expanded=expanded)

            return still(by(policy), map(by, counterparts(today, policy))) if today else by(policy)

        return await self._judged(judge, person, budget, requester=requester)

    async def to_see(self, card: Card, person: str, budget: Budget) -> Judged | NotVerified:
        """Whether a person is one of those who decide this card, or would be if they had not asked for it themselves."""
        policy = card.interrupt.policy

        def judge(facts: PersonFacts, expanded: Expansion) -> Verdict:
            return verdict(policy, facts, requester="", approval=False, expanded=expanded)

        return await self._judged(judge, person, budget, requester=card.run.requester)

    async def to_start(self, policy: Policy, person: str, budget: Budget) -> Judged | NotVerified:
        """Whether a person may start an action of this policy."""

        def judge(facts: PersonFacts, expanded: Expansion) -> Verdict:
            return may_start(policy, facts, expanded)

        return await self._judged(judge, person, budget, requester=person)

    async def _judged(self, judge: Judge, person: str, budget: Budget, *, requester: str) -> Judged | NotVerified:
        try:
            async with asyncio.timeout(budget.left):
                facts = await self._directory.person(person)
                if facts is None:
                    return NotVerified(refusals.NOBODY, nobody=True)
                found, known = judge(facts, {}), dict[Lookup, frozenset[str]]()
                while isinstance(found, Unverified):  # named people never wait for a look-up
                    told = await expanded_for(self._directory, found.lookups, person, requester=requester)
                    if not told.keys() - known.keys():
                        return NotVerified()
                    known |= told
                    found = judge(facts, known)
                return found
        except (CouldNotVerify, TimeoutError):
            return NotVerified()

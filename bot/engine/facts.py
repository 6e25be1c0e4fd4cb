"""May this person? The policy decides, purely; this asks the directory what the policy needs to know, within a time."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from actions.kit.policy import Allowed, Policy, Verdict, lookups, may_start, start_lookups, verdict
from actions.kit.records import Card, PersonFacts
from bot.engine import refusals
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.results import Refusal, Why

Judge = Callable[[PersonFacts, Mapping[str, bool]], Verdict]

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

    async def to_answer(self, card: Card, person: str, budget: Budget) -> Verdict | NotVerified:
        """Whether a person may answer this card now."""
        policy, approval = card.interrupt.policy, card.interrupt.shape.is_approval

        def judge(facts: PersonFacts, member_of: Mapping[str, bool]) -> Verdict:
            return verdict(policy, facts, requester=card.run.requester, approval=approval, member_of=member_of)

        return await self._judged(policy, person, judge, budget)

    async def to_see(self, card: Card, person: str, budget: Budget) -> Verdict | NotVerified:
        """Whether a person is one of those who decide this card, or would be if they had not asked for it themselves."""
        policy = card.interrupt.policy

        def judge(facts: PersonFacts, member_of: Mapping[str, bool]) -> Verdict:
            return verdict(policy, facts, requester="", approval=False, member_of=member_of)

        return await self._judged(policy, person, judge, budget)

    async def _judged(self, policy: Policy, person: str, judge: Judge, budget: Budget) -> Verdict | NotVerified:
        try:
            async with asyncio.timeout(budget.left):
                facts = await self._directory.person(person)
                if facts is None:
                    return NotVerified(refusals.NOBODY, nobody=True)
                # Only a refusal that a membership could lift needs the look-up: named people never wait for it.
                first = judge(facts, dict.fromkeys(lookups(policy), True))
                if not isinstance(first, Allowed) or isinstance(judge(facts, {}), Allowed):
                    return first
                return judge(facts, await self._memberships(lookups(policy), person))
        except (CouldNotVerify, TimeoutError):
            return NotVerified()

    async def to_start(self, policy: Policy, person: str, budget: Budget) -> Verdict | NotVerified:
        """Whether a person may start an action of this policy."""
        try:
            async with asyncio.timeout(budget.left):
                facts = await self._directory.person(person)
                if facts is None:
                    return NotVerified(refusals.NOBODY, nobody=True)
                return may_start(policy, facts, await self._memberships(start_lookups(policy), person))
        except (CouldNotVerify, TimeoutError):
            return NotVerified()

    async def _memberships(self, channels: Sequence[str], person: str) -> Mapping[str, bool]:
        answers = await asyncio.gather(*(self._directory.is_member(channel, person) for channel in channels))
        return dict(zip(channels, answers, strict=True))

"""What happens by itself while questions wait: looks up whom it concerns, and has the store do each step once."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from actions.kit.policies.absences import between
from actions.kit.policies.policy import Policy, lookups, lookups_in
from actions.kit.policies.quorum import fits_by_person
from actions.kit.policies.steps import StepKind
from actions.kit.policies.tally import counting
from actions.kit.records.interrupts import Card
from bot.engine.addresses import Addresses
from bot.engine.expanding import expanded
from bot.engine.people import Directory
from bot.engine.stand_ins import StandIns
from storage.results import DueStep, TakenStep
from storage.store import Store

log = structlog.get_logger(__name__)

PATIENCE = 5.0
"""Seconds that looking people up may take. Whoever is not told of by then is not called by name, and gets no card of their own."""
AT_ONCE = 20
"""Steps that one pass takes; what is left is due a second later."""
PUT_OFF = timedelta(seconds=30)
TRIES = 10
"""So often an escalation is put off; then those who cannot be looked up find it in their Home tabs."""
NAMED = 8
"""More people than these are not called one by one."""


class Pacing:
    """A reminder does not wait for Slack: whoever cannot be looked up is told of in words. An escalation does, for a while."""

    def __init__(
        self,
        *,
        store: Store,
        directory: Directory,
        addresses: Addresses,
        stand_ins: StandIns,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._directory = directory
        self._addresses = addresses
        self._stand_ins = stand_ins
        self._now = now

    async def advance(self) -> int:
        """Does what is due; how many."""
        due = await self._store.steps.due(now=self._now(), limit=AT_ONCE)
        done = await asyncio.gather(*map(self._take, due))
        return sum(done)

    async def _take(self, step: DueStep) -> bool:
        """One that fails keeps no other back."""
        try:
            taken = await (self._escalation(step) if step.kind is StepKind.ESCALATE else self._call(step))
            if taken is None:
                await self._store.steps.put_off(step, until=self._now() + PUT_OFF)
                return False
            return await self._store.steps.take(taken, step.card.interrupt.id, now=self._now()) is not None
        except Exception:
            log.exception("step_failed", kind=step.kind, interrupt=step.card.interrupt.id)
            await self._store.steps.put_off(step, until=self._now() + PUT_OFF)
            return False

    async def _call(self, step: DueStep) -> TakenStep:
        """Those who must act, by name where they are few, and where they are asked."""
        policy, requester = step.card.interrupt.policy, step.card.run.requester
        (_, copies), people = await asyncio.gather(self._addresses.of(policy, requester), self._must_act(step.card))
        return TakenStep(step.seq, people=people, places=tuple(each.place for each in copies))

    async def _escalation(self, step: DueStep) -> TakenStep | None:
        """A card for each of those who decide as well from now on, in their own direct messages.

        `None`: they cannot be looked up now, and may be later.
        """
        policy = step.card.interrupt.policy
        added = policy.escalate[step.number - 1].to
        theirs = policy.model_copy(update={"deciders": added, "show": (), "notify": (), "stages": (), "stage": 0})
        _, copies = await self._addresses.of(theirs, step.card.run.requester)
        waits = self._addresses.hindrance(theirs, copies) and step.tries < TRIES
        return None if waits else TakenStep(step.seq, copies=copies)

    async def _must_act(self, card: Card) -> tuple[str, ...]:
        interrupt, requester = card.interrupt, card.run.requester
        called = _called(interrupt.policy)
        known = await expanded(self._directory, lookups(called), requester=requester, within=PATIENCE)
        if any(each not in known for each in lookups_in(called.exclude)):
            return ()
        voted = counting(interrupt.policy, interrupt.shape, card.decisions)
        gone = {*(voice for each in voted for voice in each.voices), *card.run.joined}
        approval = interrupt.shape.is_approval
        able = fits_by_person(called, requester=requester, approval=approval, gone=gone, expanded=known)
        people = [each for each in able if each and "@" not in each]
        if len(people) > NAMED:
            return ()
        spoken_to = await asyncio.gather(*(self._spoken_to(each, called, requester) for each in people))
        never = {None, *gone, *(() if requester in people else (requester,))}
        return tuple(dict.fromkeys(each for each in spoken_to if each and each not in never))

    async def _spoken_to(self, person: str, policy: Policy, requester: str) -> str | None:
        """Who is called for this person: whoever stands in for them; nobody, where they left Slack or are a bot.

        Nor where the requester chose who stands in.
        """
        way = await self._stand_ins.ahead(person) if policy.stand_ins else ()
        if requester in between(way):
            return None
        called = way[-1].stand_in if way else person
        return called if await self._addresses.is_able(called) else None


def _called(policy: Policy) -> Policy:
    """Those whom the policy says to notify, where it does, in place of all who may decide."""
    return policy.model_copy(update={"deciders": policy.notify}) if policy.notify else policy

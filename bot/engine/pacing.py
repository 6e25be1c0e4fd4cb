"""What happens by itself while questions wait: looks up whom it concerns, and has the store do each step once."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import assert_never

import structlog

from actions.kit.policies.absences import between
from actions.kit.policies.deciders import ChannelMembers, DirectMessage, Person
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
            taken = await self._looked_up(step)
            if taken is None:
                await self._store.steps.put_off(step, until=self._now() + PUT_OFF)
                return False
            return await self._store.steps.take(taken, step.card.interrupt.id, now=self._now()) is not None
        except Exception:
            log.exception("step_failed", kind=step.kind, interrupt=step.card.interrupt.id)
            await self._store.steps.put_off(step, until=self._now() + PUT_OFF)
            return False

    async def _looked_up(self, step: DueStep) -> TakenStep | None:
        match step.kind:
            case StepKind.ESCALATE:
                return await self._escalation(step)
            case StepKind.REMIND | StepKind.WARN:
                return await self._call(step)
            case StepKind.LAPSE | StepKind.RESUME:
                return TakenStep(step.seq)
        assert_never(step.kind)

    async def _call(self, step: DueStep) -> TakenStep:
        """Those who must act, by name where they are few, and where they are asked; whoever stands in has a card as well."""
        policy, requester = step.card.interrupt.policy, step.card.run.requester
        asked = [policy, *(_added(policy, number) for number in policy.escalated)]
        called = await self._must_act(step.card)
        found = await asyncio.gather(*(self._addresses.of(each, requester) for each in asked))
        copies = tuple(dict.fromkeys(copy for _, copies in found for copy in copies))
        instead = {person: by for person, by in called.items() if person != by}
        return TakenStep(
            step.seq,
            people=tuple(dict.fromkeys(called.values())),
            places=tuple(each.place for each in copies),
            copies=tuple(each for each in copies if each.place in _directly(instead.values())),
            standing_in=tuple(dict.fromkeys(by for by in instead.values() if by not in called)),
            away=tuple(instead),
        )

    async def _escalation(self, step: DueStep) -> TakenStep | None:
        """A card for each of those who decide as well from now on, in their own direct messages.

        `None`: they cannot be looked up now, and may be later.
        """
        policy, requester = step.card.interrupt.policy, step.card.run.requester
        theirs = _added(policy, step.number)
        wanted = [each for each in lookups(theirs) if not isinstance(each, ChannelMembers)]
        known = await expanded(self._directory, wanted, requester=requester, within=PATIENCE)
        _, copies = await self._addresses.of(theirs, requester)
        is_unknown = any(each not in known for each in wanted) or self._addresses.hindrance(theirs, copies) is not None
        return None if is_unknown and step.tries < TRIES else TakenStep(step.seq, copies=copies)

    async def _must_act(self, card: Card) -> dict[str, str]:
        """Who is called for each of those who have not answered: they themselves, or who stands in for them.

        Nobody by name, where it is not known who must act, or where they are many.
        """
        interrupt, requester = card.interrupt, card.run.requester
        asked = _called(interrupt.policy)
        known = await expanded(self._directory, lookups(asked), requester=requester, within=PATIENCE)
        if any(each not in known for each in lookups_in(asked.exclude)):
            return {}
        voted = counting(interrupt.policy, interrupt.shape, card.decisions)
        gone = {*(voice for each in voted for voice in each.voices), *card.run.joined}
        approval = interrupt.shape.is_approval
        able = fits_by_person(asked, requester=requester, approval=approval, gone=gone, expanded=known)
        people = [each for each in able if each and "@" not in each]
        if len(people) > NAMED:
            return {}
        spoken_to = await asyncio.gather(*(self._spoken_to(each, asked, requester) for each in people))
        never = {*gone, *(() if requester in people else (requester,))}
        found = zip(people, spoken_to, strict=True)
        return {person: called for person, called in found if called is not None and called not in never}

    async def _spoken_to(self, person: str, policy: Policy, requester: str) -> str | None:
        """Who is called for this person: whoever stands in for them; nobody, where they left Slack or are a bot.

        Nor where the requester chose who stands in.
        """
        way = await self._stand_ins.ahead(person) if policy.stand_ins else ()
        if requester in between(way):
            return None
        called = way[-1].stand_in if way else person
        return called if await self._addresses.is_able(called) else None


def _directly(people: Iterable[str]) -> frozenset[DirectMessage]:
    return frozenset(DirectMessage(Person(id=each)) for each in people)


def _called(policy: Policy) -> Policy:
    """Those whom the policy says to notify, where it does, in place of all who may decide; and whom it was escalated to."""
    if not policy.notify:
        return policy
    later = (each for number in policy.escalated for each in policy.escalate[number - 1].to)
    return policy.model_copy(update={"deciders": tuple(dict.fromkeys((*policy.notify, *later)))})


def _added(policy: Policy, number: int) -> Policy:
    """What the escalation of this number asks: those whom it adds alone, in their direct messages."""
    to = policy.escalate[number - 1].to
    return policy.model_copy(update={"deciders": to, "show": (), "notify": (), "stages": (), "stage": 0})

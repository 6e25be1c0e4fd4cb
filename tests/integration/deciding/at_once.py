"""Stories of what comes at the very same moment, to two bots on one database: it must have come in some order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import permutations
from random import Random
from typing import Protocol

from hypothesis import strategies as st
from hypothesis.stateful import rule

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunRecord
from bot.engine.results import ActDone, Counted, Settled
from storage.results import Started
from tests.integration.deciding.answering import CHOICES, Given, sent
from tests.integration.deciding.changing import Changing, edit_form
from tests.integration.deciding.granting import OFFERING, Granting
from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import Choice, Rules
from tests.integration.deciding.stories import AMOUNTS, EDITABLE, ENDS, LUCK, RUNS, Followed
from tests.integration.deciding.town import EVERYBODY, FULL
from tests.integration.engine_room import RITA, VIA, Room, sources

MOST = 4
"""Runs that are asked for at once."""


class Deed(Protocol):
    """What somebody does to a card that they saw before anything else was done to it."""

    did: bool
    """What they were told came of it."""

    async def do(self, room: Room, card: Card) -> None: ...

    def by(self, request: Request, today: Rules) -> bool:
        """What must come of it where the request stands so, which then has it."""


@dataclass
class Voting:
    person: str
    choice: Choice
    seen: int
    source: str
    standing_for: str | None = None
    did: bool = False

    async def do(self, room: Room, card: Card) -> None:
        result = await sent(room, card, Given(self.person, self.choice, "click", self.source))
        self.did = isinstance(result, Counted | Settled)

    def by(self, request: Request, today: Rules) -> bool:
        may = request.may_answer_for(self.person, today) if request.version == self.seen else set()
        if self.did and self.standing_for in may:
            request.answer(self.person, self.standing_for, self.choice, today)
            return True
        return bool(may)


@dataclass
class Editing:
    person: str
    amount: int
    seen: int
    did: bool = False

    async def do(self, room: Room, card: Card) -> None:
        interrupt = card.interrupt
        form = edit_form(interrupt.id, interrupt.content_version, self.person, self.amount)
        self.did = isinstance(await room.runner.submit_act(form), ActDone)

    def by(self, request: Request, today: Rules) -> bool:
        may = request.is_open and request.version == self.seen and request.may_decide(self.person, today)
        if may:
            request.ask(self.amount, today)
        return may


@dataclass
class Expiring:
    """A sweep of somebody whose clock is ahead: by then it is over."""

    minute: int
    did: bool = True

    async def do(self, room: Room, card: Card) -> None:
        del card
        ahead = timedelta(minutes=self.minute) - room.clock.ahead
        await room.store.expire_due(now=room.clock.now() + ahead)

    def by(self, request: Request, today: Rules) -> bool:
        del today
        request.time_passes(self.minute)
        return True


@dataclass
class Escalating:
    did: bool = True

    async def do(self, room: Room, card: Card) -> None:
        del card
        await room.runner.pace()

    def by(self, request: Request, today: Rules) -> bool:
        del today
        for number in request.clock.sweep(request.world.minute) if request.is_open else []:
            request.escalate(number)
        return True


class AtOnce(Changing, Granting):
    """Exactly one of them settles, and what becomes of the others is what some order of them allows."""

    @rule(luck=LUCK, later=st.sampled_from([0, 25]))
    def several_come_at_once(self, luck: Random, later: int) -> None:
        """What is due by itself meanwhile may not have been swept yet."""
        self.all_is_well_again()
        followed = self.one(luck)
        self.it_is(self.world.minute + later)
        request, today = followed.request, self.today(followed)
        sure = [each for each in EVERYBODY if len(request.may_answer_for(each, today)) <= 1]
        able = [each for each in self.able(followed) if each in sure]
        if not able:
            return
        people = [*luck.sample(able, min(len(able), 2)), *luck.choices([*able, *sure], k=luck.randint(0, 1))]
        deeds: list[Deed] = [
            Voting(each, luck.choice(CHOICES), request.version, f"click:{next(sources)}") for each in people
        ]
        if more := luck.choice([None, *self.besides(followed, able[-1])]):
            deeds = [*deeds[:2], more]
        self.do(self.done_at_once(followed, luck.sample(deeds, len(deeds))))

    def besides(self, followed: Followed, person: str) -> list[Deed]:
        """What else may come to it now."""
        request, found = followed.request, list[Deed]()
        clock, deadline = request.clock, request.clock.deadline
        if followed.action == EDITABLE and followed.wish is None:
            found.append(Editing(person, sum(AMOUNTS) - request.amount, request.version))
        if clock.stands_since is None and deadline - self.world.minute < request.lasts - 1:
            found.append(Expiring(int(deadline) + 1))
        due = clock.copied().sweep(self.world.minute)
        if due and all(self.is_reached(request, number) for number in due):
            found.append(Escalating())
        return found

    async def done_at_once(self, followed: Followed, deeds: Sequence[Deed]) -> None:
        card, rooms, today = await self.card(followed), await self.both(), self.today(followed)
        await asyncio.gather(*(each.do(rooms[number % 2], card) for number, each in enumerate(deeds)))
        run, after = await self.quiet(followed), await self.card(followed)
        for each in deeds:
            if isinstance(each, Voting):
                own = [one.standing_for for one in after.decisions if one.source == each.source]
                assert len(own) == each.did, (each, after.decisions)
                each.standing_for = own[0] if own else None
        ways = (by_model(followed.request, order, today) for order in permutations(deeds))
        allowed = [way for way in ways if way and _is_so(way, run, after)]
        assert allowed, (deeds, run.status, after.decisions, followed)
        followed.request = allowed[0]
        followed.number += any(isinstance(each, Editing) and each.did for each in deeds)
        await self.settle_down(followed)
        for each in deeds:
            if isinstance(each, Expiring):
                self.it_is(each.minute)
        if any(isinstance(each, Expiring | Escalating) for each in deeds):
            await self.sweep()

    @rule(luck=LUCK, action=st.sampled_from(OFFERING), person=st.sampled_from([None, None, *FULL]))
    def a_grant_is_used_at_once(self, luck: Random, action: str, person: str | None) -> None:
        """By its holder alone, once more than it allows; or for what somebody else asks for as well."""
        self.all_is_well_again()
        if not self.live():
            self.somebody_is_granted_something(luck, action, RITA)
        if not self.live() or len(self.runs) + MOST > RUNS:
            return
        grant = luck.choice(self.live())
        amount, left = grant.wish.amount or AMOUNTS[0], grant.left_of(self.today_of(grant.wish.action))
        names = [f"run {len(self.runs) + number}" for number in range(min(left + 1, MOST))]
        asked = [(grant.holder, names[0]), (person, names[0])] if person else [(grant.holder, each) for each in names]
        self.do(self.asked_at_once(grant.wish.action, amount, luck.sample(asked, len(asked))))

    async def asked_at_once(self, action: str, amount: int, asked: Sequence[tuple[str, str]]) -> None:
        rooms = await self.both()
        starts = (
            rooms[number % 2].runner.start(action, {"name": name, "amount": str(amount)}, requester=person, origin=VIA)
            for number, (person, name) in enumerate(asked)
        )
        ended = [(each, *by) for each, by in zip(await asyncio.gather(*starts), asked, strict=True)]
        started = [(each, person, name) for each, person, name in ended if isinstance(each, Started)]
        assert len(started) == len(asked)
        new = [self.begun_as(each, by, action, name, amount) for each, by, name in started if not each.joined]
        for each, by, _ in started:
            if each.joined:
                self.joined(each.run.id, by)
        for followed in new:
            await self.settle_down(followed)
        await self.allowed([each for each in new if each.request.end == "open"])

    async def both(self) -> tuple[Room, Room]:
        """The bot of the story, and a second one, which is there from when it is first needed."""
        self.replica = self.replica or await self.a_room()
        return self.room, self.replica


def by_model(request: Request, deeds: Sequence[Deed], today: Rules) -> Request | None:
    """The request after these, one after the other; `None` where somebody would have been told something else."""
    way = request.copied()
    return way if all(each.by(way, today) == each.did for each in deeds) else None


def _is_so(way: Request, run: RunRecord, card: Card) -> bool:
    """Whether it stands so. The card of what was edited is not the one that is open by now."""
    if card.interrupt.status is InterruptStatus.SUPERSEDED:
        return ENDS[run.status] == way.end and not way.votes
    votes = [(each.person, each.choice, each.principal) for each in way.votes]
    if ENDS[run.status] != way.end or votes != [
        (each.person, each.choice, each.standing_for) for each in card.decisions
    ]:
        return False
    policy = card.interrupt.policy
    return way.end != "open" or (max(policy.stage, 1) - 1, set(policy.escalated)) == (way.stage, way.clock.escalated)

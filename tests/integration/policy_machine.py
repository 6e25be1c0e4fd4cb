"""Random stories of answers, clocks, absences, edits and changes around a real runner and store, beside the model of `policy_model`.

What the model refuses must be refused, what it counts must count, and no run has its effect before the model says approved.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pydantic import BaseModel

from actions import Action, ActionInterrupt, Context, Group, ManagerOf, Needs, OnCall, Person, Policy, Requester, Stage
from actions import field as input_field
from actions.kit.policies.absences import Absence
from actions.kit.policies.deciders import Decider, Lookup
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Answer, Card, Decline, Expire, OnExpiry
from actions.kit.records.people import PersonFacts
from actions.kit.records.runs import RunStatus
from actions.kit.shapes.answers import MISSING
from blocks.clicks import ActTarget, Submission
from bot.engine.answers import Given
from bot.engine.people import CouldNotVerify
from bot.engine.results import ActDone, CancelDone, Counted, FieldErrors, OpenAct, Refusal, Settled
from storage.results import Started
from storage.transitions import copies
from tests.authors import declare
from tests.integration.engine_room import (
    ANN,
    BEN,
    BOT,
    EVE,
    GUS,
    RITA,
    VIA,
    Clock,
    People,
    Room,
    click,
    engine_room,
    form,
    sources,
)
from tests.integration.policy_model import LIMIT, TIME, Choice, End, Need, Request, Rules, Step, Term, World
from tests.sqlite import sqlite_in

T = TypeVar("T")
DAN = "U0DAN"
FULL = (RITA, ANN, BEN, EVE, DAN)
EVERYBODY = (*FULL, GUS, BOT)
LOOKUPS: dict[Term, Lookup] = {
    "@finance": Group("finance"),
    "@leads": Group("leads"),
    "rota": OnCall("payments"),
    "manager": ManagerOf(Requester()),
}
ENDS = {
    RunStatus.WAITING: "open",
    RunStatus.SUCCEEDED: "approved",
    RunStatus.DECLINED: "declined",
    RunStatus.EXPIRED: "expired",
    RunStatus.CANCELLED: "cancelled",
    RunStatus.FAILED: "failed",
}
AMOUNTS = (4_000, 6_000)
RUNS = 10
"""That one story tells of at most."""
AT_FIRST: dict[Term, set[str]] = {
    "@finance": {BEN, GUS, DAN, RITA},
    "@leads": {ANN, BEN, EVE},
    "rota": {EVE},
    "manager": {ANN},
}


def step(*of: Term, count: int = 1, **more: Any) -> Step:
    return Step((Need(count, of),), **more)


VERSIONS: dict[str, tuple[Rules, ...]] = {
    "one": (
        Rules((step("@finance"),)),
        Rules((step(ANN, GUS),)),
        Rules((step("@finance", "rota"),)),
        Rules((step("@finance", exclude=(BEN, "rota")),), stand_ins=False),
    ),
    "two": (
        Rules((step("@finance", "rota", count=2, declines_at=2),)),
        Rules((step("@finance", count=2),)),
        Rules((step(*EVERYBODY),)),
    ),
    "staged": (
        Rules((step("manager", ANN), step("@finance", DAN, exclude=(EVE,), above_limit=True))),
        Rules((step("manager", ANN), step("@leads", "@finance", exclude=("rota",), above_limit=True))),
        Rules((step("manager", ANN), step("@leads", ANN, BEN))),
    ),
    "apart": (
        Rules((step("@leads"), step("@leads", "@finance", separate=True))),
        Rules((step("@leads", count=2, declines_at=2), step("@leads", "@finance", count=2))),
        Rules((step("@leads"), step("@leads", DAN, exclude=(EVE, BEN)))),
    ),
    "needs": (
        Rules((Step((Need(1, ("@finance",)), Need(2, ("@leads", DAN)))),)),
        Rules((Step((Need(1, ("@leads",)), Need(2, ("@finance", DAN))), exclude=("rota",)),)),
    ),
}
ON_EXPIRY: dict[str, tuple[OnExpiry, End]] = {
    "one": (Expire(), "expired"),
    "two": (Decline(), "declined"),
    "staged": (Expire(), "expired"),
    "apart": (Answer(choice="approve"), "approved"),
    "needs": (Expire(), "expired"),
}
WAYS = st.sampled_from(["click", "form", "http"])
CHOICES: st.SearchStrategy[Choice] = st.sampled_from(["approve", "approve", "approve", "reject"])


def decider(term: Term) -> Decider:
    return LOOKUPS.get(term) or Person(term)


def policy_of(rules: Rules) -> Policy:
    """The same as an author would write it."""
    stages = tuple(
        Stage(
            deciders=tuple(map(decider, each.deciders))
            if len(each.needs) == 1
            else tuple(Needs(need.count, *map(decider, need.of)) for need in each.needs),
            quorum=each.needs[0].count if len(each.needs) == 1 else 1,
            declines_at=each.declines_at,
            exclude=tuple(map(decider, each.exclude)),
            when=input_field("amount") > LIMIT if each.above_limit else None,
            separate=each.separate,
        )
        for each in rules.steps
    )
    if len(stages) > 1:
        return Policy(stages=stages, stand_ins=rules.stand_ins)
    names = ("deciders", "quorum", "declines_at", "exclude")
    return Policy(**{name: getattr(stages[0], name) for name in names}, stand_ins=rules.stand_ins)


class Ask(BaseModel):
    name: str
    amount: Decimal


@dataclass
class Town(People):
    """A few people more, and a workspace that does not always answer."""

    async def person(self, person: str) -> PersonFacts | None:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        name = person.removeprefix("U0").lower()
        is_bot, is_guest, is_gone = person == BOT, person == GUS, person in self.left
        email = f"{name}@example.com"
        return PersonFacts(person, name, email, is_bot=is_bot, is_guest=is_guest, is_deleted=is_gone)


@dataclass
class Followed:
    """A run, and what the model says of it."""

    run_id: str
    action: str
    name: str
    request: Request
    number: int = 1
    asking: list[str] = field(default_factory=list)


class Deciding(RuleBasedStateMachine):
    """Five people, a guest and a bot work on a few runs of five actions, whose policies are edited meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.place = ExitStack()
        self.loop = self.place.enter_context(asyncio.Runner())
        self.place.enter_context(patch.object(copies, "POST_PACE", timedelta()))
        self.url = self.place.enter_context(self.new_database())
        self.deployed = dict.fromkeys(VERSIONS, 0)
        self.effects: Counter[str] = Counter()
        self.runs: list[Followed] = []
        stand_for = {term: set(people) for term, people in AT_FIRST.items()}
        self.world = World(frozenset({GUS}), frozenset({BOT}), stand_for)
        self.people = Town()
        self.tell()
        self.do(self.open())

    def new_database(self) -> AbstractContextManager[str]:
        return a_file()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    async def open(self) -> None:
        self.opened = AsyncExitStack()
        actions = [self.action(name, policy_of(self.today(name))) for name in VERSIONS]
        clock = Clock(timedelta(minutes=self.world.minute))
        room = engine_room(Path(), *actions, people=self.people, url=self.url, clock=clock)
        self.room: Room = await self.opened.enter_async_context(room)

    def teardown(self) -> None:
        self.do(self.opened.aclose())
        self.place.close()

    def action(self, name: str, policy: Policy) -> Action:
        async def act(input: Ask, ctx: Context) -> None:
            if ctx.resumption is None:
                raise ActionInterrupt("Go on?")
            self.effects[input.name] += 1

        options = {"editable": ("amount",)} if name == "staged" else {"joins": True}
        lasts, on_expiry = timedelta(minutes=TIME), ON_EXPIRY[name][0]
        return declare(act, id=name, policy=policy, expires_in=lasts, on_expiry=on_expiry, **options)

    def today(self, name: str) -> Rules:
        return VERSIONS[name][self.deployed[name]]

    def tell(self) -> None:
        """The directory says what the model's world is."""
        known = {term: people for term, people in self.world.stand_for.items() if term not in self.world.unknown}
        self.people.stand_for = {LOOKUPS[term]: set(people) for term, people in known.items()}
        self.people.is_away, self.people.left = self.world.is_down, set(self.world.left)

    def one(self, data: st.DataObject) -> Followed:
        """One that is open, where any is or can be; now and then another."""
        if not self.still() and len(self.runs) < RUNS and not self.world.is_down:
            self.start(RITA, data.draw(st.sampled_from(list(VERSIONS))), data.draw(st.sampled_from(AMOUNTS)))
        asked = [number for number, each in enumerate(self.runs) if each.number]
        return self.runs[data.draw(st.sampled_from(self.still() or asked))]

    def still(self) -> list[int]:
        return [number for number, each in enumerate(self.runs) if each.number and each.request.end == "open"]

    async def card(self, followed: Followed) -> Card:
        card = await self.room.store.card(f"{followed.run_id}.{followed.number}")
        assert card is not None
        return card

    @initialize(action=st.sampled_from(list(VERSIONS)), amount=st.sampled_from(AMOUNTS))
    def begin(self, action: str, amount: int) -> None:
        self.start(RITA, action, amount)

    @rule(person=st.sampled_from(EVERYBODY), action=st.sampled_from(list(VERSIONS)), amount=st.sampled_from(AMOUNTS))
    def start(self, person: str, action: str, amount: int) -> None:
        if len(self.runs) < RUNS:
            self.do(self.ask(person, action, f"run {len(self.runs)}", amount))

    @rule(data=st.data(), person=st.sampled_from(EVERYBODY))
    def ask_for_the_same(self, data: st.DataObject, person: str) -> None:
        followed = self.one(data)
        self.do(self.ask(person, followed.action, followed.name, followed.request.amount))

    async def ask(self, person: str, action: str, name: str, amount: int) -> None:
        raw = {"name": name, "amount": str(amount)}
        world = self.world
        started = await self.room.runner.start(action, raw, requester=person, origin=VIA)
        may = person in FULL and person not in world.left and not world.is_down
        assert isinstance(started, Started) == may, started
        if not isinstance(started, Started):
            return
        if started.joined:
            same = next(each for each in self.runs if each.run_id == started.run.id)
            assert same.request.end == "open"
            assert person not in {voice for vote in same.request.votes for voice in vote.voices}
            same.request.requesters = list(dict.fromkeys([*same.request.requesters, person]))
            same.asking = list(dict.fromkeys([*same.asking, person]))
            return
        request = Request.of(world, person, amount, self.today(action), ON_EXPIRY[action][1])
        followed = Followed(started.run.id, action, name, request, asking=[person])
        self.runs.append(followed)
        await self.settle_down(followed)

    @rule(data=st.data(), answers=st.lists(st.tuples(st.sampled_from(EVERYBODY), WAYS), min_size=1, max_size=4))
    def people_answer(self, data: st.DataObject, answers: list[tuple[str, str]]) -> None:
        """Anybody, whether or not they may."""
        followed = self.one(data)
        for person, way in answers:
            self.do(self.answered(followed, person, data.draw(CHOICES), way, again=data.draw(st.booleans())))

    @rule(data=st.data(), way=WAYS)
    def those_who_may_answer(self, data: st.DataObject, way: str) -> None:
        followed = self.one(data)
        may = [each for each in EVERYBODY if followed.request.may_answer_for(each, self.today(followed.action))]
        if may:
            self.do(self.answered(followed, data.draw(st.sampled_from(may)), data.draw(CHOICES), way, again=False))
            those = [*followed.request.requesters, *may]
            self.do(self.answered(followed, data.draw(st.sampled_from(those)), "approve", way, again=False))

    @rule(data=st.data(), way=WAYS, stand_in=st.sampled_from(FULL))
    def somebody_answers_in_the_place_of_another(self, data: st.DataObject, way: str, stand_in: str) -> None:
        """Whether or not they may, of whom the other has just said that they do; and the other comes back, and tries too."""
        self.all_is_well_again()
        followed = self.one(data)
        may = [each for each in EVERYBODY if followed.request.may_answer_for(each, self.today(followed.action))]
        person = data.draw(st.sampled_from(may or EVERYBODY))
        self.goes_away(person, stand_in)
        self.do(self.answered(followed, stand_in, data.draw(CHOICES), way, again=False))
        self.do(self.answered(followed, person, "approve", way, again=False))

    async def answered(self, followed: Followed, person: str, choice: Choice, way: str, *, again: bool) -> None:
        card, request, today = await self.card(followed), followed.request, self.today(followed.action)
        may = request.may_answer_for(person, today)
        before = len(card.decisions)
        source = f"{way}:{next(sources)}"
        for _ in range(1 + again):
            result = await self.sent(card, person, choice, way, source)
            assert isinstance(result, Counted | Settled) if may else isinstance(result, Refusal | FieldErrors), (
                result,
                may,
            )
        if may:
            assert isinstance(result, Counted | Settled)
            decision = (await self.card(followed)).decisions[before]
            assert (decision.person, decision.choice) == (person, choice)
            assert decision.standing_for in may
            request.answer(person, decision.standing_for, choice, today)
        await self.settle_all(late=request.end == "open" and request.is_over)
        assert len((await self.card(followed)).decisions) == before + bool(may)

    async def sent(self, card: Card, person: str, choice: str, way: str, source: str) -> object:
        """A rejection needs a reason, so a button for it opens a form."""
        runner, reason = self.room.runner, {"reason": "No."} if choice == "reject" else {}
        if way == "http":
            return await runner.answer(Given(card.interrupt.id, choice, reason or MISSING, person, source))
        if way == "form" or reason:
            filled = {f"/{name}": text for name, text in reason.items()}
            return await runner.submit_answer(form(card, choice, filled, person, source=source))
        return await runner.click(click(card, choice, person, source=source))

    @rule(data=st.data(), person=st.sampled_from(EVERYBODY))
    def answer_an_older_card(self, data: st.DataObject, person: str) -> None:
        followed = self.one(data)

        async def answered() -> None:
            card = await self.card(followed)
            older = click(card, "approve", person, version=card.interrupt.content_version - 1)
            assert isinstance(await self.room.runner.click(older), Refusal)
            request = followed.request
            await self.settle_all(late=request.end == "open" and request.is_over)

        self.do(answered())

    @rule(data=st.data(), person=st.sampled_from(EVERYBODY), amount=st.sampled_from(AMOUNTS))
    def edit(self, data: st.DataObject, person: str, amount: int) -> None:
        self.do(self.edited(self.one(data), person, amount))

    async def edited(self, followed: Followed, person: str, amount: int) -> None:
        card, request, today = await self.card(followed), followed.request, self.today(followed.action)
        target = ActTarget("edit", card.interrupt.id, card.interrupt.content_version)
        state = {"field:/amount": {"value": {"type": "plain_text_input", "value": str(amount)}}}
        result = await self.room.runner.submit_act(Submission(target, state, person, "V", "t", f"v:{next(sources)}"))
        may = request.end == "open" and not request.is_over and followed.action == "staged"
        if not (may and request.may_decide(person, today)):
            assert isinstance(result, Refusal), result
        elif amount == request.amount:
            assert isinstance(result, FieldErrors | OpenAct), result
        else:
            assert isinstance(result, ActDone), result
            request.ask(amount, today)
            followed.number += 1
        await self.settle_all(late=request.end == "open" and request.is_over)

    @rule(data=st.data(), person=st.sampled_from(FULL))
    def take_it_back(self, data: st.DataObject, person: str) -> None:
        self.do(self.taken_back(self.one(data), person))

    async def taken_back(self, followed: Followed, person: str) -> None:
        result = await self.room.runner.cancel(followed.run_id, person)
        if person in followed.asking and followed.request.end == "open":
            assert isinstance(result, CancelDone)
            if followed.asking == [person]:
                followed.request.end = "cancelled"
            else:
                followed.asking.remove(person)
        await self.settle_down(followed)

    @rule(minutes=st.sampled_from([25, 70]), swept=st.booleans())
    def time_passes(self, minutes: int, swept: bool) -> None:
        self.world.minute += minutes
        self.room.clock.ahead = timedelta(minutes=self.world.minute)
        if swept:
            self.do(self.room.runner.expire())
            self.do(self.settle_all(late=True))

    @rule(data=st.data(), what=st.sampled_from(["meant", "look-up", "down", "left", "away", "away"]))
    def the_world_changes(self, data: st.DataObject, what: str) -> None:
        world, person, term = (
            self.world,
            data.draw(st.sampled_from(EVERYBODY)),
            data.draw(st.sampled_from(list(LOOKUPS))),
        )
        match what:
            case "meant":
                world.stand_for[term] = data.draw(st.sets(st.sampled_from(EVERYBODY), min_size=1, max_size=4))
            case "look-up":
                world.unknown ^= {term}
            case "down":
                world.is_down = not world.is_down
            case "left":
                world.left ^= {person}
            case "away":
                self.goes_away(person, data.draw(st.sampled_from(EVERYBODY)))
        self.tell()

    def goes_away(self, person: str, stand_in: str) -> None:
        now = self.room.clock.now()
        absence = Absence(person, stand_in, now, now + timedelta(minutes=45), "slack", now)
        if person != stand_in and self.do(self.room.store.absences.set(absence)) == absence:
            self.world.away[person] = (stand_in, self.world.minute + 45)

    @rule()
    def all_is_well_again(self) -> None:
        """Else most of a story would be told in a town where nobody may do anything any more."""
        self.world.is_down, self.world.unknown, self.world.left = False, set(), set()
        self.world.stand_for.update({term: set(people) for term, people in AT_FIRST.items()})
        self.tell()

    @rule(data=st.data())
    def a_policy_is_edited(self, data: st.DataObject) -> None:
        """And somebody tries who might have answered before it was."""
        followed = self.one(data)
        those = [each for each in EVERYBODY if followed.request.may_answer_for(each, self.today(followed.action))]
        self.deployed[followed.action] = data.draw(st.integers(0, len(VERSIONS[followed.action]) - 1))
        self.do(self.opened.aclose())
        self.do(self.open())
        person = data.draw(st.sampled_from(those or EVERYBODY))
        self.do(self.answered(followed, person, "approve", "click", again=False))

    async def settle_all(self, *, late: bool) -> None:
        """`late`: somebody or a sweep saw that a time is over, and all of those ended with it."""
        for each in self.runs:
            if late:
                each.request.time_passes()
            await self.settle_down(each)

    async def settle_down(self, followed: Followed) -> None:
        """Waits until nothing is executed, and posts what is asked."""

        async def quiet() -> RunStatus | None:
            run = await self.room.store.run(followed.run_id)
            assert run is not None
            return None if run.status in {RunStatus.QUEUED, RunStatus.RUNNING} else run.status

        status = await self.room.eventually(quiet)
        if status is RunStatus.WAITING:
            await self.room.post(await self.card(followed))
        run = await self.room.store.run(followed.run_id)
        assert run is not None
        if followed.request.end == "open" and run.failure is not None and run.failure.kind == "unreachable":
            followed.request.end = "failed"
            followed.number -= 1  # it failed before it asked

    @invariant()
    def the_states_agree(self) -> None:
        for each in self.runs:
            self.do(self.check(each))

    async def check(self, followed: Followed) -> None:
        run, request = await self.room.store.run(followed.run_id), followed.request
        assert run is not None
        assert ENDS[run.status] == request.end, (run.status, followed)
        assert run.requesters == tuple(request.requesters)
        told = sum(each.kind is CopyKind.OUTCOME for each in await self.room.store.copies(followed.run_id))
        assert told == (0 if request.end == "open" else len(request.requesters)), (told, request)
        approved = sum(each.request.end == "approved" for each in self.runs if each.name == followed.name)
        assert self.effects[followed.name] == approved


@contextmanager
def a_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="signoff-deciding-") as folder:
        yield sqlite_in(Path(folder))

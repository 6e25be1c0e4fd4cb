"""What every story has: a bot with five actions, the runs that were asked for, and what the model says of each of them."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant
from pydantic import BaseModel

from actions import Action, ActionInterrupt, Context
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from storage.results import Started
from storage.transitions import copies
from tests.authors import declare
from tests.integration.deciding.grants import Grant, Wish
from tests.integration.deciding.policies import ON_EXPIRY, VERSIONS, policy_of
from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import TIME, End, Rules
from tests.integration.deciding.town import FULL, OPS, Town, at_first
from tests.integration.deciding.world import World
from tests.integration.engine_room import BOT, GUS, RITA, VIA, Clock, Room, engine_room
from tests.sqlite import sqlite_in

T = TypeVar("T")
ENDS: dict[RunStatus, End] = {
    RunStatus.WAITING: "open",
    RunStatus.SUCCEEDED: "approved",
    RunStatus.DECLINED: "declined",
    RunStatus.EXPIRED: "expired",
    RunStatus.CANCELLED: "cancelled",
    RunStatus.FAILED: "failed",
}
AMOUNTS = (4_000, 6_000)
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
"""Where no disk is waited for."""
RUNS = 20
"""That one story tells of at most."""
EDITABLE = "staged"
"""The others are joined by whoever asks for the same."""
ACTIONS = st.sampled_from(list(VERSIONS))
LUCK = st.randoms(use_true_random=True)
"""For what hangs on how the story went so far, in which there are races: so the stories of a test stay the same."""


class Ask(BaseModel):
    name: str
    amount: Decimal


@dataclass
class Followed:
    """A run, and what the model says of it; `wish` of one that asks for a standing grant."""

    run_id: str
    action: str
    name: str
    request: Request
    wish: Wish | None = None
    number: int = 1
    asking: list[str] = field(default_factory=list)


class Stories(RuleBasedStateMachine):
    """What the model refuses must be refused, what it counts must count, and no run has its effect before the model says approved."""

    def __init__(self) -> None:
        super().__init__()
        self.place = ExitStack()
        self.loop = self.place.enter_context(asyncio.Runner())
        self.place.enter_context(patch.object(copies, "POST_PACE", timedelta()))
        self.url = self.place.enter_context(self.new_database())
        self.deployed = dict.fromkeys(VERSIONS, 0)
        self.effects: Counter[str] = Counter()
        self.runs: list[Followed] = []
        self.over: set[str] = set()
        self.grants: dict[str, Grant] = {}
        self.world = World(frozenset({GUS}), frozenset({BOT}), at_first())
        self.people = Town()
        self.people.tell(self.world)
        self.do(self.open())

    def new_database(self) -> AbstractContextManager[str]:
        return a_file()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    async def open(self) -> None:
        self.opened = AsyncExitStack()
        self.clock = Clock(timedelta(minutes=self.world.minute))
        self.room = await self.a_room()
        self.replica: Room | None = None

    async def a_room(self) -> Room:
        """One more bot that works on the same database."""
        actions = [self.action(name, policy_of(self.today_of(name))) for name in VERSIONS]
        room = engine_room(Path(), *actions, people=self.people, url=self.url, clock=self.clock, operators=[OPS])
        return await self.opened.enter_async_context(room)

    def teardown(self) -> None:
        self.over.clear()
        for each in self.runs:
            self.do(self.check(each))
        self.do(self.opened.aclose())
        self.place.close()

    def action(self, name: str, policy: Any) -> Action:
        async def act(input: Ask, ctx: Context) -> None:
            if ctx.resumption is None:
                raise ActionInterrupt("Go on?")
            self.effects[input.name] += 1

        options = {"editable": ("amount",)} if name == EDITABLE else {"joins": True}
        lasts, on_expiry = timedelta(minutes=TIME), ON_EXPIRY[name][0]
        return declare(act, id=name, policy=policy, expires_in=lasts, on_expiry=on_expiry, **options)

    def today_of(self, action: str) -> Rules:
        return VERSIONS[action][self.deployed[action]]

    def today(self, followed: Followed) -> Rules:
        """What narrows who decides; about a grant those of then decide."""
        return followed.request.asked_under if followed.wish else self.today_of(followed.action)

    def one(self, luck: Random) -> Followed:
        """One that is open, where any is or can be; now and then a new one, or one that is over."""
        is_time = not self.still() or not luck.randrange(5)
        if is_time and len(self.runs) < RUNS and not self.world.is_down:
            self.do(self.begun(RITA, luck.choice(list(VERSIONS)), luck.choice(AMOUNTS)))
        asked = [number for number, each in enumerate(self.runs) if each.number]
        return self.runs[luck.choice(self.still() or asked)]

    def still(self) -> list[int]:
        return [number for number, each in enumerate(self.runs) if each.number and each.request.end == "open"]

    async def card(self, followed: Followed) -> Card:
        card = await self.room.store.card(f"{followed.run_id}.{followed.number}")
        assert card is not None
        return card

    @initialize(action=ACTIONS, amount=st.sampled_from(AMOUNTS))
    def begin(self, action: str, amount: int) -> None:
        self.do(self.begun(RITA, action, amount))

    async def begun(self, person: str, action: str, amount: int) -> None:
        """A run of a name of its own."""
        await self.ask(person, action, f"run {len(self.runs)}", amount)

    async def ask(self, person: str, action: str, name: str, amount: int) -> None:
        raw = {"name": name, "amount": str(amount)}
        world = self.world
        started = await self.room.runner.start(action, raw, requester=person, origin=VIA)
        may = person in FULL and person not in world.left and not world.is_down
        assert isinstance(started, Started) == may, started
        if isinstance(started, Started):
            await self.follow(started, person, action, name, amount)

    async def follow(self, started: Started, person: str, action: str, name: str, amount: int) -> None:
        if started.joined:
            self.joined(started.run.id, person)
            return
        followed = self.begun_as(started, person, action, name, amount)
        await self.settle_down(followed)
        if followed.request.end == "open":
            await self.allowed([followed])

    def begun_as(self, started: Started, person: str, action: str, name: str, amount: int) -> Followed:
        request = Request(self.world, [person], ON_EXPIRY[action][1], TIME, self.today_of(action), amount)
        followed = Followed(started.run.id, action, name, request, asking=[person])
        self.runs.append(followed)
        return followed

    def joined(self, run_id: str, person: str) -> None:
        same = next(each for each in self.runs if each.run_id == run_id)
        assert same.request.end == "open"
        assert person not in {voice for vote in same.request.votes for voice in vote.voices}
        same.request.requesters = list(dict.fromkeys([*same.request.requesters, person]))
        same.asking = list(dict.fromkeys([*same.asking, person]))

    async def allowed(self, asked: list[Followed]) -> None:
        """What standing grants allow of these, which came at once, is not asked, and all the rest is."""
        may = [(each, grant) for each in asked for grant in self.granting(each)]
        left = {grant.id: grant.left_of(self.today_of(grant.wish.action)) for _, grant in may}
        taken = Counter[str]()
        for each in asked:
            granted = (await self.card(each)).interrupt.granted
            if granted is not None:
                assert (each, self.grants[granted.grant_id]) in may, (granted, each)
                taken[granted.grant_id] += 1
                self.grants[granted.grant_id].used += 1
                each.request.end = "approved"
        meant = {each.run_id for each, _ in may}
        assert taken.total() == min(len(meant), sum(left.values())), (taken, left, may)
        assert all(taken[each] <= left[each] for each in taken)

    def granting(self, followed: Followed) -> list[Grant]:
        request, today = followed.request, self.today_of(followed.action)
        if len(request.requesters) > 1:
            return []
        [person] = request.requesters
        return [each for each in self.grants.values() if each.allows(person, followed.action, request.amount, today)]

    async def settle_all(self) -> None:
        """Somebody or a sweep saw that a time is over, and all of those ended with it."""
        for each in self.runs:
            if each.run_id not in self.over:
                each.request.time_passes()
                await self.settle_down(each)

    async def settle_after(self, followed: Followed) -> None:
        """Whoever came too late to it has ended all that are."""
        if followed.request.end == "open" and followed.request.is_over:
            await self.settle_all()
        else:
            await self.settle_down(followed)

    async def quiet(self, followed: Followed) -> RunRecord:
        """The run, once nothing of it is executed."""

        async def there() -> RunRecord | None:
            run = await self.room.store.run(followed.run_id)
            assert run is not None
            return None if run.status in {RunStatus.QUEUED, RunStatus.RUNNING} else run

        return await self.room.eventually(there)

    async def settle_down(self, followed: Followed) -> None:
        """Posts what is asked."""
        run = await self.quiet(followed)
        if run.status is RunStatus.WAITING:
            await self.room.post(await self.card(followed))
        request = followed.request
        if request.end == "open" and run.failure is not None and run.failure.kind == "unreachable":
            request.end = "failed"
            followed.number -= 1  # it failed before it asked
        if followed.wish and request.end == "approved" and followed.run_id not in self.grants:
            self.grants[followed.run_id] = Grant(followed.run_id, followed.wish, request, self.world.minute)

    @invariant()
    def the_states_agree(self) -> None:
        for each in self.runs:
            if each.run_id not in self.over:
                self.do(self.check(each))

    async def check(self, followed: Followed) -> None:
        run, request = await self.room.store.run(followed.run_id), followed.request
        assert run is not None
        assert ENDS[run.status] == request.end, (run.status, followed)
        assert run.requesters == tuple(request.requesters)
        told = sum(each.kind is CopyKind.OUTCOME for each in await self.room.store.copies(followed.run_id))
        assert told == (0 if request.end == "open" else len(request.requesters)), (told, request)
        if followed.wish:
            assert (await self.room.store.grants.get(run.id) is not None) == (request.end == "approved")
        else:
            approved = sum(each.request.end == "approved" for each in self.runs if each.name == followed.name)
            assert self.effects[followed.name] == approved
        if request.end == "open":
            await self.check_clock(followed)
        else:
            self.over.add(run.id)

    async def check_clock(self, followed: Followed) -> None:
        """Who is on it, whether its time stands, and to whom it was escalated."""
        interrupt, request = (await self.card(followed)).interrupt, followed.request
        assert interrupt.holder(self.clock.now()) == request.holder
        assert (interrupt.paused_at is not None) == (request.clock.stands_since is not None)
        assert set(interrupt.policy.escalated) == request.clock.escalated
        assert interrupt.is_over(self.clock.now()) == request.is_over


@contextmanager
def a_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="signoff-deciding-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield sqlite_in(Path(folder))

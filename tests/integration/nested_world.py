"""Random scripts of questions, calls and effects on a real database, in a process that can die between any two steps.

The process is one of ours: it dies by never doing anything again, at the chosen one of the moments at which it tells
that it is about to do something, or has done it.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from actions import Action, Context, Declined
from actions.kit.context import everybody
from actions.kit.records.interrupts import Asker, Card
from actions.kit.records.outcomes import Outcome, Paused, Raised, Returned, TurnedDown
from actions.kit.records.runs import Origin, RunRecord, RunStatus, Wake
from actions.kit.running.calls import CallEnding, CallRecord, CallStatus
from actions.kit.running.execution import execute
from bot.engine.journal import RunJournal
from bot.engine.passes import make_context
from storage.database import Database
from storage.results import Claimed, Lease, NewRun, Ordered, OrderVerb
from storage.store import Store
from tests.authors import declare
from tests.integration.scenes import MEMBERS, NOW, REQUESTER, vote
from tests.sqlite import sqlite_in

LEASE = timedelta(seconds=15)


class Step(BaseModel):
    """One step of a script: an effect, a question, a script of its own, or several of them side by side."""

    kind: Literal["effect", "ask", "part", "beside"]
    steps: list["Step"] = []
    is_idempotent: bool = True


class Script(BaseModel):
    steps: list[Step]


@dataclass
class Process:
    """A process that dies at its `dies_at`-th moment; never with `None`."""

    dies_at: int | None = None
    moments: int = 0
    died: asyncio.Event = field(default_factory=asyncio.Event)

    async def moment(self) -> None:
        """Something is about to happen, or has: here it may die, and then nothing happens any more."""
        if self.dies_at is not None and self.moments == self.dies_at:
            self.died.set()
        self.moments += 1
        if self.died.is_set():
            await asyncio.Event().wait()


class World:
    """One run of a random script, its database, and the effects that really happened, by the path of their call."""

    def __init__(self, database: Database) -> None:
        self.wakes: list[Wake] = []
        self.store = Store(database, on_wake=self.wakes.append)
        self.now = NOW
        self.effects: Counter[str] = Counter()
        self.allowed: Counter[str] = Counter()
        self.keys: dict[str, set[str]] = {}
        self.process = Process()
        self.resources: tuple[object, ...] = ()
        self.actions = {each.id: each for each in (self._script(True), self._script(False), self._effect())}
        self.root = self.actions["script"]

    async def start(self, script: Script) -> RunRecord:
        text = self.root.validate_input(script)
        new = NewRun(self.root.id, self.root.name, REQUESTER, Origin(), text)
        self.run_id = (await self.store.start(new, lease=None, now=self.now)).run.id
        return await self.run()

    async def run(self) -> RunRecord:
        run = await self.store.run(self.run_id)
        assert run is not None
        return run

    async def card(self) -> Card:
        card = await self.store.latest_card(self.run_id)
        assert card is not None
        return card

    async def calls(self) -> dict[str, CallRecord]:
        return {call.path: call for call in await self.store.calls.of_run(self.run_id)}

    async def live(self, dies_at: int | None) -> int:
        """One process takes the queued run up, and lives until the pass is stored, or dies; how many moments it had."""
        self.process = process = Process(dies_at)
        owner = f"process {id(process)}"
        run = await self.run()
        lease = Lease(owner, self.now + LEASE)
        claimed = await self.store.claim(Wake(run.id, run.epoch), lease=lease, now=self.now)
        assert claimed is not None
        living = asyncio.all_tasks()
        passing = asyncio.ensure_future(self._pass(claimed, owner, process))
        dying = asyncio.ensure_future(process.died.wait())
        await asyncio.wait({passing, dying}, return_when=asyncio.FIRST_COMPLETED)
        if not process.died.is_set():
            passing.result()
        while left := asyncio.all_tasks() - living:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=0.005)
        return process.moments

    async def recover(self) -> None:
        self.now += LEASE * 2
        await self.store.recover(now=self.now, idempotent=lambda id_: self.actions[id_].idempotent)

    async def answer(self, *, agrees: bool) -> None:
        card = await self.card()
        choice = next(each for each in card.interrupt.shape.choices if each.declines is not agrees)
        value = "{}" if agrees else '{"reason":"Never"}'
        await self.store.answer(vote(card.interrupt.id, choice=choice, value=value), now=self.now)

    async def order(self, verb: OrderVerb) -> None:
        """A person says what became of it, and looks before they say that it did or did not happen."""
        run = await self.run()
        doubted = [path for path, call in (await self.calls()).items() if call.status is CallStatus.EXECUTING]
        ordered = await self.store.order(run.id, run.epoch, verb, person="U0ANA", via="slack", now=self.now)
        assert isinstance(ordered, Ordered), ordered
        if verb == "run_again":
            self.allowed.update(doubted)

    async def _pass(self, claimed: Claimed, owner: str, process: Process) -> None:
        async def persist(transition: Callable[[], Awaitable[bool]]) -> bool:
            return await transition()

        run = claimed.run
        kept = RunJournal(self.store, run, owner=owner, now=lambda: self.now, persist=persist)
        context = make_context(
            self.root,
            claimed,
            report=lambda _: None,
            resources=self.resources,
            actions=tuple(self.actions.values()),
            may_start=everybody,
        )
        outcome = await execute(self.root, run.input, context, _Dying(kept, process))
        await process.moment()
        await self._conclude(run, outcome, owner, kept)
        await process.moment()

    async def _conclude(self, run: RunRecord, outcome: Outcome, owner: str, kept: RunJournal) -> None:
        async def finish(status: RunStatus, **values: Any) -> None:
            await self.store.finish(run.id, run.epoch, owner=owner, status=status, now=self.now, **values)

        match outcome:
            case Paused(request):
                await self.store.pause(run.id, run.epoch, owner=owner, request=request, copies=(), now=self.now)
            case Returned(output):
                await finish(RunStatus.SUCCEEDED, output=output)
            case TurnedDown(status, by=by):
                await finish(status, by=by)
            case Raised(failure):
                assert kept.in_doubt == ()
                await finish(RunStatus.FAILED, failure=failure)
            case _:
                raise AssertionError(outcome)

    def _script(self, idempotent: bool) -> Action:
        async def script(input: Script, ctx: Context) -> int:
            return await self._steps(input.steps, ctx)

        id_ = "script" if idempotent else "part"
        return declare(script, id=id_, name=id_, idempotent=idempotent, policy=MEMBERS)

    async def _steps(self, steps: list[Step], ctx: Context) -> int:
        return sum([await self._step(each, ctx) for each in steps])

    async def _step(self, step: Step, ctx: Context) -> int:
        match step.kind:
            case "effect":
                await ctx.call(self.actions["effect"], {})
                return 1
            case "ask":
                try:
                    await ctx.ask("Go on?")
                except Declined:
                    return 0
                return 1
            case "part":
                called = self.actions["script" if step.is_idempotent else "part"]
                return int(await ctx.call(called, {"steps": step.steps}))
            case "beside":
                named = enumerate(step.steps)
                return sum(await asyncio.gather(*(self._beside(each, number, ctx) for number, each in named)))

    async def _beside(self, step: Step, number: int, ctx: Context) -> int:
        """What stands side by side has names of its own, as whoever comes first may differ."""
        return int(await ctx.call(self.actions["script"], {"steps": [step]}, name=f"beside {number}"))

    def _effect(self) -> Action:
        class Nothing(BaseModel):
            pass

        async def effect(input: Nothing, ctx: Context) -> None:
            await self.process.moment()
            self.effects[ctx.call_path] += 1
            self.keys.setdefault(ctx.call_path, set()).add(ctx.idempotency_key)
            await self.process.moment()

        return declare(effect, id="effect", name="Effect", policy=MEMBERS)


class _Dying:
    """A journal whose process may die before each commit and after it."""

    def __init__(self, kept: RunJournal, process: Process) -> None:
        self._kept = kept
        self._process = process

    async def begin(self, path: str, asker: Asker, /, *, idempotent: bool) -> bool:
        await self._process.moment()
        begun = await self._kept.begin(path, asker, idempotent=idempotent)
        await self._process.moment()
        return begun

    async def end(self, path: str, ending: CallEnding, /) -> bool:
        await self._process.moment()
        kept = await self._kept.end(path, ending)
        await self._process.moment()
        return kept


def place(folder: Path) -> str:
    return sqlite_in(folder)

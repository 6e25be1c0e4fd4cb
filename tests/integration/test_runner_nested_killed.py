"""Random scripts whose process dies between any two steps: what has an effect has it once, or a person is asked about it."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallStatus
from storage.database import Database
from tests.integration.nested_world import Script, Step, World, place

LEAVES = st.sampled_from([Step(kind="effect"), Step(kind="ask")])


def _within(inner: st.SearchStrategy[Step]) -> st.SearchStrategy[Step]:
    steps = st.lists(inner, min_size=1, max_size=3)
    parts = st.builds(Step, kind=st.just("part"), steps=steps, is_idempotent=st.booleans())
    return parts | st.builds(Step, kind=st.just("beside"), steps=steps)


STEPS = st.recursive(LEAVES, _within, max_leaves=6)
SCRIPTS = st.builds(Script, steps=st.lists(STEPS, min_size=1, max_size=3))
VERBS = st.sampled_from(["run_again", "it_happened", "it_did_not"])


class Killed(RuleBasedStateMachine):
    """Every rule leaves a run that somebody else could take over; each is looked at after each."""

    database: Database
    world_of: Callable[[Database], World] = World

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.world = self.world_of(self.database)

    def teardown(self) -> None:
        self.loop.run(self._finish())
        self.loop.close()

    @initialize(script=SCRIPTS)
    def start(self, script: Script) -> None:
        self.loop.run(self.world.start(script))

    def status(self) -> RunStatus:
        return self.loop.run(self.world.run()).status

    @precondition(lambda self: self.status() is RunStatus.SUCCEEDED)
    @rule(script=SCRIPTS)
    def next_one(self, script: Script) -> None:
        self.loop.run(self._finish())
        self.world = self.world_of(self.database)
        self.start(script)

    @precondition(lambda self: self.status() is RunStatus.QUEUED)
    @rule(dies_at=st.none() | st.integers(0, 24))
    def live(self, dies_at: int | None) -> None:
        self.loop.run(self.world.live(dies_at))
        self.loop.run(self._check())

    @precondition(lambda self: self.status() is RunStatus.RUNNING)
    @rule()
    def recover(self) -> None:
        self.loop.run(self.world.recover())
        self.loop.run(self._check())

    @precondition(lambda self: self.status() is RunStatus.WAITING)
    @rule(agrees=st.booleans())
    def answer(self, agrees: bool) -> None:
        self.loop.run(self.world.answer(agrees=agrees))

    @precondition(lambda self: self.status() is RunStatus.STALLED)
    @rule(verb=VERBS)
    def order(self, verb: str) -> None:
        self.loop.run(self._order(verb))

    @precondition(lambda self: self.status() is RunStatus.FAILED)
    @rule()
    def run_again(self) -> None:
        self.loop.run(self.world.order("run_again"))

    async def _order(self, verb: str) -> None:
        """What a person says about a call is true: they looked."""
        run = await self.world.run()
        at = run.failure.call if run.failure else None
        happened = bool(at and self.world.effects[at])
        if at is not None and verb != "run_again":
            verb = "it_happened" if happened else "it_did_not"
        await self.world.order(verb)  # type: ignore[arg-type]

    async def _check(self) -> None:
        calls, run = await self.world.calls(), await self.world.run()
        for path, times in self.world.effects.items():
            assert times <= 1 + self.world.allowed[path], (path, times)
            assert len(self.world.keys[path]) == 1
            is_known = calls[path].status is CallStatus.FINISHED
            assert is_known or run.status in {RunStatus.RUNNING, RunStatus.STALLED, RunStatus.QUEUED}
        doubted = [path for path, call in calls.items() if call.status is CallStatus.EXECUTING]
        if run.status is RunStatus.STALLED and doubted:
            assert run.failure is not None
            assert run.failure.call in doubted
            assert calls[run.failure.call].action_id != "script"

    async def _finish(self) -> None:
        """Left alone, it comes to its end: every effect that is in its log happened."""
        if not hasattr(self.world, "run_id"):
            return
        for _ in range(100):
            run = await self.world.run()
            match run.status:
                case RunStatus.QUEUED:
                    await self.world.live(None)
                case RunStatus.RUNNING:
                    await self.world.recover()
                case RunStatus.WAITING:
                    await self.world.answer(agrees=True)
                case RunStatus.STALLED:
                    await self._order("it_happened" if run.failure and run.failure.call else "run_again")
                case RunStatus.FAILED:
                    await self.world.order("run_again")
                case _:
                    break
            await self._check()
        assert (await self.world.run()).status is RunStatus.SUCCEEDED
        for path, call in (await self.world.calls()).items():
            assert call.status is CallStatus.FINISHED or (call.action_id, call.status) == ("asked", CallStatus.DECLINED)
            if call.action_id == "effect":
                assert 1 <= self.world.effects[path] <= 1 + self.world.allowed[path]


@pytest.mark.timeout(400)  # Hypothesis shrinks before it tells
def test_whatever_a_script_does_and_wherever_it_is_killed_no_effect_happens_twice_unasked(tmp_path: Path):
    with closing(Database(place(tmp_path))) as database:
        database.open()
        Killed.database = database
        run_state_machine_as_test(
            Killed,
            settings=settings(
                max_examples=20,
                stateful_step_count=14,
                deadline=None,
                database=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )


SCRIPT = Script(
    steps=[
        Step(kind="effect"),
        Step(kind="beside", steps=[Step(kind="ask"), Step(kind="part", steps=[Step(kind="effect"), Step(kind="ask")])]),
        Step(kind="part", is_idempotent=False, steps=[Step(kind="effect"), Step(kind="ask"), Step(kind="effect")]),
        Step(kind="effect"),
    ]
)


async def play(world: World, dies_in: int, dies_at: int | None) -> list[int]:
    """Plays the script, killed in one of its passes at one of its moments; how many moments each pass had."""
    passes: list[int] = []
    await world.start(SCRIPT)
    while (run := await world.run()).status not in {RunStatus.SUCCEEDED, RunStatus.STALLED}:
        match run.status:
            case RunStatus.QUEUED:
                passes.append(await world.live(dies_at if len(passes) == dies_in else None))
            case RunStatus.RUNNING:
                await world.recover()
            case RunStatus.WAITING:
                await world.answer(agrees=True)
            case other:
                raise AssertionError(other, run.failure)
    return passes


@pytest.mark.timeout(400)  # several hundred lives of a run
async def test_killed_at_every_moment_of_every_pass_each_effect_happens_once_or_the_run_stalls_at_its_call(
    database_url: str,
):
    async with Database(database_url) as database:
        passes = await play(World(database), -1, None)
        for number, moments in enumerate(passes):
            for moment in range(moments):
                world = World(database)
                await play(world, number, moment)
                run = await world.run()
                assert max(world.effects.values(), default=0) <= 1
                if run.status is RunStatus.STALLED:
                    assert run.failure is not None
                    at = run.failure.call
                    assert at is not None
                    assert (await world.calls())[at].status is CallStatus.EXECUTING
                else:
                    assert len(world.effects) == 5
                    assert set(world.effects.values()) == {1}

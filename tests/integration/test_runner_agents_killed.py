"""An agent whose process dies between any two steps: three refunds, of which one is edited and one rejected, and none paid twice."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from actions import Action, Context, agent_action
from actions.kit.records.runs import Origin, RunRecord, RunStatus
from actions.kit.running.calls import CallStatus
from storage.database import Database
from storage.results import NewRun
from tests.authors import declare
from tests.integration.nested_world import World, place
from tests.integration.scenes import MEMBERS, REQUESTER, vote

ORDERS = ("A-1", "A-2", "A-3")


class Refund(BaseModel):
    order: str
    euros: int


class Asked(World):
    """One run of an agent that wants three refunds, and then says that it is done. `turns` counts how often its model was asked."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.paid: Counter[tuple[str, int]] = Counter()
        self.turns: Counter[int] = Counter()
        self.told: list[Any] = []
        tool = self._tool()
        self.root = agent_action(
            id="agent",
            name="Agent",
            instructions="Refund.",
            tools=[tool],
            needs_approval=["refund"],
            model=FunctionModel(self._next),
            policy=MEMBERS,
        )
        self.actions = {"agent": self.root, "refund": tool}

    async def begin(self) -> RunRecord:
        new = NewRun("agent", "Agent", REQUESTER, Origin(), self.root.validate_input({"prompt": "Refund them"}))
        self.run_id = (await self.store.start(new, lease=None, now=self.now)).run.id
        return await self.run()

    async def decide(self) -> None:
        """The first is approved, the second edited, the third rejected."""
        interrupt = (await self.card()).interrupt
        order = json.loads(interrupt.shown)["arguments"]["order"]
        answers = {
            "A-1": ("approve", {"arguments": {"order": "A-1", "euros": 10}}),
            "A-2": ("edit", {"arguments": {"order": "A-2", "euros": 7}}),
            "A-3": ("reject", {"reason": "It was used"}),
        }
        key, value = answers[order]
        choice = interrupt.shape.choice(key)
        assert choice is not None
        await self.store.answer(vote(interrupt.id, choice=choice, value=json.dumps(value)), now=self.now)

    def _next(self, messages: list[Any], _: Any) -> ModelResponse:
        self.turns[len(messages)] += 1
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("refund", {"order": each, "euros": 10}) for each in ORDERS])
        self.told = [part.outcome for part in messages[-1].parts]
        return ModelResponse(parts=[TextPart("All done.")])

    def _tool(self) -> Action:
        async def refund(asked: Refund, ctx: Context) -> None:
            await self.process.moment()
            self.paid[asked.order, asked.euros] += 1
            await self.process.moment()

        return declare(refund, id="refund", name="Refund", policy=MEMBERS)


async def play(world: Asked, dies_in: int, dies_at: int | None) -> list[int]:
    """Plays it to its end, killed in one of its passes at one of its moments; how many moments each pass had."""
    passes: list[int] = []
    await world.begin()
    while (run := await world.run()).status not in {RunStatus.SUCCEEDED, RunStatus.STALLED}:
        match run.status:
            case RunStatus.QUEUED:
                passes.append(await world.live(dies_at if len(passes) == dies_in else None))
            case RunStatus.RUNNING:
                await world.recover()
            case RunStatus.WAITING:
                await world.decide()
            case other:
                raise AssertionError(other, run.failure)
    return passes


async def test_killed_at_every_moment_it_pays_what_was_approved_once_or_stalls_at_that_call(tmp_path: Path):
    async with Database(place(tmp_path)) as database:
        passes = await play(Asked(database), -1, None)
        for number, moments in enumerate(passes):
            for moment in range(moments):
                world = Asked(database)
                await play(world, number, moment)
                run, calls = await world.run(), await world.calls()
                assert set(world.paid) <= {("A-1", 10), ("A-2", 7)}
                assert max(world.paid.values(), default=0) <= 1
                assert sum(world.turns.values()) <= len(world.turns) + 1
                if run.status is RunStatus.STALLED:
                    assert run.failure is not None
                    assert run.failure.call in {"1.1 refund", "1.2 refund"}
                    assert calls[run.failure.call].status is CallStatus.EXECUTING
                else:
                    assert world.told == ["success", "success", "denied"]
                    assert len(world.paid) == 2

"""A graph whose process dies at each moment at which something is kept: it goes on, and what was kept is not done again."""

import asyncio
import json
from collections import Counter
from collections.abc import Collection
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict

from actions import Action, ActionInterrupt, Context
from actions.kit.graphs.kept import KeptCheckpoint, KeptWrite, Line
from actions.kit.graphs.memory import MemoryCheckpoints
from actions.kit.records.interrupts import Asker, Cause, InterruptRecord, InterruptStatus
from actions.kit.records.outcomes import Paused, PauseRequest, Returned
from actions.kit.running.calls import Answered, CallEnding, CallRecord, CallStatus
from actions.kit.running.execution import execute
from actions.langgraph import as_tool
from tests.authors import REQUESTER, RUN, declare
from tests.unit.test_graphs_patterns import acting, line

THEN = datetime(2026, 1, 1, tzinfo=UTC)
ANSWERS = {"First?": '"one"', "Inside?": '"two"', "Inside again?": '"three"', "Pay A-1?": "{}", "Sure?": '"four"'}


class Process:
    """Dies at its `dies_at`-th moment, just before something is kept: from then on nothing happens any more."""

    def __init__(self, dies_at: int | None = None) -> None:
        self.moments = 0
        self.dies_at = dies_at
        self.died = asyncio.Event()

    async def moment(self) -> None:
        if self.moments == self.dies_at:
            self.died.set()
        self.moments += 1
        if self.died.is_set():
            await asyncio.Event().wait()


class Disk(MemoryCheckpoints):
    """What survives the process: checkpoints, calls and answers. `done` are the nodes whose results are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.process = Process()
        self.epoch = 0
        self.calls: dict[str, CallRecord] = {}
        self.settled: dict[str, Answered] = {}
        self.done: set[str] = set()

    async def keep(self, line: Line, checkpoint: KeptCheckpoint) -> None:
        await self.process.moment()
        await super().keep(line, checkpoint)

    async def keep_writes(self, line: Line, checkpoint: str, writes: Collection[KeptWrite]) -> None:
        await self.process.moment()
        await super().keep_writes(line, checkpoint, writes)
        self.done |= {each.path.rpartition(", ")[2] for each in writes if each.index >= 0}

    async def begin(self, path: str, asker: Asker, /, *, idempotent: bool) -> bool:
        await self.process.moment()
        status = CallStatus.EXECUTING
        self.calls[path] = CallRecord(RUN, path, asker.action_id, asker.action_name, asker.input, status, 1, 1, THEN)
        return True

    async def end(self, path: str, ending: CallEnding, /) -> bool:
        await self.process.moment()
        self.calls[path] = replace(self.calls[path], status=ending.status, output=ending.output, failure=ending.failure)
        return True

    def answer(self, request: PauseRequest) -> None:
        asked = {each.name: getattr(request, each.name) for each in fields(request)}
        record = InterruptRecord(
            **asked, id="i", run_id=RUN, number=len(self.settled) + 1, status=InterruptStatus.ANSWERED, content_version=1,
            created_at=THEN, settled_at=THEN, cause=Cause.HUMAN, choice=request.shape.choices[0].key,
            answer=ANSWERS[request.message], run_epoch=self.epoch,
        )  # fmt: skip
        assert request.call_path not in self.settled or request.message not in {
            each.message for each, _ in self.settled.values()
        }, "asked twice"
        self.settled[request.call_path] = (record, ())


class Story(TypedDict, total=False):
    text: str
    first: str
    paid: str
    inside: str


class Order(BaseModel):
    order: str


class World:
    """A graph with questions side by side, one of them a tool's, then a subgraph that asks twice."""

    def __init__(self) -> None:
        self.disk = Disk()
        self.paid: Counter[str] = Counter()
        self.allowed = 1
        self.deaths = 0
        self.pay = self._pay()
        self.graph = acting(self._graph())

    async def live(self, dies_at: int | None) -> Any:
        """What one process comes to; `None` where it died."""
        process = self.disk.process = Process(dies_at)
        self.disk.epoch += 1
        context = Context.build(
            run_id=RUN, requester=REQUESTER, resume=self.graph.resume, answered=self.disk.settled.values(),
            calls=self.disk.calls.values(), resources=[self.disk], actions=[self.pay],
            epoch=self.disk.epoch,
        )  # fmt: skip
        living = asyncio.all_tasks()
        passing = asyncio.ensure_future(execute(self.graph, '{"text": "x"}', context, self.disk))
        dying = asyncio.ensure_future(process.died.wait())
        await asyncio.wait({passing, dying}, return_when=asyncio.FIRST_COMPLETED)
        outcome = None if process.died.is_set() else passing.result()
        while left := asyncio.all_tasks() - living:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=0.005)
        return outcome

    async def play(self, dies_at: int, after: int) -> tuple[Any, bool]:
        """To the end, with one process, that after so many questions, which dies; and whether it got so far."""
        is_dying = True
        while True:
            dies = is_dying and len(self.disk.settled) == after
            is_dying = is_dying and not dies
            match await self.live(dies_at if dies else None):
                case None:
                    self.deaths += 1
                    self.allowed += sum(each.status is CallStatus.EXECUTING for each in self.disk.calls.values())
                case Paused(request):
                    self.disk.answer(request)
                case outcome:
                    return outcome, self.deaths > 0

    def node(self, name: str) -> None:
        assert name not in self.disk.done, f"{name} is executed again, although it was done"

    def _pay(self) -> Action:
        async def pay(input: Order, ctx: Context) -> str:
            if ctx.resumption is None:
                raise ActionInterrupt(f"Pay {input.order}?")
            self.paid[input.order] += 1
            return f"paid {input.order}"

        return declare(pay, id="pay")

    def _graph(self) -> Any:
        tool = as_tool(self.pay)

        async def prepare(state: Story) -> Story:
            self.node("prepare")
            return {}

        async def ask(state: Story) -> Story:
            self.node("ask")
            return {"first": interrupt("First?")}

        async def settle(state: Story) -> Story:
            self.node("settle")
            paid = await tool.ainvoke({"order": "A-1"})
            return {"paid": f"{paid} {interrupt('Sure?')}"}

        async def within(state: Story) -> Story:
            self.node("within")
            return {"inside": f"{interrupt('Inside?')} {interrupt('Inside again?')}"}

        graph = StateGraph(Story).add_node(prepare).add_node(ask).add_node(settle)
        graph.add_node("below", line(Story, within)).add_edge(START, "prepare")
        graph.add_edge("prepare", "ask").add_edge("prepare", "settle").add_edge(["ask", "settle"], "below")
        return graph.compile()


async def test_killed_at_any_moment_it_goes_on_and_nothing_that_was_kept_is_done_again():
    deaths = Counter[int]()
    for after in range(len(ANSWERS) + 1):
        has_died = True
        while has_died:
            world = World()
            outcome, has_died = await world.play(deaths[after], after)
            assert isinstance(outcome, Returned), outcome
            told = {"text": "x", "first": "one", "paid": "paid A-1 four", "inside": "two three"}
            assert json.loads(outcome.output) == told
            assert 1 <= world.paid["A-1"] <= world.allowed
            deaths[after] += has_died
    assert min(deaths.values()) > 0
    assert deaths.total() > 20

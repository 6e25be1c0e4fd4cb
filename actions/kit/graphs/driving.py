"""Drives a graph through one pass: on from its newest checkpoint, until it ends or asks.

What the checkpoints say is what has happened; an answer is handed in when they say that the graph still waits for it.
"""

import asyncio
import json
from collections.abc import Callable, Collection
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import is_invalid_resume
from langgraph.pregel import Pregel
from langgraph.types import Command, Interrupt, StateSnapshot
from pydantic import ValidationError

from actions.kit.context import Context, ResourceError
from actions.kit.graphs.called import Calls
from actions.kit.graphs.kept import Checkpoints
from actions.kit.graphs.questions import Question, place_of
from actions.kit.graphs.saver import RunSaver
from actions.kit.graphs.serializer import StrictSerializer
from actions.kit.running.endings import Declined
from actions.kit.shapes.json_text import to_json_text

AnyGraph = Pregel[Any, Any, Any, Any]

NOWHERE = "there is nothing that keeps where the graph stands; a test hands over resources=[MemoryCheckpoints()]"
FORGOTTEN = (
    "the graph's checkpointer knows nothing of this run any more, although it had begun. One in memory forgets everything "
    "when the process ends: compile the graph without a checkpointer, or with a lasting one"
)

current: ContextVar["Drive | None"] = ContextVar("signoff_graph", default=None)
"""The drive in whose graph this code is."""


class GraphError(Exception):
    """The graph cannot go on, and why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What `graph_action` was told about a graph."""

    name: str
    graph: AnyGraph
    begin: Callable[[Any], Any]
    context: Callable[[Context], Any]
    types: Collection[type]
    config: RunnableConfig


@dataclass(frozen=True, slots=True)
class Pending:
    """An interrupt that waits for an answer, and the node that made it."""

    node: str
    interrupt: Interrupt


class Drive:
    """One pass of one graph."""

    def __init__(self, plan: Plan, ctx: Context) -> None:
        thread = f"{ctx.run_id}:{ctx.call_path}"
        self.plan = plan
        self.ctx = ctx
        self.calls = Calls(ctx)
        self.loop = asyncio.get_running_loop()
        self._graph = _lasting(plan, ctx)
        self._config = merge_configs(plan.config, {"configurable": {"thread_id": thread}})
        self._output: Any = None
        self._refused: dict[str, str] = {}

    async def run(self, given: Any) -> Any:
        """The graph's output. Raises `GraphError`, what a node raised, and what its questions raise."""
        token = current.set(self)
        try:
            with self.ctx.nest.hold():
                pending = await self._take_up(given)
            while pending:
                answers = await self._answers(pending)
                with self.ctx.nest.hold():
                    pending = await self._hand_in(answers)
        finally:
            current.reset(token)
        return self._output

    async def _take_up(self, given: Any) -> dict[str, Pending]:
        """Begins, or goes on after the newest checkpoint; the questions that are open then.

        Where an earlier execution may have handed their answers in, what the checkpoints say of them may be older than
        what a task knows: a task that had its answer would get it once more, for its next question. So those that wait
        first say again what they wait for.
        """
        found = await self._graph.aget_state(self._config)
        if found.created_at is None:
            self._refuse_lost()
            return await self._invoke(self.plan.begin(given))
        pending = _pending(found)
        if pending and not self._may_have_had_answers(pending):
            return pending
        return await self._invoke(None)

    async def _hand_in(self, answers: dict[str, Any]) -> dict[str, Pending]:
        """An answer that the graph itself does not take is asked for again."""
        try:
            return await self._invoke(Command(resume=answers))
        except ValidationError as error:
            if not is_invalid_resume(error):
                raise
            problems = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        pending = _pending(await self._graph.aget_state(self._config))
        self._refused |= dict.fromkeys(pending.keys() & answers.keys(), problems)
        return pending

    async def _invoke(self, given: Any) -> dict[str, Pending]:
        output = await self._graph.ainvoke(given, self._config, context=self.plan.context(self.ctx), durability="sync")
        self._output = {k: v for k, v in output.items() if k != "__interrupt__"} if isinstance(output, dict) else output
        return _pending(await self._graph.aget_state(self._config))

    async def _answers(self, pending: dict[str, Pending]) -> dict[str, Any]:
        found = await asyncio.gather(*(self._answer(each) for each in pending.values()))
        return dict(zip(pending, found, strict=True))

    async def _answer(self, pending: Pending) -> Any:
        called = self.calls.of_mark(pending.interrupt.value)
        if called is not None:
            await asyncio.wait({called.work})
            return True
        return await self._ask(pending)

    async def _ask(self, pending: Pending) -> Any:
        """The answer as JSON. Nothing declines here: a no is the graph's to deal with; only a deadline ends the run."""
        interrupt = pending.interrupt
        question = Question.of(interrupt.value, interrupt.response_schema, asker=self.plan.name)
        if interrupt.id in self._refused:
            question = question.again(self._refused[interrupt.id])
        try:
            answer = await self.ctx.ask(
                question.message,
                question.data,
                ui=question.ui,
                resume=question.resume,
                name=place_of(pending.node, interrupt.id),
            )
        except Declined as no:
            if no.choice is None:
                raise
            return no.data
        return json.loads(to_json_text(answer, what="answer"))

    def _may_have_had_answers(self, pending: dict[str, Pending]) -> bool:
        """Whether all of them are answered, and not only since the last execution: then that one handed them in."""
        asked_in = [self._asked_in(each) for each in pending.values()]
        return all(asked_in) and max(max(each) for each in asked_in) < self.ctx.epoch - 1

    def _asked_in(self, pending: Pending) -> list[int]:
        """The executions that asked what has been settled by now for an interrupt; none where it has no answer yet."""
        place = self.calls.place_of_mark(pending.interrupt.value) or place_of(pending.node, pending.interrupt.id)
        path, log = self.calls.path(place), self.ctx.call_log
        call = log.calls.get(path)
        asked = [
            each.run_epoch for at, (each, _) in log.settled.items() if f"{at}/".startswith((f"{path}/", f"{path}#"))
        ]
        return [0, *asked] if call is not None and call.status.ended else asked

    def _refuse_lost(self) -> None:
        """Where something was asked or called already, a graph without checkpoints would do all of it again."""
        log, own = self.ctx.call_log, f"{self.ctx.call_path}/" if self.ctx.call_path else ""
        if any(path.startswith(own) for path in (*log.calls, *log.settled) if path != self.ctx.call_path):
            raise GraphError(FORGOTTEN)


def _lasting(plan: Plan, ctx: Context) -> AnyGraph:
    """The graph with the checkpointer that it came with, or else with ours."""
    if isinstance(plan.graph.checkpointer, BaseCheckpointSaver):
        return plan.graph
    serde = StrictSerializer(plan.types)
    try:
        kept = ctx.resource(Checkpoints)  # type: ignore[type-abstract]  # whichever of its kinds is there
    except ResourceError as error:
        raise GraphError(NOWHERE) from error
    saver = RunSaver(kept, run_id=ctx.run_id, epoch=ctx.epoch, serde=serde)
    return plan.graph.copy({"checkpointer": saver})


def _pending(found: StateSnapshot) -> dict[str, Pending]:
    return {each.id: Pending(task.name, each) for task in found.tasks for each in task.interrupts}

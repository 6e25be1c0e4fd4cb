"""An action as a tool of a graph: where it pauses, the graph is interrupted, and its own card asks, as its own policy says."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from langgraph.config import get_config
from langgraph.types import interrupt

from actions.kit.action import Action, ActionError
from actions.kit.graphs.called import Called
from actions.kit.graphs.driving import Drive, current
from actions.kit.graphs.saver import wait_in_thread
from actions.kit.running.endings import CallFailed, Declined, Expired

ATTEMPT = "__pregel_scratchpad"
"""Where LangGraph's configuration holds something that belongs to one execution of a node."""
OUTSIDE = "a tool of as_tool() works within a graph that graph_action() runs, and nowhere else"

_id: ContextVar[str | None] = ContextVar("signoff_tool_call", default=None)
"""What the model named the call that is being made."""


def as_tool(action: Action, *, for_requester: bool = True) -> BaseTool:
    """The action as a LangChain tool, for graphs that `graph_action` runs: its id is the name, its input the arguments.

    It is executed once for each tool call, however often LangGraph executes the node, and kept in the run's log. What it
    returned is the tool's result; that it was declined, was not answered in time, or failed is told as the tool's error.

    Args:
        action: It must be registered if it asks.
        for_requester: It is refused where the requester may not start the action themselves. False: the graph may call
            it for whoever started the graph.

    Raises:
        ActionError: Its input has no named fields, and those are what a tool takes.
    """
    if "properties" not in action.input_schema:
        raise ActionError(action.id, ["a tool takes named fields: let its input be a model"])
    return ActionTool(
        name=action.id,
        description=action.description,
        args_schema=action.input_schema,
        handle_tool_error=True,
        action=action,
        for_requester=for_requester,
    )


class ActionTool(BaseTool):
    """See `as_tool`. Its result is JSON."""

    action: Any
    for_requester: bool

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        with _named(input):
            return super().invoke(input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        with _named(input):
            return await super().ainvoke(input, config, **kwargs)

    def _run(self, /, **arguments: Any) -> Any:
        here = _Here.now()
        called = wait_in_thread(self._begun(here, arguments), here.drive.loop)
        _interrupt(called)
        return wait_in_thread(self._result(called), here.drive.loop)

    async def _arun(self, /, **arguments: Any) -> Any:
        called = await self._begun(_Here.now(), arguments)
        _interrupt(called)
        return await self._result(called)

    async def _begun(self, here: "_Here", arguments: dict[str, Any]) -> Called:
        called = here.drive.calls.of_tool(
            self.action, arguments, task=here.task, id_=here.id, attempt=here.attempt, for_requester=self.for_requester
        )
        await called.ends_or_waits()
        return called

    async def _result(self, called: Called) -> Any:
        try:
            return json.loads(self.action.output_text(await called.work))
        except (CallFailed, Declined, Expired) as error:
            raise ToolException(str(error)) from error


@dataclass(frozen=True, slots=True)
class _Here:
    """Where in a graph a tool is called: whose pass, in which task, in which execution of it, as which call of a model."""

    drive: Drive
    task: str
    attempt: Any
    id: str | None

    @classmethod
    def now(cls) -> "_Here":
        drive = current.get()
        if drive is None:
            raise RuntimeError(OUTSIDE)
        there = get_config()["configurable"]
        return cls(drive, str(there["checkpoint_ns"]), there.get(ATTEMPT), _id.get())


@contextmanager
def _named(given: Any) -> Iterator[None]:
    """While this lasts, it is known what the model named the call; one that no model makes has no name."""
    is_call = isinstance(given, dict) and given.get("type") == "tool_call"
    token = _id.set(given.get("id") if is_call else None)
    try:
        yield
    finally:
        _id.reset(token)


def _interrupt(called: Called) -> None:
    """Interrupts the graph as long as the call waits for people.

    LangGraph counts the interrupts of a node, so one that was made is made again once there is an answer.
    """
    if called.asked_before:
        interrupt(called.mark)
    while not called.work.done():
        interrupt(called.mark)

"""Makes an action of a compiled LangGraph graph."""

import inspect
import json
from collections.abc import Callable, Collection
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.pregel import Pregel

from actions.kit.action import A_DAY, A_QUARTER_OF_AN_HOUR, Action, ActionError, action
from actions.kit.context import Context
from actions.kit.from_input import FromInput
from actions.kit.graphs.driving import AnyGraph, Drive, Plan
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import OnExpiry
from actions.kit.shapes.json_text import to_json_text
from actions.kit.terms import Never

BREAKPOINTS = "it was compiled with interrupt_before or interrupt_after, which stop without a question: call `interrupt()` in the node"


def graph_action(
    graph: AnyGraph,
    *,
    id: str,
    name: str,
    description: str,
    policy: Policy | FromInput,
    input: Any,
    output: Any = Any,
    state: Callable[[Any], Any] | None = None,
    result: Callable[[Any], Any] | None = None,
    context: Callable[[Context], Any] | None = None,
    resume: Any = None,
    types: Collection[type] = (),
    config: RunnableConfig | None = None,
    expires_in: timedelta | type[Never] = A_DAY,
    on_expiry: OnExpiry | None = None,
    time_limit: timedelta = A_QUARTER_OF_AN_HOUR,
    idempotent: bool = False,
    version: str = "1",
) -> Action:
    """An action that runs a graph, and asks people what the graph's `interrupt()` asks.

    An interrupt with `{"ui", "data", "message"}` gets the card of that kind, and what that kind answers. With any other
    JSON value it is asked generically, answered by its `response_schema`, else by `resume`, else by any JSON. The graph
    gets the answer as JSON, a no included.

    Args:
        graph: Compiled. Without a checkpointer of its own its state is kept with the run.
        id: As in `@action`, and likewise all that is not named here.
        name: How people see it.
        description: What it does.
        policy: Who decides what the graph asks.
        input: What it takes: a type as of an action's input.
        output: What it returns.
        state: Makes of the input what the graph begins with; unless given, the input as JSON.
        result: Makes of the graph's output what the action returns; unless given, the output itself.
        context: Makes what the nodes get as LangGraph's `Runtime.context`, such as a client: `lambda ctx: ctx.resource(X)`.
        resume: What is answered to an interrupt that does not say so itself. Let each choice have a field that tells it
            from the others, since the graph gets only the value.
        types: Types in the graph's state, besides JSON and LangChain's messages, which may be read back from the database.
        config: LangGraph's configuration of a run, such as `{"recursion_limit": 50}`.
        expires_in: How long each question may wait.
        on_expiry: What happens then.
        time_limit: How long it may run between two questions.
        idempotent: Each node may be executed twice without harm, so a crash within one is repeated without asking.
        version: Change it when a stored state of the old graph must not meet the new one.

    Raises:
        ActionError: With every mistake, each with what to change.
    """
    mistakes = _mistakes(graph)
    if mistakes:
        raise ActionError(str(id), mistakes)
    plan = Plan(
        name=name,
        graph=graph,
        begin=state or _as_json,
        context=context or _nothing,
        types=tuple(types),
        config=config or {},
    )

    async def run_graph(input, ctx):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - typed below
        found = await Drive(plan, ctx).run(input)
        return found if result is None else result(found)

    run_graph.__annotations__ = {"input": input, "ctx": Context, "return": output}
    run_graph.__module__ = _module_of_caller()
    run_graph.__qualname__ = str(id)
    return action(
        id=id,
        name=name,
        description=description,
        policy=policy,
        resume=Any if resume is None else resume,
        expires_in=expires_in,
        on_expiry=on_expiry,
        time_limit=time_limit,
        idempotent=idempotent,
        version=version,
    )(run_graph)


def _mistakes(graph: Any) -> list[str]:
    if not isinstance(graph, Pregel):
        made = "builder.compile()" if hasattr(graph, "compile") else "a compiled StateGraph, or an @entrypoint"
        return [f"it takes a compiled graph, and not {type(graph).__name__}: hand over {made}"]
    return [BREAKPOINTS] if graph.interrupt_before_nodes or graph.interrupt_after_nodes else []


def _as_json(given: Any) -> Any:
    return json.loads(to_json_text(given, what="input"))


def _nothing(_: Context) -> None:
    """Where the nodes get nothing."""


def _module_of_caller() -> str:
    """Whose code it is: what that module starts is the action's, and its lines are named where it blocks."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return __name__ if frame is None else str(frame.f_globals.get("__name__"))

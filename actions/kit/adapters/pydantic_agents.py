"""An agent of pydantic-ai as an action: what it defers is asked or called here, and no turn of it is run twice.

The library ends a run with the calls that wait (`DeferredToolRequests`) and its messages. Both are kept in the run's log,
with what each call came to (`DeferredToolResults`).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pydantic import BaseModel, JsonValue
from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessagesTypeAdapter

from actions.kit.action import A_DAY, A_QUARTER_OF_AN_HOUR, Action, action
from actions.kit.adapters.pydantic_deferred import Outcome, Settled, Waiting, results_of, waiting_of
from actions.kit.adapters.turning import nothing, turn_action
from actions.kit.agents.calls import not_done
from actions.kit.agents.provider import plainly
from actions.kit.agents.shapes import Prompt
from actions.kit.cards.tool_call import ARGUMENTS, KIND, answers_to, call_shown, question_about
from actions.kit.context import Context
from actions.kit.errors import ShapeError
from actions.kit.policies.policy import Policy
from actions.kit.running.apart import apart
from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.shapes.answers import Resume
from actions.kit.terms import Never


class Turn(BaseModel):
    """One run of the library, from the prompt or from what was deferred, up to the next deferral or to the end."""

    number: int
    prompt: str
    settled: list[Settled] = []


class Turned(BaseModel):
    """How it ended: with calls that wait, or with the agent's output; and all messages so far."""

    messages: list[JsonValue] = []
    waiting: list[Waiting] = []
    output: JsonValue = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What `pydantic_agent_action` was told about an agent."""

    id: str
    name: str
    agent: "Agent[Any, Any]"
    policy: Policy
    external: Mapping[str, Action | str]
    deps: Callable[[Context], Any]
    time_limit: timedelta
    idempotent: bool


def pydantic_agent_action(
    agent: "Agent[Any, Any]",
    *,
    id: str,
    name: str,
    description: str,
    policy: Policy,
    output: Any = str,
    external: Mapping[str, Action | str] | None = None,
    deps: Callable[[Context], Any] | None = None,
    expires_in: timedelta | type[Never] = A_DAY,
    time_limit: timedelta = A_QUARTER_OF_AN_HOUR,
    idempotent: bool = False,
    version: str = "1",
) -> Action:
    """An action that takes `{"prompt": ...}`, runs the agent, and returns its output.

    A call that needs approval (`requires_approval=True`, `ApprovalRequired`) is shown to the deciders: *Approve*, *Edit* its
    arguments, or *Reject* with a reason that the model is told. A call that is deferred to outside (`CallDeferred`, an
    `ExternalToolset`) is a call of an action; where there is none, the deciders are asked for its result.

    Args:
        agent: With its tools. Its output type need not name `DeferredToolRequests`.
        id: As in `@action`, and likewise all that is not named here.
        name: How people see it.
        description: What it does.
        policy: Who approves.
        output: The type of the agent's output.
        external: Actions for tools that are deferred to outside, by the tools' names; else the registered action of that id.
        deps: Makes the agent's own dependencies, anew for each turn; they are never kept.
        expires_in: How long each question may wait.
        time_limit: How long a turn may take.
        idempotent: A turn may be run twice without harm, so a crash within one is repeated without asking.
        version: Change it when stored messages of the old agent must not meet the new one.

    Raises:
        ActionError: With every mistake, each with what to change.
    """
    plan = Plan(id, name, agent, policy, external or {}, deps or nothing, time_limit, idempotent)

    async def run_agent(input, ctx):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - typed below
        return await _run(plan, input, ctx)

    run_agent.__annotations__ = {"input": Prompt, "ctx": Context, "return": output}
    return action(
        id=id,
        name=name,
        description=description,
        policy=policy,
        expires_in=expires_in,
        time_limit=time_limit,
        idempotent=True,
        version=version,
    )(run_agent)


async def _run(plan: Plan, given: Prompt, ctx: Context) -> Any:
    turn, turned = Turn(number=1, prompt=given.prompt), Turned()
    while turn.number == 1 or turned.waiting:
        turned = await ctx.call(_turning(plan, turned), turn, name=f"turn {turn.number}")
        settled = [
            await _settled(plan, each, f"{turn.number}.{nth}", given, ctx)
            for nth, each in enumerate(turned.waiting, start=1)
        ]
        turn = Turn(number=turn.number + 1, prompt=given.prompt, settled=settled)
    return turned.output


async def _settled(plan: Plan, waiting: Waiting, number: str, given: Prompt, ctx: Context) -> Settled:
    try:
        if waiting.is_approval:
            return await _approved(plan, waiting, number, given, ctx)
        return Settled(call=waiting.call, outcome="returned", value=await _returned(plan, waiting, number, ctx))
    except (Declined, Expired) as no:
        return Settled(call=waiting.call, outcome="denied", value=not_done(no))
    except CallFailed as failed:
        outcome: Outcome = "again" if failed.failure.kind == "input" else "failed"
        return Settled(call=waiting.call, outcome=outcome, value=failed.failure.message)


async def _approved(plan: Plan, waiting: Waiting, number: str, given: Prompt, ctx: Context) -> Settled:
    """With the arguments as they were approved: what is no object is no arguments, so it is asked for once more."""
    question, wrong, arguments = question_about(plan.name, waiting.tool), "", waiting.arguments
    while True:
        shown = call_shown(waiting.tool, arguments, given.prompt)
        name = f"{number} approval"
        answer = await ctx.ask(f"{question}{wrong}", shown, ui=KIND.ui, resume=_answers(waiting), name=name)
        arguments = answer[ARGUMENTS] if isinstance(answer, dict) else answer.arguments
        if isinstance(arguments, dict):
            return Settled(call=waiting.call, outcome="approved", value=arguments)
        wrong = " Its arguments must be an object with named fields."


def _answers(waiting: Waiting) -> Any:
    """With the tool's own form for *Edit*, where one can be made; else as the kind of card has it."""
    if waiting.schema_ is None:
        return None
    declared = answers_to(waiting.schema_)
    try:
        Resume.of(declared)
    except ShapeError:
        return None
    return declared


async def _returned(plan: Plan, waiting: Waiting, number: str, ctx: Context) -> JsonValue:
    """From an action, or from people. Raises what `ctx.call` and `ctx.ask` raise."""
    found = plan.external.get(waiting.tool) or ctx.actions.get(waiting.tool)
    if found is None or waiting.is_question:
        shown = {"tool": waiting.tool, ARGUMENTS: waiting.arguments}
        question = f"{plan.name} asks for the result of “{waiting.tool}”"
        text: str = await ctx.ask(question, shown, resume=str, name=f"{number} result")
        return text
    called = ctx.actions[found] if isinstance(found, str) else found
    output = await ctx.call(called, waiting.arguments, name=f"{number} {called.id}", for_requester=True)
    returned: JsonValue = json.loads(called.output_text(output))
    return returned


def _turning(plan: Plan, before: Turned) -> Action:
    """The action that runs the next turn: it asks nothing itself, so nobody need find it again."""

    async def turn(input: Turn, ctx: Context) -> Turned:
        started: dict[str, Any] = (
            {"user_prompt": input.prompt} if not before.waiting else _resumed(before, input.settled)
        )
        with plainly():
            result: Any = await apart(plan.agent.run(**started, deps=plan.deps(ctx), output_type=_outputs(plan.agent)))
        messages: list[JsonValue] = json.loads(result.all_messages_json())
        if isinstance(result.output, DeferredToolRequests):
            return Turned(messages=messages, waiting=waiting_of(plan.agent, result.output))
        return Turned(messages=messages, output=_as_json(result.output))

    return turn_action(turn, plan.name, plan.policy, plan.time_limit, idempotent=plan.idempotent)


def _resumed(before: Turned, settled: Sequence[Settled]) -> dict[str, Any]:
    history = ModelMessagesTypeAdapter.validate_python(before.messages)
    return {"message_history": history, "deferred_tool_results": results_of(before.waiting, settled)}


def _outputs(agent: "Agent[Any, Any]") -> list[Any]:
    """What the agent may come to, deferred calls among it."""
    own: Any = agent.output_type
    kinds = list(own) if isinstance(own, Sequence) and not isinstance(own, str) else [own]
    return kinds if DeferredToolRequests in kinds else [*kinds, DeferredToolRequests]


def _as_json(output: Any) -> JsonValue:
    value: JsonValue = output.model_dump(mode="json") if isinstance(output, BaseModel) else output
    return value

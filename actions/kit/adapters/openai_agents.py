"""An agent of OpenAI's Agents SDK as an action: what its tools need approval for is asked, and no turn is run twice.

The SDK ends a turn with its interruptions and a state, which is kept in the run's log with what each call returned.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agents import Agent, RunConfig, Runner, RunState
from agents.items import ToolApprovalItem
from pydantic import BaseModel

from actions.kit.action import A_DAY, A_QUARTER_OF_AN_HOUR, Action, action
from actions.kit.adapters.turning import nothing, turn_action
from actions.kit.agents.calls import not_done
from actions.kit.agents.shapes import Prompt
from actions.kit.cards.tool_call import KIND, call_shown, question_about
from actions.kit.context import Context
from actions.kit.policies.policy import Policy
from actions.kit.running.endings import Declined, Expired
from actions.kit.shapes.answers import Approve, Reject
from actions.kit.terms import Never

APPROVAL: Any = Approve | Reject
"""What the SDK can be told of a call; it takes no other arguments."""
UNTRACED = RunConfig(tracing_disabled=True)
"""Nothing of a run goes anywhere but to the model."""


class Wanted(BaseModel):
    """A call of a tool that waits for approval; `arguments` are JSON, or the text that the model wrote where it is none."""

    call: str
    tool: str
    arguments: Any
    agent: str


class Verdict(BaseModel):
    """What became of one: approved without a `message`, else rejected, and the model is told why."""

    call: str
    message: str | None = None


class Turn(BaseModel):
    """One run of the SDK, from the prompt or from a state, up to the next interruptions or to the end."""

    number: int
    prompt: str
    verdicts: list[Verdict] = []


class Turned(BaseModel):
    """How a turn ended: with calls that wait, and the state of the SDK, or with the agent's last word."""

    wanted: list[Wanted] = []
    state: dict[str, Any] | None = None
    output: Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What `openai_agent_action` was told about an agent."""

    id: str
    name: str
    agent: "Agent[Any]"
    policy: Policy
    context: Callable[[Context], Any]
    run_config: RunConfig
    time_limit: timedelta
    idempotent: bool


def openai_agent_action(
    agent: "Agent[Any]",
    *,
    id: str,
    name: str,
    description: str,
    policy: Policy,
    output: Any = str,
    context: Callable[[Context], Any] | None = None,
    run_config: RunConfig | None = None,
    expires_in: timedelta | type[Never] = A_DAY,
    time_limit: timedelta = A_QUARTER_OF_AN_HOUR,
    idempotent: bool = False,
    version: str = "1",
) -> Action:
    """An action that takes `{"prompt": ...}`, runs the agent, and returns its last word.

    Each call of a tool with `needs_approval`, of the agent itself or of one below it, is shown to the deciders: *Approve*,
    or *Reject* with a reason that the model is told, as it is told that nobody answered in time.

    Args:
        agent: With its tools and handoffs.
        id: As in `@action`, and likewise all that is not named here.
        name: How people see it.
        description: What it does.
        policy: Who approves.
        output: The type of the agent's last word.
        context: Makes the SDK's own context, such as a client for tools. It is made anew for each turn and never kept.
        run_config: Of the SDK; without it nothing is traced.
        expires_in: How long each approval may wait.
        time_limit: How long a turn may take.
        idempotent: A turn may be run twice without harm, so a crash within one is repeated without asking.
        version: Change it when a stored state of the old agent must not meet the new one.

    Raises:
        ActionError: With every mistake, each with what to change.
    """
    plan = Plan(id, name, agent, policy, context or nothing, run_config or UNTRACED, time_limit, idempotent)

    async def run_agent(input, ctx):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - typed below
        return await _run(plan, input, ctx)

    run_agent.__annotations__ = {"input": Prompt, "ctx": Context, "return": output}
    return action(
        id=id,
        name=name,
        description=description,
        policy=policy,
        resume=APPROVAL,
        expires_in=expires_in,
        time_limit=time_limit,
        idempotent=True,
        version=version,
    )(run_agent)


async def _run(plan: Plan, given: Prompt, ctx: Context) -> Any:
    turn, turned = Turn(number=1, prompt=given.prompt), Turned()
    while turn.number == 1 or turned.wanted:
        turned = await ctx.call(_turning(plan, turned.state), turn, name=f"turn {turn.number}")
        asked = [_verdict(each, f"{turn.number}.{nth}", given, ctx) for nth, each in enumerate(turned.wanted, start=1)]
        verdicts = await asyncio.gather(*asked)
        turn = Turn(number=turn.number + 1, prompt=given.prompt, verdicts=verdicts)
    return turned.output


async def _verdict(wanted: Wanted, number: str, given: Prompt, ctx: Context) -> Verdict:
    question, shown = question_about(wanted.agent, wanted.tool), call_shown(wanted.tool, wanted.arguments, given.prompt)
    try:
        await ctx.ask(question, shown, ui=KIND.ui, resume=APPROVAL, name=f"{number} approval")
    except (Declined, Expired) as no:
        return Verdict(call=wanted.call, message=not_done(no))
    return Verdict(call=wanted.call)


def _turning(plan: Plan, state: dict[str, Any] | None) -> Action:
    """The action that runs the next turn: it asks nothing itself, so nobody need find it again."""

    async def turn(input: Turn, ctx: Context) -> Turned:
        given = input.prompt if state is None else await _decided(plan, state, input.verdicts, ctx)
        context = plan.context(ctx) if state is None else None
        result = await Runner.run(plan.agent, given, context=context, run_config=plan.run_config)
        if not result.interruptions:
            return Turned(output=result.final_output)
        kept = result.to_state().to_json(context_serializer=_not_kept)
        return Turned(wanted=[_wanted(each) for each in result.interruptions], state=kept)

    return turn_action(turn, plan.name, plan.policy, plan.time_limit, idempotent=plan.idempotent)


async def _decided(
    plan: Plan, kept: dict[str, Any], verdicts: Sequence[Verdict], ctx: Context
) -> "RunState[Any, Agent[Any]]":
    """The kept state with everything decided. Each call is approved or rejected by its own id."""
    state = await RunState.from_json(plan.agent, kept, context_override=plan.context(ctx))
    waiting = {each.call_id: each for each in state.get_interruptions()}
    for verdict in verdicts:
        if verdict.message is None:
            state.approve(waiting[verdict.call])
        else:
            state.reject(waiting[verdict.call], rejection_message=verdict.message)
    return state


def _wanted(item: ToolApprovalItem) -> Wanted:
    return Wanted(
        call=str(item.call_id), tool=str(item.name), arguments=_arguments(item.arguments), agent=item.agent.name
    )


def _arguments(text: str | None) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _not_kept(_: Any) -> dict[str, Any]:
    """The SDK's context may hold clients and secrets."""
    return {}

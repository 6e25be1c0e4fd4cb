"""Declares an agent: `agent_action` makes an action of instructions, a model, and the actions that are its tools."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from typing import Any

from actions.kit.action import A_DAY, Action, ActionError, Function, action
from actions.kit.agents.agent import Agent, Limits, Model, NeedsApproval, Tools, agent_of
from actions.kit.agents.running import TURNS, run_agent
from actions.kit.agents.shapes import Prompt, Reply
from actions.kit.context import Context
from actions.kit.policies.policy import Policy, Requester
from actions.kit.terms import Never

SCHEMAS = "actions.kit.shapes.schema_checks"
"""Holds edited arguments against the schema of their tool."""


def prepare(actions: Iterable[Action]) -> None:
    """Load what the agents among them need, where nothing is missing: it takes seconds, in which nothing else goes on."""
    agents = [agent for each in actions if (agent := agent_of(each)) is not None and agent.lacks() is None]
    if agents:
        import_module(SCHEMAS)
        import_module(TURNS).prepare_models(agents)


def every(_: Action) -> bool:
    """Of what is registered, all."""
    return True


def agent_action(
    *,
    id: str,
    name: str,
    instructions: str,
    tools: Tools = every,
    model: Model = None,
    needs_approval: NeedsApproval = (),
    policy: Policy | None = None,
    limits: Limits | None = None,
    description: str = "Does what you write, with the actions that it may use.",
    expires_in: timedelta | type[Never] = A_DAY,
    version: str = "1",
) -> Action:
    """An action that takes a prompt and answers with a text.

    Args:
        id: As of any action.
        name: How people see it.
        instructions: What the model is told about its work.
        tools: The actions that it may use: their ids; or actions themselves, which need not be registered, so that
            nobody can start them directly; or a function that says of each registered one whether it is a tool, and is
            asked neither about agents nor about what lets its input say who decides. All registered ones unless given.
        model: `provider:name`, a model of pydantic-ai, or a function that gives one; the setting SIGNOFF_AGENT_MODEL
            unless given.
        needs_approval: The tools of which a person approves each call before it is executed: their ids, or a function.
            Who decides, and for how long it waits, is what that tool's own declaration says. What asks by itself
            needs none.
        policy: Who may start it (`starters`); everybody unless given.
        limits: Where it stops.
        description: What it does, in a sentence.
        expires_in: How long a question of the agent's own may wait.
        version: As of any action.

    Raises:
        ActionError: With every mistake, each with what to change.
    """
    agent = Agent(
        id, name, instructions, tools, needs_approval, policy or Policy(deciders=Requester()), limits or Limits(), model
    )
    mistakes = [*_tool_mistakes(agent), *_instruction_mistakes(instructions)]
    if mistakes:
        raise ActionError(str(id), mistakes)

    return action(
        id=id,
        name=name,
        description=description,
        policy=agent.policy,
        resume=str,
        expires_in=expires_in,
        idempotent=True,
        version=version,
    )(_function(agent))


def with_model(action: Action, model: Model) -> Action:
    """The same agent with another model, such as a function: to try it without a provider. Raises `TypeError`."""
    agent = agent_of(action)
    if agent is None:
        raise TypeError(f"{action.id!r} is no agent: make it by agent_action(...)")
    return replace(action, function=_function(replace(agent, model=model)))


def _function(agent: Agent) -> Function:
    async def function(asked: Prompt, ctx: Context) -> Reply:
        return await run_agent(agent, asked, ctx)

    function.agent = agent  # type: ignore[attr-defined]
    return function


def _tool_mistakes(agent: Agent) -> list[str]:
    if callable(agent.tools):
        return []
    if isinstance(agent.tools, str):
        return [f'tools={agent.tools!r}: write a list, tools=["{agent.tools}"]']
    ids = [each if isinstance(each, str) else each.id for each in agent.tools]
    needed = [] if callable(agent.needs_approval) else agent.needs_approval
    twice = sorted({each for each in ids if ids.count(each) > 1})
    own = [f"tools: {agent.id!r} is the agent itself, and would call itself without end"] if agent.id in ids else []
    return [
        *own,
        *(f"tools: {each!r} is there twice" for each in twice),
        *(f"needs_approval names {each!r}, which is not one of its tools" for each in needed if each not in ids),
    ]


def _instruction_mistakes(instructions: Any) -> list[str]:
    fits = isinstance(instructions, str) and instructions.strip()
    return [] if fits else ["instructions must be a text that is not empty"]

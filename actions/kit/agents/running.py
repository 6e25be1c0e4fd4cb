"""What an agent's action does: turn after turn of its model, and what each turn wants, until it answers.

Turns and calls are in the run's log, so a later pass, after an answer or a restart, replays them: a model is asked no turn
twice, and nothing is executed twice.
"""

import asyncio
from collections.abc import Sequence
from importlib import import_module

from pydantic import JsonValue

from actions.kit.agents.agent import Agent
from actions.kit.agents.calls import carry_out
from actions.kit.agents.shapes import AgentError, Begin, Prompt, Reply, Turn
from actions.kit.agents.tools import Toolbox
from actions.kit.context import Context

TURNS = "actions.kit.agents.turns"


async def run_agent(agent: Agent, asked: Prompt, ctx: Context) -> Reply:
    """The model's last words. Raises `AgentError` where it comes to none, and lets out what a turn fails with."""
    lacking = agent.lacks()
    if lacking:
        raise AgentError(lacking)
    await asyncio.to_thread(import_module, TURNS)
    tools = Toolbox(agent, ctx.actions)
    taken: list[Turn] = []
    begin = Begin(prompt=asked.prompt)
    for number in range(1, agent.limits.turns + 1):
        turn = await _next_turn(agent, tools, taken, begin, ctx)
        taken.append(turn)
        if turn.text and not turn.wanted:
            return Reply(answer=turn.text)
        _check(agent, taken)
        begin = Begin(said_nothing=True)
        if turn.wanted:
            results = await carry_out(turn.wanted, tools, ctx, agent=agent.name, asked=asked, turn=number)
            begin = Begin(results=results)
    raise AgentError(f"it stopped after {agent.limits.turns} turns, which are all that it may take, without an answer")


async def _next_turn(agent: Agent, tools: Toolbox, taken: Sequence[Turn], begin: Begin, ctx: Context) -> Turn:
    from actions.kit.agents.turns import turn_action  # noqa: PLC0415 - it is loaded by now, aside from the loop

    before: list[JsonValue] = [message for turn in taken for message in turn.messages]
    turn: Turn = await ctx.call(turn_action(agent, tools, before), begin, name=f"turn {len(taken) + 1}")
    return turn


def _check(agent: Agent, taken: Sequence[Turn]) -> None:
    """Raises `AgentError` where a limit is reached."""
    tokens = sum(turn.tokens for turn in taken)
    if tokens > agent.limits.tokens:
        raise AgentError(f"it stopped after {tokens:,} tokens; it may take {agent.limits.tokens:,}")
    latest = taken[-agent.limits.faults :]
    if len(latest) == agent.limits.faults and all(_made_no_sense(turn) for turn in latest):
        faults = [wanted.fault for turn in latest[-1:] for wanted in turn.wanted if wanted.fault]
        told = f": {faults[0]}" if faults else ", and said nothing at last"
        raise AgentError(f"its model made no sense {agent.limits.faults} times in a row{told}")


def _made_no_sense(turn: Turn) -> bool:
    return all(wanted.fault is not None for wanted in turn.wanted)

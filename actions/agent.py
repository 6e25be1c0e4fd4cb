"""The agent that comes with it: does what somebody writes, with the actions that are here, by any model.

What to look at: it has no tools of its own. Whatever is registered is a tool, and each call of one waits for a person
first, unless SIGNOFF_AGENT_UNASKED names it: what only looks something up, and what asks by itself. A team's own agents
say so in code, with `agent_action(tools=..., needs_approval=...)`.
"""

import os

from actions import Action
from actions.kit.agents.declared import agent_action


def is_tool(action: Action) -> bool:
    """Everything, or what SIGNOFF_AGENT_TOOLS names."""
    named = _named("SIGNOFF_AGENT_TOOLS")
    return not named or action.id in named


def needs_approval(action: Action) -> bool:
    return action.id not in _named("SIGNOFF_AGENT_UNASKED")


def _named(setting: str) -> frozenset[str]:
    return frozenset(part.strip() for part in os.environ.get(setting, "").split(",") if part.strip())


agent = agent_action(
    id="agent",
    name="Agent",
    description="Does what you write, with the actions that are here; people approve what it does.",
    instructions="You help the people of a company with their requests. Do what is asked, no more.",
    tools=is_tool,
    needs_approval=needs_approval,
)

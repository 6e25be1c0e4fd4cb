"""Agents of pydantic-ai as actions: `from actions.pydantic_agents import pydantic_agent_action`. Needs the extra `agent`."""

from actions.kit.extras import bringing

with bringing("agent", "pydantic_ai"):
    from actions.kit.adapters.pydantic_agents import pydantic_agent_action

__all__ = ["pydantic_agent_action"]

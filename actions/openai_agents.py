"""Agents of OpenAI's SDK as actions: `from actions.openai_agents import openai_agent_action`. Needs `openai-agents`."""

from actions.kit.extras import bringing

with bringing("openai-agents", "agents", "openai"):
    from actions.kit.adapters.openai_agents import openai_agent_action

__all__ = ["openai_agent_action"]

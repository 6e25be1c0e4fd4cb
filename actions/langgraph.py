"""LangGraph's graphs as actions: `from actions.langgraph import graph_action, as_tool`. Needs the extra `langgraph`."""

from actions.kit.extras import bringing

with bringing("langgraph", "langgraph", "langchain_core"):
    from actions.kit.graphs.declaring import graph_action
    from actions.kit.graphs.memory import MemoryCheckpoints
    from actions.kit.graphs.tools import as_tool

__all__ = ["MemoryCheckpoints", "as_tool", "graph_action"]

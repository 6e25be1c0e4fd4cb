"""LangGraph's graphs as actions: nothing here is loaded by an installation without the extra `langgraph`."""

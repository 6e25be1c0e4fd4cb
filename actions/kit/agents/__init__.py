"""Agents: actions that do what a person writes, by a model that uses other actions as its tools."""

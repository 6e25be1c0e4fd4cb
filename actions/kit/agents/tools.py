"""The actions that an agent's model may use: which they are, what the model is told of them, and what fits them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from actions.kit.action import Action
from actions.kit.agents.agent import Agent, agent_of
from actions.kit.agents.shapes import AgentError
from actions.kit.context import Context
from actions.kit.errors import AnswerError
from actions.kit.shapes.json_text import to_json_text

WHOLE = "input"
"""The argument that stands for an input which is no object: models give arguments by name."""
ASKS_FIRST = "A person approves each call before it is carried out, and may change or reject it."


@dataclass(frozen=True)
class Tool:
    """An action as a model sees it."""

    action: Action
    asks_first: bool

    @property
    def description(self) -> str:
        return f"{self.action.description} {ASKS_FIRST}" if self.asks_first else self.action.description

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, which is always one of an object."""
        schema = self.action.input_schema
        if self._is_object:
            return schema
        return {"type": "object", "properties": {WHOLE: schema}, "required": [WHOLE], "additionalProperties": False}

    def fitted(self, given: Any) -> JsonValue:
        """The input that these arguments stand for, as it would be stored. Raises `AnswerError`."""
        return self.checked(given if self._is_object else given.get(WHOLE) if isinstance(given, dict) else given)

    def checked(self, raw: Any) -> JsonValue:
        """An input with its defaults, under the names by which it is given. Raises `AnswerError`."""
        stored = self.action.validate_input(raw)
        spelt: JsonValue = json.loads(to_json_text(self.action.restore_input(stored), what="arguments"))
        return spelt if self._reads(spelt, stored) else raw

    def typed(self, arguments: JsonValue) -> Any:
        """The input as its type, so that a card knows what its author said of it; as it is where it would be spelt otherwise.

        What is shown is what an approval brings back, so it must be what fits.
        """
        try:
            found = self.action.restore_input(self.action.validate_input(arguments))
        except AnswerError:
            return arguments
        return found if json.loads(to_json_text(found, what="arguments")) == arguments else arguments

    def _reads(self, spelt: JsonValue, stored: str) -> bool:
        try:
            return self.action.validate_input(spelt) == stored
        except AnswerError:
            return False

    @property
    def _is_object(self) -> bool:
        schema = self.action.input_schema
        return schema.get("type") == "object" or "properties" in schema


class Toolbox:
    """The tools of one agent, by the ids of their actions. Raises `AgentError` for one that it cannot have."""

    def __init__(self, agent: Agent, registered: Mapping[str, Action]) -> None:
        tools = agent.tools
        found = _fitting(tools, registered) if callable(tools) else _named(tools, registered)
        self._tools = {each.id: Tool(each, agent.asks_first(each)) for each in found}

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    @property
    def names(self) -> str:
        return ", ".join(self._tools) or "none"

    async def offered(self, ctx: Context) -> list[Tool]:
        """Those that the requester may start themselves: the model is told of no others."""
        return [each for each in self._tools.values() if await ctx.refusal(each.action) is None]


def _fitting(is_tool: Callable[[Action], bool], registered: Mapping[str, Action]) -> list[Action]:
    possible = [each for each in registered.values() if agent_of(each) is None and not _names_its_deciders(each)]
    return [each for each in possible if is_tool(each)]


def _named(tools: Sequence[str | Action], registered: Mapping[str, Action]) -> list[Action]:
    unknown = [repr(each) for each in tools if isinstance(each, str) and each not in registered]
    if unknown:
        raise AgentError(f"the agent's tools name {', '.join(unknown)}, which is not registered")
    found = [registered[each] if isinstance(each, str) else each for each in tools]
    open_ones = [repr(each.id) for each in found if _names_its_deciders(each)]
    if open_ones:
        raise AgentError(
            f"{', '.join(open_ones)} cannot be a tool: its input says who decides, and a model must not choose its judges"
        )
    return found


def _names_its_deciders(action: Action) -> bool:
    return action.policy_from is not None

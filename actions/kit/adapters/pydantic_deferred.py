"""What pydantic-ai defers, as it is kept in a run's log, and what became of it, in the library's own words."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, JsonValue
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolApproved, ToolDenied
from pydantic_ai.toolsets import AbstractToolset, ExternalToolset, FunctionToolset

Outcome = Literal["approved", "denied", "returned", "failed", "again"]


class Waiting(BaseModel):
    """A call that the library deferred. `schema_` is that of its arguments, where it is known."""

    call: str
    tool: str
    arguments: JsonValue
    is_approval: bool
    is_question: bool = False
    schema_: dict[str, JsonValue] | None = None


class Settled(BaseModel):
    """What it came to: other arguments where people changed them, what it returned, or the words for the model."""

    call: str
    outcome: Outcome
    value: JsonValue = None


def results_of(waiting: Sequence[Waiting], settled: Sequence[Settled]) -> DeferredToolResults:
    """What the agent goes on with."""
    waited = {each.call: each for each in waiting}
    results = DeferredToolResults()
    for each in settled:
        where = results.approvals if waited[each.call].is_approval else results.calls
        where[each.call] = _told(each, waited[each.call])
    return results


def _told(settled: Settled, waited: Waiting) -> Any:
    match settled.outcome:
        case "approved":
            return ToolApproved(override_args=settled.value if isinstance(settled.value, dict) else None)
        case "denied" if waited.is_approval:
            return ToolDenied(str(settled.value))
        case "denied" | "returned":
            return settled.value
        case "again":
            return ModelRetry(str(settled.value))
        case "failed":
            return ToolFailed(str(settled.value))


def waiting_of(agent: "Agent[Any, Any]", requests: DeferredToolRequests) -> list[Waiting]:
    """The calls that wait, those for approval first."""
    schemas = _schemas(agent)
    approvals = [_one(each, schemas, is_approval=True) for each in requests.approvals]
    calls = [
        _one(each, schemas, is_approval=False, is_question=requests.kind(each.tool_call_id) == "question")
        for each in requests.calls
    ]
    return [*approvals, *calls]


def _one(call: ToolCallPart, schemas: Mapping[str, Any], **kind: bool) -> Waiting:
    schema = schemas.get(call.tool_name)
    return Waiting(call=call.tool_call_id, tool=call.tool_name, arguments=call.args_as_dict(), schema_=schema, **kind)


def _schemas(agent: "Agent[Any, Any]") -> dict[str, Any]:
    """The schemas of the arguments, by the names of the tools, as far as they are known before a run."""
    found: dict[str, Any] = {}

    def look(toolset: "AbstractToolset[Any]") -> None:
        if isinstance(toolset, FunctionToolset):
            found.update({name: tool.tool_def.parameters_json_schema for name, tool in toolset.tools.items()})
        elif isinstance(toolset, ExternalToolset):
            found.update({each.name: each.parameters_json_schema for each in toolset.tool_defs})

    for toolset in agent.toolsets:
        toolset.apply(look)
    return found

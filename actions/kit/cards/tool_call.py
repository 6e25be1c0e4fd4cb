"""A call that a model wants to make with a tool: approved as it stands, edited first, or rejected with a reason."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue, StringConstraints

from actions.kit.cards.kind import CardKind
from actions.kit.shapes.answers import Reject
from actions.kit.shapes.schemas import Schema

ARGUMENTS, REASON = "arguments", "reason"
ASKED = 500
"""Characters of a prompt that are shown to whoever decides."""
AS_SHOWN: Schema = {"shown": ARGUMENTS}
TO_EDIT: Schema = {**AS_SHOWN, "edit": True}


class ToolCall(BaseModel):
    """What is to be called, with what, and who wanted it."""

    tool: str = Field(description="The tool, as people call it")
    arguments: JsonValue = Field(description="Exactly what it is called with")
    asked: str | None = Field(None, title="The agent was asked", description="In the words of whoever asked it")


class Approve(BaseModel, title="Approve", json_schema_extra={"style": "primary"}):
    """Carry it out as it stands."""

    arguments: JsonValue = Field(json_schema_extra=AS_SHOWN)


class Edit(BaseModel, title="Edit"):
    """Change the arguments, and carry it out with those."""

    arguments: JsonValue = Field(json_schema_extra=TO_EDIT)


class RejectCall(Reject, title="Reject", json_schema_extra={"style": "danger", "declines": True, "key": "reject"}):
    """Do not carry it out, and say why: the model is told."""

    reason: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=3, max_length=3000, description="The model is told this, and whoever asked may read it"
    )


KIND = CardKind(
    ui="tool_call",
    name="Call of a tool",
    description="A call that a model wants to make: approve, edit its arguments, or reject it with a reason.",
    data=ToolCall,
    answer=Approve | Edit | RejectCall,
    for_models=(
        "A person looks at the call before it is carried out, and may change its arguments or reject it. Make each call "
        "once and wait for its result: it says what was done, and with which arguments."
    ),
)


def question_about(agent: str, tool: str) -> str:
    """What people are asked, both by the names that they know."""
    return f"{agent} wants to use {tool}. Shall it?"


def call_shown(tool: str, arguments: Any, prompt: str) -> dict[str, Any]:
    """What they are shown of a call, and the beginning of what the agent was asked."""
    return {"tool": tool, ARGUMENTS: arguments, "asked": prompt[:ASKED]}


def answers_to(tool_schema: Schema, *, declines: bool = True) -> Schema:
    """The same answers, with the tool's own input schema as the form of *Edit*. As a JSON Schema, for `resume=`.

    Where a rejection does not decline, it comes back as an answer with a reason, and the requester may give it.
    """
    arguments = {key: value for key, value in tool_schema.items() if key not in {"$defs", "title", "description"}}
    reject = {**RejectCall.model_json_schema(), "title": "Reject", "declines": declines}
    return {
        "oneOf": [_choice(Approve, AS_SHOWN, style="primary"), _choice(Edit, {**arguments, **TO_EDIT}), reject],
        **({"$defs": tool_schema["$defs"]} if "$defs" in tool_schema else {}),
    }


def _choice(model: type[BaseModel], arguments: Schema, **marks: Any) -> Schema:
    return {
        "type": "object",
        "title": model.__name__,
        "description": model.__doc__,
        "properties": {ARGUMENTS: {"title": "Arguments", **arguments}},
        "required": [ARGUMENTS],
        **marks,
    }

"""What a run keeps of an agent: what it is asked, its model's turns, and what came of each call that the model wanted."""

from typing import Literal

from pydantic import BaseModel, Field, JsonValue

MODEL_TURN = "model_turn"
"""The id of the action that is one turn of an agent's model."""
Outcome = Literal["success", "failed", "denied", "retried"]
"""What became of a call that the model wanted; `retried`: it made no sense, and the model may make it again."""


class AgentError(Exception):
    """Why an agent cannot go on, in words for whoever asked it."""


class Prompt(BaseModel):
    """What the agent is asked."""

    prompt: str = Field(min_length=1, max_length=12_000, description="What is to be done, in your own words")


class Reply(BaseModel):
    """What the agent says in the end."""

    answer: str


class Result(BaseModel):
    """What one call of the model came to; `call` is the model's own id of it."""

    call: str
    tool: str
    outcome: Outcome
    content: JsonValue


class Begin(BaseModel):
    """What a turn begins with: the prompt, what came of the calls of the turn before, or that it said nothing."""

    prompt: str | None = None
    results: list[Result] = []
    said_nothing: bool = False


class Wanted(BaseModel):
    """A call that the model wants. `arguments` fit its tool, unless `fault` says in words why the call makes no sense."""

    call: str
    tool: str
    arguments: JsonValue = None
    fault: str | None = None


class Turn(BaseModel):
    """One turn of the model: its messages (the request and the response, as pydantic-ai writes them) and what follows."""

    messages: list[JsonValue]
    wanted: list[Wanted]
    text: str
    tokens: int

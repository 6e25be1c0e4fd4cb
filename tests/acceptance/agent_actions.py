"""An agent for the acceptance tests: it says what it is asked."""

from typing import Any

from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from actions import agent_action


def echo(messages: list[Any], _: Any) -> ModelResponse:
    return ModelResponse(parts=[TextPart(str(messages[0].parts[0].content))])


parrot = agent_action(
    id="parrot",
    name="Parrot",
    instructions="Say it again.",
    tools=[],
    model=FunctionModel(echo),
    description="Repeats.",
)

"""What the page on the one mechanism shows works: an agent's script calls a graph that asks, and everything is in one log."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from actions.execute_code import execute_code
from actions.kit.running.calls import CallStatus
from actions.kit.sandbox.pool import Sandbox
from actions.langgraph import MemoryCheckpoints
from actions.testing import Trial, run, with_model
from tests.shown_code import code_of, names_of

PAGE = Path(__file__).parents[2] / "docs" / "why-one-mechanism.md"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    opened = Sandbox()
    yield opened
    opened.close()


class Model:
    """Writes the script of the page, and then says that it is done."""

    def __init__(self, page: str) -> None:
        [self.script] = re.findall(r"^The model writes `(.*?)`", page, re.MULTILINE)
        self.turns = 0

    def __call__(self, messages: list[Any], _: Any) -> ModelResponse:
        self.turns += 1
        done = len(messages) > 1
        part = TextPart("Both are shipped.") if done else ToolCallPart("execute_code", {"code": self.script})
        return ModelResponse(parts=[part])


async def test_all_layers_at_once_pause_as_one_and_their_places_are_those_that_it_shows(sandbox: Sandbox):
    page = PAGE.read_text("utf-8")
    model = Model(page)
    [code] = code_of(PAGE)
    space = names_of(code)
    kept: dict[str, Any] = {"resources": [sandbox, MemoryCheckpoints()], "actions": [execute_code, space["ship"]]}
    trial: Trial = await run(with_model(space["agent"], FunctionModel(model)), {"prompt": "Ship A-1 and A-2."}, **kept)
    asked = []
    for _ in range(2):
        asked.append((trial.message, trial.call_path))
        trial = await trial.answer("yes")
    assert [message for message, _ in asked] == ["Ship A-1?", "Ship A-2?"]
    assert (trial.output.answer, model.turns) == ("Both are shipped.", 2)
    assert {call.status for call in trial.calls.values()} == {CallStatus.FINISHED}
    places = {*trial.calls, *(path for _, path in asked)}
    assert sorted(map(alike, places)) == sorted(map(alike, shown(page)))


def shown(page: str) -> list[str]:
    [places] = re.findall(r"<!-- places -->\n```\n(.*?)```", page, re.DOTALL)
    return [line.partition("   ")[0] for line in places.splitlines()]


def alike(path: str) -> str:
    """LangGraph names its interrupts anew in each run."""
    return re.sub(r"check [0-9a-f]{12}$", "check ID", path)

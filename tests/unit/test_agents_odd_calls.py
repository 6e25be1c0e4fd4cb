"""What models and tools may say to each other that is odd: spelt otherwise than it is read, unfit for a database, too much."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import BaseModel, Field, computed_field
from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from actions import Action, Context
from actions.kit.action import ActionError
from actions.kit.agents.declared import agent_action
from actions.kit.records.outcomes import Returned
from actions.kit.running.execution import execute
from actions.testing import run
from tests.authors import RUN, declare

ASKED = {"prompt": "Do it"}


class Renamed(BaseModel):
    order: str = Field(validation_alias="orderId", serialization_alias="order-id")


class Doubled(BaseModel):
    amount: int

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no property with a decorator on it
    @property
    def twice(self) -> int:
        return 2 * self.amount


class Desk:
    """An agent whose model makes these calls in one turn, and then says this; `told` are the results that it got."""

    def __init__(
        self, tool: Action, calls: Sequence[ModelResponsePart], *, asks: bool = True, says: str = "Done"
    ) -> None:
        self.told: list[Any] = []

        def model(messages: list[Any], _: Any) -> ModelResponse:
            self.told = [each.content for each in messages[-1].parts]
            return ModelResponse(parts=[TextPart(says)] if messages[1:] else list(calls))

        needed = [tool.id] if asks else []
        self.action = agent_action(
            id="desk",
            name="Desk",
            instructions="Help.",
            model=lambda: FunctionModel(model),
            tools=[tool],
            needs_approval=needed,
        )


def tool_of(input_type: Any, returns: Any = "carried out") -> Action:
    async def carry_out(input: Any, ctx: Context) -> Any:
        return returns

    carry_out.__annotations__ = {"input": input_type, "ctx": Context, "return": Any}
    return declare(carry_out)


@pytest.mark.parametrize(("input_type", "given"), [(Renamed, {"orderId": "A-1"}), (Doubled, {"amount": 2})])
async def test_an_approval_counts_although_the_input_would_be_written_otherwise_than_it_is_read(
    input_type: type[BaseModel], given: Any
):
    tool = tool_of(input_type)
    desk = Desk(tool, [ToolCallPart(tool.id, given)])
    paused = await run(desk.action, ASKED)
    assert paused.data["arguments"] == given
    assert (await paused.answer("approve")).output.answer == "Done"
    assert desk.told == ["carried out"]


async def test_of_a_call_wanted_twice_and_declined_nobody_is_told_that_it_was_carried_out():
    tool = tool_of(Doubled)
    desk = Desk(tool, [ToolCallPart(tool.id, {"amount": 2}), ToolCallPart(tool.id, {"amount": 2})])
    await (await run(desk.action, ASKED)).answer("reject", reason="Too much")
    assert "people declined it, and said: Too much" in desk.told[1]["result"]
    assert "carried out" not in json.dumps(desk.told)


async def test_what_no_database_keeps_is_replaced_wherever_a_model_says_it():
    tool = tool_of(Doubled)
    desk = Desk(tool, [ToolCallPart(tool.id, {"amount": 2}, tool_call_id="a\0\ud800")], asks=False, says="a\0\ud800b")
    assert (await run(desk.action, ASKED)).output.answer == "a\ufffd?b"
    assert desk.told == ["carried out"]


async def test_results_that_are_too_much_together_are_shortened_so_that_the_run_can_keep_them():
    tool = tool_of(Doubled, returns="漢" * 30_000)
    desk = Desk(tool, [ToolCallPart(tool.id, {"amount": number}) for number in range(20)], asks=False)
    assert (await run(desk.action, ASKED)).output.answer == "Done"
    assert all(told.endswith("more characters left out)") for told in desk.told)


@pytest.mark.parametrize("in_conversation", [True, False])
async def test_with_which_arguments_is_told_where_it_was_asked_and_not_below_the_cards_of_others(in_conversation: bool):
    tool, reports = tool_of(Doubled), list[str]()
    wanted = [ToolCallPart(tool.id, {name: 4711}) for name in ("amount", "amont")]
    action = Desk(tool, [TextPart("It is 4711."), *wanted], asks=False).action
    context = Context.build(
        run_id=RUN, requester="U1", resume=action.resume, report=reports.append, in_conversation=in_conversation
    )
    assert isinstance(await execute(action, json.dumps(ASKED), context), Returned)
    assert [line.split(":")[0] for line in reports[1].split("\n") if "4711" in line] == (
        ["It says", f"Uses {tool.name}"] if in_conversation else []
    )
    assert f"Uses {tool.name}" in reports[1]
    assert ("amont" in reports[1]) is in_conversation


def test_an_agent_is_no_tool_of_its_own():
    with pytest.raises(ActionError, match="'desk' is the agent itself"):
        agent_action(id="desk", name="Desk", instructions="Help.", tools=["desk"])

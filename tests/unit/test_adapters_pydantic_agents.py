"""Agents of pydantic-ai as actions: what they defer is asked or called here, the model gets it, and nothing runs twice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, JsonValue
from pydantic_ai import Agent, CallDeferred, FunctionToolset, Tool
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from actions import Action, Context
from actions.pydantic_agents import pydantic_agent_action
from actions.testing import run
from tests.authors import IN_THE_CHANNEL, declare
from tests.shown_code import code_of, names_of

ASKED = {"prompt": "Do it"}
PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"


class Desk:
    """An agent whose model makes these calls in its first turn, and then says that it is done."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = calls
        self.refunded: list[tuple[str, int]] = []
        self.told: list[tuple[str, Any]] = []
        self.asked = 0
        self.agent: Agent[Any, str] = Agent(FunctionModel(self._next), deps_type=Any)
        self.agent.tool_plain(requires_approval=True)(self.refund)
        self.agent.tool_plain(self.look_up)

    def refund(self, order: str, amount: int = 5) -> str:
        """Pays money back."""
        self.refunded.append((order, amount))
        return f"refunded {amount}"

    def look_up(self, order: str) -> str:
        """Finds an order, elsewhere."""
        raise CallDeferred

    def _next(self, messages: Sequence[Any], _: Any) -> ModelResponse:
        self.asked += 1
        if len(messages) > 1:
            self.told = [(each.outcome, each.content) for each in messages[-1].parts if each.part_kind == "tool-return"]
            return ModelResponse(parts=[TextPart("All done.")])
        return ModelResponse(parts=[ToolCallPart(*call) for call in self.calls])

    def action(self, **options: Any) -> Action:
        given = {"id": "desk", "name": "Desk", "description": "Works.", "policy": IN_THE_CHANNEL}
        return pydantic_agent_action(self.agent, **{**given, **options})


class Order(BaseModel):
    order: str


class Numbered(BaseModel):
    order: int


async def found(asked: Order, ctx: Context) -> dict[str, int]:
    return {"total": len(asked.order)}


async def test_what_needs_approval_is_approved_edited_or_rejected_and_executed_once():
    desk = Desk(*(("refund", {"order": f"A-{number}"}) for number in range(4)))
    paused = await run(desk.action(), ASKED)
    assert paused.data == {"tool": "refund", "arguments": {"order": "A-0"}, "asked": "Do it"}
    paused = await paused.answer("approve")
    paused = await paused.answer("edit", arguments={"order": "A-1", "amount": 2})
    paused = await paused.answer("reject", reason="It was used")
    done = await paused.expire()
    assert (done.output, desk.asked) == ("All done.", 2)
    assert sorted(desk.refunded) == [("A-0", 5), ("A-1", 2)]  # the library carries both out at once, in threads
    assert desk.told == [
        ("success", "refunded 5"),
        ("success", "refunded 2"),
        ("denied", "Not done: people declined it, and said: It was used"),
        ("denied", "Not done: nobody answered in time, so it timed out."),
    ]


async def test_arguments_that_are_edited_into_none_at_all_are_asked_for_again_and_nothing_else_is_executed():
    desk = Desk(("refund", {"order": "A-1"}))
    desk.agent = Agent(FunctionModel(desk._next), deps_type=Any)
    desk.agent.toolset(lambda _: FunctionToolset([Tool(desk.refund, requires_approval=True)]))
    paused = await (await run(desk.action(), ASKED)).answer("edit", arguments="A-1, but only 2")
    assert "must be an object" in paused.message
    assert desk.refunded == []
    assert (await paused.answer("edit", arguments={"order": "A-1", "amount": 2})).output == "All done."
    assert desk.refunded == [("A-1", 2)]


async def test_an_edit_that_python_takes_for_equal_is_one_all_the_same():
    desk, got = Desk(("switch", {"to": 1})), list[Any]()

    def switch(to: JsonValue) -> str:
        got.append(to)
        return "switched"

    desk.agent.tool_plain(requires_approval=True)(switch)
    await (await run(desk.action(), ASKED)).answer("edit", arguments={"to": True})
    assert [type(each) for each in got] == [bool]


async def test_what_is_deferred_to_outside_is_a_call_of_an_action():
    desk = Desk(("look_up", {"order": "A-1"}))
    look_up = declare(found, id="look_up")
    assert (await run(desk.action(), ASKED, actions=[look_up])).output == "All done."
    assert desk.told == [("success", {"total": 3})]


async def test_an_action_that_refuses_the_arguments_has_the_model_try_again():
    async def strict(asked: Numbered, ctx: Context) -> None:
        raise AssertionError("it is not executed")

    desk = Desk(("look_up", {"order": "A-1"}))
    await run(desk.action(external={"look_up": declare(strict)}), ASKED)
    [(outcome, why)] = desk.told
    assert outcome == "retried"
    assert "its input does not fit: order must be a whole number" in why


async def test_where_there_is_no_action_people_say_what_it_returns():
    desk = Desk(("look_up", {"order": "A-1"}))
    paused = await run(desk.action(), ASKED)
    assert paused.message == "Desk asks for the result of “look_up”"
    await paused.answer("answer", "It cost 20 EUR")
    assert desk.told == [("success", "It cost 20 EUR")]


async def test_the_example_of_the_page_works():
    code, _ = code_of(PAGE)
    space = names_of(code)
    calls = [ToolCallPart("refund", {"order": "A-1", "euros": 5})]
    with space["clerk"].override(model=FunctionModel(lambda *_: ModelResponse(parts=calls))):
        paused = await run(space["refund_clerk"], ASKED)
    assert paused.message == "Refund clerk wants to use refund. Shall it?"

"""OpenAI's agents as actions: what needs approval is asked, the model is told what became of it, and nothing runs twice."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, RunContextWrapper, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from actions import Action
from actions.openai_agents import openai_agent_action
from actions.testing import Trial, run
from tests.authors import IN_THE_CHANNEL
from tests.shown_code import code_of, names_of

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
Said = list[ResponseFunctionToolCall] | str


class Script(Model):
    """A model that says the next thing each time; `heard` are the results of tools that it was given."""

    def __init__(self, *says: Said) -> None:
        self.says = list(says)
        self.heard: list[list[str]] = []

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:
        self.heard.append([each["output"] for each in input if "output" in each] if isinstance(input, list) else [])
        said = self.says.pop(0)
        output = [message(said)] if isinstance(said, str) else said
        return ModelResponse(output=list(output), usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")


def call(tool: str, id_: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(name=tool, call_id=id_, arguments=arguments, type="function_call")


def acting(agent: Agent[Any], **options: Any) -> Action:
    return openai_agent_action(
        agent, id="clerk", name="Clerk", description="A clerk.", policy=IN_THE_CHANNEL, **options
    )


class Desk:
    """Tools: refunds need approval, prices do not."""

    def __init__(self) -> None:
        self.refunds: list[tuple[str, Any]] = []
        self.looks: list[str] = []

    def tools(self) -> list[Any]:
        @function_tool(needs_approval=True)
        def refund(context: RunContextWrapper[Any], order: str) -> str:
            """Refund an order."""
            self.refunds.append((order, context.context))
            return f"refunded {order}"

        @function_tool
        def price(order: str) -> str:
            """Look a price up."""
            self.looks.append(order)
            return "5 EUR"

        return [refund, price]


async def begun(agent: Agent[Any], **options: Any) -> Trial:
    return await run(acting(agent, **options), {"prompt": "Refund them"})


async def test_each_call_that_needs_approval_is_asked_and_only_what_was_approved_happens():
    desk = Desk()
    calls = [
        call("refund", "1", '{"order": "A"}'),
        call("price", "2", '{"order": "A"}'),
        call("refund", "3", '{"order": "B"}'),
    ]
    model = Script(calls, "Refunded A.")
    asked = await begun(Agent(name="Clerk", model=model, tools=desk.tools()), context=lambda ctx: {"by": ctx.requester})
    assert (asked.message, asked.data, asked.position) == (
        "Clerk wants to use refund. Shall it?",
        {"tool": "refund", "arguments": {"order": "A"}, "asked": "Refund them"},
        (1, 2),
    )
    assert (asked.request.ui, asked.choices, desk.refunds) == ("tool_call", ("approve", "reject"), [])
    asked = await asked.answer("approve")
    assert (asked.data["arguments"], asked.position) == ({"order": "B"}, (2, 2))
    done = await asked.answer("reject", reason="It was used")
    assert (done.output, desk.refunds, desk.looks) == ("Refunded A.", [("A", {"by": "U0REQUESTER"})], ["A"])
    assert sorted(model.heard[-1]) == ["5 EUR", "Not done: people declined it, and said: It was used", "refunded A"]
    assert {path: each.executions for path, each in done.calls.items()} == {"turn 1": 1, "turn 2": 1}


async def test_the_model_is_told_that_nobody_answered_in_time():
    desk, model = Desk(), Script([call("refund", "1", '{"order": "A"}')], "Not now.")
    asked = await begun(Agent(name="Clerk", model=model, tools=desk.tools()))
    assert (await asked.expire()).output == "Not now."
    assert model.heard[-1] == ["Not done: nobody answered in time, so it timed out."]
    assert desk.refunds == []


async def test_an_agent_that_is_a_tool_of_another_asks_too():
    desk = Desk()
    below = Agent(name="Cashier", model=Script([call("refund", "7", '{"order": "C"}')], "Paid."), tools=desk.tools())
    tool = below.as_tool("cashier", "Pays.")
    model = Script([call("cashier", "1", '{"input": "pay"}')], "All done.")
    asked = await begun(Agent(name="Clerk", model=model, tools=[tool]))
    assert (asked.message, asked.data["arguments"]) == ("Cashier wants to use refund. Shall it?", {"order": "C"})
    done = await asked.answer("approve")
    assert (done.output, [order for order, _ in desk.refunds]) == ("All done.", ["C"])


def test_the_agent_that_the_page_shows_is_an_action():
    _, code = code_of(PAGE)
    clerk = names_of(code)["clerk"]
    assert isinstance(clerk, Action)
    assert clerk.input_schema["required"] == ["prompt"]

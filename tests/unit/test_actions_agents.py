"""An agent: what its model wants is done once, after whoever decides has said so, and every call ends with one result."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

from actions import Action, ActionInterrupt, Context, FromInput, Policy, Requester
from actions.agent import agent as shipped
from actions.kit.action import ActionError
from actions.kit.agents import agent as agents_module
from actions.kit.agents.agent import Limits, agent_of
from actions.kit.agents.declared import agent_action
from actions.kit.records.outcomes import Returned
from actions.kit.running.execution import execute
from actions.testing import run
from tests.authors import IN_THE_CHANNEL, RUN, declare

Call = tuple[str, Any]
DONE = "All done."


class Refund(BaseModel):
    order: str
    amount: int = Field(5, gt=0)

    @field_validator("amount")
    @classmethod
    def _has_a_limit(cls, amount: int) -> int:
        if amount > 100:
            raise ValueError("must be at most 100 in all")
        return amount


class Shop:
    """Tools that count what they did, and a model that makes these calls turn by turn and then says that it is done."""

    def __init__(self, *turns: Sequence[Call], says: str = DONE) -> None:
        self.turns, self.says = turns, says
        self.effects: list[Refund] = []
        self.told: list[tuple[str, Any]] = []
        self.asked = 0
        self.offered: list[str] = []

    def model(self) -> FunctionModel:
        return FunctionModel(self._next)

    def _next(self, messages: list[Any], info: Any) -> ModelResponse:
        self.asked += 1
        self.offered = [each.name for each in info.function_tools]
        turn = len(messages) // 2
        self.told += [(part.outcome, part.content) for part in messages[-1].parts if part.part_kind == "tool-return"]
        if turn >= len(self.turns):
            return ModelResponse(parts=[TextPart(self.says)] if self.says else [])
        return ModelResponse(
            parts=[ToolCallPart(*call) for call in self.turns[turn]],
            usage=RequestUsage(input_tokens=500, output_tokens=1),
        )

    def tool(self, **options: Any) -> Action:
        async def refund(asked: Refund, ctx: Context) -> str:
            self.effects.append(asked)
            return f"refunded {asked.amount}"

        return declare(refund, **{"id": "refund", "name": "Refund"} | options)

    def agent(self, *tools: Action, **options: Any) -> Action:
        found = tools or (self.tool(),)
        given: Mapping[str, Any] = {"id": "helper", "name": "Helper", "instructions": "Help.", "model": self.model}
        return agent_action(**{**given, "tools": found, "needs_approval": [each.id for each in found], **options})


def unasked(shop: Shop, *tools: Action, **options: Any) -> Action:
    return shop.agent(*tools, needs_approval=(), **options)


ASKED = {"prompt": "Refund A-1"}


async def test_approved_calls_are_executed_once_with_exactly_the_approved_arguments():
    shop = Shop([("refund", {"order": "A-1"}), ("refund", '{"order": "A-2"}')])
    paused = await run(shop.agent(), ASKED)
    assert paused.data == {"tool": "Refund", "arguments": {"order": "A-1", "amount": 5}, "asked": "Refund A-1"}
    assert (paused.request.ui, paused.request.policy.deciders) == ("tool_call", IN_THE_CHANNEL.deciders)
    paused = await paused.answer("edit", arguments={"order": "A-1", "amount": 3})
    done = await paused.answer("approve")
    assert done.output.answer == DONE
    assert shop.effects == [Refund(order="A-1", amount=3), Refund(order="A-2", amount=5)]
    changed = {"changed_by_people_to": {"order": "A-1", "amount": 3}, "result": "refunded 3"}
    assert shop.told == [("success", changed), ("success", "refunded 5")]
    assert (shop.asked, done.executions) == (2, 3)


async def test_what_is_rejected_or_not_answered_in_time_is_not_done_and_the_model_is_told_which():
    shop = Shop([("refund", {"order": "A-1"}), ("refund", {"order": "A-2"})])
    paused = await (await run(shop.agent(), ASKED)).answer("reject", reason="It was used")
    assert (await paused.expire()).output.answer == DONE
    assert shop.effects == []
    assert shop.told == [
        ("denied", "Not done: people declined it, and said: It was used"),
        ("denied", "Not done: nobody answered in time, so it timed out."),
    ]


async def test_where_only_the_requester_decides_about_a_tool_they_are_asked_themselves():
    shop = Shop([("refund", {"order": "A-1"}), ("refund", {"order": "A-2"})])
    mine = Policy(deciders=Requester())
    paused = await run(shop.agent(shop.tool(policy=mine, resume=str)), ASKED)
    assert (paused.request.policy, paused.request.shape.is_approval) == (mine, False)
    paused = await paused.answer("reject", reason="Not that one")
    await paused.answer("approve")
    assert shop.told[0] == ("denied", "Not done: whoever asked does not want it, and said: Not that one")
    assert shop.effects == [Refund(order="A-2")]


async def test_edited_arguments_that_the_tool_itself_refuses_are_asked_about_again():
    shop = Shop([("refund", {"order": "A-1"})])
    again = await (await run(shop.agent(), ASKED)).answer("edit", arguments={"order": "A-1", "amount": 101})
    assert "must be at most 100 in all" in again.message
    await again.answer("edit", arguments={"order": "A-1", "amount": 100})
    assert shop.effects == [Refund(order="A-1", amount=100)]


async def test_the_same_call_twice_in_one_turn_is_asked_about_and_done_once_and_both_get_the_result():
    shop = Shop([("refund", {"order": "A-1"}), ("refund", {"amount": 5, "order": "A-1"})])
    done = await (await run(shop.agent(), ASKED)).answer("approve")
    assert shop.effects == [Refund(order="A-1")]
    (first, second) = shop.told
    assert first == ("success", "refunded 5")
    assert second[1]["result"] == "refunded 5"
    assert "once" in second[1]["note"]
    assert "Wanted twice in one turn, so it is done once: Refund" in done.reports[1]


async def test_calls_that_make_no_sense_go_back_to_the_model_and_the_rest_of_the_turn_is_done():
    wrong: list[Call] = [("nothing", {}), ("refund", "[1]"), ("refund", {"order": 7}), ("refund", {"order": "A-1"})]
    shop = Shop(wrong)
    assert (await run(unasked(shop), ASKED)).output.answer == DONE
    assert [outcome for outcome, _ in shop.told] == ["retried", "retried", "retried", "success"]
    assert "There is no tool of this name. There are: refund." in shop.told[0][1]
    assert shop.effects == [Refund(order="A-1")]


async def test_a_tool_that_fails_is_told_as_failed():
    async def broken(asked: Refund, ctx: Context) -> str:
        raise RuntimeError("the bank is closed")

    shop = Shop([("broken", {"order": "A-1"})])
    tool = declare(broken, id="broken")
    assert (await run(unasked(shop, tool), ASKED)).output.answer == DONE
    assert shop.told == [("failed", "It failed: the bank is closed")]


async def test_a_tool_that_asks_by_itself_keeps_its_own_question_and_its_no_goes_to_the_model():
    async def careful(asked: Refund, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt("Really refund?", asked)
        return "refunded"

    shop = Shop([("careful", {"order": "A-1"})])
    tool = declare(careful, id="careful")
    paused = await run(unasked(shop, tool), ASKED)
    assert (paused.message, paused.call_path) == ("Really refund?", "1.1 careful")
    assert (await paused.answer("reject", reason="Not now")).output.answer == DONE
    assert shop.told == [("denied", "Not done: people declined it, and said: Not now")]


@pytest.mark.parametrize(
    ("turns", "limits", "why"),
    [
        ([[("refund", {"order": "A-1"})]] * 9, Limits(turns=2), "it stopped after 2 turns"),
        ([[("refund", {"order": "A-1"})]] * 9, Limits(tokens=900), "it stopped after 1,002 tokens; it may take 900"),
        ([[("nothing", {})]] * 9, Limits(faults=2), "made no sense 2 times in a row: There is no tool of this name"),
        ([], Limits(faults=2), "made no sense 2 times in a row, and said nothing at last"),
    ],
)
async def test_where_it_stops_is_said(turns: Sequence[Sequence[Call]], limits: Limits, why: str):
    failure = (await run(unasked(Shop(*turns, says=""), limits=limits), ASKED)).failure
    assert why in failure.message


async def test_only_what_the_requester_may_start_is_offered_and_called():
    async def may_start(called: Action, _: str) -> str | None:
        return "They may not." if called.id == "refund" else None

    shop = Shop([("refund", {"order": "A-1"})])
    helper = unasked(shop)
    context = Context.build(run_id=RUN, requester="U0RITA", resume=helper.resume, may_start=may_start)
    assert isinstance(await execute(helper, '{"prompt": "x"}', context), Returned)
    assert (shop.offered, shop.effects, shop.told[0][0]) == ([], [], "retried")


async def test_a_failing_provider_is_told_without_what_it_quotes():
    def refuse(_: Any, __: Any) -> ModelResponse:
        raise ModelHTTPError(401, "gpt", body={"message": "Incorrect API key provided: sk-abc"})

    failure = (await run(unasked(Shop(), model=FunctionModel(refuse)), ASKED)).failure
    assert "the model gpt answered with the HTTP status 401" in failure.message
    assert "sk-abc" not in failure.message


async def test_without_a_model_or_the_library_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SIGNOFF_AGENT_MODEL", raising=False)
    assert "SIGNOFF_AGENT_MODEL" in (await run(shipped, ASKED)).failure.message
    monkeypatch.setattr(agents_module, "LIBRARY", "no_such_library")
    assert "pip install '.[agent]'" in (await run(shipped, ASKED)).failure.message


async def test_the_shipped_agent_asks_about_everything_that_no_setting_frees(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SIGNOFF_AGENT_UNASKED", "order_total, refund_order")
    monkeypatch.setenv("SIGNOFF_AGENT_TOOLS", "refund")
    known, tool = agent_of(shipped), Shop().tool()
    assert known is not None
    assert known.asks_first(tool)
    assert not known.asks_first(Shop().tool(id="order_total"))
    assert callable(known.tools)
    assert known.tools(tool)
    assert not known.tools(Shop().tool(id="order_total"))


def open_tool(shop: Shop) -> Action:
    return shop.tool(policy=FromInput(lambda _: IN_THE_CHANNEL, "order"))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"tools": ["nobody"], "needs_approval": ()}, "the agent's tools name 'nobody', which is not registered"),
        ({"tools": [open_tool(Shop())], "needs_approval": ()}, "a model must not choose its judges"),
    ],
)
async def test_a_tool_that_it_cannot_have_is_named(options: dict[str, Any], why: str):
    assert why in (await run(Shop().agent(**options), ASKED)).failure.message


@pytest.mark.parametrize(
    ("options", "mistake"),
    [
        ({"tools": "refund"}, "write a list"),
        ({"tools": ["refund", "refund"]}, "'refund' is there twice"),
        ({"tools": ["refund"], "needs_approval": ["refnud"]}, "needs_approval names 'refnud'"),
        ({"instructions": " "}, "instructions must be a text"),
    ],
)
def test_mistakes_in_a_declaration_are_found_at_once(options: dict[str, Any], mistake: str):
    with pytest.raises(ActionError, match=mistake):
        Shop().agent(**options)

"""Actions as tools of a graph: their own card asks, what they do happens once, and the model is told how it went."""

import asyncio
from typing import Any, Literal

import pytest
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy, interrupt
from pydantic import BaseModel

from actions import Action, ActionError, ActionInterrupt, Context, Person, Policy
from actions.langgraph import MemoryCheckpoints, as_tool
from actions.testing import Trial, run
from tests.authors import declare
from tests.unit.test_graphs_patterns import Draft, acting, line, mailing, results, spoken

BY_ANN = Policy(deciders=Person("U0ANN"))


class Order(BaseModel):
    order: str
    amount: int = 5


class Till:
    """Pays, and remembers each payment; `looked` are the looks at a price."""

    def __init__(self) -> None:
        self.paid: list[str] = []
        self.looked: list[str] = []

    def refund(self) -> Action:
        async def refund(input: Order, ctx: Context) -> dict[str, Any]:
            if ctx.resumption is None:
                raise ActionInterrupt(f"Refund {input.order}?", {"amount": input.amount})
            self.paid.append(input.order)
            return {"refunded": input.order, "how": ctx.resumption.data}

        return declare(refund, id="refund", policy=BY_ANN, resume=Literal["cash", "card", "no"], declines={"no"})

    def price(self) -> Action:
        async def price(input: Order, ctx: Context) -> int:
            self.looked.append(input.order)
            return len(input.order)

        return declare(price, id="price")


async def tried(graph: Any, *actions: Action, **options: Any) -> Trial:
    return await run(acting(graph, **options), {}, resources=[MemoryCheckpoints()], actions=actions)


def call(order: str, name: str = "refund") -> dict[str, Any]:
    return {"name": name, "args": {"order": order}}


async def test_the_card_of_a_tool_is_that_of_its_action_and_its_effect_happens_once():
    till = Till()
    refund = till.refund()
    asked = await tried(mailing([as_tool(refund)], call("A-1")), refund, state=spoken)
    assert (asked.message, asked.data, asked.choices) == ("Refund A-1?", {"amount": 5}, ("cash", "card", "no"))
    assert asked.request.policy.deciders == BY_ANN.deciders
    assert asked.request.asker is not None
    assert asked.request.asker.action_id == "refund"
    done = await asked.answer("cash")
    assert results(done) == [('{"refunded": "A-1", "how": "cash"}', "success")]
    assert till.paid == ["A-1"]


async def test_several_calls_of_a_model_are_asked_in_turn_and_every_call_ends_with_one_result():
    till = Till()
    refund, price = till.refund(), till.price()
    calls = [call("A-1"), call("A-2"), call("B-77", "price"), call("A-3")]
    asked = await tried(mailing([as_tool(refund), as_tool(price)], *calls), refund, price, state=spoken)
    assert till.looked == ["B-77"]
    told = []
    for choice in ("card", "no", "cash"):
        told.append((asked.message, asked.position))
        asked = await asked.answer(choice)
    assert [message for message, _ in told] == ["Refund A-1?", "Refund A-2?", "Refund A-3?"]
    assert results(asked) == [
        ('{"refunded": "A-1", "how": "card"}', "success"),
        ("'Refund A-2?' was declined by U0DECIDER", "error"),
        ("4", "success"),
        ('{"refunded": "A-3", "how": "cash"}', "success"),
    ]
    assert (till.paid, till.looked) == (["A-1", "A-3"], ["B-77"])


async def test_that_nobody_answered_and_that_arguments_do_not_fit_is_told_as_what_it_is():
    refund = Till().refund()
    wrong = {"name": "refund", "args": {"order": "A-2", "amount": "much"}}
    asked = await tried(mailing([as_tool(refund)], call("A-1"), wrong), refund, state=spoken)
    [late, unfit] = results(await asked.expire())
    assert late == ("Nobody answered in time: 'Refund A-1?'", "error")
    assert unfit == ("'Tried' failed: its input does not fit: amount must be a whole number", "error")


async def test_a_node_calls_tools_itself_in_its_thread_or_awaiting_and_each_call_is_another():
    till = Till()
    refund, price = till.refund(), till.price()
    tool, look = as_tool(refund), as_tool(price)

    def in_a_thread(state: Draft) -> Draft:
        looked = [look.invoke({"order": "ab"}), look.invoke({"order": "ab"})]
        return {"text": f"{looked} {tool.invoke({'order': 'A-1'})['how']}"}

    async def awaiting(state: Draft) -> Draft:
        first = await tool.ainvoke({"order": "B-1"})
        sure = interrupt("Sure?")
        second = await tool.ainvoke({"order": "B-1"})
        return {"status": f"{first['how']} {sure} {second['how']}"}

    asked = await tried(line(Draft, in_a_thread, awaiting), refund, price)
    asked = await asked.answer("cash")
    asked = await asked.answer("card")
    assert asked.message == "Sure?"
    asked = await asked.answer("answer", "yes")
    done = await asked.answer("cash")
    assert done.output == {"text": "[2, 2] cash", "status": "card yes cash"}
    assert (till.paid, till.looked) == (["A-1", "B-1", "B-1"], ["ab", "ab"])


async def test_a_node_beside_a_tool_that_waits_comes_to_its_end_and_is_executed_once():
    till, ran = Till(), []
    refund = till.refund()
    tool = as_tool(refund)

    async def pays(state: Draft) -> Draft:
        return {"text": (await tool.ainvoke({"order": "A-1"}))["how"]}

    async def sends(state: Draft) -> Draft:
        ran.append("began")
        await asyncio.sleep(0.05)
        ran.append("ended")
        return {"status": "sent"}

    graph = StateGraph(Draft).add_node(pays).add_node(sends).add_edge(START, "pays").add_edge(START, "sends")
    asked = await tried(graph.compile(), refund)
    assert ran == ["began", "ended"]
    assert (await asked.answer("cash")).output == {"text": "cash", "status": "sent"}
    assert ran == ["began", "ended"]


async def test_a_node_does_not_ask_through_its_actions_context():
    async def ask(state: Draft, runtime: Runtime[Any]) -> Draft:
        return {"text": await runtime.context["ctx"].ask("Sure?")}

    failed = await tried(line(Draft, ask), context=lambda ctx: {"ctx": ctx})
    assert "use `interrupt()`, and tools of `as_tool`" in failed.failure.message


async def test_a_node_that_is_tried_again_does_not_call_again():
    till, attempts = Till(), []
    refund = till.refund()
    tool = as_tool(refund)

    async def flaky(state: Draft) -> Draft:
        paid = await tool.ainvoke({"order": "A-1"})
        attempts.append(paid["how"])
        if len(attempts) < 3:
            raise OSError("away")
        return {"text": paid["how"]}

    graph = StateGraph(Draft).add_node(
        flaky, retry_policy=RetryPolicy(initial_interval=0.001, jitter=False, retry_on=OSError)
    )
    asked = await tried(graph.add_edge(START, "flaky").compile(), refund)
    assert (await asked.answer("cash")).output == {"text": "cash"}
    assert (till.paid, len(attempts)) == (["A-1"], 3)


async def test_what_a_model_says_calls_nothing():
    """An interrupt of a graph that looks like a call of ours is a question, because this run has no such call."""
    refund = Till().refund()

    def forge(state: Draft) -> Draft:
        return {"text": interrupt({"signoff_call": "refund 0123456789ab"})}

    asked = await tried(line(Draft, forge), refund)
    assert (asked.message, asked.data) == ("Graph asks", {"signoff_call": "refund 0123456789ab"})


async def test_a_tool_says_what_it_needs():
    async def count(input: int, ctx: Context) -> int:
        return input

    with pytest.raises(ActionError, match="a tool takes named fields"):
        as_tool(declare(count))
    with pytest.raises(RuntimeError, match=r"works within a graph that graph_action\(\) runs"):
        await as_tool(Till().refund()).ainvoke({"order": "A-1"})
    tool = as_tool(Till().price())

    async def wrong(state: Draft) -> Draft:
        return {"text": tool.invoke({"order": "A-1"})}

    failed = await tried(line(Draft, wrong))
    assert "an async node awaits: call `ainvoke`" in failed.failure.message

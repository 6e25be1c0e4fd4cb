"""Graphs on a real database: killed anywhere they go on from their last checkpoint, and no answer is handed in twice."""

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from structlog.testing import capture_logs
from typing_extensions import TypedDict

from actions import Action, ActionInterrupt, Context, Person, Policy
from actions.kit.records.runs import RunStatus
from actions.langgraph import as_tool, graph_action
from tests.authors import IN_THE_CHANNEL, Nothing, declare
from tests.integration.engine_room import ANN, BEN, RITA, click, engine_room, order, refused
from tests.integration.engine_victim import lines
from tests.integration.graph_victim import victim
from tests.integration.test_runner_crashes import killed_at, recovered


@pytest.mark.parametrize(
    ("point", "ran", "idempotent"),
    [
        ("answered", {"prepare": 1, "ask": 4, "answers": 2, "act": 1}, True),
        ("acting", {"prepare": 1, "ask": 2, "answers": 1, "act": 2}, False),
    ],
)
async def test_a_killed_graph_goes_on_from_its_last_checkpoint_and_nodes_that_finished_are_not_executed_again(
    tmp_path: Path, point: str, ran: dict[str, int], idempotent: bool
):
    await killed_at(tmp_path, point, "graph_victim")
    action = victim(tmp_path, "", idempotent=idempotent)
    async with engine_room(tmp_path, action) as room:
        run = await recovered(room)
        ended = await room.ended(run)
        if point == "acting":
            assert ended.status is RunStatus.STALLED
            await room.runner.order(order(ended, "run_again", ANN))
            ended = await room.ended(run, epoch=ended.epoch + 1)
        assert (ended.status, ended.output) == (RunStatus.SUCCEEDED, '{"said":"yes"}')
        assert await room.store.card(f"{run.id}.2") is None
    assert {name: len(lines(tmp_path / name)) for name in ran} == ran


class Said(TypedDict, total=False):
    first: str
    second: str
    paid: str


class Order(BaseModel):
    order: str


def acting(graph: Any) -> Action:
    return graph_action(
        graph, id="graph", name="Graph", description="A graph.", policy=IN_THE_CHANNEL, input=Nothing, resume=bool
    )


async def test_an_answer_that_a_failed_node_had_got_is_not_handed_in_again(tmp_path: Path):
    """LangGraph gives a map of answers to a task once more, and the next question would get the answer of the last."""
    attempts: list[bool] = []

    def below(state: Said) -> Said:
        first = interrupt("First?")
        attempts.append(first)
        if len(attempts) == 1:
            raise OSError("away")
        return {"first": first, "second": interrupt("Second?")}

    inner = StateGraph(Said).add_node(below).add_edge(START, "below").compile()
    action = acting(StateGraph(Said).add_node("inner", inner).add_edge(START, "inner").compile())
    with capture_logs():
        async with engine_room(tmp_path, action) as room:
            run = await room.begin(action)
            await room.runner.click(click(await room.asked(run), "yes"))
            failed = await room.ended(run)
            assert failed.status is RunStatus.FAILED
            await room.runner.order(order(failed, "run_again", RITA))
            second = await room.asked(run, 2)
            assert second.interrupt.message == "Second?"
            await room.runner.click(click(second, "no"))
            ended = await room.ended(run, epoch=failed.epoch + 2)
    assert ended.output == '{"first":true,"second":false}'
    assert set(attempts) == {True}


async def test_a_tool_beside_a_question_is_decided_by_its_own_people_and_pays_once(tmp_path: Path, database_url: str):
    paid: list[str] = []

    async def pay(input: Order, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Pay {input.order}?")
        paid.append(input.order)
        return "paid"

    async def guarded(input: Order, ctx: Context) -> str:
        raise AssertionError("Rita may not start it")

    vault = declare(guarded, id="vault", policy=Policy(deciders=Person(ANN), starters=Person(BEN)))
    pays = declare(pay, id="pay", name="Pay", policy=Policy(deciders=Person(BEN)))
    tool = as_tool(pays)

    async def ask(state: Said) -> Said:
        return {"first": interrupt("First?")}

    async def call(state: Said) -> Said:
        refusal = await as_tool(vault).ainvoke({"order": "A-1"})
        return {"second": refusal, "paid": await tool.ainvoke({"order": "A-1"})}

    graph = StateGraph(Said).add_node(ask).add_node(call).add_edge(START, "ask").add_edge(START, "call")
    action = acting(graph.compile())
    async with engine_room(tmp_path, action, pays, vault, url=database_url) as room:
        run = await room.begin(action)
        cards = {}
        for number in (1, 2):
            card = cards[number] = await room.asked(run, number)
            assert (card.interrupt.position, card.interrupt.total) == (number, 2)
            if card.interrupt.message == "Pay A-1?":
                assert "not" in refused(await room.runner.click(click(card, "approve", ANN)))
                assert paid == []
                await room.runner.click(click(card, "approve", BEN))
            else:
                await room.runner.click(click(card, "yes", ANN))
        ended = await room.ended(run)
    assert ended.status is RunStatus.SUCCEEDED
    told = json.loads(ended.output or "")
    assert (told["first"], told["paid"]) == (True, "paid")
    assert told["second"].startswith("'Tried' failed: ")
    assert paid == ["A-1"]

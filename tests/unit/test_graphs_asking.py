"""What a graph asks becomes of it: its card, its answers, its end, and what of a graph cannot be an action."""

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, Field, field_validator

from actions import ActionError, Answer, Approve, Decline, Reject
from actions.kit.graphs.saver import RunSaver
from actions.kit.graphs.serializer import NotKeptError, StrictSerializer
from actions.langgraph import MemoryCheckpoints
from actions.testing import AnswerError, run
from tests.shown_code import code_of, put_in_place, shown_tests
from tests.unit.test_graphs_patterns import Draft, Wish, acting, begun, line

PAGE = Path(__file__).parents[2] / "docs" / "langgraph.md"


def asking(value: Any, **options: Any) -> Any:
    """A graph with one question; the answer is its text."""

    def ask(state: Draft) -> Draft:
        return {"text": interrupt(value, **options)}

    return line(Draft, ask)


@dataclass
class Lent:
    who: str


class Colour(BaseModel):
    """What the graph itself validates."""

    name: str = Field(min_length=3, title="Name")

    @field_validator("name")
    @classmethod
    def _is_no_grey(cls, name: str) -> str:
        if name == "grey":
            raise ValueError("no grey")
        return name


async def test_a_kind_of_card_is_named_and_brings_its_answer():
    value = {"ui": "choose", "message": "Which?", "data": {"options": ["red", "blue"]}}
    asked = await begun(acting(asking(value)))
    assert (asked.message, asked.data, asked.request.ui) == ("Which?", {"options": ["red", "blue"]}, "choose")
    assert asked.request.resume == "ui:choose"


@pytest.mark.parametrize("data", [{"zoom": 3}, 0, False, [], ""])
async def test_a_kind_that_nobody_registered_is_asked_generically_and_takes_any_json(data: Any):
    asked = await begun(acting(asking({"ui": "globe", "message": "Where?", "data": data})))
    assert (asked.message, asked.data, asked.request.ui, asked.choices) == ("Where?", data, "globe", ("answer",))
    assert (await asked.answer("answer", {"lat": 1.5})).output == {"text": {"lat": 1.5}}


@pytest.mark.parametrize(("value", "message", "shown"), [
    ("Really?", "Really?", None),
    (["a", 1], "Graph asks", {"value": ["a", 1]}),
    ({"message": "Ship it?", "data": {"order": "A-1"}}, "Ship it?", {"order": "A-1"}),
    ({"message": "Ship it?", "data": {"order": "A-1"}, "by": "Ann"}, "Ship it?", {"data": {"order": "A-1"}, "by": "Ann"}),
    ({"message": "Ship it?", "data": 0}, "Ship it?", {"data": 0}),
    ({"ui": " ", "price": Decimal("1.50")}, "Graph asks", {"ui": " ", "price": "1.50"}),
])  # fmt: skip
async def test_any_value_is_asked(value: Any, message: str, shown: Any):
    asked = await begun(acting(asking(value)))
    assert (asked.message, asked.data) == (message, shown)


async def test_an_answer_fits_the_schema_that_the_graph_gives_and_what_only_the_graph_refuses_is_asked_again():
    asked = await begun(acting(asking({"question": "Which colour?"}, response_schema=Colour), types=[Colour]))
    with pytest.raises(AnswerError, match="at least 3"):
        await asked.answer("answer", name="x")
    again = await asked.answer("answer", name="grey")
    assert again.message == "Which colour? The last answer was not taken: name: Value error, no grey"
    assert again.call_path == f"{asked.call_path}#2"
    assert (await again.answer("answer", name="blue")).output == {"text": {"name": "blue"}}


async def test_a_no_is_handed_to_the_graph():
    action = acting(asking("Agreed?"), resume=Approve | Reject)
    assert (await (await begun(action)).answer("approve")).output == {"text": {}}
    asked = await begun(action)
    assert asked.request.shape.is_approval
    assert (await asked.answer("reject", reason="Too dear")).output == {"text": {"reason": "Too dear"}}


async def test_a_question_that_nobody_answers_ends_as_the_action_says():
    graph = asking("Agreed?")
    assert (await (await begun(acting(graph))).expire()).status == "expired"
    assert (await (await begun(acting(graph, on_expiry=Decline()))).expire()).status == "declined"
    options: dict[str, Any] = {"on_expiry": Answer(choice="answer", value="later"), "expires_in": timedelta(hours=1)}
    asked = await begun(acting(graph, **options))
    assert asked.request.expires_in == timedelta(hours=1)
    assert (await asked.expire()).output == {"text": "later"}


async def test_the_input_the_output_and_what_nodes_use_are_made_as_the_author_says():
    def greet(state: Draft, runtime: Runtime[Lent]) -> Draft:
        return {"text": f"{state['text']} for {runtime.context.who}"}

    action = acting(
        line(Draft, greet),
        state=lambda wish: {"text": wish.text.upper()},
        context=lambda ctx: Lent(ctx.requester),
        result=lambda found: len(found["text"]),
        output=int,
    )
    assert (await begun(action, Wish(text="hall"))).output == len("HALL for U0REQUESTER")


async def test_a_checkpointer_of_the_graphs_own_is_used_and_one_that_forgot_is_told():
    saver = InMemorySaver()

    def ask(state: Draft) -> Draft:
        return {"text": interrupt("Sure?")}

    action = acting(line(Draft, ask, checkpointer=saver))
    asked = await run(action, {})
    assert list(saver.storage) == ["run:"]
    assert (await asked.answer("answer", "yes")).output == {"text": "yes"}
    saver.delete_thread("run:")
    asked = await run(action, {})
    saver.delete_thread("run:")
    forgotten = await asked.answer("answer", "yes")
    assert "the graph's checkpointer knows nothing of this run any more" in forgotten.failure.message


async def test_a_type_that_could_not_be_read_back_is_refused_when_it_is_written():
    def paint(state: Draft) -> Draft:
        return {"text": Colour(name="blue")}  # type: ignore[typeddict-item]

    failed = await begun(acting(line(Draft, paint)))
    assert "the graph's state holds tests.unit.test_graphs_asking.Colour: name it in" in failed.failure.message
    assert (await begun(acting(line(Draft, paint), types=[Colour]))).output == {"text": {"name": "blue"}}


async def test_what_is_kept_of_a_graph_can_be_listed_and_forgotten():
    saver = RunSaver(MemoryCheckpoints(), run_id="R1", epoch=1, serde=StrictSerializer())

    def first(state: Draft) -> Draft:
        return {"status": "begun"}

    def last(state: Draft) -> Draft:
        return {"text": "ended"}

    thread: RunnableConfig = {"configurable": {"thread_id": "t"}}
    graph = line(Draft, first, line(Draft, last, name="sub"), checkpointer=saver)
    await graph.ainvoke({"text": "x"}, thread)
    history = [each async for each in graph.aget_state_history(thread)]
    assert [each.values.get("text") for each in history] == ["ended", "x", "x", None]
    own: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    [second] = [each async for each in saver.alist(own, filter={"step": 1}, before=history[0].config, limit=1)]
    assert second.config == history[1].config
    assert len([each async for each in saver.alist(thread)]) > len(history)
    assert await asyncio.to_thread(lambda: next(saver.list(thread)).config) == history[0].config
    await saver.adelete_thread("t")
    assert [each async for each in saver.alist(thread)] == []


async def test_a_test_without_checkpoints_is_told_what_to_hand_over():
    assert "a test hands over resources=[MemoryCheckpoints()]" in (await run(acting(asking("?")), {})).failure.message


def test_nothing_that_is_read_back_is_executed():
    strict, open_ = StrictSerializer(), JsonPlusSerializer(pickle_fallback=True)
    with pytest.raises(NotImplementedError, match="pickle"):
        strict.loads_typed(("pickle", b"cos\nsystem\n(S'true'\ntR."))
    assert strict.loads_typed(open_.dumps_typed(Colour(name="blue"))) == {"name": "blue"}
    with pytest.raises(NotKeptError):
        strict.dumps_typed({"colour": Colour(name="blue")})


def test_a_graph_that_cannot_be_an_action_says_why():
    builder = StateGraph(Draft).add_node("a", lambda state: state).set_entry_point("a")
    for graph, mistake in (
        (builder, r"hand over builder\.compile\(\)"),
        (len, "it takes a compiled graph"),
        (builder.compile(interrupt_before=["a"]), r"stop without a question: call `interrupt\(\)` in the node"),
    ):
        with pytest.raises(ActionError, match=mistake):
            acting(graph)


async def test_the_graph_that_the_page_shows_passes_the_test_that_it_shows(monkeypatch: pytest.MonkeyPatch):
    module, test = code_of(PAGE)
    put_in_place("actions.claim", module, monkeypatch)
    [shown] = shown_tests(test)
    await shown()


def test_without_the_extras_they_are_named_and_the_registry_loads():
    code = """
import importlib, sys
sys.modules |= {"langgraph": None, "agents": None}
from actions.kit.registry import Registry
Registry.load()
for front in ("langgraph", "openai_agents"):
    try:
        importlib.import_module(f"actions.{front}")
    except ImportError as error:
        print(error)
"""
    ended = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout.splitlines() == [
        "langgraph is not installed; in the bot's checkout, its extra brings it: pip install '.[langgraph]'",
        "agents is not installed; in the bot's checkout, its extra brings it: pip install '.[openai-agents]'",
    ]

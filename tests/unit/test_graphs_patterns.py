"""LangGraph's ways of having a person in the loop, each as a graph that is an action: what is asked, and what comes back."""

import operator
from collections.abc import Callable
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send, interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict

from actions import Action
from actions.langgraph import MemoryCheckpoints, graph_action
from actions.testing import Trial, run
from tests.authors import IN_THE_CHANNEL


class Wish(BaseModel):
    text: str = "Paint the hall"


class Draft(TypedDict, total=False):
    text: str
    status: str
    problem: str


def acting(graph: Any, **options: Any) -> Action:
    """The graph as an action; without an edge to it each node starts."""
    settings: dict[str, Any] = {
        "id": "graph",
        "name": "Graph",
        "description": "A graph.",
        "policy": IN_THE_CHANNEL,
        "input": Wish,
    }
    return graph_action(graph, **settings | options)


def line(state: Any, *nodes: Callable[..., Any], **compiled: Any) -> Any:
    """A graph whose nodes stand one after another."""
    return StateGraph(state).add_sequence(nodes).add_edge(START, nodes[0].__name__).compile(**compiled)


async def begun(action: Action, given: Any = None, **more: Any) -> Trial:
    return await run(action, given or {}, resources=[MemoryCheckpoints()], **more)


async def test_approve_or_reject_an_answer_routes_the_graph():
    def approval(state: Draft) -> Command[Literal["proceed", "cancel"]]:
        agreed = interrupt({"question": "Go ahead?", "details": state["text"]})
        return Command(goto="proceed" if agreed else "cancel")

    def proceed(state: Draft) -> Draft:
        return {"status": "done"}

    def cancel(state: Draft) -> Draft:
        return {"status": "cancelled"}

    graph = StateGraph(Draft).add_node(approval).add_node(proceed).add_node(cancel).add_edge(START, "approval")
    action = acting(graph.compile(), resume=bool)
    asked = await begun(action)
    assert (asked.message, asked.data) == ("Go ahead?", {"details": "Paint the hall"})
    assert (await asked.answer("yes")).output == {"text": "Paint the hall", "status": "done"}
    assert (await (await begun(action)).answer("no")).output["status"] == "cancelled"


async def test_review_and_edit_the_answer_takes_the_place_of_the_state():
    def review(state: Draft) -> Draft:
        return {"text": interrupt({"instruction": "Correct it", "content": state["text"]})}

    answers: list[Any] = ["Paint the stairs", None, False, {}]
    for answer in answers:
        asked = await begun(acting(line(Draft, review)))
        assert (asked.message, asked.choices) == ("Correct it", ("answer",))
        assert (await asked.answer("answer", answer)).output == {"text": answer}


async def test_a_node_may_ask_one_thing_after_another_and_each_answer_stays_with_its_question():
    begins = []

    def both(state: Draft) -> Draft:
        begins.append(state["text"])
        first, second = interrupt("First?"), interrupt("Second?")
        return {"text": f"{first}, {second}"}

    asked = await begun(acting(line(Draft, both)))
    later = await asked.answer("answer", "one")
    assert (asked.message, later.message) == ("First?", "Second?")
    assert (await later.answer("answer", "two")).output == {"text": "one, two"}
    assert len(begins) == 3


async def test_an_answer_is_validated_in_a_loop_by_an_edge_and_nothing_else_runs_twice():
    ran = []

    def prepare(state: Draft) -> Draft:
        ran.append("prepare")
        return {}

    def age(state: Draft) -> Draft:
        ran.append("age")
        answer = interrupt(state.get("problem") or "How old?")
        return {"text": str(answer)} if isinstance(answer, int) else {"text": "", "problem": f"{answer} is no number"}

    graph = StateGraph(Draft).add_node(prepare).add_node(age).add_edge(START, "prepare").add_edge("prepare", "age")
    graph.add_conditional_edges("age", lambda state: END if state["text"] else "age")
    asked = await begun(acting(graph.compile()))
    for wrong in ("thirty", "many"):
        asked = await asked.answer("answer", wrong)
        assert asked.message == f"{wrong} is no number"
    assert (await asked.answer("answer", 30)).output["text"] == "30"
    assert ran == ["prepare", *["age"] * 6]


class Gathered(TypedDict, total=False):
    text: str
    found: Annotated[list[str], operator.add]


async def test_questions_side_by_side_are_asked_in_turn_and_answered_to_the_graph_together():
    resumed = []

    def each(state: Gathered) -> Gathered:
        answer = interrupt(f"{state['text']}?")
        resumed.append(answer)
        return {"found": [f"{state['text']} {answer}"]}

    def spread(_: Gathered) -> list[Send]:
        return [Send("each", {"text": text}) for text in ("a", "b", "c")]

    graph = StateGraph(Gathered).add_node(each).add_conditional_edges(START, spread, ["each"]).compile()
    asked = await begun(acting(graph))
    for number, answer in enumerate(("one", "two", "three"), 1):
        assert (asked.position, resumed) == ((number, 3), [])
        asked = await asked.answer("answer", answer)
    assert asked.output["found"] == ["a one", "b two", "c three"]
    assert sorted(resumed) == ["one", "three", "two"]


async def test_a_subgraph_that_is_a_node_and_one_that_a_node_calls_get_their_answers():
    ran = []

    def inner(state: Draft) -> Draft:
        ran.append("inner")
        return {"status": interrupt("Inside?")}

    below = line(Draft, inner)

    def calls(state: Draft) -> Draft:
        ran.append("calls")
        return {"text": below.invoke({"text": state["text"]})["status"]}

    async def awaits(state: Draft) -> Draft:
        ran.append("awaits")
        return {"problem": (await below.ainvoke({"text": state["text"]}))["status"]}

    graph = StateGraph(Draft).add_node(calls).add_node(awaits).add_node("sub", below)
    graph.add_edge(START, "sub").add_edge("sub", "calls").add_edge("calls", "awaits")
    asked = await begun(acting(graph.compile()))
    for answer in ("as a node", "called", "awaited"):
        assert asked.message == "Inside?"
        asked = await asked.answer("answer", answer)
    assert asked.output == {"text": "called", "status": "as a node", "problem": "awaited"}
    assert ran == ["inner", "inner", "calls", "inner", "calls", "inner", "awaits", "inner", "awaits", "inner"]


def mailing(tools: list[Any], *calls: dict[str, Any]) -> Any:
    """A graph in which a model, which is a script, calls tools and then stops."""

    def model(state: MessagesState) -> dict[str, Any]:
        done = any(isinstance(each, ToolMessage) for each in state["messages"])
        named = [{"name": "send", "id": f"call {number}", **each} for number, each in enumerate(calls)]
        return {"messages": [AIMessage("", tool_calls=[] if done else named)]}

    graph = StateGraph(MessagesState).add_node(model).add_node("tools", ToolNode(tools)).add_edge(START, "model")
    graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    return graph.add_edge("tools", "model").compile()


def results(trial: Trial) -> list[tuple[str, str]]:
    return [(each["content"], each["status"]) for each in trial.output["messages"] if each["type"] == "tool"]


def spoken(wish: Wish) -> dict[str, Any]:
    return {"messages": [("user", wish.text)]}


async def test_a_tool_that_interrupts_is_reviewed_and_its_arguments_edited():
    sent = []

    def send(to: str) -> str:
        """Send an e-mail."""
        answer = interrupt({"action": "send", "to": to, "message": "Send it?"})
        if answer["action"] != "approve":
            return "not sent"
        sent.append(answer.get("to", to))
        return f"sent to {sent[-1]}"

    action = acting(mailing([send], {"args": {"to": "ann"}}), state=spoken)
    for answer, result in (({"action": "approve", "to": "ben"}, "sent to ben"), ({"action": "reject"}, "not sent")):
        asked = await begun(action)
        assert (asked.message, asked.data) == ("Send it?", {"action": "send", "to": "ann"})
        assert results(await asked.answer("answer", answer)) == [(result, "success")]
    assert sent == ["ben"]

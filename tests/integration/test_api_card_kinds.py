"""Programs answer what is asked with a kind of card: what the card shows may be left out, and cannot be otherwise."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from actions.ask import ask
from tests.acceptance.asked_actions import asks_kind, pauses_with_kind
from tests.asked_kinds import CODE
from tests.integration.api_room import ANN, Api, api_room


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_room(tmp_path, asks_kind, pauses_with_kind, ask) as opened:
        yield opened


async def output(api: Api, answered: Any) -> Any:
    run = await api.room.store.run(answered.body["run"])
    assert run
    await api.room.ended(run)
    return (await (await api.client()).get(f"/v1/runs/{run.id}")).body["output"]


@pytest.mark.parametrize("way", ["asks_kind", "pauses_with_kind"])
async def test_the_answers_of_a_kind_are_given_over_http(api: Api, way: str):
    ann = await api.client(ANN)
    asked = await api.asked(await api.client(), way, {"ui": "write_code"})
    (shown,) = (await ann.get("/v1/interrupts")).body["interrupts"]
    assert (shown["ui"], [choice["has_form"] for choice in shown["choices"]]) == ("write_code", [False, True, False])
    assert shown["choices"][0]["value"] == {"action": "run", "code": CODE}

    other = await ann.answer(asked, choice="run", value={"action": "run", "code": "rm -rf /"})
    assert other.errors == {"/value/code": "is not what is shown; leave it out"}
    answered = await ann.answer(asked, choice="run", value={"action": "run"})
    assert await output(api, answered) == {"action": "run", "code": CODE}


async def test_a_form_that_came_with_the_question_holds_over_http_too(api: Api):
    ann = await api.client(ANN)
    asked = await api.asked(await api.client(), "asks_kind", {"ui": "form"})
    wrong = await ann.answer(asked, choice="answer", value={"size": 0, "shape": "round"})
    assert wrong.errors == {"/value/size": "must be at least 1", "/value/shape": "is not known here"}
    answered = await ann.answer(asked, choice="answer", value={"size": 2, "colour": "blue"})
    assert await output(api, answered) == {"size": 2, "colour": "blue"}


async def test_a_program_asks_with_a_kind_of_card_too(api: Api):
    rita, ann = await api.client(), await api.client(ANN)
    question = {"message": "Which region?", "deciders": ["#approvals"], "ui": "choose"}
    refused = await rita.start("ask", {**question, "data": {"options": []}, "answer": {"enum": ["a"]}})
    assert refused.errors == {
        "/input/data": "cannot be shown on a card of this kind: options must not be empty",
        "/input/answer": "must be left out: a kind of card has its own answers",
    }
    asked = await api.asked(rita, "ask", {**question, "data": {"options": ["Frankfurt", "Virginia"]}})
    wrong = await ann.answer(asked, choice="answer", value={"chosen": "Mars"})
    assert wrong.errors == {"/value/chosen": "must be one of the options that are shown"}
    answered = await ann.answer(asked, choice="answer", value={"chosen": "Virginia"})
    assert (await output(api, answered))["value"] == {"chosen": "Virginia"}

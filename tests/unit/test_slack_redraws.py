"""Drawing an open form anew: of several drawings the newest stays, whatever order Slack takes them in."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from bot.engine.tasks import OwnedTasks
from bot.slack import redraws
from bot.slack.client import open_clients
from bot.slack.redraws import Redraws
from tests.unit.tiny_slack import DROP, TinySlack, failed, tiny_slack

GRACE = 5.0


class Shown:
    """One open view as Slack keeps it: what it shows, and the hash that changes with each update."""

    def __init__(self) -> None:
        self.title = "first"
        self.hash = "h0"
        self.slow = asyncio.Event()
        self.slow.set()
        self.asked = asyncio.Event()
        self._numbers = itertools.count(1)

    async def update(self, arguments: dict[str, Any]) -> dict[str, Any]:
        self.asked.set()
        await self.slow.wait()
        if arguments.get("hash") not in {None, self.hash}:
            return failed("hash_conflict")
        self.title, self.hash = arguments["view"]["title"]["text"], f"h{next(self._numbers)}"
        return {"ok": True, "view": {"id": arguments["view_id"], "hash": self.hash}}


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[TinySlack]:
    async with tiny_slack() as slack:
        yield slack


class Drawing:
    """The drawings of one view, each of which knows whether it is the newest."""

    def __init__(self, drawing: Redraws, tasks: OwnedTasks) -> None:
        self._redraws = drawing
        self._tasks = tasks
        self.newest = 0

    def draw(self, number: int, *, seen: str = "h0") -> None:
        self.newest = max(self.newest, number)

        async def is_wanted() -> bool:
            return self.newest == number

        view = {"type": "modal", "title": {"type": "plain_text", "text": str(number)}, "blocks": []}
        self._redraws.draw("V1", seen, view, is_wanted)

    async def replace(self, title: str) -> bool:
        view = {"type": "modal", "title": {"type": "plain_text", "text": title}, "blocks": []}
        return await self._redraws.replace("V1", view)

    async def end(self) -> None:
        await self._tasks.drain(GRACE)


@pytest_asyncio.fixture
async def drawing(slack: TinySlack) -> AsyncIterator[Drawing]:
    async with open_clients("xoxb-test", slack.api_url) as clients:
        tasks = OwnedTasks()
        yield Drawing(Redraws(clients.writer, tasks), tasks)
        await tasks.drain(GRACE)


@pytest.fixture
def view(slack: TinySlack) -> Shown:
    shown = Shown()
    slack.methods["views.update"] = shown.update
    return shown


async def test_two_clicks_on_the_same_view_end_with_the_second_drawing(drawing: Drawing, view: Shown, slack: TinySlack):
    view.slow.clear()
    drawing.draw(1)
    await view.asked.wait()
    drawing.draw(2)
    view.slow.set()
    await drawing.end()
    assert view.title == "2"
    assert [call["hash"] for call in slack.called("views.update")] == ["h0", "h1"]


async def test_a_click_on_a_view_that_was_drawn_since_goes_on_from_that_drawing(drawing: Drawing, view: Shown):
    for number in (1, 2, 3):
        drawing.draw(number)
        await drawing.end()
    assert (view.title, view.hash) == ("3", "h3")


async def test_what_another_process_drew_first_is_drawn_over_by_what_is_newer(drawing: Drawing, view: Shown):
    view.hash = "elsewhere"
    drawing.draw(2)
    await drawing.end()
    assert view.title == "2"


async def test_a_form_that_was_sent_meanwhile_is_not_brought_back(drawing: Drawing, view: Shown):
    drawing.draw(1)
    drawing.newest = 2
    view.title, view.hash = "Checking…", "elsewhere"
    await drawing.end()
    assert view.title == "Checking…"


async def test_a_form_that_is_sent_while_it_is_drawn_is_not_brought_back(drawing: Drawing, view: Shown):
    view.slow.clear()
    drawing.draw(1)
    await view.asked.wait()
    drawing.newest = 2
    view.title, view.hash = "Checking…", "elsewhere"
    view.slow.set()
    await drawing.end()
    assert view.title == "Checking…"


@pytest.mark.parametrize(
    "answer", [DROP, web.json_response(failed("ratelimited"), status=429, headers={"Retry-After": "1"})]
)
async def test_what_fails_in_passing_is_drawn_again(
    drawing: Drawing, view: Shown, slack: TinySlack, monkeypatch: pytest.MonkeyPatch, answer: web.Response
):
    monkeypatch.setattr(redraws, "LONGEST_WAIT", 0.01)
    answers = iter([answer])

    async def once(arguments: dict[str, Any]) -> Any:
        return next(answers, None) or await view.update(arguments)

    slack.methods["views.update"] = once
    drawing.draw(1)
    await drawing.end()
    assert view.title == "1"


async def test_what_takes_the_place_of_whatever_is_shown_is_shown_after_a_failure_in_passing_too(
    drawing: Drawing, view: Shown, slack: TinySlack, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(redraws, "LONGEST_WAIT", 0.01)
    answers = iter([DROP, failed("internal_error")])

    async def twice(arguments: dict[str, Any]) -> Any:
        return next(answers, None) or await view.update(arguments)

    slack.methods["views.update"] = twice
    view.hash = "elsewhere"
    assert await drawing.replace("Not taken")
    assert view.title == "Not taken"


@pytest.mark.parametrize(("word", "tries"), [("not_found", 1), ("service_unavailable", redraws.TRIES)])
async def test_what_could_not_take_its_place_is_known(
    drawing: Drawing, slack: TinySlack, monkeypatch: pytest.MonkeyPatch, word: str, tries: int
):
    monkeypatch.setattr(redraws, "LONGEST_WAIT", 0.01)
    slack.answer("views.update", failed(word))
    assert not await drawing.replace("Not taken")
    assert len(slack.called("views.update")) == tries


async def test_a_drawing_whose_answer_was_lost_is_not_taken_for_somebody_elses(
    drawing: Drawing, view: Shown, slack: TinySlack, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(redraws, "LONGEST_WAIT", 0.01)
    answers = iter([DROP])

    async def lost(arguments: dict[str, Any]) -> Any:
        done = await view.update(arguments)
        return next(answers, done)

    slack.methods["views.update"] = lost
    drawing.draw(1)
    await drawing.end()
    drawing.draw(2, seen=view.hash)
    await drawing.end()
    assert view.title == "2"


@pytest.mark.parametrize("word", ["not_found", "invalid_arguments", "token_revoked"])
async def test_what_slack_will_never_draw_is_tried_once(drawing: Drawing, slack: TinySlack, word: str):
    slack.answer("views.update", failed(word))
    drawing.draw(1)
    await drawing.end()
    assert len(slack.called("views.update")) == 1


async def test_what_keeps_failing_is_given_up(drawing: Drawing, slack: TinySlack, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(redraws, "LONGEST_WAIT", 0.01)
    slack.answer("views.update", failed("service_unavailable"))
    drawing.draw(1)
    await drawing.end()
    assert len(slack.called("views.update")) == redraws.TRIES


async def test_only_so_many_drawings_are_remembered(drawing: Drawing, view: Shown, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(redraws, "REMEMBERED", 2)
    for number in range(1, 6):
        drawing.draw(number, seen=view.hash)
        await drawing.end()
    assert len(drawing._redraws._followed) == 2

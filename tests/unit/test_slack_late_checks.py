"""A check that outlives its ack: its result follows the ack, whatever it is, and nobody is left with "Checking…"."""

import asyncio
from inspect import signature
from typing import Any, cast

import pytest

from actions.kit.errors import Problem
from blocks.form import notice_view
from bot.engine.refusals import BROKE_OFF
from bot.engine.results import OpenForm, Refusal, Settled, Shown
from bot.engine.tasks import OwnedTasks
from bot.slack import forms
from bot.slack.forms import FormListeners
from bot.slack.listeners import Listeners

GRACE = 5.0


class Screen:
    """What the person's modal shows, one after the other."""

    def __init__(self, *, is_closed: bool = False) -> None:
        self.titles: list[str] = []
        self.is_closed = is_closed

    async def ack(self, *, view: dict[str, Any], **_: Any) -> None:
        await asyncio.sleep(0.02)
        self.titles.append(view["title"]["text"])

    async def replace(self, _view_id: str, view: dict[str, Any]) -> bool:
        if not self.is_closed:
            self.titles.append(view["title"]["text"])
        return not self.is_closed


class Told:
    """What a person was told privately."""

    def __init__(self) -> None:
        self.words: list[str] = []

    async def tell(self, _person: str, text: str, _response_url: str | None = None) -> None:
        self.words.append(text)


class Press:
    """A click, as far as telling its person goes."""

    person = "U0ANN"
    response_url = None


class Form:
    """A submission, as far as its place on the screen goes."""

    view_id = "V1"
    person = "U0ANN"


async def checked_late(screen: Screen, later: "asyncio.Future[Any]", monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the person is told besides."""
    monkeypatch.setattr(forms, "ACK_TRAVELS", 0.01)
    told, tasks = Told(), OwnedTasks()
    parts: Any = {"runner": None, "modals": screen, "whispers": told, "tasks": tasks}
    await FormListeners(**parts)._check(cast("Any", screen.ack), cast("Any", Form()), later)
    await tasks.drain(GRACE)
    return told.words


async def titles_after(later: "asyncio.Future[Any]", monkeypatch: pytest.MonkeyPatch) -> list[str]:
    screen = Screen()
    assert await checked_late(screen, later, monkeypatch) == []
    return screen.titles


async def test_whoever_closed_the_window_is_told_privately_what_was_not_taken(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_result(Refusal("Too late."))
    assert await checked_late(Screen(is_closed=True), later, monkeypatch) == ["Too late."]


async def test_whoever_closed_the_window_is_told_what_is_wrong_with_the_form(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    shown = Shown(problems=(Problem(("where",), "is no place"),))
    later.set_result(OpenForm(cast("Any", None), cast("Any", None), shown))
    monkeypatch.setattr(forms, "form_view", lambda _: notice_view("Trip", "the form"))
    (words,) = await checked_late(Screen(is_closed=True), later, monkeypatch)
    assert "where is no place" in words


async def test_whoever_closed_the_window_hears_nothing_of_what_was_taken(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_result(Settled(cast("Any", None)))
    assert await checked_late(Screen(is_closed=True), later, monkeypatch) == []


async def test_a_check_that_breaks_off_behind_a_closed_window_is_told(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_exception(OSError("the disk is full"))
    assert await checked_late(Screen(is_closed=True), later, monkeypatch) == [BROKE_OFF]


async def test_a_result_that_is_there_at_once_still_follows_the_ack(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_result(None)
    assert await titles_after(later, monkeypatch) == ["Checking…", "Done"]


async def test_a_check_that_breaks_off_says_that_it_is_not_known(monkeypatch: pytest.MonkeyPatch):
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_exception(OSError("the disk is full"))
    assert await titles_after(later, monkeypatch) == ["Checking…", "Not known"]


async def test_a_person_whose_click_broke_off_later_is_told():
    later: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    later.set_exception(OSError("the disk is full"))
    told = Told()
    parts: Any = dict.fromkeys(signature(Listeners).parameters) | {"whispers": told}
    with pytest.raises(OSError, match="the disk is full"):
        await Listeners(**parts)._tell_later(cast("Any", Press()), later)
    assert told.words == [BROKE_OFF]

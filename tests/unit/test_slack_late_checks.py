"""A check that outlives its ack: its result follows the ack, whatever it is, and nobody is left with "Checking…"."""

import asyncio
from inspect import signature
from typing import Any, cast

import pytest

from bot.engine.refusals import BROKE_OFF
from bot.engine.tasks import OwnedTasks
from bot.slack import forms
from bot.slack.forms import FormListeners
from bot.slack.listeners import Listeners

GRACE = 5.0


class Screen:
    """What the person's modal shows, one after the other."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    async def ack(self, *, view: dict[str, Any], **_: Any) -> None:
        await asyncio.sleep(0.02)
        self.titles.append(view["title"]["text"])

    async def replace(self, _view_id: str, view: dict[str, Any]) -> None:
        self.titles.append(view["title"]["text"])


class Told:
    """What a person was told privately."""

    def __init__(self) -> None:
        self.words: list[str] = []

    async def tell(self, _person: str, text: str, _response_url: str | None) -> None:
        self.words.append(text)


class Press:
    """A click, as far as telling its person goes."""

    person = "U0ANN"
    response_url = None


class Form:
    """A submission, as far as its place on the screen goes."""

    view_id = "V1"


async def titles_after(later: "asyncio.Future[Any]", monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(forms, "ACK_TRAVELS", 0.01)
    screen, tasks = Screen(), OwnedTasks()
    parts: Any = dict.fromkeys(signature(FormListeners).parameters) | {"modals": screen, "tasks": tasks}
    listening = FormListeners(**parts)
    await listening._check(cast("Any", screen.ack), cast("Any", Form()), later)
    await tasks.drain(GRACE)
    return screen.titles


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

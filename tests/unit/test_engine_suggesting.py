"""Options are suggested within Slack's three seconds, however long their source takes to load."""

import asyncio
import threading
from typing import Any

import pytest

from actions.kit.shapes.typed import typed
from actions.kit.sources import OptionSource, places
from blocks.clicks import StartTarget, Suggestion
from bot import clock
from bot.engine import forms
from bot.engine.forms import Forms
from bot.engine.tasks import OwnedTasks

SCHEMA = typed({"type": "object", "properties": {"at": {"type": "string", "options_from": "places"}}}).json_schema
ASKED = Suggestion(StartTarget("visit", None, "n"), "field:/at", "graz", "U0RITA")


async def test_a_source_that_is_not_loaded_yet_suggests_nothing_and_is_there_for_the_next_letter(monkeypatch):
    loaded = threading.Event()
    nobody: Any = None
    slow = OptionSource("places", load=lambda: loaded.wait(10), search=places.search, find=places.find)
    monkeypatch.setattr(forms, "source_of", lambda _: slow)
    monkeypatch.setattr(forms, "SUGGESTS_WITHIN", 0.05)
    asking = Forms(drafts=nobody, tasks=OwnedTasks(), now=clock.now)
    assert await asking.suggested(SCHEMA, ASKED) == []
    loaded.set()
    await asyncio.to_thread(places.SOURCE.load)
    monkeypatch.setattr(forms, "SUGGESTS_WITHIN", 10.0)
    (first, *_) = await asking.suggested(SCHEMA, ASKED)
    assert first["text"]["text"] == "Graz, Austria"


async def test_a_form_that_opens_has_its_source_loaded_meanwhile_and_does_not_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
):
    begun, loaded, tasks = threading.Event(), threading.Event(), OwnedTasks()
    nobody: Any = None

    def load() -> None:
        begun.set()
        loaded.wait(10)

    monkeypatch.setattr(forms, "source_of", lambda _: OptionSource("places", load, places.search, places.find))
    await Forms(drafts=nobody, tasks=tasks, now=clock.now).opened(SCHEMA, "U0RITA")
    assert await asyncio.to_thread(begun.wait, 10)
    loaded.set()
    await tasks.drain(10)

"""What the page about agents shows works."""

from pathlib import Path

import pytest

from actions.agent import agent as shipped
from actions.kit.agents.agent import Limits, agent_of
from bot.settings import Settings
from tests.shown_code import code_of, put_in_place, shown_tests

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"


async def test_the_agent_that_it_shows_does_what_its_test_says(monkeypatch: pytest.MonkeyPatch):
    module, test = code_of(PAGE)
    put_in_place("actions.desk", module, monkeypatch)
    [shown] = shown_tests(test)
    await shown()


def test_its_settings_and_limits_are_those_of_the_code():
    page = PAGE.read_text("utf-8")
    assert f"`{Limits()!r}`".replace("200000", "200_000") in page
    assert Settings.env_name("agent") in page
    assert agent_of(shipped) is not None

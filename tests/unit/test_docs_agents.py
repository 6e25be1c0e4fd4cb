"""What the page about agents shows works."""

import re
from pathlib import Path
from typing import Any

from actions.agent import agent as shipped
from actions.kit.agents.agent import Limits, agent_of
from bot.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")


async def test_the_agent_that_it_shows_does_what_its_test_says():
    space: dict[str, Any] = {"__name__": __name__}
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        exec(code, space)  # noqa: S102 - the page is ours
    [shown] = [value for name, value in space.items() if name.startswith("test_")]
    await shown()


def test_its_settings_and_limits_are_those_of_the_code():
    assert f"`{Limits()!r}`".replace("200000", "200_000") in PAGE
    assert Settings.env_name("agent") in PAGE
    assert agent_of(shipped) is not None

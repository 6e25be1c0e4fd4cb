"""The office with the bot in it, over each transport."""

import asyncio
import gc
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.settings import Transport
from storage.transitions import copies
from tests.acceptance.browser import Tabs, tabs_at
from tests.acceptance.office import Office, office


@pytest.fixture(params=["socket", "http"])
def transport(request: pytest.FixtureRequest) -> Transport:
    chosen: Transport = request.param
    return chosen


@pytest.fixture(autouse=True)
def quick_pace(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A post to each place every 50 ms, so that nobody waits for Slack's one a second.

    Where somebody looks at the page it is as people see it, and a bot in a process of its own keeps to it as well.
    """
    if request.node.get_closest_marker("chromium") is None:
        monkeypatch.setattr(copies, "POST_PACE", timedelta(milliseconds=50))


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str | None:
    """Where the bot keeps its runs: SQLite in the office's folder, and PostgreSQL too where a module asks for both."""
    kind = getattr(request, "param", "sqlite")
    return None if kind == "sqlite" else str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
async def closed_office(
    transport: Transport, database: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Office]:
    """The workbench alone; the test opens the bot. Whatever happens, no ack of it may come later than Slack waits."""
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with office(transport, tmp_path) as opened:
        opened.database_url = database
        yield opened
        assert [ack for ack in opened.workbench.acks if ack.outcome == "late"] == []


@pytest.fixture
async def open_office(closed_office: Office) -> Office:
    """The workbench, and the whole bot connected to it."""
    await closed_office.open()
    return closed_office


@pytest.fixture
async def tabs(closed_office: Office) -> AsyncIterator[Tabs]:
    """A browser at the office's page. Neither its tabs nor what serves them may complain about anything."""
    lost: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(str(context)))
    async with tabs_at(closed_office.workbench.url) as opened:
        yield opened
    gc.collect()
    assert opened.complaints == []
    assert lost == []

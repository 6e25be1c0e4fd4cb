"""The office with the bot in it, over each transport."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import Transport
from tests.acceptance.office import Office, office


@pytest.fixture(params=["socket", "http"])
def transport(request: pytest.FixtureRequest) -> Transport:
    return request.param


@pytest.fixture
async def closed_office(transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    """The workbench alone; the test opens the bot."""
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with office(transport, tmp_path) as opened:
        yield opened


@pytest.fixture
async def open_office(closed_office: Office) -> Office:
    """The workbench, and the whole bot connected to it."""
    await closed_office.open()
    return closed_office

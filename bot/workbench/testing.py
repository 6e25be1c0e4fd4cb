"""The pytest plugin for teams: `pytest_plugins = ["bot.workbench.testing"]` gives tests the fixture `workbench`.

docs/testing.md tells it from start to finish. It needs pytest and pytest-asyncio. PYTEST_DONT_REWRITE: a conftest that
imports from here and names it as a plugin too is not warned of.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.workbench.bench import Timings
from bot.workbench.config import load_workspace
from bot.workbench.live import LiveWorkbench, NotStartedError, Setup
from bot.workbench.server import Workbench

__all__ = ["LiveWorkbench", "NotStartedError", "Setup", "Timings", "workbench", "workbench_setup"]

LEDGER = "ledger.jsonl"


@pytest.fixture
def workbench_setup() -> Setup:
    """How `workbench` is set up. Override it: for a module, a folder, or with parameters for both transports."""
    return Setup()


@pytest_asyncio.fixture
async def workbench(
    workbench_setup: Setup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[LiveWorkbench]:
    """A local Slack with people in it, and the real bot with the actions of the setup, on a database of its own.

    The worked actions' ledger is in the workbench's folder too.
    """
    folder = tmp_path / "workbench"
    folder.mkdir()
    monkeypatch.setenv("SIGNOFF_LEDGER", str(folder / LEDGER))
    configured = load_workspace(workbench_setup.config)
    async with Workbench(
        workspace=configured.workspace,
        signing_secret=configured.signing_secret,
        timings=workbench_setup.timings,
    ) as slack:
        live = LiveWorkbench(slack, workbench_setup, folder)
        try:
            await live.open()
            yield live
        finally:
            await live.close()

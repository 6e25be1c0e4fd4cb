"""The graph that the page about LangGraph shows, with the whole bot in the workbench, which dies between the two questions."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench.live import LiveWorkbench, Setup
from bot.workbench.server import Workbench
from tests.shown_code import code_of

PAGE = Path(__file__).parents[2] / "docs" / "langgraph.md"


@pytest.fixture
async def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveWorkbench]:
    """A bot whose team put the page's example into a module of its own."""
    module, _ = code_of(PAGE)
    (tmp_path / "shown_claims.py").write_text(module, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    async with Workbench() as workbench:
        opened = LiveWorkbench(workbench, Setup(("shown_claims",)), tmp_path)
        try:
            await opened.open()
            yield opened
        finally:
            await opened.close()


async def test_a_graph_asks_in_slack_and_goes_on_in_another_bot(live: LiveWorkbench):
    run = await live.start("claim", {"what": "a train", "euros": 71})
    rita, ann = live.person("rita"), live.person("ann")
    asked = await rita.sees("Which account pays for a train?", in_="dm")
    await rita.click(asked, "Choose")
    await rita.submit(await rita.modal("Choose"), {"Your choice": "travel"})
    card = await ann.sees("Pay 71 EUR from travel?", in_="#approvals")
    assert card.says("through Pay claim")
    await live.restart()
    await ann.click(card, "Approve")
    assert (await live.ends(run.id, RunStatus.SUCCEEDED)).output == '"71 EUR paid from travel"'

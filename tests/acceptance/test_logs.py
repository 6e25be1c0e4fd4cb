"""The log of a bot is for machines where that is set, and holds neither what people typed nor any token, at any level."""

import asyncio
import json
import sys
from asyncio.subprocess import create_subprocess_exec
from functools import partial
from pathlib import Path

import pytest

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import office
from tests.waiting import until

WORD, REASON = "Zanzibar-4711", "Rumpelstiltskin"


async def log_of_some_approvals(folder: Path) -> tuple[list[str], list[str]]:
    """One that fails after its approval, one that is declined, one whose form is refused; and what the log must not hold."""
    async with office("socket", folder) as opened, opened.reading() as store:
        settings = opened.settings()
        debug = {"SIGNOFF_LOG_FORMAT": "json", "SIGNOFF_LOG_LEVEL": "debug"}
        with (folder / "bot.log").open("ab") as log:
            bot = await create_subprocess_exec(
                sys.executable, "-c", "from bot.cli import main; main()", "serve",
                env=opened.environment(settings) | debug, cwd=folder, stderr=log,
            )  # fmt: skip
        assert await opened.workbench.connected(timeout=60)
        rita, ann = opened.person("rita"), opened.person("ann")

        async def ended(count: int) -> bool:
            return sum(run.status in {RunStatus.FAILED, RunStatus.DECLINED} for run in await store.runs()) == count

        opened.workbench.faults.break_down("chat.postMessage", times=1)
        for number, choice in enumerate(("Approve", "Reject"), start=1):
            await rita.command("/signoff confide")
            assert (await rita.submit(await rita.modal(), {"Word": WORD})).closed
            await ann.until(
                lambda: any("Approve" in each.buttons for each in ann.messages("#approvals")), "a card", timeout=20
            )
            [card] = [each for each in ann.messages("#approvals") if "Approve" in each.buttons]
            await ann.click(card, choice)
            if choice == "Reject":
                form = await ann.modal("Reject")
                await ann.submit(form, {"Reason": ""}, unchecked=True)
                await ann.submit(form, {"Reason": REASON})
            await until(partial(ended, number), "the run to end")
        bot.terminate()
        async with asyncio.timeout(30):
            assert await bot.wait() == 0
        tokens = [settings.bot_token, settings.app_token, settings.signing_secret]
        never = [WORD, REASON, *(token.get_secret_value() for token in tokens if token)]
        return (folder / "bot.log").read_text(encoding="utf-8").splitlines(), never


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    return asyncio.run(log_of_some_approvals(tmp_path_factory.mktemp("log")))


def test_each_line_is_one_object_with_an_event_a_level_and_a_time(logged: tuple[list[str], list[str]]):
    lines, _ = logged
    entries = [json.loads(line) for line in lines]
    assert [entry for entry in entries if not {"event", "level", "timestamp"} <= entry.keys()] == []
    events = {entry["event"] for entry in entries}
    assert {"serving", "posted", "run_ended", "stopping"} <= events
    assert [entry for entry in entries if entry["event"] == "run_ended" and not {"run", "action"} <= entry.keys()] == []


def test_no_line_holds_what_people_typed_or_a_token(logged: tuple[list[str], list[str]]):
    lines, never = logged
    assert lines
    assert [line for line in lines for secret in never if secret in line] == []

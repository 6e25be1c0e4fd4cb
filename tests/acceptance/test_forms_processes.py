"""Two bots on one database: whatever is pressed in a form lands on either of them, and the form shows what came of all."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.kit.registry import Registry
from bot.app import running
from tests.acceptance.office import BOTH_DATABASES, Office, office
from tests.acceptance.test_forms_redrawn import NAME, PLATE, SEAT, answer, answering, has_rows
from tests.waiting import until

pytestmark = BOTH_DATABASES


@pytest.fixture
async def doubled(tmp_path: Path, database: str | None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with office("socket", tmp_path) as opened:
        opened.database_url = database
        await opened.open()
        settings = opened.settings()
        async with running(settings, Registry.load(settings.actions)):

            async def both() -> bool:
                return opened.workbench.sockets.connections == 2

            await until(both, "both bots to be connected")
            yield opened


async def test_quick_clicks_that_land_on_either_bot_all_count_and_are_all_shown(doubled: Office):
    run, ann, form = await answering(doubled, "ask_parts", "Which parts are missing?")
    await ann.type(form, NAME[1], "bolt")
    await asyncio.gather(*(ann.click(form, "Add an entry") for _ in range(2)))
    await has_rows(ann, form, 3)
    filled = {label: "1" if label.endswith("Count") else "nut" for label in form.labels if label != NAME[1]}
    assert (await ann.submit(form, filled)).closed
    assert [part["name"] for part in (await answer(doubled, run))["parts"]] == ["bolt", "nut", "nut"]


async def test_a_union_that_is_switched_in_a_hurry_ends_as_its_person_left_it(doubled: Office):
    _, ann, form = await answering(doubled, "ask_trip", "Where does it go?")
    await ann.type(form, "Where", "Kassel")
    for way in ("Train", "Car", "Train", "Car"):
        await ann.choose(form, "Way", way)
    await ann.until(lambda: PLATE in form.labels and SEAT not in form.labels, "the fields of the car")
    assert form.values["Where"] == "Kassel"

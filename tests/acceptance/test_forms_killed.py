"""The bot's process is killed while somebody fills in a form: what they pressed and typed is there when it is back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from tests.acceptance.office import Office, office
from tests.acceptance.test_forms_redrawn import PASSENGERS, PLATE, SEAT, shows
from tests.waiting import until


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Office]:
    """A bot in a process of its own."""
    async with office("socket", tmp_path) as opened:
        await opened.serve()
        yield opened


async def opened_form(served: Office) -> tuple[Tab, Modal]:
    rita = served.person("rita")
    await rita.command("/signoff start_trip")
    form = await rita.modal("Start trip")
    await rita.type(form, "Where", "Kassel")
    await rita.choose(form, "Way", "Train")
    await shows(rita, form, "Where", "Way", SEAT)
    await rita.type(form, SEAT, "window")
    return rita, form


async def started(served: Office) -> RunRecord:
    async with served.reading() as store:

        async def waiting() -> RunRecord | None:
            runs = await store.runs()
            return runs[0] if len(runs) == 1 and runs[0].status is RunStatus.WAITING else None

        return await until(waiting, "the one run to wait for its answer")


async def test_a_form_goes_on_after_the_bot_was_killed_in_the_middle_of_it(served: Office):
    rita, form = await opened_form(served)
    await rita.choose(form, "Way", "Car")
    await shows(rita, form, "Where", "Way", PLATE, PASSENGERS)
    await served.kill()
    await served.serve()
    await rita.choose(form, "Way", "Train")
    await shows(rita, form, "Where", "Way", SEAT)
    assert form.values[SEAT] == "window"
    assert (await rita.submit(form)).closed
    assert '"seat":"window"' in (await started(served)).input.replace(" ", "")


async def test_a_click_that_was_acknowledged_counts_although_its_form_was_never_redrawn(served: Office):
    rita, form = await opened_form(served)
    hold = served.workbench.faults.hold("views.update", after_commit=False)
    served.workbench.faults.drop_connection("views.update", after_commit=False)
    assert (await rita.choose(form, "Way", "Car")) is not None
    await hold.arrived.wait()
    await served.kill()
    hold.release()
    assert form.labels == ["Where", "Way", SEAT]
    await served.serve()
    assert (await rita.submit(form)).result == "updated"
    await shows(rita, form, "Where", "Way", PLATE, PASSENGERS)
    assert "changed while it was sent" in form.text
    assert form.values["Where"] == "Kassel"
    assert (await rita.submit(form, {PLATE: "KS-42", PASSENGERS: 0})).closed
    assert '"plate":"KS-42"' in (await started(served)).input.replace(" ", "")

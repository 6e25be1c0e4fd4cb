"""An operator mends what is stuck in the page: in a dialog, with a question before each order."""

import pytest
from playwright.async_api import expect

from actions.kit.records.runs import RunStatus
from tests.acceptance.browser import Tabs
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]


async def test_dana_runs_a_failed_run_again_from_the_list(closed_office: Office, tabs: Tabs):
    await closed_office.open(admins=("U0DANA",))
    ann = closed_office.person("ann")
    run = await closed_office.start("fails_once", {})
    stalled = await closed_office.start("runs_too_long", {})
    for question in ("Try it?", "Start the long one?"):
        await ann.click(await ann.sees(question, in_="#approvals"), "Approve")
    await closed_office.ends(run.id, RunStatus.FAILED)
    await closed_office.ends(stalled.id, RunStatus.STALLED)
    Gate(closed_office.folder, "mail").open()

    dana = await tabs.open("dana")
    await dana.look_at("general")
    await dana.write("/signoff stuck")
    await expect(dana.modal).to_contain_text("2 runs need somebody")
    await expect(dana.modal).to_contain_text("the mail server is down")
    await expect(dana.modal).to_contain_text("“Try it?”")
    await dana.modal.get_by_role("button", name="Run again").last.click()
    await dana.confirm("Run again")
    await expect(dana.modal).to_contain_text("Run again: “Fails once” is now")
    await expect(dana.modal).to_contain_text("1 run needs somebody")
    await closed_office.ends(run.id, RunStatus.SUCCEEDED)

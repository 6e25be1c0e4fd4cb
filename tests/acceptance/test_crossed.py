"""One path across everything: PostgreSQL, signed HTTP, and a person in a real browser."""

import pytest
from playwright.async_api import expect

from actions.kit.records.runs import RunStatus
from tests.acceptance.browser import Tabs
from tests.acceptance.office import Office

SPEND = {
    "amount": "1249.90",
    "currency": "EUR",
    "vendor": "Kamera Köhler",
    "justification": "The camera in the small meeting room is broken.",
}


@pytest.mark.chromium
@pytest.mark.parametrize("transport", ["http"])
async def test_dana_approves_in_the_browser_what_is_kept_in_postgresql(
    closed_office: Office, postgresql_url: str, tabs: Tabs
):
    await closed_office.open(database_url=postgresql_url)
    run = await closed_office.start("spend_request", SPEND)
    dana, rita = await tabs.open("dana"), await tabs.open("rita")
    await dana.look_at("Signoff")
    await dana.press(dana.card("1,249.90"), "Approve")
    await expect(dana.card("1,249.90")).to_contain_text("🎉 Done")
    await expect(dana.live_buttons).to_have_count(0)
    await rita.look_at("Signoff")
    await expect(rita.card("1,249.90")).to_contain_text("Approved by @Dana Diaz")
    await closed_office.close()
    await closed_office.open(database_url=postgresql_url)
    assert (await closed_office.ends(run.id, RunStatus.SUCCEEDED)).output
    assert [entry.kind for entry in closed_office.effects()] == ["order"]

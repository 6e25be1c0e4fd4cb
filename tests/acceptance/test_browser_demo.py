"""What a newcomer is told to try works as it is written: the demo's steps in their order, and the bare workbench's hints."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from bot.cli.demo import STEPS, seed_all
from bot.cli.stage import LEDGER, Stage, staged
from bot.settings import Transport
from bot.workbench.seed import HINTS
from tests.acceptance.browser import Screen, Tabs, tabs_at
from tests.acceptance.office import Office

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

AMOUNT = "Arguments \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} Amount"
REFUND = "Support agent wants to use Pay back. Shall it?"
MESSAGE, SPEND, RESTART = "Approve sending this message?", "Spend 1,249.90 EUR at Kamera Köhler?", "Restart checkout?"


@pytest.fixture
async def demo(transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """What `signoff demo` serves."""
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / LEDGER))  # put back afterwards: the stage names its own
    async with staged(transport, hints=STEPS, with_agent=True) as stage:
        await seed_all(stage)
        yield stage


@pytest.fixture
async def visitors(demo: Stage) -> AsyncIterator[Tabs]:
    async with tabs_at(demo.workbench.url) as tabs:
        yield tabs
    assert tabs.complaints == []


def suggestions(screen: Screen):
    return screen.page.locator(".hints li")


async def become(name: str, there: Screen) -> Screen:
    """Somebody else's tab, opened by the switcher of this one."""
    await there.page.get_by_label("Be somebody else").click()
    async with there.page.context.expect_page() as opened:
        await there.page.get_by_role("link", name=name).click()
    return Screen(await opened.value, there.complaints)


async def test_the_demos_steps_can_be_tried_from_the_first_to_the_last(demo: Stage, visitors: Tabs):
    rita = await visitors.open("rita")
    await expect(suggestions(rita)).to_have_text([step.replace("*", "").replace("`", "") for step in STEPS])

    await rita.press(rita.card(MESSAGE), "Approve")
    await rita.told("nobody approves their own request")

    ann = await become("Ann Archer", rita)
    await expect(ann.whispers).to_have_count(0)
    await ann.press(ann.card(MESSAGE), "Approve")
    await expect(ann.card(MESSAGE)).to_contain_text("Approved by @Ann Archer")
    await expect(ann.card(MESSAGE)).to_contain_text("🎉 Done")

    dana = await become("Dana Diaz", ann)
    await dana.look_at("Signoff")
    await dana.press(dana.card(SPEND), "Reject")
    await dana.submit()
    await expect(dana.field("Reason")).to_contain_text("Please complete this required field.")
    await dana.field("Reason").locator("textarea").fill("There is one in the cupboard.")
    await dana.submit()
    await expect(dana.card(SPEND)).to_contain_text("Rejected by @Dana Diaz")

    await rita.write("/signoff spend_request")
    for label in ("Amount", "Currency", "Vendor", "Justification"):
        await expect(rita.field(label)).to_be_visible()
    await rita.press(rita.modal, "Cancel")

    await rita.press(rita.page.get_by_role("region", name="Deadlines"), "+5 min")
    await rita.look_at("Signoff")
    await expect(rita.card(RESTART)).to_contain_text("Expired: nobody answered within 5 minutes")

    await rita.look_at("general")
    await rita.write("@signoff refund A-1041, A-1042 and B-7, they came broken")
    await ann.press(ann.card(REFUND).filter(has_text="A-1041"), "Approve")
    await ann.press(ann.card(REFUND).filter(has_text="77.25 EUR"), "Edit")
    await ann.field(AMOUNT).locator("input").fill("10")
    await ann.submit()
    await ann.press(ann.card(REFUND).filter(has_text="41.50 EUR"), "Reject")
    await ann.field("Reason").locator("textarea").fill("It was used")
    await ann.submit()
    await rita.page.get_by_role("button", name="4 replies").click()
    await expect(rita.page.locator("#thread")).to_contain_text("A-1042: Paid back 10 EUR. (changed by whoever")


async def test_the_demo_asks_once_in_the_channel_and_once_each_of_omar_and_dana(demo: Stage):
    people = {name: demo.workbench.person(name) for name in ("rita", "omar", "dana")}
    await asyncio.gather(
        people["rita"].sees(MESSAGE, in_="#approvals"),
        people["omar"].sees(RESTART, in_="dm"),
        people["dana"].sees(SPEND, in_="dm"),
    )
    assert len(await demo.bot.store.runs()) == 3


async def test_what_the_bare_workbench_suggests_is_there(closed_office: Office, tabs: Tabs):
    ann = await tabs.open("ann")
    await expect(suggestions(ann)).to_have_text([hint.replace("*", "").replace("`", "") for hint in HINTS])
    await expect(ann.page.get_by_role("region", name="Deadlines")).to_have_count(0)
    await closed_office.open()
    await expect(ann.app_state).to_contain_text("connected")
    await ann.write("/signoff")
    await ann.told("What can be started here:")
    await expect((await become("Ben Brook", ann)).page).to_have_title("Ben Brook · Acme · Workbench")

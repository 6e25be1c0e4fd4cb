"""The Home tab, the shortcuts and the notifications of the page, with an app that has them."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from tests.acceptance.browser import NARROW
from tests.acceptance.showcase import Show, message, publish, shown

pytestmark = pytest.mark.chromium


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def test_opening_home_tells_the_app_which_publishes_it(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at_home()
    await expect(ann.home.get_by_role("button", name="Approve")).to_have_count(3)
    assert (await show.sent("events_api"))["event"]["tab"] == "home"
    await ann.page.reload()
    await expect(ann.home.get_by_role("button", name="Approve")).to_have_count(3)


async def test_home_is_clicked_like_a_message_and_changes_before_ones_eyes(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at_home()
    await ann.home.get_by_role("button", name="Reject").nth(1).click()
    click = await show.sent("block_actions")
    assert click["container"]["type"] == "view"
    assert (click["view"]["type"], click["actions"][0]["block_id"]) == ("home", "answer-2")
    await ann.home.locator("select").select_option("Medium")
    click = await show.sent("block_actions", 2)
    assert click["view"]["state"]["values"][click["actions"][0]["block_id"]]["filter"]["selected_option"]
    await publish(show.client, 0)
    await expect(ann.home).to_contain_text("Nothing waits for you.")


async def test_each_person_has_a_home_of_their_own(show: Show):
    await publish(show.client, 2, "U0BEN")
    show.workbench.workspace.app.events = ()
    ann, ben = await show.tabs.open("ann"), await show.tabs.open("ben")
    await ann.look_at_home()
    await ben.look_at_home()
    await expect(ben.home.get_by_role("button", name="Approve")).to_have_count(2)
    await expect(ann.home).to_contain_text("has not published a Home tab for you")


async def test_the_app_without_a_home_tab_has_messages_alone(show: Show):
    show.workbench.workspace.app.home_tab = False
    ann = await show.tabs.open("ann")
    await ann.look_at("Signoff")
    await expect(ann.page.locator("[data-role=tab-home]")).to_have_count(0)
    await expect(ann.page.locator("#composer-text")).to_be_visible()


async def test_a_global_shortcut_is_chosen_beside_the_message_field(show: Show):
    ann = await show.tabs.open("ann")
    await ann.page.locator("[data-role=shortcuts]").focus()
    await ann.page.keyboard.press("ArrowDown")
    await expect(ann.keyboard_focus).to_contain_text("Ask for a decision")
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.get_by_role("dialog", name="Ask")).to_be_visible()
    assert (await show.sent("shortcut"))["callback_id"] == "ask"


async def test_a_message_shortcut_takes_the_message_along(show: Show):
    ts = await show.posts(message())
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await ann.card("Kamera").hover()
    await ann.card("Kamera").get_by_label("More actions").click()
    await ann.card("Kamera").get_by_role("button", name="Ask about this message").click()
    await expect(ann.modal).to_contain_text("About: Spend 1,249.90 EUR")
    assert (await show.sent("message_action"))["message"]["ts"] == ts


async def test_a_message_elsewhere_shows_its_notification_text_and_leads_there(show: Show):
    ann = await show.tabs.open("ann", size=NARROW)
    await ann.page.get_by_role("button", name="Open the sidebar").click()
    await ann.look_at("general")
    await show.posts(message())
    notice = ann.page.locator(".notice")
    await expect(notice).to_contain_text("Spend 1,249.90 EUR at Kamera Köhler? Asked by Rita Rossi")
    await expect(notice).to_contain_text("#approvals")
    assert not await ann.overflows()
    await notice.locator(".notice-open").click()
    await expect(ann.page.locator("#conversation-title")).to_contain_text("approvals")
    await expect(notice).to_have_count(0)


async def test_the_message_field_completes_people_channels_and_emoji(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at("general")
    field = ann.page.locator("#composer-text")
    for typed, offer in (("Hello @be", "Ben Brook"), (" see #app", "approvals"), (" :tad", ":tada:")):
        await field.press_sequentially(typed)
        await expect(ann.page.get_by_role("option", selected=True)).to_contain_text(offer)
        await field.press("Tab")
    await expect(field).to_have_value("Hello @ben  see #approvals  :tada: ")
    await field.press("Enter")
    card = ann.card("Hello")
    await expect(card.locator(".mention")).to_have_text(["@Ben Brook", "#approvals"])
    await expect(card).to_contain_text("🎉")


async def test_reactions_are_shown_and_joined(show: Show):
    ts = await show.posts({"text": "Well?"})
    await show.client.reactions_add(channel="C0APPROVALS", timestamp=ts, name="eyes")
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    eyes = ann.card("Well?").get_by_role("button", name="eyes: Signoff")
    await eyes.click()
    await expect(ann.card("Well?").get_by_role("button", name="eyes: Signoff, Ann Archer")).to_be_focused()


async def test_files_of_a_message_have_a_name_a_size_and_a_way_to_them(show: Show):
    await show.client.files_upload_v2(channel="C0APPROVALS", content="1,249.90", filename="bill.csv", title="The bill")
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    file = ann.page.locator("#messages .file")
    await expect(file).to_contain_text("The bill")
    await expect(file).to_contain_text("8 bytes")
    async with ann.page.expect_download() as download:
        await file.get_by_role("link").click(modifiers=["Alt"])
    assert await (await download.value).path()

"""The page itself: who one is, whether the app is there, and windows of every width."""

import pytest
from playwright.async_api import expect

from tests.acceptance.browser import NARROW, Tabs
from tests.acceptance.office import Office
from tests.acceptance.test_browser_cards import MESSAGE, QUESTION, SPEND

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]


async def test_whoever_has_not_said_who_they_are_chooses(closed_office: Office, tabs: Tabs):
    screen = await tabs.visit()
    await screen.page.get_by_role("link", name="Rita Rossi").click()
    await expect(screen.page).to_have_title("Rita Rossi · Acme · Workbench")
    stranger = await tabs.visit("?as=nobody")
    await expect(stranger.page.locator("#chooser")).to_contain_text("Nobody here is called “nobody”.")
    await expect(stranger.page.get_by_role("link", name="Signoff")).to_have_count(0)


async def test_the_page_outlives_a_restart_of_the_bot_and_says_whether_it_is_there(open_office: Office, tabs: Tabs):
    await open_office.start("send_message", MESSAGE)
    ann = await tabs.open("ann")
    await ann.look_at("approvals")
    await expect(ann.app_state).to_contain_text("connected · Socket Mode")
    await expect(ann.card(QUESTION)).to_contain_text("Waiting for an answer until")
    await open_office.close()
    await expect(ann.app_state).to_contain_text("not connected")
    await open_office.open()
    await expect(ann.app_state).to_contain_text("connected · Socket Mode")
    await ann.press(ann.card(QUESTION), "Approve")
    await expect(ann.card(QUESTION)).to_contain_text("🎉 Done")
    assert len(open_office.effects()) == 1


async def test_a_narrow_window_shows_everything_without_scrolling_sideways(open_office: Office, tabs: Tabs):
    await open_office.start("spend_request", SPEND)
    dana = await tabs.open("dana", size=NARROW)
    await dana.page.get_by_role("button", name="Open the sidebar").click()
    await dana.look_at("Signoff")
    await expect(dana.page.locator("#sidebar")).to_be_hidden()
    await expect(dana.card("Spend").get_by_role("button", name="Approve")).to_be_in_viewport(ratio=1)
    assert not await dana.overflows()
    await dana.press(dana.card("Spend"), "Reject")
    await expect(dana.modal.locator("[data-role=submit-view]")).to_be_in_viewport(ratio=1)
    assert not await dana.overflows()
    await dana.modal.get_by_role("button", name="Cancel").click()
    await dana.press(dana.card("Spend"), "Approve")
    await expect(dana.card("Spend")).to_contain_text("🎉 Done")


async def test_a_click_that_the_app_does_not_acknowledge_is_marked_and_may_be_repeated(open_office: Office, tabs: Tabs):
    await open_office.start("send_message", MESSAGE)
    rita = await tabs.open("rita")
    await rita.look_at("approvals")
    await expect(rita.card(QUESTION)).to_contain_text("Waiting for an answer until")
    await open_office.close()
    await rita.press(rita.card(QUESTION), "Approve")
    await expect(rita.page.locator(".toast").first).to_contain_text("trouble connecting")
    await expect(rita.card(QUESTION).get_by_role("img", name="That did not work")).to_be_visible()
    await open_office.open()
    await rita.press(rita.card(QUESTION), "Approve")
    await rita.told("nobody approves their own request")

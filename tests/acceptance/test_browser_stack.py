"""Modals in the page lie on each other, give way in turn, and keep what was typed in those below."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from tests.acceptance.browser import Screen
from tests.acceptance.showcase import FIELDS, Show, message, modal, shown
from tests.integration.workbench_bots import button

pytestmark = pytest.mark.chromium

PUSHING = [FIELDS[0], {"type": "actions", "block_id": "next", "elements": [button("More", "push")]}]


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def two_deep(show: Show) -> Screen:
    """Ann has typed into the first modal and opened a second one from it."""
    ann = await show.tabs.open("ann")
    await show.opens(modal("First", blocks=PUSHING, notify_on_close=True))
    await ann.field("Text").locator("input").fill("Typed below")
    await ann.press(ann.modal, "More")
    await expect(ann.page.get_by_role("dialog", name="Second")).to_be_visible()
    return ann


async def test_back_shows_the_modal_below_as_it_was_left(show: Show):
    ann = await two_deep(show)
    await ann.page.get_by_role("button", name="Back").first.click()
    await expect(ann.modal).to_have_count(1)
    await expect(ann.field("Text").locator("input")).to_have_value("Typed below")
    await expect(ann.keyboard_focus).to_have_text("More")


async def test_escape_takes_off_the_upper_modal_alone(show: Show):
    ann = await two_deep(show)
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_role("dialog", name="First")).to_be_visible()
    await expect(ann.modal).to_have_count(1)


async def test_the_cross_closes_them_all_and_the_app_hears_of_the_first(show: Show):
    ann = await two_deep(show)
    await ann.page.get_by_role("dialog", name="Second").get_by_role("button", name="Close").click()
    await expect(ann.modal).to_have_count(0)
    closed = await show.sent("view_closed")
    assert (closed["view"]["title"]["text"], closed["is_cleared"]) == ("First", True)


async def test_only_the_upper_modal_can_be_reached(show: Show):
    ann = await two_deep(show)
    for _ in range(12):
        await ann.page.keyboard.press("Tab")
        await expect(ann.page.get_by_role("dialog", name="Second").locator(":focus")).to_have_count(1)


async def test_a_modal_below_that_is_updated_shows_that_when_it_comes_back(show: Show):
    ann = await two_deep(show)
    first = show.workbench.bench.screens.of("U0ANN").stack[0]
    await show.updates(first.id, modal("Changed", blocks=PUSHING))
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_role("dialog", name="Changed")).to_be_visible()
    await expect(ann.field("Text").locator("input")).to_have_value("Typed below")


async def test_a_tab_that_is_loaded_again_shows_the_modal_that_is_open(show: Show):
    ann = await two_deep(show)
    await ann.page.reload()
    await expect(ann.page.get_by_role("dialog", name="Second")).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_role("dialog", name="First")).to_be_visible()
    await expect(ann.field("Text").locator("input")).to_have_value("Typed below")


async def test_focus_returns_to_the_button_that_opened_the_form(show: Show):
    await show.posts(message())
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await ann.press(ann.card("Kamera"), "Open the form")
    await expect(ann.modal).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal).to_have_count(0)
    await expect(ann.keyboard_focus).to_have_text("Open the form")
    await ann.press(ann.card("Kamera"), "Reject")
    await expect(ann.keyboard_focus).to_have_text("No")
    await ann.page.keyboard.press("Escape")
    await expect(ann.keyboard_focus).to_have_text("Reject")

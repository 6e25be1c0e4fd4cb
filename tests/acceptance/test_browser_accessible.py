"""The page for people who do not see it, or do not use a mouse: axe finds nothing serious, and the keyboard goes everywhere."""

from collections.abc import AsyncIterator

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]  # it brings no types
from playwright.async_api import expect

from tests.acceptance.browser import NARROW, WIDE, Scheme, Screen
from tests.acceptance.showcase import FIELDS, Show, markdown, message, modal, publish, shown

pytestmark = pytest.mark.chromium

DAY, NIGHT = "rgb(244, 241, 234)", "rgb(20, 23, 26)"
SERIOUS = {"serious", "critical"}
LOOKS: list[tuple[Scheme, tuple[int, int]]] = [("light", WIDE), ("dark", WIDE), ("light", NARROW)]


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def findings(screen: Screen) -> list[str]:
    """What axe finds serious, each with the first node that it concerns."""
    await screen.page.evaluate("Promise.all(document.getAnimations().map((it) => it.finished))")
    found = await Axe().run(screen.page)
    return [
        f"{violation['id']}: {violation['nodes'][0]['html'][:200]} {violation['nodes'][0]['failureSummary']}"
        for violation in found.response["violations"]
        if violation["impact"] in SERIOUS
    ]


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
async def test_axe_finds_nothing_serious_in_a_conversation_with_everything(show: Show, scheme, size):
    ts = await show.posts(message())
    await show.posts(markdown())
    await show.posts({"text": "An answer"}, thread_ts=ts)
    await show.client.reactions_add(channel="C0APPROVALS", timestamp=ts, name="eyes")
    await show.client.chat_postEphemeral(channel="C0APPROVALS", user="U0ANN", text="Only you")
    ann = await show.tabs.open("ann", size=size, scheme=scheme)
    await expect(ann.card("Kamera")).to_be_visible()
    assert await findings(ann) == []
    await ann.card("Kamera").get_by_role("button", name="1 reply").click()
    await expect(ann.page.locator("#thread")).to_contain_text("An answer")
    assert await findings(ann) == []


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
async def test_axe_finds_nothing_serious_in_a_form_with_everything_wrong(show: Show, scheme, size):
    ann = await show.tabs.open("ann", size=size, scheme=scheme)
    await show.opens(modal())
    await ann.submit()
    await expect(ann.modal.locator(".block-wrong").first).to_be_visible()
    assert await findings(ann) == []
    await ann.field("City").get_by_role("combobox").fill("be")
    await expect(ann.field("City").get_by_role("option")).to_have_count(2)
    await ann.field("Colours").locator("summary").click()
    assert await findings(ann) == []


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
async def test_axe_finds_nothing_serious_on_home_and_in_the_panel(show: Show, scheme, size):
    await publish(show.client, 3)
    ann = await show.tabs.open("ann", size=size, scheme=scheme)
    if size == NARROW:
        await ann.page.get_by_role("button", name="Open the sidebar").click()
        assert await findings(ann) == []
    await ann.look_at_home()
    await expect(ann.home.get_by_role("button", name="Approve")).to_have_count(3)
    assert await findings(ann) == []
    await show.posts(message())
    await expect(ann.page.locator(".notice")).to_be_visible()
    await ann.page.locator("[data-role=panel]").click()
    await ann.panel.locator(".entry > summary").first.click()
    await expect(ann.panel.locator(".entry-body")).to_be_visible()
    for part in ("traffic", "faults", "workspace"):
        await ann.panel.locator(f"[data-role=panel-{part}]").click()
        assert await findings(ann) == []


async def test_axe_finds_nothing_serious_where_one_says_who_one_is(show: Show):
    stranger = await show.tabs.visit()
    await expect(stranger.page.locator("#chooser")).to_be_visible()
    assert await findings(stranger) == []


async def test_the_arrows_walk_through_conversations_and_messages(show: Show):
    await show.posts(message())
    await show.posts({"text": "The second"})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await ann.page.keyboard.press("Alt+ArrowDown")
    await expect(ann.page.locator("#conversation-title")).to_contain_text("general")
    await ann.page.keyboard.press("Alt+ArrowUp")
    await expect(ann.page.locator("#conversation-title")).to_contain_text("approvals")
    await ann.row("approvals").focus()
    await ann.page.keyboard.press("ArrowDown")
    await expect(ann.row("general")).to_be_focused()
    await ann.page.locator("#messages").focus()
    await ann.page.keyboard.press("ArrowUp")
    await expect(ann.card("The second")).to_be_focused()
    await ann.page.keyboard.press("ArrowUp")
    await expect(ann.card("Kamera")).to_be_focused()


async def test_a_conversation_is_jumped_to_by_its_name(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await show.posts({"text": "Hello"}, "C0GENERAL")
    await expect(ann.row("general")).to_have_attribute("data-unread", "1")
    await ann.page.keyboard.press("Control+k")
    await expect(ann.page.get_by_role("option").first).to_contain_text("1 unread")
    assert await findings(ann) == []
    await ann.page.keyboard.type("op")
    await expect(ann.page.get_by_role("option")).to_have_text(["#ops"])
    await ann.page.keyboard.press("Enter")
    await expect(ann.page.locator("#conversation-title")).to_contain_text("ops")
    await expect(ann.page.locator("#composer-text")).to_be_focused()
    await ann.page.keyboard.press("Control+k")
    await ann.page.keyboard.press("Escape")
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal).to_have_count(0)


async def test_a_menu_is_opened_walked_and_left_by_the_keyboard(show: Show):
    await show.posts(message())
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    more = ann.card("Kamera").locator("[data-action-id=more]")
    await more.focus()
    await ann.page.keyboard.press("ArrowDown")
    await expect(ann.keyboard_focus).to_have_text("Details")
    await ann.page.keyboard.press("ArrowUp")
    await expect(ann.keyboard_focus).to_have_text("Cancel it")
    await ann.page.keyboard.press("Escape")
    await expect(more).to_be_focused()
    await ann.page.keyboard.press("ArrowDown")
    await ann.page.keyboard.press("Enter")
    click = await show.sent("block_actions")
    assert click["actions"][0]["selected_option"]["value"] == "details"
    await expect(more).to_be_focused()


async def test_the_keyboard_reaches_every_control_of_a_form(show: Show):
    ann = await show.tabs.open("ann")
    await show.opens(modal())
    await expect(ann.field("Text").locator("input")).to_be_focused()
    reached = set()
    for _ in range(90):
        block = await ann.page.evaluate("document.activeElement.closest('.block-input')?.dataset.block ?? ''")
        reached.add(block)
        await ann.page.keyboard.press("Tab")
    assert {block["block_id"] for block in FIELDS} <= reached


async def test_a_message_that_comes_is_said_aloud(show: Show):
    ann = await show.tabs.open("ann")
    await ann.look_at("general")
    said = ann.page.locator("#announcer")
    await show.posts({"text": "Spend *49 EUR*?"})
    await expect(said).to_contain_text("Signoff wrote in approvals: Spend 49 EUR?")


async def test_a_look_is_chosen_and_kept(show: Show):
    ann = await show.tabs.open("ann")
    look = ann.page.locator("[data-role=look]")
    body = ann.page.locator("body")
    await expect(body).to_have_css("background-color", DAY)
    await look.click()
    await expect(look).to_have_accessible_name("Look: light")
    await look.click()
    await expect(look).to_have_accessible_name("Look: dark")
    await expect(body).to_have_css("background-color", NIGHT)
    await ann.page.reload()
    await expect(look).to_have_accessible_name("Look: dark")
    await expect(body).to_have_css("background-color", NIGHT)

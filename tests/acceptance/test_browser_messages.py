"""Messages in the page besides their blocks: attachments, replies for all, tables by the page, one's own changed and deleted."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import expect

from tests.acceptance.showcase import Json, Show, shown
from tests.integration.workbench_bots import button, section

pytestmark = pytest.mark.chromium

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def test_attachments_are_words_beside_a_bar_in_which_nothing_can_be_pressed(show: Show):
    first = {
        "pretext": "Before it",
        "color": "#36a64f",
        "author_name": HOSTILE,
        "title": "The ticket",
        "title_link": "javascript:alert(1)",
        "text": "It is *late*",
        "fields": [{"title": "Priority", "value": "High", "short": True}],
        "footer": "Tickets",
    }
    actions = {"type": "actions", "elements": [button("Go", "go")]}
    second = {"color": "red; background: url(//evil.example)", "blocks": [section("In a block"), actions]}
    await show.posts({"text": "As it was in 2016", "attachments": [first, second]})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    card = ann.card("As it was in 2016")
    for words in ("Before it", HOSTILE, "The ticket", "It is late", "Priority", "High", "Tickets", "In a block"):
        await expect(card).to_contain_text(words)
    await expect(card.locator(".attachment strong").first).to_have_text("late")
    await expect(card.locator("script, a, [data-action-id]")).to_have_count(0)
    await expect(card.get_by_role("note")).to_contain_text("A row of buttons in an attachment")
    bars = await card.locator(".attachment").evaluate_all("all => all.map(one => one.style.getPropertyValue('--bar'))")
    assert bars == ["#36a64f", "var(--line-strong)"]


async def test_a_reply_for_all_stands_in_the_channel_and_leads_to_its_thread(show: Show):
    root = await show.posts({"text": "Shall we?"})
    await show.posts({"text": "Quiet"}, thread_ts=root)
    await show.posts({"text": "For all"}, thread_ts=root, reply_broadcast=True)
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await expect(ann.card("Quiet")).to_have_count(0)
    await ann.press(ann.card("For all"), "replied to a thread")
    thread = ann.page.locator("#thread article")
    await expect(thread).to_have_count(3)
    await expect(thread.last).to_contain_text("Also sent to the channel")


async def test_a_data_table_is_read_page_by_page(show: Show):
    cells: list[list[Json]] = [[{"type": "raw_text", "text": text} for text in ("Name", "Count")]]
    cells += [
        [{"type": "raw_text", "text": f"Row {n}"}, {"type": "raw_number", "value": n, "text": str(n)}]
        for n in range(1, 8)
    ]
    await show.posts({"text": "Counts", "blocks": [{"type": "data_table", "caption": "Counts", "rows": cells}]})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    table = ann.page.locator("#messages .table tbody tr")
    await expect(table).to_have_count(5)
    await ann.page.get_by_role("button", name="Next").click()
    await expect(table).to_have_count(2)
    await expect(table.last).to_contain_text("Row 7")
    await expect(ann.page.locator("#messages")).to_contain_text("6\u20137 of 7")
    await expect(ann.page.get_by_role("button", name="Next")).to_be_disabled()
    await ann.page.get_by_role("button", name="Previous").click()
    await expect(table.first).to_contain_text("Row 1")


async def test_one_changes_and_deletes_ones_own_messages_by_the_keyboard_alone(show: Show):
    ann, ben = await show.tabs.open("ann"), await show.tabs.open("ben")
    keys = ann.page.keyboard
    for screen in (ann, ben):
        await screen.look_at("approvals")
    await ann.write("Frist & @ben, or not?")
    await expect(ben.card("Frist")).to_be_visible()
    await ann.card("Frist").locator("[data-role=more]").focus()
    await keys.press("ArrowDown")
    await ann.card("Frist").locator("[data-role=edit]").press("Enter")
    await expect(ann.keyboard_focus).to_have_value("Frist & @ben, or not?")
    await keys.press("Control+A")
    await keys.type("First & @ben, or not?")
    await keys.press("Enter")
    await expect(ben.card("First & @Ben Brook, or not?")).to_contain_text("edited")
    await expect(ann.keyboard_focus).to_have_attribute("data-role", "more")
    await keys.press("ArrowDown")
    await ann.card("First").locator("[data-role=delete]").press("Enter")
    await ann.confirm("Delete")
    await expect(ben.card("First")).to_have_count(0)


async def test_a_guest_is_offered_to_delete_only_their_own(show: Show):
    await show.posts({"text": "From the app"}, channel="C0GENERAL")
    gus = await show.tabs.open("gus")
    await gus.look_at("general")
    await gus.write("From Gus")
    await expect(gus.card("From Gus").locator("[data-role=delete]")).to_have_count(1)
    await expect(gus.card("From the app").locator("[data-role=delete]")).to_have_count(0)
    await expect(gus.card("From the app").locator("[data-role=edit]")).to_have_count(0)


async def test_an_app_without_a_messages_tab_cannot_be_written_to(show: Show):
    show.workbench.workspace.app.messages_tab = False
    ann = await show.tabs.open("ann")
    await ann.look_at("Signoff")
    await ann.page.locator("[data-role=tab-messages]").click()
    field = ann.page.locator("#composer-text")
    await expect(field).to_be_disabled()
    await expect(field).to_have_attribute("placeholder", "You cannot write here")


async def test_the_root_of_a_thread_sends_what_stands_in_the_copy_that_was_pressed(show: Show):
    select = {"type": "users_select", "action_id": "who"}
    blocks = [
        {**section("Who?"), "block_id": "who", "accessory": select},
        {"type": "actions", "block_id": "go", "elements": [button("Approve", "approve")]},
    ]
    root = await show.posts({"text": "Who?", "blocks": blocks})
    await show.posts({"text": "A reply"}, thread_ts=root)
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    await ann.card("Who?").locator("[data-role=open-thread]").click()
    copy = ann.page.locator("#thread article", has_text="Who?").first
    await copy.locator("select").select_option("Dana Diaz")
    await show.sent("block_actions")
    await ann.press(copy, "Approve")
    state = (await show.sent("block_actions", times=2))["state"]["values"]
    assert state["who"]["who"]["selected_user"] == "U0DANA"


async def test_a_card_that_is_redrawn_while_it_is_pressed_takes_the_click(show: Show):
    def content(label: str) -> Json:
        elements = [button(label, "approve")]
        return {"text": "Press", "blocks": [{"type": "actions", "block_id": "go", "elements": elements}]}

    ts = await show.posts(content("Approve"))
    ann, ben = await show.tabs.open("ann"), await show.tabs.open("ben")
    for screen in (ann, ben):
        await screen.look_at("approvals")
    place = await ann.live_buttons.first.bounding_box()
    assert place is not None
    await ann.page.mouse.move(place["x"] + 9, place["y"] + 9)
    await ann.page.mouse.down()
    await show.client.chat_update(channel="C0APPROVALS", ts=ts, **content("Approve it"))
    await expect(ben.live_buttons.first).to_have_text("Approve it")
    await ann.page.mouse.up()
    await show.sent("block_actions")
    await expect(ann.live_buttons.first).to_have_text("Approve it")

"""Every element of Block Kit in the page: what a person enters comes to the app as Slack shapes it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from tests.acceptance.browser import Screen
from tests.acceptance.showcase import FIELDS, GROUPS, SIZES, Show, field, message, modal, option, options, shown
from tests.integration.workbench_bots import plain, section

pytestmark = pytest.mark.chromium

REQUIRED = "Please complete this required field."


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def entered(show: Show, view: dict, fill: Any) -> dict:
    """What the app gets when Ann opens this view, fills it in and sends it."""
    ann = await show.tabs.open("ann")
    await show.opens(view)
    await fill(ann)
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    values: dict = (await show.sent("view_submission"))["view"]["state"]["values"]
    return values


async def choose_many(screen: Screen, label: str, *texts: str) -> None:
    await screen.field(label).locator("summary").click()
    for text in texts:
        await screen.field(label).get_by_label(text, exact=True).check()
    await screen.page.keyboard.press("Escape")


async def search(screen: Screen, label: str, typed: str, text: str) -> None:
    await screen.field(label).get_by_role("combobox").fill(typed)
    await screen.field(label).get_by_role("option", name=text, exact=True).click()


async def fill_everything(ann: Screen, picked: Path) -> None:
    for label, text in TYPED.items():
        await ann.field(label).locator("input, textarea").fill(text)
    for label, text in CHOSEN.items():
        await ann.field(label).locator("select").select_option(text)
    await choose_many(ann, "Colours", "Red", "Blue")
    await choose_many(ann, "People", "Ben Brook", "Dana Diaz")
    await choose_many(ann, "Conversations", "#general")
    await search(ann, "City", "ber", "Bern")
    await search(ann, "Cities", "br", "Bremen")
    await search(ann, "Cities", "br", "Brno")
    await ann.field("Choice").get_by_label("Huge").check()
    await ann.field("Extras").get_by_label("Express").check()
    await ann.field("Attachment").locator("input").set_input_files(picked)
    await expect(ann.field("Attachment").locator(".chip")).to_have_text("receipt.txt")


TYPED = {
    "Text": "Camera",
    "Long text": "Two\nlines",
    "Number": "12.5",
    "Email": "ann@example.com",
    "Web address": "https://example.com/a?b=c",
    "Date": "2026-12-24",
    "Time": "08:30",
    "Moment": "2026-12-24T08:30",
    "Rich text": "Hello\n- one\n- two\n> said",
}
CHOSEN = {"Size": "Medium", "Food": "Leek", "Person": "Ben Brook", "Channel": "#general", "Conversation": "#ops"}
HUGE = option("Huge", description=plain("Takes two"))


def echoed(*chosen: dict) -> list[dict]:
    """Options as they come back: the texts of plain_text say that emoji are on."""
    return [
        {name: {"emoji": True, **value} if isinstance(value, dict) else value for name, value in one.items()}
        for one in chosen
    ]


async def test_every_element_of_a_modal_sends_what_was_entered(show: Show, tmp_path: Path):
    picked = tmp_path / "receipt.txt"
    picked.write_text("1,249.90")
    values = await entered(show, modal(), lambda ann: fill_everything(ann, picked))
    got = {block: next(iter(state.values())) for block, state in values.items()}
    assert got["text"] == {"type": "plain_text_input", "value": "Camera"}
    assert got["long_text"]["value"] == "Two\nlines"
    assert got["number"] == {"type": "number_input", "value": "12.5"}
    assert got["size"]["selected_option"] == echoed(SIZES[1])[0]
    assert got["food"]["selected_option"] == echoed(GROUPS[1]["options"][2])[0]
    assert got["colours"]["selected_options"] == echoed(option("Red"), option("Blue"))
    assert got["city"]["selected_option"] == echoed(option("Bern"))[0]
    assert got["cities"]["selected_options"] == echoed(option("Bremen"), option("Brno"))
    assert got["person"] == {"type": "users_select", "selected_user": "U0BEN"}
    assert got["people"]["selected_users"] == ["U0BEN", "U0DANA"]
    assert got["channel"]["selected_channel"] == "C0GENERAL"
    assert got["conversation"]["selected_conversation"] == "C0OPS"
    assert got["conversations"]["selected_conversations"] == ["C0GENERAL"]
    assert got["date"] == {"type": "datepicker", "selected_date": "2026-12-24"}
    assert got["time"]["selected_time"] == "08:30"
    assert got["moment"]["selected_date_time"] == 1_798_097_400  # half past eight in Berlin
    assert got["choice"]["selected_option"] == echoed(HUGE)[0]
    assert got["extras"]["selected_options"] == echoed(option("Express"))
    assert [part["type"] for part in got["rich_text"]["rich_text_value"]["elements"]] == [
        "rich_text_section",
        "rich_text_list",
        "rich_text_quote",
    ]
    assert [(file["name"], file["size"]) for file in got["attachment"]["files"]] == [("receipt.txt", 8)]


async def test_what_is_missing_is_said_under_every_field_at_once(show: Show):
    ann = await show.tabs.open("ann")
    await show.opens(modal())
    await ann.submit()
    required = [block["label"]["text"] for block in FIELDS if not block.get("optional")]
    for label in required:
        await expect(ann.field(label).locator(".input-error")).to_have_text(REQUIRED)
    await expect(ann.field("Text").locator("input")).to_be_focused()
    await expect(ann.field("Attachment").locator(".input-error")).to_be_hidden()
    assert show.workbench.deliveries_of("view_submission") == []


@pytest.mark.parametrize(
    ("label", "typed", "words"),
    [
        ("Text", "ab", "Please enter at least 3 characters."),
        ("Number", "twelve", "Please enter a number."),
        ("Number", "501", "Please enter 500 or less."),
        ("Email", "ann at example", "Please enter a valid email address."),
        ("Web address", "example", "Please enter a valid URL."),
    ],
)
async def test_what_slacks_client_refuses_is_refused_before_the_app_hears_of_it(show: Show, label, typed, words):
    ann = await show.tabs.open("ann")
    block = next(block for block in FIELDS if block["label"]["text"] == label)
    await show.opens(modal(blocks=[block]))
    await ann.field(label).locator("input").fill(typed)
    await ann.submit()
    await expect(ann.field(label).locator(".input-error")).to_contain_text(words.split(" ")[0])
    await expect(ann.field(label).locator("input")).to_have_attribute("aria-invalid", "true")
    await expect(ann.field(label).locator("input")).to_have_value(typed)
    assert show.workbench.deliveries_of("view_submission") == []


async def test_a_search_waits_for_enough_letters_and_says_when_nothing_fits(show: Show):
    ann = await show.tabs.open("ann")
    await show.opens(modal(blocks=[field("City", {"type": "external_select", "min_query_length": 2})]))
    city = ann.field("City")
    await city.get_by_role("combobox").fill("b")
    await expect(city.get_by_role("status")).to_have_text("Type 2 characters to search.")
    await city.get_by_role("combobox").fill("zz")
    await expect(city.get_by_role("status")).to_have_text("Nothing fits.")
    await city.get_by_role("combobox").fill("bol")
    await expect(city.get_by_role("option")).to_have_text(["Bologna"])
    await ann.page.keyboard.press("Enter")
    await expect(city.get_by_role("combobox")).to_have_value("Bologna")
    assert [sent.payload["value"] for sent in show.workbench.deliveries_of("block_suggestion")] == ["zz", "bol"]


async def test_a_long_list_is_typed_into_and_keeps_equal_beginnings_apart(show: Show):
    many = [option(f"{'Long name of a place ' * 3}{number}", f"v{number}") for number in range(60)]
    ann = await show.tabs.open("ann")
    await show.opens(modal(blocks=[field("Place", {"type": "static_select", "options": many})]))
    place = ann.field("Place").get_by_role("combobox")
    await place.fill("place 41")
    await expect(ann.field("Place").get_by_role("option")).to_have_count(1)
    await ann.page.keyboard.press("Enter")
    await ann.submit()
    values = (await show.sent("view_submission"))["view"]["state"]["values"]
    assert values["place"]["place"]["selected_option"]["value"] == "v41"


async def test_no_more_are_chosen_than_the_element_allows(show: Show):
    ann = await show.tabs.open("ann")
    await show.opens(modal(blocks=[block for block in FIELDS if block["block_id"] in ("cities", "conversations")]))
    await choose_many(ann, "Conversations", "#general", "#ops")
    await ann.field("Conversations").locator("summary").click()
    await expect(ann.field("Conversations").get_by_label("#approvals")).to_be_disabled()
    await ann.page.keyboard.press("Escape")
    for city in ("Athens", "Berlin", "Bern"):
        await search(ann, "Cities", city.lower(), city)
    await expect(ann.field("Cities").get_by_role("combobox")).to_be_disabled()
    await ann.field("Cities").get_by_role("button", name="Remove Berlin").click()
    await expect(ann.field("Cities").locator(".chip")).to_have_text(["Athens", "Bern"])


async def test_the_elements_of_a_message_send_each_choice_with_the_state_of_all(show: Show):
    ts = await show.posts(message())
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    card = ann.card("Kamera Köhler")
    await card.get_by_label("Size").select_option("Large")
    click = await show.sent("block_actions")
    assert (click["message"]["ts"], click["actions"][0]["selected_option"]["value"]) == (ts, "large")
    await card.locator("[data-action-id=day]").fill("2026-12-24")
    click = await show.sent("block_actions", 2)
    assert click["actions"][0]["selected_date"] == "2026-12-24"
    assert click["state"]["values"]["all"]["size"]["selected_option"]["value"] == "large"
    await card.locator("[data-action-id=more]").click()
    await card.get_by_role("button", name="Cancel it").click()
    click = await show.sent("block_actions", 3)
    assert click["actions"][0]["selected_option"]["value"] == "cancel it"
    await ann.press(card, "Go")
    click = await show.sent("block_actions", 4)
    assert (click["actions"][0]["block_id"], click["actions"][0]["action_id"]) == ("card", "go")


async def test_a_choice_that_is_not_confirmed_is_taken_back(show: Show):
    confirm = {name: plain(name) for name in ("title", "text", "confirm", "deny")}
    element = {"type": "static_select", "action_id": "size", "options": SIZES, "initial_option": SIZES[0]}
    await show.posts({"text": "Size?", "blocks": [{**section("Size?"), "accessory": {**element, "confirm": confirm}}]})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    size = ann.card("Size?").locator("select")
    await size.select_option("Large")
    await ann.confirm("deny")
    await expect(size).to_have_value("small")
    assert show.workbench.deliveries_of("block_actions") == []
    await size.select_option("Large")
    await ann.confirm("confirm")
    assert (await show.sent("block_actions"))["actions"][0]["selected_option"]["value"] == "large"
    await expect(size).to_have_value("large")


async def test_an_input_that_dispatches_each_letter_sends_the_last_state_of_fast_typing(show: Show):
    config = {"trigger_actions_on": ["on_character_entered"]}
    block = field("Name", {"type": "plain_text_input", "dispatch_action_config": config}, dispatch_action=True)
    ann = await show.tabs.open("ann")
    await show.opens(modal(blocks=[block]))
    await ann.field("Name").locator("input").press_sequentially("Camera")

    def last() -> str:
        clicks = show.workbench.deliveries_of("block_actions")
        return clicks[-1].payload["actions"][0]["value"] if clicks else ""

    assert await show.workbench.workspace.changes.until(lambda: last() == "Camera", timeout=10)
    await expect(ann.field("Name").locator("input")).to_have_value("Camera")


async def test_what_was_typed_stays_through_an_update_where_both_ids_stay(show: Show):
    ann = await show.tabs.open("ann")
    kept, changed = FIELDS[0], field("City", {"type": "external_select", "min_query_length": 1})
    view_id = await show.opens(modal(blocks=[kept, changed]))
    await ann.field("Text").locator("input").fill("Camera")
    await search(ann, "City", "ber", "Berlin")
    relabelled = {**kept, "hint": plain("Now with a hint")}
    await show.updates(view_id, modal(blocks=[section("New above"), relabelled, {**changed, "block_id": "other"}]))
    await expect(ann.modal).to_contain_text("Now with a hint")
    await expect(ann.field("Text").locator("input")).to_have_value("Camera")
    await expect(ann.field("City").get_by_role("combobox")).to_have_value("")


async def test_a_block_that_the_page_does_not_draw_says_what_it_is(show: Show):
    plan = {"type": "plan", "title": "Ship it", "tasks": [{"task_id": "1", "title": "Build", "status": "complete"}]}
    await show.posts({"text": "A plan", "blocks": [section("Here it is"), plan]})
    ann = await show.tabs.open("ann")
    await ann.look_at("approvals")
    note = ann.card("Here it is").get_by_role("note")
    await expect(note).to_contain_text("A plan, which the workbench does not draw")
    await expect(note).to_contain_text("Ship it")


async def test_groups_of_options_are_told_apart_in_a_search(show: Show):
    groups = [{"label": plain(f"Part {part}"), "options": options(*(f"{part}{n}" for n in range(20)))} for part in "AB"]
    ann = await show.tabs.open("ann")
    await show.opens(modal(blocks=[field("Part", {"type": "static_select", "option_groups": groups})]))
    await ann.field("Part").get_by_role("combobox").fill("7")
    await expect(ann.field("Part").get_by_role("group", name="Part A").get_by_role("option")).to_have_text(
        ["A7", "A17"]
    )

"""The panel beside the conversation: the traffic with its acks, faults that are asked for, the clock, the scopes."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from playwright.async_api import expect
from slack_sdk.errors import SlackApiError

from tests.acceptance.browser import NARROW, Screen
from tests.acceptance.showcase import Show, message, shown

pytestmark = pytest.mark.chromium


@pytest.fixture
async def show() -> AsyncIterator[Show]:
    async with shown() as show:
        yield show


async def with_panel(show: Show, part: str = "traffic", **more) -> Screen:
    ann = await show.tabs.open("ann", **more)
    await ann.page.locator("[data-role=panel]").click()
    await ann.page.locator(f"[data-role=panel-{part}]").click()
    return ann


async def test_each_call_and_each_delivery_is_a_line_with_its_verdict(show: Show):
    ann = await with_panel(show)
    await show.posts(message())
    await ann.look_at("approvals")
    await ann.press(ann.card("Kamera"), "Approve")
    click = ann.panel.locator(".entry[data-name=block_actions]")
    await expect(click).to_contain_text("approve · Ann Archer")
    await expect(click.get_by_label("To the app")).to_have_count(1)
    await expect(click.locator(".verdict-good")).to_contain_text(" ms")
    call = ann.panel.locator(".entry[data-name='chat.postMessage']")
    await expect(call).to_contain_text("#approvals")
    await expect(call.get_by_label("From the app")).to_have_count(1)


async def test_a_line_unfolds_to_its_json_in_which_no_secret_stands(show: Show):
    ann = await with_panel(show)
    await show.posts(message())
    await ann.look_at("approvals")
    await ann.press(ann.card("Kamera"), "Approve")
    line = ann.panel.locator(".entry[data-name=block_actions]")
    await line.locator("> summary").click()
    body = line.locator(".entry-body")
    await expect(body).to_contain_text("action_id")
    await expect(body).to_contain_text("Envelope")
    text = await body.text_content() or ""
    response_url = (await show.sent("block_actions"))["response_url"]
    assert response_url.rsplit("/", 1)[1] not in text
    assert show.workbench.bot_token not in text


async def test_only_errors_can_be_looked_at_and_the_rest_cleared(show: Show):
    ann = await with_panel(show)
    await show.posts(message())
    with pytest.raises(SlackApiError, match="channel_not_found"):
        await show.client.chat_postMessage(channel="C0NOWHERE", text="Hello")
    await ann.panel.get_by_label("Errors").check()
    await expect(ann.panel.locator(".entry")).to_have_count(1)
    await expect(ann.panel.locator(".verdict-bad")).to_contain_text("channel_not_found")
    await ann.panel.get_by_label("Errors").uncheck()
    await ann.panel.get_by_label("Filter the traffic").fill("postmessage")
    await expect(ann.panel.locator(".entry")).to_have_count(2)
    await ann.panel.get_by_role("button", name="Clear").click()
    await expect(ann.panel).to_contain_text("Nothing yet.")


async def test_a_fault_that_is_planned_happens_once_and_is_gone(show: Show):
    ann = await with_panel(show, "faults")
    await ann.panel.locator("[data-role=fault-kind]").select_option("rate_limit")
    await ann.panel.get_by_label("Retry-After in seconds").fill("7")
    await ann.panel.get_by_role("button", name="Plan it").click()
    await expect(ann.panel.locator(".planned-row")).to_have_count(1)
    with pytest.raises(SlackApiError, match="ratelimited") as caught:
        await show.posts(message())
    assert caught.value.response.headers["Retry-After"] == "7"
    await expect(ann.panel.locator(".planned-row")).to_have_count(0)
    await show.posts(message())


async def test_planned_faults_are_taken_back_one_by_one_or_all(show: Show):
    ann = await with_panel(show, "faults")
    for _ in range(3):
        await ann.panel.get_by_role("button", name="Plan it").click()
    await expect(ann.panel.locator(".planned-row")).to_have_count(3)
    await ann.panel.locator(".planned-row").first.get_by_role("button").click()
    await expect(ann.panel.locator(".planned-row")).to_have_count(2)
    await ann.panel.get_by_role("button", name="Clear all").click()
    await expect(ann.panel).to_contain_text("Nothing is planned")
    assert show.workbench.faults.planned() == []


async def test_a_parameter_that_is_not_right_is_refused_in_words(show: Show):
    ann = await with_panel(show, "faults")
    await ann.panel.locator("[data-role=fault-kind]").select_option("rate_limit")
    await ann.panel.get_by_label("How often").fill("-1")
    await ann.panel.get_by_role("button", name="Plan it").click()
    await expect(ann.page.locator(".toast")).to_contain_text("has to be between")
    assert show.workbench.faults.planned() == []


async def test_the_clock_moves_by_any_span_and_the_scopes_are_listed(show: Show):
    moved: list[timedelta] = []

    async def on_clock(by: timedelta) -> None:
        moved.append(by)

    show.workbench.on_clock = on_clock
    ann = await with_panel(show, "workspace")
    await ann.panel.get_by_label("Bring deadlines nearer by").fill("3")
    await ann.panel.get_by_label("Unit").select_option("hours")
    await ann.panel.get_by_role("button", name="Move").click()
    await expect(ann.panel).to_contain_text("nearer by 3 h")
    assert moved == [timedelta(hours=3)]
    await expect(ann.panel.locator(".scopes")).to_contain_text("chat:write")
    await expect(ann.panel.locator(".facts")).to_contain_text("Socket Mode, connected")


async def test_the_panel_is_remembered_and_closes_with_escape(show: Show):
    ann = await with_panel(show, "workspace")
    await ann.page.reload()
    await expect(ann.panel.locator(".scopes")).to_be_visible()
    await ann.panel.locator("[data-role=panel-workspace]").focus()
    await ann.page.keyboard.press("ArrowLeft")
    await expect(ann.panel.get_by_label("What goes wrong")).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(ann.panel).to_be_hidden()
    await expect(ann.page.locator("[data-role=panel]")).to_be_focused()


async def test_on_a_phone_the_panel_is_a_sheet_that_fits(show: Show):
    ann = await with_panel(show, size=NARROW)
    await show.posts(message())
    await ann.panel.locator(".entry[data-name='chat.postMessage'] > summary").click()
    await expect(ann.panel.locator(".entry-body")).to_contain_text("Arguments")
    assert not await ann.overflows()
    box = await ann.panel.bounding_box()
    assert box
    assert (box["x"], box["width"]) == (0, NARROW[0])
    assert box["y"] > 100

"""People answer cards in the page, each in a tab of their own."""

import asyncio

import pytest
from playwright.async_api import expect

from actions.kit.records.runs import RunStatus
from tests.acceptance.browser import Tabs
from tests.acceptance.office import Office

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}
SPEND = {
    "amount": "1249.90",
    "currency": "EUR",
    "vendor": "Kamera Köhler",
    "justification": "The camera in the small meeting room is broken.",
}
QUESTION = "Approve sending this message?"


async def test_ann_approves_in_the_channel_while_rita_watches(open_office: Office, tabs: Tabs):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = await tabs.open("ann"), await tabs.open("rita")
    await ann.look_at("approvals")
    await rita.look_at("approvals")
    await ann.press(ann.card(QUESTION), "Approve")
    for watching in (ann, rita):
        card = watching.card(QUESTION)
        await expect(card).to_contain_text("Approved by @Ann Archer")
        await expect(card).to_contain_text("🎉 Done")
        await expect(watching.live_buttons).to_have_count(0)
    await expect(rita.row("Signoff")).to_have_attribute("data-unread", "1")
    await rita.look_at("Signoff")
    await expect(rita.card(QUESTION)).to_contain_text("Send message · Recipient: press@example.com")
    await expect(rita.card(QUESTION)).to_contain_text("🎉 Done")
    assert (await open_office.ends(run.id, RunStatus.SUCCEEDED)).id == run.id
    assert [entry.kind for entry in open_office.effects()] == ["message"]


async def test_the_thread_says_who_decided_and_what_the_action_reports(open_office: Office, tabs: Tabs):
    await open_office.start("send_message", MESSAGE)
    ann = await tabs.open("ann")
    await ann.look_at("approvals")
    await ann.press(ann.card(QUESTION), "Approve")
    await ann.card(QUESTION).get_by_role("button", name="2 replies").click()
    thread = ann.page.locator("#thread")
    await expect(thread).to_contain_text("@Ann Archer decided “Approve”")
    await expect(thread).to_contain_text("Sent to press@example.com.")


async def test_ritas_own_click_is_refused_so_that_only_she_sees_it(open_office: Office, tabs: Tabs):
    await open_office.start("send_message", MESSAGE)
    ann, rita = await tabs.open("ann"), await tabs.open("rita")
    await ann.look_at("approvals")
    await rita.look_at("approvals")
    await rita.press(rita.card(QUESTION), "Approve")
    await rita.told("You asked for this, and nobody approves their own request.")
    await expect(ann.whispers).to_have_count(0)
    await expect(ann.card(QUESTION).get_by_role("button", name="Approve")).to_be_enabled()
    await rita.whispers.get_by_role("button", name="Hide").click()
    await expect(rita.whispers).to_have_count(0)
    assert open_office.effects() == []


async def test_of_two_who_click_before_the_card_is_redrawn_the_second_is_told_who_was_first(
    open_office: Office, tabs: Tabs
):
    run = await open_office.start("send_message", MESSAGE)
    ann, ben = await tabs.open("ann"), await tabs.open("ben")
    await ann.look_at("approvals")
    await ben.look_at("approvals")
    await expect(ben.card(QUESTION)).to_contain_text("Waiting for an answer until")
    held = open_office.workbench.faults.hold("chat.update", after_commit=False)
    await ann.press(ann.card(QUESTION), "Approve")
    await held.arrived.wait()
    await ben.press(ben.card(QUESTION), "Approve")
    await ben.told("Already approved by @Ann Archer")
    held.release()
    for watching in (ann, ben):
        await expect(watching.card(QUESTION)).to_contain_text("🎉 Done")
        await expect(watching.live_buttons).to_have_count(0)
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(open_office.effects()) == 1


async def test_clicks_of_two_people_in_the_same_moment_are_one_decision(open_office: Office, tabs: Tabs):
    run = await open_office.start("send_message", MESSAGE)
    screens = [await tabs.open("ann"), await tabs.open("ben")]
    for screen in screens:
        await screen.look_at("approvals")
        await expect(screen.card(QUESTION)).to_contain_text("Waiting for an answer until")
    approve = [screen.card(QUESTION).get_by_role("button", name="Approve") for screen in screens]
    await asyncio.gather(*(button.dispatch_event("click") for button in approve))
    for screen in screens:
        await expect(screen.card(QUESTION)).to_contain_text("🎉 Done")
        await expect(screen.live_buttons).to_have_count(0)
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(open_office.effects()) == 1


async def test_what_nobody_answers_expires_by_the_pages_clock_and_rita_is_told(open_office: Office, tabs: Tabs):
    run = await open_office.start("restart_service", {"service": "checkout", "reason": "Orders time out."})
    omar, rita = await tabs.open("omar"), await tabs.open("rita")
    await omar.look_at("Signoff")
    await rita.look_at("Signoff")
    await expect(omar.card("Restart checkout?").get_by_role("button", name="Restart")).to_be_visible()
    await omar.page.get_by_role("button", name="+1 h").click()
    await expect(omar.card("Restart checkout?")).to_contain_text("⌛ Expired: nobody answered in time")
    await expect(omar.live_buttons).to_have_count(0)
    await expect(rita.card("Restart checkout?")).to_contain_text("nobody answered within 5 minutes")
    await open_office.ends(run.id, RunStatus.EXPIRED)
    assert open_office.effects() == []


async def test_what_failed_is_run_again_by_its_button(open_office: Office, tabs: Tabs):
    run = await open_office.start("break_after_answer", {})
    ann = await tabs.open("ann")
    await ann.look_at("approvals")
    await ann.press(ann.card("Break it?"), "Approve")
    await expect(ann.card("Break it?")).to_contain_text("Failed")
    await open_office.ends(run.id, RunStatus.FAILED)
    await ann.press(ann.card("Break it?"), "What can be done")
    await ann.modal.get_by_role("button", name="Run again").click()
    await ann.confirm("Run again")
    await expect(ann.card("Break it?").get_by_role("button", name="2 replies")).to_be_visible()
    assert (await open_office.ends(run.id, RunStatus.FAILED)).epoch >= run.epoch


HOSTILE = {
    "recipient": "<script>document.title='forged'</script>",
    "body": "<!channel> <https://evil.example|bank.example> <javascript:alert(1)|here> <img src=x onerror=alert(1)>",
}


async def test_data_that_looks_like_markup_is_shown_as_the_text_that_it_is(open_office: Office, tabs: Tabs):
    await open_office.start("send_message", HOSTILE)
    ann = await tabs.open("ann")
    await ann.look_at("approvals")
    card = ann.card(QUESTION)
    for text in HOSTILE.values():
        await expect(card).to_contain_text(text)
    await expect(card.locator("script, img, a, .mention-all")).to_have_count(0)
    assert "forged" not in await ann.page.title()
    await ann.press(card, "Reject")
    await expect(ann.modal).to_contain_text(HOSTILE["recipient"])
    await expect(ann.modal.locator("script, img, a, .mention-all")).to_have_count(0)
    await ann.field("Reason").locator("textarea").fill("<b>no</b> <!here> javascript:alert(1)")
    await ann.submit()
    await expect(card).to_contain_text("<b>no</b> <!here> javascript:alert(1)")
    await expect(card.locator("b, a, .mention-all")).to_have_count(0)

"""People fill in forms in the page, with a mouse or with the keyboard alone."""

import pytest
from playwright.async_api import expect

from actions.kit.records.runs import RunStatus
from tests.acceptance.browser import Screen, Tabs
from tests.acceptance.office import Office
from tests.acceptance.test_browser_cards import SPEND

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

SPENDING = "Spend 1,249.90 EUR at Kamera Köhler?"


async def test_dana_rejects_and_must_give_a_reason(open_office: Office, tabs: Tabs):
    run = await open_office.start("spend_request", SPEND)
    dana, rita = await tabs.open("dana"), await tabs.open("rita")
    await dana.look_at("Signoff")
    await rita.look_at("Signoff")
    await dana.press(dana.card(SPENDING), "Reject")
    reason = dana.field("Reason")
    await dana.submit()
    await expect(reason.locator(".input-error")).to_have_text("Please complete this required field.")
    await expect(reason.locator("textarea")).to_be_focused()
    await open_office.ends(run.id, RunStatus.WAITING)
    await reason.locator("textarea").fill("We bought a camera in May.")
    await expect(reason.locator(".input-error")).to_be_hidden()
    await dana.submit()
    await expect(dana.modal).to_have_count(0)
    for watching in (dana, rita):
        await expect(watching.card(SPENDING)).to_contain_text("🚫 Rejected by @Dana Diaz")
        await expect(watching.card(SPENDING)).to_contain_text("We bought a camera in May.")
    await expect(dana.live_buttons).to_have_count(0)
    await expect(rita.live_buttons).to_have_text(["Ask again…"])
    await open_office.ends(run.id, RunStatus.DECLINED)
    assert open_office.effects() == []


async def test_what_the_model_refuses_stands_under_its_field_and_what_was_typed_stays(open_office: Office, tabs: Tabs):
    await open_office.start("spend_request", SPEND)
    dana = await tabs.open("dana")
    await dana.look_at("Signoff")
    await dana.press(dana.card(SPENDING), "Reject")
    typed = dana.field("Reason").locator("textarea")
    await typed.fill("     ")
    await dana.submit()
    await expect(dana.field("Reason").locator(".input-error")).to_be_visible()
    await expect(typed).to_have_value("     ")
    await expect(dana.card(SPENDING).locator("button", has_text="Reject")).to_be_attached()


async def test_rita_asks_for_money_by_the_command_and_dana_signs_it_off(open_office: Office, tabs: Tabs):
    rita, dana = await tabs.open("rita"), await tabs.open("dana")
    await rita.look_at("general")
    await dana.look_at("Signoff")
    await rita.write("/signoff spend_request")
    await rita.field("Amount").locator("input").fill("1249.999")
    await rita.field("Currency").get_by_label("EUR").check()
    await rita.field("Vendor").locator("input").fill("Kamera Köhler")
    await rita.field("Justification").locator("textarea").fill("The camera in the small meeting room is broken.")
    await rita.submit()
    await expect(rita.field("Amount").locator(".input-error")).to_contain_text("decimal places")
    await rita.field("Amount").locator("input").fill("1249.90")
    await rita.submit()
    await expect(rita.modal).to_have_count(0)
    card = dana.card(SPENDING)
    await expect(card).to_contain_text("Amount1,249.90 EUR")
    await expect(card).to_contain_text("Asked by @Rita Rossi")
    await dana.press(card, "Approve")
    await expect(card).to_contain_text("🎉 Done")
    (order,) = open_office.effects("order")
    assert (order.facts["amount"], order.facts["currency"]) == ("1249.90", "EUR")


async def tab_to(screen: Screen, label: str) -> None:
    """Press Tab until the focus is on the button with this label."""
    for _ in range(60):
        await screen.page.keyboard.press("Tab")
        if (await screen.keyboard_focus.text_content() or "").strip() == label:
            return
    raise AssertionError(f"the keyboard does not reach {label!r}")


async def test_the_keyboard_alone_opens_a_form_stays_in_it_and_closes_it(open_office: Office, tabs: Tabs):
    await open_office.start("spend_request", SPEND)
    dana = await tabs.open("dana")
    await dana.look_at("Signoff")
    await expect(dana.card(SPENDING)).to_contain_text("until")
    await dana.page.locator("#messages").focus()
    await tab_to(dana, "Reject")
    await dana.page.keyboard.press("Enter")
    await expect(dana.field("Reason").locator("textarea")).to_be_focused()
    for _ in range(8):
        await dana.page.keyboard.press("Tab")
        await expect(dana.modal.locator(":focus")).to_have_count(1)
    await dana.page.keyboard.press("Escape")
    await expect(dana.modal).to_have_count(0)
    await expect(dana.keyboard_focus).to_have_text("Reject")
    await expect(dana.card(SPENDING).get_by_role("button", name="Approve")).to_be_visible()


async def test_the_keyboard_alone_sends_a_form(open_office: Office, tabs: Tabs):
    run = await open_office.start("spend_request", SPEND)
    dana = await tabs.open("dana")
    await dana.look_at("Signoff")
    await expect(dana.card(SPENDING)).to_contain_text("until")
    await dana.page.locator("#messages").focus()
    await tab_to(dana, "Reject")
    await dana.page.keyboard.press("Space")
    await expect(dana.field("Reason").locator("textarea")).to_be_focused()
    await dana.page.keyboard.type("Not this year.")
    await dana.page.keyboard.press("Control+Enter")
    await expect(dana.card(SPENDING)).to_contain_text("Rejected")
    await open_office.ends(run.id, RunStatus.DECLINED)

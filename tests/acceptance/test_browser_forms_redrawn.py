"""Forms that change while people fill them in, in the page: what they typed stands where they left it."""

import pytest
from playwright.async_api import Locator, expect

from actions.kit.records.runs import RunStatus
from blocks.values import BENEATH
from tests.acceptance import form_actions
from tests.acceptance.browser import Screen, Tabs
from tests.acceptance.form_actions import TOWNS
from tests.acceptance.office import Office
from tests.acceptance.test_forms_redrawn import COUNT, NAME, PASSENGERS, PLATE, SEAT

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

HTML_DAY = "2027-01-04"


async def answering(office: Office, tabs: Tabs, action_id: str, question: str) -> tuple[str, Screen]:
    run = await office.start(action_id, {})
    ann = await tabs.open("ann")
    await ann.look_at("approvals")
    await ann.press(ann.card(question), "Answer")
    await expect(ann.modal).to_be_visible()
    return run.id, ann


def text_of(screen: Screen, label: str) -> Locator:
    return screen.field(label).locator("input, textarea")


async def ended(office: Office, run_id: str) -> dict[str, object]:
    await office.ends(run_id, RunStatus.SUCCEEDED)
    (entry,) = office.effects("answer")
    return dict(entry.facts)


async def test_a_union_switched_to_and_fro_keeps_what_was_typed(open_office: Office, tabs: Tabs):
    run_id, ann = await answering(open_office, tabs, "ask_trip", "Where does it go?")
    await text_of(ann, "Where").fill("Kassel")
    await ann.field("Way").get_by_label("Train").check()
    await text_of(ann, SEAT).fill("window")
    await ann.field("Way").get_by_label("Car").check()
    await text_of(ann, PLATE).fill("KS-42")
    await expect(ann.field(SEAT)).to_have_count(0)
    await ann.field("Way").get_by_label("Train").check()
    await expect(text_of(ann, SEAT)).to_have_value("window")
    await expect(text_of(ann, "Where")).to_have_value("Kassel")
    await ann.field("Way").get_by_label("Car").check()
    await expect(text_of(ann, PLATE)).to_have_value("KS-42")
    await text_of(ann, PASSENGERS).fill("2")
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    assert await ended(open_office, run_id) == {
        "where": "Kassel",
        "way": {"kind": "car", "plate": "KS-42", "passengers": 2},
    }


async def test_of_three_rows_one_is_removed_and_the_others_stay(open_office: Office, tabs: Tabs):
    run_id, ann = await answering(open_office, tabs, "ask_parts", "Which parts are missing?")
    for row, (name, count) in enumerate([("bolt", "10"), ("nut", "20"), ("washer", "30")], start=1):
        if row > 1:
            await ann.press(ann.modal, "Add an entry")
        await text_of(ann, NAME[row]).fill(name)
        await text_of(ann, COUNT[row]).fill(count)
    await ann.modal.get_by_role("button", name="Remove Parts 2", exact=True).click()
    await expect(ann.field(NAME[3])).to_have_count(0)
    await expect(text_of(ann, NAME[1])).to_have_value("bolt")
    await expect(text_of(ann, NAME[2])).to_have_value("washer")
    await expect(text_of(ann, COUNT[2])).to_have_value("30")
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    told = await ended(open_office, run_id)
    assert told == {"parts": [{"name": "bolt", "count": 10}, {"name": "washer", "count": 30}]}


async def step(ann: Screen, number: int) -> None:
    await expect(ann.modal).to_contain_text(f"Step {number} of 5")


async def test_five_steps_with_back_and_an_error_where_it_can_be_mended(
    open_office: Office, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
):
    run_id, ann = await answering(open_office, tabs, "ask_onboarding", "Who comes on Monday?")

    def field(part: str, name: str) -> Locator:
        return text_of(ann, f"{part}{BENEATH}{name}")

    await step(ann, 1)
    await field("Person", "Name").fill("Nora")
    await field("Person", "Starts").fill(HTML_DAY)
    await field("Person", "Ends").fill("2026-01-01")
    await ann.submit()
    await expect(ann.modal.get_by_text("they would leave before they come")).to_be_in_viewport()
    await field("Person", "Ends").fill("2027-06-30")
    await ann.submit()
    await step(ann, 2)
    await field("Contract", "Rate").fill("12,50 or so")
    await field("Contract", "Remark 1").fill("typed")
    await ann.submit()
    rate = ann.field(f"Contract{BENEATH}Rate")
    await expect(rate.locator(".input-error")).to_contain_text("number")
    await expect(field("Contract", "Remark 1")).to_have_value("typed")
    await field("Contract", "Rate").fill("12.50")
    await ann.submit()
    await step(ann, 3)
    await ann.press(ann.modal.locator(".dialog-body"), "Back")
    await step(ann, 2)
    await expect(field("Contract", "Rate")).to_have_value("12.50")
    await ann.submit()
    for number, (part, name, value) in enumerate(
        [("Desk", "Floor", "third"), ("Access", "Account", "nora"), ("Welcome", "Guide", "Ben")], start=3
    ):
        await step(ann, number)
        await field(part, name).fill(value)
        if number == 5:
            monkeypatch.setattr(form_actions, "TAKEN", {"nora"})
        await ann.submit()
    await step(ann, 4)
    await expect(ann.modal.get_by_text("was taken by somebody else")).to_be_in_viewport()
    await field("Access", "Account").fill("nora.n")
    await ann.submit()
    await step(ann, 5)
    await expect(field("Welcome", "Guide")).to_have_value("Ben")
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    assert await ended(open_office, run_id)


async def test_a_town_is_found_among_a_thousand(open_office: Office, tabs: Tabs):
    run_id, ann = await answering(open_office, tabs, "ask_town", "Which town?")
    town = ann.field("Town").get_by_role("combobox")
    await town.fill("0742")
    await ann.page.get_by_role("option", name=TOWNS[742]).click()
    await expect(town).to_have_value(TOWNS[742])
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    assert await ended(open_office, run_id) == {"town": TOWNS[742], "days": 1}


async def test_what_somebody_goes_on_typing_while_the_form_is_redrawn_is_not_lost(open_office: Office, tabs: Tabs):
    run_id, ann = await answering(open_office, tabs, "ask_trip", "Where does it go?")
    hold = open_office.workbench.faults.hold("views.update", after_commit=False)
    await ann.field("Way").get_by_label("Train").check()
    await hold.arrived.wait()
    where = text_of(ann, "Where")
    await where.press_sequentially("Kas")
    hold.release()
    await expect(ann.field(SEAT)).to_be_visible()
    await where.press_sequentially("sel")
    await expect(where).to_have_value("Kassel")
    await text_of(ann, SEAT).fill("window")
    await ann.submit()
    await expect(ann.modal).to_have_count(0)
    assert (await ended(open_office, run_id))["where"] == "Kassel"

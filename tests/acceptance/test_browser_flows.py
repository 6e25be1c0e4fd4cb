"""The two flows in the page, from the command to the end: a forecast for a place, and an order that is placed and asked after."""

import asyncio
import re

import pytest
from playwright.async_api import Locator, expect

from actions.kit.records.runs import RunStatus
from actions.kit.sources import places
from tests.acceptance.browser import Screen, Tabs
from tests.acceptance.office import Office

pytestmark = [pytest.mark.chromium, pytest.mark.parametrize("transport", ["socket"])]

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


async def opens(tabs: Tabs, command: str) -> Screen:
    """Rita's tab with the form of a command."""
    rita = await tabs.open("rita")
    await rita.look_at("general")
    await rita.write(command)
    await expect(rita.modal).to_be_visible()
    return rita


async def asked(rita: Screen, question: str, button: str) -> Locator:
    """Her card, and the form behind one of its buttons."""
    await rita.look_at("Signoff")
    card = rita.card(question)
    await expect(card).to_be_visible()
    await rita.press(card, button)
    return card


async def test_rita_picks_a_city_by_another_name_and_is_told_the_weather(open_office: Office, tabs: Tabs):
    await asyncio.to_thread(places.SOURCE.load)
    rita = await opens(tabs, "/signoff weather")
    await rita.submit()
    card = await asked(rita, "The weather of which place?", "Choose a place")
    place = rita.field("Choose a place")
    await place.get_by_role("combobox").fill("štýrský hr")
    await expect(place.get_by_role("option")).to_have_text(["Graz, Austria303,270 people"])
    await place.get_by_role("option").click()
    await rita.submit()
    await expect(card).to_contain_text("🎉 Done")
    await expect(card).to_contain_text("Graz, Austria")
    await rita.press(card, "Reply in thread")
    await expect(rita.page.locator("#thread")).to_contain_text(
        "by a recording for Graz, 1 km away. Monday: -2.3 to 4.1 °C, dry."
    )


async def test_rita_connects_a_wallet_places_an_order_and_says_what_became_of_it(open_office: Office, tabs: Tabs):
    rita = await opens(tabs, "/signoff trade_crypto")
    await rita.field("Side").get_by_label("buy").check()
    await rita.field("Pair").locator("select").select_option("ETH-USD")
    await rita.field("Amount").locator("input").fill("0.25")
    await rita.submit()
    await asked(rita, "Which wallet is the order for?", "Connect")
    address = rita.field("Address")
    await address.locator("input").fill(WALLET.replace("5aAe", "5aae"))
    await rita.field("Chain").locator("select").select_option("Ethereum")
    await rita.submit()
    await expect(address.locator(".input-error")).to_contain_text("its checksum (EIP-55) does not match")
    await address.locator("input").fill(WALLET)
    await rita.submit()
    order = rita.card("Buy 0.25 ETH?")
    await expect(order).to_contain_text("Total760.30 USD")
    await expect(order).to_contain_text("Price3,041.20 USD for 1 ETH")
    await expect(order).to_contain_text(re.compile(r"Quote.*\(\d+ seconds? ago|now\)"))
    await rita.press(order, "Confirm")
    await expect(order).to_contain_text("Confirmed by @Rita Rossi")
    await asked(rita, "What became of the order?", "Give its status")
    await rita.modal.get_by_label("Partially filled").check()
    await rita.submit()
    done = rita.card("What became of the order?")
    await expect(done).to_contain_text("🎉 Done")
    (run,) = await open_office.store.runs()
    assert run.status is RunStatus.SUCCEEDED
    assert [entry.facts["total"] for entry in open_office.effects("crypto_order")] == ["760.30"]

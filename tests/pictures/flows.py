"""The scene of the two worked flows: a place that is searched for and its weather; a wallet, an order, and what became of it."""

import asyncio

from playwright.async_api import expect

from actions.kit.sources import places
from tests.acceptance.browser import Screen
from tests.pictures.studio import TALL, LiveStudio

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
TRADE = {"side": "buy", "pair": "ETH-USD", "amount": "0.25"}


async def flows(studio: LiveStudio) -> None:
    await asyncio.to_thread(places.SOURCE.load)
    rita = await studio.opens("rita", size=TALL)
    await rita.look_at("Signoff")
    await _weather(studio, rita)
    await _trade(studio, rita)


async def _weather(studio: LiveStudio, rita: Screen) -> None:
    await studio.live.start("weather", {})
    card = rita.card("The weather of which place?")
    await expect(card).to_contain_text("Waiting for an answer until")
    await studio.take("flow_weather", "A place is asked for", card)
    await rita.press(card, "Use coordinates")
    await expect(rita.modal).to_be_visible()
    await studio.take("flow_weather_coordinates", "The form behind Use coordinates", await studio.whole(rita))
    await rita.page.keyboard.press("Escape")
    await rita.press(card, "Choose a place")
    place = rita.field("Choose a place")
    await place.get_by_role("combobox").fill("gra")
    await expect(place.get_by_role("option", name="Graz, Austria")).to_be_visible()
    await studio.take("flow_weather_search", "Cities are found as one types", rita.modal, margin=120)
    await place.get_by_role("option", name="Graz, Austria").click()
    await rita.submit()
    await expect(card).to_contain_text("a recording for Graz")
    await studio.take("flow_weather_done", "The weather there", card.locator(".sheet"), margin=5)


async def _trade(studio: LiveStudio, rita: Screen) -> None:
    await studio.live.start("trade_crypto", TRADE)
    await rita.press(rita.card("Which wallet is the order for?"), "Connect")
    await rita.field("Address").locator("input").fill(WALLET.lower())
    await rita.field("Chain").locator("select").select_option("Ethereum")
    await rita.submit()
    await expect(rita.field("Address")).to_contain_text("carries no checksum")
    await studio.take("flow_wallet_refused", "An address without its checksum is refused", await studio.whole(rita))
    await rita.field("Address").locator("input").fill(WALLET)
    await rita.submit()
    order = rita.card("Buy 0.25 ETH?")
    await expect(order).to_contain_text("Waiting for an answer until")
    await studio.take("flow_order", "An order with its total, its price and the age of the quote", order)
    await rita.press(order, "Confirm")
    status = rita.card("What became of the order?")
    await rita.press(status, "Give its status")
    await rita.modal.get_by_label("Partially filled").check()
    await studio.take("flow_status_form", "Its status", await studio.whole(rita))
    await rita.submit()
    await expect(status).to_contain_text("Done")
    await studio.take("flow_trade_done", "What came of it", status)

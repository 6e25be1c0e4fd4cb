"""The two worked flows, pass by pass: a forecast for a place, and an order from the wallet to its status."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from actions.crypto import get_order_status, place_crypto_order, trade_crypto
from actions.forecasts import Forecasts, recorded
from actions.kit.cards import kind_of
from actions.kit.cards.get_order_status import StatusError
from actions.kit.errors import AnswerError
from actions.kit.trial import THEN
from actions.ledger import Ledger
from actions.quotes import LONGEST_REASON, OrderStatuses, Quotes
from actions.quotes import recorded as recorded_quotes
from actions.testing import Trial, run
from actions.weather import ask_location, weather

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
ORDER = {"side": "buy", "pair": "ETH-USD", "amount": "0.25", "address": WALLET, "chainId": 1}
TRADE = {key: ORDER[key] for key in ("side", "pair", "amount")}
GRAZ: dict[str, Any] = {"lat": 47.06733, "lon": 15.44197, "label": "Graz, Austria"}


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.jsonl")


def sources(ledger: Ledger, *ages: int) -> list[object]:
    """The ledger, quotes that are so many seconds old when they are answered, and no service of orders."""
    told: Iterator[datetime] = iter([THEN - timedelta(seconds=age) for age in ages])
    return [ledger, Quotes(recorded_quotes(), now=lambda: next(told, THEN)), OrderStatuses()]


def value_of(ui: str, choice: str, value: Any) -> str:
    kind = kind_of(ui)
    assert kind is not None
    return kind.resume.validate(choice, value)


@pytest.mark.parametrize(
    ("ui", "choice", "given", "stored"),
    [
        ("ask_location", "place", GRAZ, '{"lat":47.06733,"lon":15.44197,"label":"Graz, Austria"}'),
        (
            "ask_location",
            "coordinates",
            {"lat": -33.9, "lon": 0},
            '{"lat":-33.9,"lon":0.0,"label":"33.90° S, 0.00° E"}',
        ),
        ("ask_location", "coordinates", {"lat": 1, "lon": 2, "label": " Sea "}, '{"lat":1.0,"lon":2.0,"label":"Sea"}'),
        ("ask_location", "no_place", {"error": "Permission denied"}, '{"error":"Permission denied"}'),
        ("connect_wallet", "wallet", {"address": WALLET, "chainId": 8453}, f'{{"address":"{WALLET}","chainId":8453}}'),
        ("connect_wallet", "no_wallet", {}, '{"cancelled":true}'),
        ("connect_wallet", "no_wallet", {"message": "Later"}, '{"cancelled":true,"message":"Later"}'),
        ("place_crypto_order", "cancel", {"message": None}, '{"status":"cancelled"}'),
        ("get_order_status", "status", {"status": "partially_filled"}, '{"status":"partially_filled"}'),
        ("get_order_status", "error", {"message": "No idea"}, '{"status":"error","message":"No idea"}'),
    ],
)
def test_each_answer_has_exactly_its_shape(ui: str, choice: str, given: Any, stored: str):
    assert value_of(ui, choice, given) == stored


@pytest.mark.parametrize(
    ("ui", "choice", "given", "words"),
    [
        (
            "connect_wallet",
            "wallet",
            {"address": WALLET.swapcase().replace("0X", "0x"), "chainId": 1},
            "does not match",
        ),
        ("connect_wallet", "wallet", {"address": WALLET.lower(), "chainId": 1}, "carries no checksum"),
        ("connect_wallet", "wallet", {"address": f"0x{WALLET[2:].upper()}", "chainId": 1}, "carries no checksum"),
        ("connect_wallet", "wallet", {"address": WALLET[2:], "chainId": 1}, "must be in a form such as 0x"),
        ("connect_wallet", "wallet", {"address": f"{WALLET}\n", "chainId": 1}, "must be in a form such as 0x"),
        ("connect_wallet", "wallet", {"address": WALLET, "chainId": 4}, "must be one of: 1 (Ethereum)"),
        ("connect_wallet", "wallet", {"address": WALLET, "chainId": True}, "must be a whole number"),
        ("connect_wallet", "no_wallet", {"cancelled": False}, "cancelled"),
        ("ask_location", "place", {**GRAZ, "lat": 90.1}, "at most 90"),
        ("ask_location", "coordinates", {"lat": 0, "lon": -181}, "at least -180"),
        ("ask_location", "place", {"error": "x"}, "lat"),
        ("get_order_status", "status", {"status": "error"}, "status"),
        ("get_order_status", "error", {"status": "filled", "message": "No idea"}, "status"),
    ],
)
def test_what_has_another_shape_is_refused_in_words(ui: str, choice: str, given: Any, words: str):
    with pytest.raises(AnswerError) as refused:
        value_of(ui, choice, given)
    assert words in str(refused.value)


async def test_the_weather_is_that_of_the_place_that_was_picked():
    paused = await run(weather, {}, resources=[Forecasts(recorded)])
    assert (paused.request.ui, paused.choices) == ("ask_location", ("place", "coordinates", "no_place"))
    done = await paused.answer("place", **GRAZ)
    assert (done.output.place, len(done.output.days)) == ("Graz, Austria", 3)
    assert done.output.source == "a recording for Graz, 1 km away"
    (said,) = done.reports
    assert said.startswith("Graz, Austria, by a recording for Graz, 1 km away. Monday: -2.3 to 4.1 °C, dry.")
    far = await paused.answer("coordinates", lat=-36.85, lon=174.76)
    assert far.output.place == "36.85° S, 174.76° E"
    assert far.output.source == "a recording for Sydney, 2,156 km away"


async def test_no_place_is_an_answer_and_no_failure():
    paused = await run(weather, {}, resources=[Forecasts(recorded)])
    done = await paused.answer("no_place", error="Permission denied")
    assert (done.status, done.output.error) == ("returned", "Permission denied")
    alone = await (await run(ask_location, {})).answer("place", **GRAZ)
    assert alone.output.model_dump() == GRAZ


async def ordering(resources: list[object]) -> Trial:
    paused = await run(trade_crypto, TRADE, resources=resources)
    assert paused.request.ui == "connect_wallet"
    return await paused.answer("wallet", address=WALLET, chainId=1)


async def test_a_trade_goes_from_the_wallet_to_the_order_and_its_status(ledger: Ledger):
    paused = await ordering(sources(ledger))
    assert (paused.message, paused.call_path, paused.choices) == ("Buy 0.25 ETH?", "order", ("confirm", "cancel"))
    assert {key: paused.shown[key] for key in ("price", "total")} == {"price": "3041.2", "total": "760.30"}
    uid = paused.shown["order_uid"]
    paused = await paused.answer("confirm")
    assert (paused.call_path, paused.shown) == ("status", {"order_uid": uid})
    done = await paused.answer("status", status="filled")
    assert done.output.model_dump(exclude_none=True) == {"outcome": "ordered", "order_uid": uid, "status": "filled"}
    (placed,) = ledger.entries()
    assert placed.facts == {
        **ORDER,
        "status": "simulated_filled",
        "order_uid": uid,
        "price": "3041.2",
        "total": "760.30",
    }


async def test_an_order_is_returned_as_it_was_shown(ledger: Ledger):
    paused = await run(place_crypto_order, ORDER, resources=sources(ledger))
    order = (await paused.answer("confirm")).output
    assert order.model_dump(exclude={"order_uid"}) == {
        "status": "simulated_filled",
        "side": "buy",
        "pair": "ETH-USD",
        "amount": Decimal("0.25"),
        "price": Decimal("3041.2"),
        "total": Decimal("760.30"),
    }
    assert order.order_uid == paused.shown["order_uid"]


async def test_a_quote_older_than_a_minute_is_asked_for_anew_and_nothing_is_ordered_at_the_old_price(ledger: Ledger):
    paused = await run(place_crypto_order, ORDER, resources=sources(ledger, 61, 60))
    again = await paused.answer("confirm")
    assert ledger.entries() == []
    assert again.reports == ("The quote was 61 seconds old. It was asked for anew, and nothing is ordered yet.",)
    assert (paused.shown["price"], again.shown["price"]) == ("3041.2", "3044.75")
    assert paused.shown["order_uid"] != again.shown["order_uid"]
    done = await again.answer("confirm")
    assert done.output.price == Decimal("3044.75")
    assert [entry.facts["price"] for entry in ledger.entries()] == ["3044.75"]


async def test_a_trade_stops_where_it_is_cancelled(ledger: Ledger):
    resources = sources(ledger, 3_600)
    without = await (await run(trade_crypto, TRADE, resources=resources)).answer("no_wallet", message="It is at home")
    assert without.output.model_dump(exclude_none=True) == {"outcome": "no_wallet", "message": "It is at home"}
    cancelled = await (await ordering(resources)).answer("cancel")
    assert cancelled.output.model_dump(exclude_none=True) == {"outcome": "cancelled"}
    assert ledger.entries() == []


async def test_an_order_whose_status_nobody_knows_says_so(ledger: Ledger):
    paused = await run(get_order_status, {"order_uid": "sim-1"}, resources=sources(ledger))
    done = await paused.answer("error", message="The exchange is closed")
    assert done.output.model_dump() == {"status": "error", "message": "The exchange is closed"}


async def test_quotes_are_kept_with_the_moment_at_which_they_were_asked_for():
    quote = await Quotes(recorded_quotes()).of("SOL-EUR")
    assert quote.price == Decimal("119.25")
    assert timedelta() <= datetime.now(UTC) - quote.at < timedelta(minutes=1)


async def test_what_a_service_of_orders_cannot_say_is_never_too_long_for_the_answer():
    status = await OrderStatuses(f"http://{'a' * 600}.example").of("sim-1")
    assert isinstance(status, StatusError)
    assert len(status.message) == LONGEST_REASON

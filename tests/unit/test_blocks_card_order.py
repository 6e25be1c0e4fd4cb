"""An order's card: what it comes to first, then what is ordered, the price, and a quote whose age Slack counts."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from actions.kit.cards.place_crypto_order import Offer
from blocks.cards import facts_of_kind
from blocks.described import NOTHING_KNOWN
from blocks.facts import Room
from blocks.live import in_mrkdwn

AT = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
OFFER = Offer(
    side="sell",
    pair="ETH-USDC",
    amount=Decimal("1250.5"),
    price=Decimal("3041.2"),
    total=Decimal("3803020.60"),
    quoted_at=AT,
    order_uid="sim-1",
).model_dump(mode="json")


def shown(data: Any, room: int = 8) -> dict[str, str] | None:
    found = facts_of_kind("place_crypto_order", data, NOTHING_KNOWN, Room(room))
    return None if found is None else {fact.label: fact.value for fact in found.facts}


def test_an_order_is_said_in_words_and_whatever_else_is_given_stands_below():
    assert shown({**OFFER, "venue": "Demo"}) == {
        "Total": "3,803,020.60 USDC",
        "Order": "Sell 1,250.5 ETH",
        "Price": "3,041.2 USDC for 1 ETH",
        "Quote": "30 November 2026, 12:00:05 UTC",
        "Order uid": "sim-1",
        "Venue": "Demo",
    }


def test_slack_counts_the_age_of_the_quote():
    found = facts_of_kind("place_crypto_order", OFFER, NOTHING_KNOWN, Room())
    assert found is not None
    (quote,) = (fact for fact in found.facts if fact.label == "Quote")
    assert in_mrkdwn(quote.live, quote.value) == (
        f"<!date^{int(AT.timestamp())}^{{time_secs}} ({{ago}})|30 November 2026, 12:00:05 UTC>"
    )


def test_what_has_no_room_is_counted():
    found = facts_of_kind("place_crypto_order", {**OFFER, "venue": "Demo"}, NOTHING_KNOWN, Room(4))
    assert found is not None
    assert (len(found.facts), found.left_out) == (4, 2)


@pytest.mark.parametrize(
    "data",
    [None, [], "x", {}, {**OFFER, "side": "lend"}, {**OFFER, "pair": "ETH"}, {**OFFER, "price": {"amount": "1"}}],
)
def test_what_is_no_order_is_drawn_as_any_other_data(data: Any):
    assert shown(data) is None


@pytest.mark.parametrize("at", ["", "yesterday", "2026-11-30T12:00:05", None, 5])
def test_a_quote_without_a_moment_is_never_given_an_age(at: Any):
    found = facts_of_kind("place_crypto_order", {**OFFER, "quoted_at": at}, NOTHING_KNOWN, Room())
    assert found is not None
    assert [fact.live for fact in found.facts if fact.label == "Quote"] in ([], [None])

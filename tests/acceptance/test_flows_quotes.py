"""An order is confirmed over a quote that has grown old: nothing is ordered, and the new price stands on a new card."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from actions import resources
from actions.crypto import place_crypto_order
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from actions.ledger import open_ledger
from actions.quotes import Quotes, recorded
from bot import clock
from tests.acceptance.office import Office

pytestmark = pytest.mark.parametrize("transport", ["socket"])

ORDER = {"side": "buy", "pair": "ETH-USD", "amount": "0.25", "chainId": 1}
WALLET = {"address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}


@resources
async def open_old_quotes() -> AsyncIterator[Quotes]:
    """The first quote is an hour old, and all others are fresh."""
    ages = iter([timedelta(hours=1)])
    yield Quotes(recorded(), now=lambda: clock.now() - next(ages, timedelta()))


async def test_confirming_an_old_quote_shows_the_new_price_and_orders_nothing_yet(closed_office: Office):
    await closed_office.open(Registry([place_crypto_order], [open_ledger, open_old_quotes]))
    rita = closed_office.person("rita")
    run = await closed_office.start("place_crypto_order", ORDER | WALLET)
    old = await rita.sees("3,041.20 USD for 1 ETH", in_="dm")
    await rita.click(old, "Confirm")
    new = await rita.sees("3,044.75 USD for 1 ETH", in_="dm")
    assert closed_office.effects() == []
    assert old.buttons == []
    await rita.click(new, "Confirm")
    ended = await closed_office.ends(run, RunStatus.SUCCEEDED)
    assert '"price":"3044.75"' in (ended.output or "")
    (placed,) = closed_office.effects("crypto_order")
    assert placed.facts["price"] == "3044.75"

"""Where prices come from, and what became of an order: services over HTTP where the environment names them.

`SIGNOFF_QUOTE_URL` is a service that answers as CoinGecko's simple price does
(`https://api.coingecko.com/api/v3/simple/price`); without it recorded replies are played, one after the other.
`SIGNOFF_ORDER_STATUS_URL` is a service that is given an `order_uid` and answers with a `status`; without it nobody but a
person knows, as no simulated order stands anywhere.
"""

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from importlib.resources import files
from itertools import cycle
from typing import Any

from pydantic import AwareDatetime, BaseModel, TypeAdapter, ValidationError

from actions import resources
from actions.fetching import FetchError, fetch_json
from actions.kit.cards.get_order_status import OrderStatus, StatusError
from actions.kit.cards.place_crypto_order import Quantity

COINS = {"BTC": "bitcoin", "ETH": "ethereum", "SOL": "solana"}
RECORDED = "recorded/quotes.json"
LONGEST_REASON = 500
"""Characters that a `StatusError` takes."""

Ask = Callable[[str, str], Awaitable[Any]]
"""What a source says of a coin in a currency, such as `ethereum` in `usd`: `{"ethereum": {"usd": 3041.2}}`."""


class Quote(BaseModel):
    """The price of one unit, and when it was asked for."""

    price: Quantity
    at: AwareDatetime


class Quotes:
    """Prices of pairs such as `ETH-USD`, as the source says that is asked."""

    def __init__(self, ask: Ask, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._ask = ask
        self._now = now

    async def of(self, pair: str) -> Quote:
        """The price now. Raises `FetchError`."""
        asset, _, currency = pair.partition("-")
        coin, money = COINS.get(asset, asset.lower()), currency.lower()
        reply = await self._ask(coin, money)
        try:
            return Quote(price=_PRICES.validate_python(reply)[coin][money], at=self._now())
        except (KeyError, ValidationError) as error:
            raise FetchError(f"the source of prices has none for {pair}") from error


_PRICES = TypeAdapter(dict[str, dict[str, Decimal]])


def from_service(url: str) -> Ask:
    """A service that answers as CoinGecko's simple price does."""

    async def ask(coin: str, money: str) -> Any:
        return await fetch_json(url, {"ids": coin, "vs_currencies": money, "precision": "full"})

    return ask


def recorded() -> Ask:
    """Recorded replies, one after the other, and again from the first."""
    text = files("actions").joinpath(RECORDED).read_text(encoding="utf-8")
    replies = cycle(json.loads(text, parse_float=Decimal))

    async def ask(_coin: str, _money: str) -> Any:
        return next(replies)

    return ask


class OrderStatuses:
    """What became of orders, as far as a service knows; where there is none, nobody does."""

    def __init__(self, url: str | None = None) -> None:
        self._url = url

    async def of(self, order_uid: str) -> OrderStatus | StatusError | None:
        """Its status, or why the service cannot say; `None` where there is no service, so that a person is asked."""
        if self._url is None:
            return None
        try:
            reply = await fetch_json(self._url, {"order_uid": order_uid})
            return OrderStatus.model_validate(reply)
        except FetchError as error:
            return StatusError(message=str(error)[:LONGEST_REASON])
        except ValidationError:
            return StatusError(message="the service of orders answers with a status that is not known")


@resources
async def open_quotes() -> AsyncIterator[tuple[Quotes, OrderStatuses]]:
    """Of the services that `SIGNOFF_QUOTE_URL` and `SIGNOFF_ORDER_STATUS_URL` name, else recorded, and nobody's."""
    url = os.environ.get("SIGNOFF_QUOTE_URL")
    yield (
        Quotes(from_service(url) if url else recorded()),
        OrderStatuses(os.environ.get("SIGNOFF_ORDER_STATUS_URL") or None),
    )

"""Buy or sell at a quoted price, in three steps that each ask: the template for a flow whose steps stand by themselves.

What to look at: `trade_crypto` asks for the wallet and calls the other steps, which are actions of their own, so that a
model or a script may call them as well; what ended is replayed and never asked again. An order that is confirmed at a price
older than a minute is not placed: the new price is asked for and shown. Nothing is paid: the order is simulated, and its
only effect is a line in the ledger. That line is written once for each step's key, so the step may run twice, and says so.
"""

import hashlib
from datetime import timedelta
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, Field

from actions import ActionInterrupt, Context, Policy, Requester, action
from actions.kit.cards.connect_wallet import Address, ChainId, NoWallet, Wallet
from actions.kit.cards.get_order_status import OrderStatus, PlacedOrder, StatusError
from actions.kit.cards.place_crypto_order import NoOrder, Offer, Side, SimulatedOrder
from actions.ledger import Ledger
from actions.quotes import OrderStatuses, Quote, Quotes

OWNER = Policy(deciders=Requester())
"""Whoever starts a trade owns the wallet."""
FRESH = timedelta(minutes=1)
A_CENT = Decimal("0.01")
UID = 24

Pair = Literal["BTC-EUR", "BTC-USD", "ETH-EUR", "ETH-USD", "SOL-EUR", "SOL-USD"]


class Purpose(BaseModel):
    """What a wallet is wanted for."""

    message: str = Field("Which wallet?", min_length=1, max_length=150)


class Trade(BaseModel):
    """What the form of `/signoff trade_crypto` asks for."""

    side: Side
    pair: Pair
    amount: Decimal = Field(gt=0, max_digits=18, decimal_places=8, description="Of what stands first in the pair")


class Order(Trade):
    """A trade, and from which wallet."""

    address: Address
    chainId: ChainId = Field(title="Chain")  # noqa: N815 - as the answer is spelt that it comes from


class Traded(BaseModel):
    """What came of it, as far as it got."""

    outcome: Literal["no_wallet", "cancelled", "ordered"]
    order_uid: str | None = None
    status: str | None = None
    message: str | None = None


@action(
    id="connect_wallet",
    name="Connect a wallet",
    description="Asks whoever starts it for the address of their wallet, and the chain.",
    policy=OWNER,
    ui="connect_wallet",
    idempotent=True,
)
async def connect_wallet(input: Purpose, ctx: Context) -> Wallet | NoWallet:
    if ctx.resumption is None:
        raise ActionInterrupt(input.message)
    answer: Wallet | NoWallet = ctx.resumption.data
    return answer


@action(
    id="place_crypto_order",
    name="Place an order",
    description="Places a simulated order at a quoted price, once it is confirmed.",
    policy=OWNER,
    ui="place_crypto_order",
    expires_in=timedelta(minutes=30),
    idempotent=True,
)
async def place_crypto_order(input: Order, ctx: Context) -> SimulatedOrder | NoOrder:
    if ctx.resumption is None:
        raise await _asking(input, ctx)

    answer: SimulatedOrder | NoOrder = ctx.resumption.data
    if isinstance(answer, NoOrder):
        return answer
    age = ctx.resumption.decisions[-1].when - ctx.resumption.state_as(Quote).at
    if age > FRESH:
        ctx.report(
            f"The quote was {age.total_seconds():,.0f} seconds old. It was asked for anew, and nothing is ordered yet."
        )
        raise await _asking(input, ctx)
    await _recorded_once(ctx, {**answer.model_dump(mode="json"), "address": input.address, "chainId": input.chainId})
    return answer


async def _asking(order: Order, ctx: Context) -> ActionInterrupt:
    """The question whether to place the order at the price of this moment."""
    quote = await ctx.resource(Quotes).of(order.pair)
    offer = Offer(
        side=order.side,
        pair=order.pair,
        amount=order.amount,
        price=quote.price,
        total=max((order.amount * quote.price).quantize(A_CENT), A_CENT),
        quoted_at=quote.at,
        order_uid=_uid(ctx.idempotency_key),
    )
    asset = order.pair.partition("-")[0]
    return ActionInterrupt(f"{order.side.capitalize()} {order.amount:f} {asset}?", data=offer, state=quote)


def _uid(key: str) -> str:
    """The same for the same question, and another for each."""
    return f"sim-{hashlib.sha256(key.encode()).hexdigest()[:UID]}"


async def _recorded_once(ctx: Context, facts: dict[str, object]) -> None:
    """Stands for the exchange: it is given the order's own id, and takes no order twice."""
    ledger = ctx.resource(Ledger)
    if not ledger.entries(ctx.idempotency_key):
        await ledger.record("crypto_order", ctx.idempotency_key, facts)


@action(
    id="get_order_status",
    name="Status of an order",
    description="Finds out what became of an order: from the exchange where one is known, else from whoever starts it.",
    policy=OWNER,
    ui="get_order_status",
    idempotent=True,
)
async def get_order_status(input: PlacedOrder, ctx: Context) -> OrderStatus | StatusError:
    if ctx.resumption is not None:
        answer: OrderStatus | StatusError = ctx.resumption.data
        return answer
    known = await ctx.resource(OrderStatuses).of(input.order_uid)
    if known is None:
        raise ActionInterrupt("What became of the order?", data=input)
    return known


@action(
    id="trade_crypto",
    name="Trade crypto",
    description="Connects a wallet, places a simulated order, and finds out what became of it.",
    policy=OWNER,
    ui="connect_wallet",
    idempotent=True,
)
async def trade_crypto(input: Trade, ctx: Context) -> Traded:
    wallet = await ctx.ask("Which wallet is the order for?")
    if isinstance(wallet, NoWallet):
        return Traded(outcome="no_wallet", message=wallet.message)
    wanted = Order(**input.model_dump(), address=wallet.address, chainId=wallet.chainId)
    order = await ctx.call(place_crypto_order, wanted, name="order")
    if isinstance(order, NoOrder):
        return Traded(outcome="cancelled", message=order.message)
    found = await ctx.call(get_order_status, PlacedOrder(order_uid=order.order_uid), name="status")
    ctx.report(f"Order {order.order_uid}: {found.status}.")
    message = found.message if isinstance(found, StatusError) else None
    return Traded(outcome="ordered", order_uid=order.order_uid, status=found.status, message=message)

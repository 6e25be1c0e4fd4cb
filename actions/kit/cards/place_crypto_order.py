"""An order to buy or sell at a quoted price, as whoever confirms it sees it. No money moves: the order is simulated."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from actions.kit.cards._optional import Message
from actions.kit.cards.kind import CardKind

Side = Literal["buy", "sell"]
Pair = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9]{2,10}-[A-Z0-9]{2,10}$")]
"""What is bought or sold, and what it is paid in: `ETH-USD`."""
Quantity = Annotated[Decimal, Field(gt=0, max_digits=30, decimal_places=18)]


class Offer(BaseModel):
    """The order as it would be placed at this quote. Whatever else is given is shown as well."""

    side: Side
    pair: Pair
    amount: Quantity
    price: Quantity
    total: Quantity
    quoted_at: AwareDatetime
    order_uid: str = Field(min_length=1, max_length=200)


class SimulatedOrder(BaseModel, title="Confirm", json_schema_extra={"key": "confirm", "style": "primary"}):
    """Place it at this price. A quote older than a minute is asked for anew, and shown again."""

    status: Literal["simulated_filled"] = "simulated_filled"
    order_uid: str = Field(json_schema_extra={"shown": "order_uid"})
    side: Side = Field(json_schema_extra={"shown": "side"})
    pair: Pair = Field(json_schema_extra={"shown": "pair"})
    amount: Quantity = Field(json_schema_extra={"shown": "amount"})
    price: Quantity = Field(json_schema_extra={"shown": "price"})
    total: Quantity = Field(json_schema_extra={"shown": "total"})


class NoOrder(BaseModel, title="Cancel", json_schema_extra={"key": "cancel"}):
    """Place none."""

    status: Literal["cancelled"] = "cancelled"
    message: Message = None


KIND = CardKind(
    ui="place_crypto_order",
    name="Order",
    description="An order at a quoted price, with the age of the quote: confirm or cancel.",
    data=Offer,
    answer=SimulatedOrder | NoOrder,
    for_models=(
        "Has a person confirm an order at a quoted price. Call it once for each order, after a wallet is connected, and "
        "with no other call beside it. It asks for the quote itself: never make up a price. The answer is the order, with "
        "`status: simulated_filled` and its `order_uid`; or `status: cancelled`, and then nothing was ordered."
    ),
)

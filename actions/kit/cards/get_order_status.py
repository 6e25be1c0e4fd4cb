"""What became of an order. Nobody but a person knows of a simulated one."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints, WithJsonSchema

from actions.kit.cards.kind import CardKind

STATUSES = {
    "open": "Open",
    "filled": "Filled",
    "partially_filled": "Partially filled",
    "cancelled": "Cancelled",
    "expired": "Expired",
}
Known = Annotated[
    Literal["open", "filled", "cancelled", "expired", "partially_filled"],
    WithJsonSchema({"oneOf": [{"const": status, "title": title} for status, title in STATUSES.items()]}),
]


class PlacedOrder(BaseModel):
    """The order that is asked about. Whatever else is given is shown as well."""

    order_uid: str = Field(min_length=1, max_length=200)


class OrderStatus(BaseModel, title="Give its status", json_schema_extra={"key": "status", "style": "primary"}):
    """Say what became of it."""

    status: Known


class StatusError(BaseModel, title="Not known", json_schema_extra={"key": "error"}):
    """Say why it cannot be found out."""

    status: Literal["error"] = "error"
    message: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=3, max_length=500, title="Why not", json_schema_extra={"format": "multiline"}
    )


KIND = CardKind(
    ui="get_order_status",
    name="Status of an order",
    description="What became of an order: open, filled, partially filled, cancelled, expired; or why nobody knows.",
    data=PlacedOrder,
    answer=OrderStatus | StatusError,
    for_models=(
        "Finds out what became of an order, by its `order_uid`. Call it once, with no other call beside it. The answer is "
        "`{status}`; with `status: error` it also has a `message`, and then say so: do not guess a status, and do not call "
        "it again unasked."
    ),
)

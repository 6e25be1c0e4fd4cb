"""Refund several orders, each approved by itself: the template for an action that calls other actions.

What to look at: `refund_orders` has no effect of its own. What may differ from pass to pass (what an order cost) and what
has an effect (the refund) are actions that it calls; each is executed once, and every later pass gets its result from
the run's log. The refunds are asked about one after another, and a no to one of them concerns that one alone. Because
it only calls, it is `idempotent`: a crash between two calls needs nobody. A crash *within* a refund does.
"""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from actions import ActionInterrupt, ChannelMembers, Context, Declined, Expired, Policy, action
from actions.ledger import Ledger

OrderNumber = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9-]{1,20}$")]
APPROVALS = Policy(deciders=ChannelMembers("#approvals"))


class RefundOrders(BaseModel):
    """What the form of `/signoff refund_orders` asks for."""

    orders: list[OrderNumber] = Field(min_length=1, max_length=10, description="Their numbers, such as A-1041")
    reason: str = Field(min_length=3, max_length=300, description="Why they are refunded")


class Order(BaseModel):
    """One order, by its number."""

    order: OrderNumber


class Refund(BaseModel):
    """What is approved, and then refunded exactly so."""

    order: OrderNumber
    amount: Decimal = Field(gt=0, max_digits=9, decimal_places=2)
    reason: str


class Refunded(BaseModel):
    """The orders whose money went back, and those that were not approved."""

    refunded: list[str]
    kept: list[str]


@action(
    id="order_total",
    name="Order total",
    description="Looks up what an order cost.",
    policy=APPROVALS,
    idempotent=True,
)
async def order_total(input: Order, ctx: Context) -> Decimal:  # noqa: ARG001 - every action is given it
    """Stands for a look-up in the shop, which may say something else tomorrow."""
    return Decimal(sum(map(ord, input.order))) / 4


@action(
    id="refund_order",
    name="Refund order",
    description="Pays back what one order cost, pending approval.",
    policy=APPROVALS,
    expires_in=timedelta(hours=8),
)
async def refund_order(input: Refund, ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Refund {input.amount} EUR for order {input.order}?", data=input)

    await ctx.resource(Ledger).record("refund", ctx.idempotency_key, input.model_dump(mode="json"))
    ctx.report(f"Refunded {input.amount} EUR for order {input.order}.")
    return input.order


@action(
    id="refund_orders",
    name="Refund orders",
    description="Refunds several orders, each pending approval.",
    policy=APPROVALS,
    idempotent=True,
)
async def refund_orders(input: RefundOrders, ctx: Context) -> Refunded:
    agreed = await asyncio.gather(*(_refunded(order, input.reason, ctx) for order in input.orders))
    done = [order for order, is_refunded in zip(input.orders, agreed, strict=True) if is_refunded]
    return Refunded(refunded=done, kept=[order for order in input.orders if order not in done])


async def _refunded(order: str, reason: str, ctx: Context) -> bool:
    amount = await ctx.call(order_total, Order(order=order), name=f"total of {order}")
    try:
        await ctx.call(refund_order, Refund(order=order, amount=amount, reason=reason), name=f"order {order}")
    except (Declined, Expired):
        return False
    return True

"""Spend money when a manager signs it off, and above a limit finance too: the template for stages and for forms.

What to look at: the policy has two stages, and the second is asked only of what costs more. Who somebody's manager is, and
who is in finance, is looked up: in Slack, or in `actions/people.yml`. Money is a `Decimal` with its currency, so that no
amount is ever rounded; constraints on the input become checks in the form. The two answers are models of this file:
`Approve` is a button, `Reject` opens a form with its one field, and cannot be given without a reason. What the card shows
first is what the input declares first. Whoever signs off may edit the amount and the justification: then everybody is asked
anew, and the stages are those of the new amount. Or they ask for more first. Managers are busy: they are reminded, and
before two days are over they can give it one more.
"""

from datetime import timedelta
from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, HttpUrl

from actions import ActionInterrupt, Context, Group, ManagerOf, Policy, Requester, Stage, Warn, action, every, field
from actions.ledger import Ledger

FINANCE_FROM = 5_000
"""What costs more than this, in any of our currencies, finance signs off as well."""


class Currency(StrEnum):
    """The currencies in which we pay."""

    EUR = "EUR"
    USD = "USD"
    GBP = "GBP"


class SpendRequest(BaseModel):
    """What the form of `/signoff spend_request` asks for, and what the card shows, in this order."""

    amount: Decimal = Field(gt=0, max_digits=9, decimal_places=2)
    currency: Currency
    vendor: str = Field(min_length=1, max_length=120)
    justification: str = Field(min_length=10, max_length=2000, description="What it is for, and why now")
    receipt_link: HttpUrl | None = Field(default=None, description="Where the offer or the receipt is")


class Approve(BaseModel, json_schema_extra={"style": "primary"}):
    """Pay it."""


class Reject(BaseModel, json_schema_extra={"style": "danger", "declines": True}):
    """Do not pay it. The requester is told why."""

    model_config = ConfigDict(str_strip_whitespace=True)

    reason: str = Field(min_length=3, max_length=500, description="Shown to the requester")


class Spent(BaseModel):
    """The order that was placed."""

    order_id: str


@action(
    id="spend_request",
    name="Spend request",
    description="Orders something for money, once the manager, and of larger sums finance, have signed it off.",
    resume=Approve | Reject,
    policy=Policy(
        stages=(
            Stage(deciders=ManagerOf(Requester())),
            Stage(deciders=Group("finance"), when=field("amount") > FINANCE_FROM, separate=True),
        ),
        remind=every(hours=8, backoff=2),
        warn=Warn(at=0.75, extend_by=timedelta(days=1)),
        may_ask=True,
    ),
    expires_in=timedelta(days=2),
    editable=("amount", "justification"),
)
async def spend_request(input: SpendRequest, ctx: Context) -> Spent:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Spend {input.amount:,.2f} {input.currency} at {input.vendor}?")

    signed = [decision.who for decision in ctx.resumption.decisions]
    facts = {**input.model_dump(mode="json"), "signed_off_by": signed}
    await ctx.resource(Ledger).record("order", ctx.idempotency_key, facts)
    return Spent(order_id=ctx.idempotency_key)

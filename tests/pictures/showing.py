"""An action that shows each kind of data, for the pictures of cards."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, EmailStr, Field, HttpUrl

from actions import ActionInterrupt, Context, SlackChannel, SlackUser, action
from tests.pictures.asking import IN_APPROVALS, Address, Money


class Amounts(BaseModel):
    """Numbers that mean something."""

    price: Money
    budget_used: float = Field(title="Share of the budget", json_schema_extra={"format": "fraction"})
    weight: Decimal = Field(json_schema_extra={"unit": "kg"})
    downtime: timedelta
    timeout: int = Field(json_schema_extra={"unit": "s"})
    recurring: bool
    insured: bool | None = None


class Moments(BaseModel):
    """Days, moments, people, places, addresses."""

    day: date
    meeting: datetime = Field(title="When we meet")
    owner: SlackUser
    channel: SlackChannel
    offer: HttpUrl
    contact: EmailStr
    picture: HttpUrl = Field(title="The broken lens", json_schema_extra={"format": "image"})


class Item(BaseModel):
    """A line of an order."""

    article: str = Field(title="Article")
    count: int
    price: Decimal = Field(json_schema_extra={"unit": "EUR"})


class Order(BaseModel):
    """A table, lists, objects within objects."""

    items: list[Item]
    reviewers: list[str]
    ship_to: Address
    settings: dict[str, Any]


class Change(BaseModel):
    """Code, JSON and a diff."""

    patch: str = Field(json_schema_extra={"contentMediaType": "text/x-diff"})
    query: str = Field(json_schema_extra={"contentMediaType": "application/sql"})
    event: str = Field(json_schema_extra={"contentMediaType": "application/json"})


class Letter(BaseModel):
    """A text that is longer than a card."""

    subject: str
    body: str


PATCH = """--- a/checkout/limits.py
+++ b/checkout/limits.py
@@ -1,4 +1,5 @@
 RETRIES = 3
-TIMEOUT = 10
+TIMEOUT = 30
+BACKOFF = 1.5
 HOST = "pay.example.com"
"""
BODY = (
    "Dear customers,\n\non Sunday between 02:00 and 04:00 UTC the shop is closed for maintenance. "
    "Orders that were placed before are sent as always.\n\n"
) + "What changes for you: nothing that you have to do anything about. " * 30
SHOWN: dict[str, tuple[str, Callable[[], Any]]] = {
    "amounts": (
        "Pay 1,249.90 EUR for the crane?",
        lambda: Amounts(
            price=Money.model_construct(amount=Decimal("1249.90"), currency="EUR"),
            budget_used=0.71,
            weight=Decimal("1820.5"),
            downtime=timedelta(hours=2, minutes=30),
            timeout=90,
            recurring=False,
        ),
    ),
    "moments": (
        "Keep this appointment?",
        lambda: Moments(
            day=date(2027, 1, 15),
            meeting=datetime(2027, 1, 15, 13, 30, tzinfo=UTC),
            owner="U0DANA",
            channel="C0GENERAL",
            offer=HttpUrl("https://offers.example.com/4711?version=2"),
            contact="offers@example.com",
            picture=HttpUrl("https://pictures.example.com/lens.jpg"),
        ),
    ),
    "order": (
        "Place this order?",
        lambda: Order(
            items=[
                Item(article="Desk", count=2, price=Decimal("349.00")),
                Item(article="Chair, grey", count=2, price=Decimal("189.50")),
                Item(article="Lamp", count=12, price=Decimal("24.90")),
            ],
            reviewers=["Ann", "Ben", "Dana", "Omar", "Rita", "Gus", "Nora"],
            ship_to=Address(street="12 Mill Lane", town="Kassel"),
            settings={"retries": 3, "regions": ["eu", "us"], "limits": {"daily": 500, "hard": True}},
        ),
    ),
    "change": (
        "Deploy this change to production?",
        lambda: Change(
            patch=PATCH,
            query="SELECT id, total\n  FROM orders\n WHERE total > 1000;",
            event='{"kind": "deploy", "build": 417, "regions": ["eu", "us"]}',
        ),
    ),
    "letter": ("Send this to 4,210 customers?", lambda: Letter(subject="Maintenance on Sunday", body=BODY)),
    "hostile": (
        "Say <!channel> *this* to <@U0ANN>?",
        lambda: {
            "name": "<!here> & `co`",
            "link": "javascript:alert(1)",
            "site": "<https://evil.example|bank.example>",
        },
    ),
    "nothing": ("Take the afternoon off?", dict),
}


class Shown(BaseModel):
    """Which of them."""

    kind: str


@action(id="show_data", name="Show data", description="Shows data of one kind.", policy=IN_APPROVALS)
async def show_data(input: Shown, ctx: Context) -> None:
    if ctx.resumption is None:
        question, made = SHOWN[input.kind]
        raise ActionInterrupt(question, data=made())

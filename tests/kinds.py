"""Cards of every kind of data that a card tells apart, each as an author would declare it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, EmailStr, Field, HttpUrl

from actions import SlackChannel, SlackUser
from actions.kit.policies.policy import ChannelMembers, Policy
from actions.kit.records.interrupts import Card
from actions.kit.shapes.json_text import to_json_text
from actions.kit.shapes.shown import schema_of_data
from tests.cards import interrupt_record, run_record

Euros = Annotated[Decimal, Field(json_schema_extra={"unit": "EUR"})]
Milliseconds = Annotated[int, Field(json_schema_extra={"unit": "ms"})]
Diff = Annotated[str, Field(json_schema_extra={"contentMediaType": "text/x-diff"})]
Code = Annotated[str, Field(json_schema_extra={"contentMediaType": "text/x-python"})]
Json = Annotated[str, Field(json_schema_extra={"contentMediaType": "application/json"})]
Picture = Annotated[HttpUrl, Field(json_schema_extra={"format": "image"})]


class Line(BaseModel):
    """One line of an order."""

    article: str
    pieces: int
    price: Euros


class Supplier(BaseModel):
    name: str
    email: EmailStr
    since: date = Field(title="Customer since")


class Order(BaseModel):
    """Money, a table, an object in another, a mailbox, people and channels, a link, a picture."""

    total: Euros = Field(title="To be paid", description="With VAT, without the deposit")
    deposit: Decimal = Field(json_schema_extra={"currency": "deposit_currency"})
    deposit_currency: str
    discount: float = Field(json_schema_extra={"format": "fraction"})
    supplier: Supplier
    asked_by: SlackUser
    discussed_in: SlackChannel
    offer: HttpUrl
    lines: list[Line] = Field(title="Order")
    picture: Picture = Field(description="The desk as it is delivered")


class Change(BaseModel):
    """Numbers with units, lengths of time, moments, code, JSON and a diff."""

    service: str
    starts: datetime = Field(title="Begins")
    lasts: timedelta = Field(title="Takes", description="Until the last instance runs the new version")
    latency: Milliseconds = Field(title="Latency now")
    errors: float = Field(title="Errors now", json_schema_extra={"unit": "%"})
    rolls_back: bool = Field(title="Rolls back by itself")
    change: Diff
    check: Code = Field(title="Checked by")
    settings: Json


class Letter(BaseModel):
    """Long texts and lists."""

    subject: str
    to: list[str] = Field(title="Goes to")
    topics: list[str]
    body: str = Field(json_schema_extra={"contentMediaType": "text/markdown"})
    sent_again_after: timedelta | None = None


DIFF = """--- a/limits.toml
+++ b/limits.toml
@@ -1,5 +1,6 @@
 [pool]
-size = 20
-# -- the old limit
+size = 40
+overflow = 10
+timeout = "30s"
 recycle = 300
"""


def order() -> Order:
    return Order(
        total=Decimal("1862.50"),
        deposit=Decimal(200),
        deposit_currency="CHF",
        discount=0.125,
        supplier=Supplier(name="Northwind Traders", email="orders@northwind.example", since=date(2019, 4, 1)),
        asked_by="U0BEN",
        discussed_in="C0APPROVALS",
        offer=HttpUrl("https://northwind.example/offers/4711?lang=en"),
        lines=[
            Line(article="Desk, 160 cm", pieces=2, price=Decimal("640.00")),
            Line(article="Monitor arm", pieces=4, price=Decimal("89.90")),
            Line(article="Cable duct", pieces=12, price=Decimal("18.58")),
        ],
        picture=HttpUrl("https://northwind.example/pictures/desk-160.png"),
    )


def change() -> Change:
    return Change(
        service="checkout_api",
        starts=datetime(2026, 12, 1, 21, 30, tzinfo=UTC),
        lasts=timedelta(minutes=7, seconds=30),
        latency=1250,
        errors=2.5,
        rolls_back=True,
        change=DIFF,
        check="def is_well(pool):\n    return pool.waiting == 0 and pool.size >= 40\n",
        settings='{"pool":{"size":40,"overflow":10},"recycle":300,"hosts":["db1","db2"]}',
    )


def letter() -> Letter:
    return Letter(
        subject="Maintenance on Sunday",
        to=[
            f"{name}@example.com"
            for name in ("ann", "bea", "cai", "dan", "eve", "fin", "gus", "ida", "jan", "kim", "lea", "max")
        ],
        topics=["maintenance", "opening hours"],
        body="Dear customers,\n\n"
        + "on *Sunday* between 02:00 and 04:00 UTC the shop is closed for maintenance. " * 24
        + "\n\nYour team",
        sent_again_after=timedelta(days=2),
    )


def plain() -> dict[str, Any]:
    """The same things without a model: only what is sure is guessed."""
    return {
        "amount": "1250.00",
        "currency": "EUR",
        "due": "2026-12-15",
        "seen_at": "2026-11-30T10:42:00+02:00",
        "timeout": "PT1H30M",
        "code": "PT1H30M",
        "docs": "https://docs.example.com/runbook",
        "urgent": False,
        "hosts": [{"host": "db1", "load": 0.4}, {"host": "db2", "load": 12.25}],
    }


def card(action_id: str, name: str, question: str, data: Any, names: dict[str, str] | None = None) -> Card:
    run = run_record(action_id, name, {})
    policy = Policy(deciders=(ChannelMembers(channel="C0APPROVALS"),))
    interrupt = interrupt_record(run, question, None, policy=policy)
    shown = to_json_text(data, what="data")
    return Card(run, replace(interrupt, shown=shown, data=shown, shown_schema=schema_of_data(data)), names=names or {})


KINDS: dict[str, Callable[[], Card]] = {
    "order": lambda: card("order", "Order", "Order two desks?", order(), {"U0BEN": "Ben Brook"}),
    "change": lambda: card("change", "Change", "Roll this change out to checkout_api?", change()),
    "letter": lambda: card("letter", "Letter", "Send this letter to all customers?", {"draft": letter()}),
    "plain": lambda: card("plain", "Plain", "Go on?", plain()),
}

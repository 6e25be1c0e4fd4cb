"""Actions whose forms ask for each kind of value, for the pictures of forms."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, EmailStr, Field, HttpUrl, NaiveDatetime

from actions import (
    ActionInterrupt,
    ChannelMembers,
    Context,
    Policy,
    SlackChannel,
    SlackConversation,
    SlackGroup,
    SlackUser,
    action,
)
from actions.kit.action import Action

IN_APPROVALS = Policy(deciders=ChannelMembers("#approvals"))
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")


class Money(BaseModel):
    """An amount in a currency."""

    amount: Decimal = Field(gt=0, le=500, decimal_places=2)
    currency: Literal["EUR", "USD", "GBP"] = "EUR"


class Texts(BaseModel):
    """Texts of every kind."""

    name: str = Field(min_length=3, max_length=40, description="As it stands on the door")
    reason: str = Field(min_length=10, max_length=500, title="Why it is needed")
    ticket: str = Field(pattern=r"^[A-Z]{2,5}-\d+$", examples=["OPS-1234"])
    contact: EmailStr
    offer: HttpUrl = Field(description="Where the offer is")
    remark: str | None = Field(default=None, max_length=80)


class Numbers(BaseModel):
    """Numbers of every kind."""

    seats: int = Field(ge=1, le=12)
    boxes: int = Field(gt=0, multiple_of=6, description="They come in sixes")
    discount: float = Field(ge=0, lt=0.5, description="0.25 is a quarter")
    rate: Decimal = Field(gt=0, decimal_places=2)
    price: Money


class Times(BaseModel):
    """Days and hours."""

    day: date = Field(description="When it arrives")
    opens: time
    meeting: datetime = Field(title="When we meet")
    local: NaiveDatetime = Field(title="On the clock of the shop")
    lasts: timedelta = Field(title="How long it takes")


SIZES = ("small", "medium", "large", "huge", "giant")
STREETS = tuple(f"{number} Long Street, by the old mill" for number in range(1, 102))


def _one_of(name: str, values: tuple[str, ...]) -> Any:
    """An enum of these."""
    return StrEnum(name, {f"V{number}": value for number, value in enumerate(values)})


Size, Month, Street = _one_of("Size", SIZES), _one_of("Month", MONTHS), _one_of("Street", STREETS)


class Choices(BaseModel):
    """One of few, of many, several of few, several of many."""

    urgent: bool
    way: Literal["by_post", "by_courier"]
    size: Size  # type: ignore[valid-type]  # made of a list, as the next ones
    month: Month  # type: ignore[valid-type]
    street: Street  # type: ignore[valid-type]
    extras: list[Literal["gift_wrap", "express", "insured"]] = Field(min_length=1)
    months: list[Month] = Field(min_length=2, title="Best months")  # type: ignore[valid-type]
    colour: Literal["red", "green"] | None = None


class Lists(BaseModel):
    """Several values, and whatever is JSON."""

    guests: list[str] = Field(min_length=2, description="Who comes")
    scores: list[int]
    days: list[date] = Field(max_length=3)
    labels: dict[str, str]
    extra: Any = None


class Places(BaseModel):
    """People and places in Slack."""

    owner: SlackUser
    reviewers: list[SlackUser] = Field(min_length=2)
    channel: SlackChannel
    talk: SlackConversation = Field(title="Where it was discussed")
    group: SlackGroup


class Address(BaseModel):
    """Where something goes."""

    street: str
    town: str


class Delivery(BaseModel):
    """A model within a model, and one that may be left out."""

    ship_to: Address
    bill_to: Address | None = None


def asking(name: str, model: type[BaseModel]) -> Action:
    """An action that asks for this, and then whether it is right."""

    @action(id=name, name=f"Fill in {name}", description=model.__doc__ or "", policy=IN_APPROVALS)
    async def ask(input: model, ctx: Context) -> None:  # type: ignore[valid-type]  # a type that is a value
        if ctx.resumption is None:
            raise ActionInterrupt(f"Are these {name} right?")

    return ask


texts = asking("texts", Texts)
numbers = asking("numbers", Numbers)
times = asking("times", Times)
choices = asking("choices", Choices)
lists = asking("lists", Lists)
places = asking("places", Places)
delivery = asking("delivery", Delivery)


class Nothing(BaseModel):
    """An input without fields."""


class Keep(BaseModel):
    """Leave it where it is."""


class Replace(BaseModel):
    """Buy a new one."""

    price: Annotated[Money, Field(description="What the new one may cost")]


class Repair(BaseModel):
    """Have it mended."""

    by: date


class GiveAway(BaseModel):
    """Somebody will want it."""


class Sell(BaseModel):
    """For what it is worth."""


class Scrap(BaseModel, json_schema_extra={"style": "danger", "declines": True}):
    """Nobody will miss it."""


@action(
    id="many_ways",
    name="Many ways",
    description="Has more choices than a card has buttons.",
    policy=IN_APPROVALS,
    resume=Keep | Replace | Repair | GiveAway | Sell | Scrap,
)
async def many_ways(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("What shall become of the old printer?")

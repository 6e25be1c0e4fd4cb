"""Actions whose forms change while somebody fills them in: unions, lists of models, steps, and a select of a thousand values."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator, model_validator

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action
from actions.ledger import Ledger
from tests.acceptance.gates import Gate

IN_APPROVALS = Policy(deciders=ChannelMembers("#approvals"))
TOWNS = [f"Town {number:04d} upon the river" for number in range(1_000)]
Town = StrEnum("Town", {f"TOWN_{number}": name for number, name in enumerate(TOWNS)})  # type: ignore[misc]  # made of a list


TAKEN: set[str] = set()
"""Names of accounts; a test may take one while somebody fills in a form."""


class Nothing(BaseModel):
    """An input without fields."""


class Train(BaseModel):
    """On rails."""

    kind: Literal["train"] = "train"
    seat: str = Field(description="Window or aisle")


class Car(BaseModel):
    """By road."""

    kind: Literal["car"] = "car"
    plate: str
    passengers: int = Field(ge=0, le=4)


class Trip(BaseModel):
    """Where to, and how."""

    where: str
    way: Train | Car = Field(discriminator="kind")


class Part(BaseModel):
    """One line of an order."""

    name: str
    count: int = Field(ge=1)


class Parts(BaseModel):
    """What is needed."""

    parts: list[Part] = Field(min_length=1, max_length=5)


class Stock(BaseModel):
    """Everything that there is."""

    parts: list[Part]


class Lines(BaseModel):
    """Remarks that may stay empty, so many that what they belong to fills a step."""

    remark_1: str | None = Field(default=None, max_length=40)
    remark_2: str | None = None
    remark_3: str | None = None
    remark_4: str | None = None
    remark_5: str | None = None
    remark_6: str | None = None
    remark_7: str | None = None
    remark_8: str | None = None
    remark_9: str | None = None


class Person(Lines):
    """Who comes."""

    name: str
    starts: date
    ends: date

    @model_validator(mode="after")
    def _stays_a_while(self) -> "Person":
        if self.ends <= self.starts:
            raise ValueError("they would leave before they come")
        return self


class Contract(Lines):
    """What was agreed."""

    rate: Decimal


class Desk(Lines):
    """Where they sit."""

    floor: str


class Access(Lines):
    """What they may use."""

    account: str

    @field_validator("account")
    @classmethod
    def _is_free(cls, value: str) -> str:
        if value in TAKEN:
            raise ValueError("was taken by somebody else")
        return value


class Welcome(Lines):
    """Who shows them around."""

    guide: str


class Onboarding(BaseModel):
    """Everything about somebody new, in five steps."""

    person: Person
    contract: Contract
    desk: Desk
    access: Access
    welcome: Welcome


class Visit(BaseModel):
    """A town among a thousand."""

    town: Town
    days: int = 1


class SlowTrip(Trip):
    """A trip that somebody else has to look up."""

    @field_validator("where")
    @classmethod
    def _is_known(cls, value: str) -> str:
        Gate.here("validation").passed_blocking()
        if value == "Atlantis":
            raise ValueError("is no place")
        return value


async def _record(ctx: Context, question: str) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(question)
    data: Any = ctx.resumption.data
    facts = data.model_dump(mode="json") if isinstance(data, BaseModel) else data
    await ctx.resource(Ledger).record("answer", ctx.idempotency_key, facts)


@action(id="ask_trip", name="Ask trip", description="Asks.", policy=IN_APPROVALS, resume=Trip)
async def ask_trip(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "Where does it go?")


@action(id="ask_slow_trip", name="Ask slow trip", description="Asks.", policy=IN_APPROVALS, resume=SlowTrip)
async def ask_slow_trip(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "Where does it slowly go?")


@action(id="ask_parts", name="Ask parts", description="Asks.", policy=IN_APPROVALS, resume=Parts)
async def ask_parts(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "Which parts are missing?")


@action(id="ask_stock", name="Ask stock", description="Asks.", policy=IN_APPROVALS, resume=Stock)
async def ask_stock(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "What is in stock?")


@action(id="ask_onboarding", name="Ask onboarding", description="Asks.", policy=IN_APPROVALS, resume=Onboarding)
async def ask_onboarding(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "Who comes on Monday?")


@action(id="ask_town", name="Ask town", description="Asks.", policy=IN_APPROVALS, resume=Visit)
async def ask_town(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "Which town?")


@action(id="start_trip", name="Start trip", description="Plans a trip.", policy=IN_APPROVALS)
async def start_trip(input: Trip, ctx: Context) -> None:
    await _record_input(input, ctx, f"Go to {input.where}?")


@action(id="start_visit", name="Start visit", description="Plans a visit.", policy=IN_APPROVALS)
async def start_visit(input: Visit, ctx: Context) -> None:
    await _record_input(input, ctx, f"Visit {input.town}?")


async def _record_input(input: BaseModel, ctx: Context, question: str) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(question)
    await ctx.resource(Ledger).record("input", ctx.idempotency_key, input.model_dump(mode="json"))


class ByBus(BaseModel):
    """All together."""


class ByBike(BaseModel):
    """Weather permitting."""


class OnFoot(BaseModel):
    """With sandwiches."""


class ByBoat(BaseModel):
    """Down the river."""


class NotAtAll(BaseModel):
    """Rather not."""


@action(
    id="ask_way",
    name="Ask way",
    description="Asks.",
    policy=IN_APPROVALS,
    resume=ByBus | ByBike | OnFoot | ByBoat | NotAtAll | Trip,
)
async def ask_way(input: Nothing, ctx: Context) -> None:
    await _record(ctx, "How do we get there?")

"""Actions of which the acceptance tests need behaviour that no worked action should have."""

import asyncio
import time
from datetime import timedelta
from typing import Literal

from pydantic import BaseModel, field_validator, model_validator

from actions import (
    ActionInterrupt,
    Answer,
    Channel,
    ChannelMembers,
    Context,
    Decline,
    Person,
    Policy,
    Requester,
    action,
)
from actions.ledger import Ledger
from tests.acceptance.gates import Gate

IN_APPROVALS = Policy(deciders=ChannelMembers("#approvals"))


class Nothing(BaseModel):
    """An input without fields."""


@action(
    id="break_after_answer", name="Break after answer", description="Fails once it was approved.", policy=IN_APPROVALS
)
async def break_after_answer(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Break it?")
    raise RuntimeError("the other side said no")


class Gated(BaseModel):
    """Before which gate it waits, and whether it does so before it asks or after the answer."""

    stops: Literal["before", "after", "never"] = "never"


@action(id="gated", name="Gated", description="Waits at a gate.", policy=IN_APPROVALS)
async def gated(input: Gated, ctx: Context) -> None:
    await _through_gates(input, ctx)


@action(id="gated_idempotent", name="Gated twice", description="May be repeated.", policy=IN_APPROVALS, idempotent=True)
async def gated_idempotent(input: Gated, ctx: Context) -> None:
    await _through_gates(input, ctx)


async def _through_gates(input: Gated, ctx: Context) -> None:
    ledger = ctx.resource(Ledger)
    if ctx.resumption is None:
        await ledger.record("asking", ctx.idempotency_key, {})
        if input.stops == "before":
            await Gate.here("before").passed()
        raise ActionInterrupt("Go through the gate?")
    await ledger.record("begun", ctx.idempotency_key, {})
    if input.stops == "after":
        await Gate.here("after").passed()
    await ledger.record("done", ctx.idempotency_key, {})


async def _record_answer(ctx: Context, question: str) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(question)
    data = ctx.resumption.data
    value = data.model_dump() if isinstance(data, BaseModel) else data
    facts = {"type": type(data).__name__, "value": value, "cause": ctx.resumption.cause}
    await ctx.resource(Ledger).record("answer", ctx.idempotency_key, facts)


class Numbered(BaseModel):
    """One of several alike."""

    number: int


@action(
    id="of_low_risk",
    name="Of low risk",
    description="Asks for little.",
    policy=Policy(deciders=ChannelMembers("#approvals"), low_risk=True),
)
async def of_low_risk(input: Numbered, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Water plant {input.number}?")


@action(id="ask_yes_no", name="Ask yes or no", description="Asks.", policy=IN_APPROVALS, resume=bool)
async def ask_yes_no(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Is it warm?")


@action(id="ask_number", name="Ask number", description="Asks.", policy=IN_APPROVALS, resume=int)
async def ask_number(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "How many are left?")


@action(id="ask_list", name="Ask list", description="Asks.", policy=IN_APPROVALS, resume=list[str])
async def ask_list(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Who is missing?")


@action(
    id="ask_or_none", name="Ask or none", description="Asks.", policy=IN_APPROVALS, resume=Literal["blue", ""] | None
)
async def ask_or_none(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Which colour?")


@action(
    id="ask_requester",
    name="Ask requester",
    description="Asks whoever started it.",
    policy=Policy(deciders=Requester()),
    resume=bool,
)
async def ask_requester(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Shall I go on?")


@action(
    id="ask_everybody", name="Ask everybody", description="Asks.", policy=Policy(deciders=ChannelMembers("#general"))
)
async def ask_everybody(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("May the party begin?")


@action(
    id="two_of_three",
    name="Two of three",
    description="Needs two of three named people.",
    policy=Policy(deciders=(Person("U0ANN"), Person("U0BEN"), Person("U0DANA")), quorum=2, show=Channel("#approvals")),
)
async def two_of_three(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Release it?")
    facts = {"decided": [decision.who for decision in ctx.resumption.decisions]}
    await ctx.resource(Ledger).record("release", ctx.idempotency_key, facts)


@action(
    id="answered_by_default",
    name="Answered by default",
    description="Goes on when nobody answers.",
    policy=IN_APPROVALS,
    on_expiry=Answer(choice="approve"),
)
async def answered_by_default(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Go on by itself?")


@action(
    id="declined_by_default",
    name="Declined by default",
    description="Is declined when nobody answers.",
    policy=IN_APPROVALS,
    on_expiry=Decline(),
)
async def declined_by_default(input: Nothing, ctx: Context) -> None:
    await _record_answer(ctx, "Stop by itself?")


class Budget(BaseModel):
    """Two amounts that together have to fit."""

    hardware: int
    travel: int

    @field_validator("travel")
    @classmethod
    def _not_a_round_hundred(cls, value: int) -> int:
        if value and value % 100 == 0:
            raise ValueError("must not be a guess")
        return value

    @model_validator(mode="after")
    def _fits(self) -> "Budget":
        if self.hardware + self.travel > 1000:
            raise ValueError("together they are over the budget of 1000")
        return self


@action(id="ask_budget", name="Ask budget", description="Asks.", policy=IN_APPROVALS, resume=Budget)
async def ask_budget(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("How much may it cost?")
    await ctx.resource(Ledger).record("budget", ctx.idempotency_key, ctx.resumption.data.model_dump())


class SlowWord(BaseModel):
    """A word that somebody else has to look up."""

    word: str

    @field_validator("word")
    @classmethod
    def _known(cls, value: str) -> str:
        Gate.here("validation").passed_blocking()
        if value == "xyzzy":
            raise ValueError("is no word")
        return value


@action(id="ask_slowly", name="Ask slowly", description="Asks.", policy=IN_APPROVALS, resume=SlowWord)
async def ask_slowly(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("What is the word?")
    await ctx.resource(Ledger).record("word", ctx.idempotency_key, ctx.resumption.data.model_dump())


@action(id="start_slowly", name="Start slowly", description="Its input is slow to check.", policy=IN_APPROVALS)
async def start_slowly(input: SlowWord, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Say {input.word}?")


@action(id="reporting", name="Reporting", description="Reports before and after.", policy=IN_APPROVALS)
async def reporting(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        ctx.report("Looked it up.")
        raise ActionInterrupt("Continue?")
    ctx.report("Carried on.")


class Hostage(BaseModel):
    """How it takes its thread hostage."""

    how: Literal["blocks", "spins"]


@action(
    id="take_hostage",
    name="Take hostage",
    description="Never gives its thread back.",
    policy=IN_APPROVALS,
    time_limit=timedelta(seconds=4),
)
async def take_hostage(input: Hostage, ctx: Context) -> None:
    while True:
        if input.how == "blocks":
            time.sleep(0.05)  # noqa: ASYNC251 - blocking the loop is what this action is for


@action(id="fails_once", name="Fails once", description="Fails until its gate is open.", policy=IN_APPROVALS)
async def fails_once(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Try it?")
    if not Gate.here("mail").is_open:
        raise RuntimeError("the mail server is down")
    await ctx.resource(Ledger).record("tried", ctx.idempotency_key, {})


@action(
    id="runs_too_long",
    name="Runs too long",
    description="Is cut off after an answer.",
    policy=IN_APPROVALS,
    time_limit=timedelta(seconds=1),
)
async def runs_too_long(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Start the long one?")
    await ctx.resource(Ledger).record("long", ctx.idempotency_key, {})
    if not Gate.here("long").is_open:
        await asyncio.Event().wait()


@action(
    id="ask_ops",
    name="Ask ops",
    description="Asks whoever is in a private channel.",
    policy=Policy(deciders=ChannelMembers("#ops")),
)
async def ask_ops(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Reboot the rack?")


@action(
    id="ask_omar_in_ops",
    name="Ask Omar",
    description="Asks one person in a private channel.",
    policy=Policy(deciders=Person("U0OMAR"), show=Channel("#ops")),
)
async def ask_omar_in_ops(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Reboot the rack?")


class Saying(BaseModel):
    """Words that come from anywhere."""

    words: str


@action(id="repeats", name="Repeats", description="Shows, reports and fails with what it got.", policy=IN_APPROVALS)
async def repeats(input: Saying, ctx: Context) -> None:
    if ctx.resumption is None:
        ctx.report(input.words)
        raise ActionInterrupt(f"Say {input.words}?", data={input.words: input.words})
    raise RuntimeError(input.words)


class Stay(BaseModel):
    """As it is."""


class Move(BaseModel):
    """Somewhere else."""

    where: str


class Paint(BaseModel):
    """In another colour."""

    colour: Literal["red", "blue"]


class Sell(BaseModel):
    """For at least this much."""

    price: int


class Lend(BaseModel):
    """To somebody."""

    to: str


class Burn(BaseModel):
    """For good."""


class Hide(BaseModel):
    """Where nobody looks."""


class Share(BaseModel):
    """With everybody."""


@action(
    id="eight_ways",
    name="Eight ways",
    description="Has more choices than a card has buttons.",
    policy=IN_APPROVALS,
    resume=Stay | Move | Paint | Sell | Lend | Burn | Hide | Share,
)
async def eight_ways(input: Saying, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("What shall become of the sofa?", data={"story": input.words})
    facts = {"way": type(ctx.resumption.data).__name__, **ctx.resumption.data.model_dump()}
    await ctx.resource(Ledger).record("sofa", ctx.idempotency_key, facts)


@action(id="keep_thread", name="Keep thread", description="Blocks a thread, not its loop.", policy=IN_APPROVALS)
async def keep_thread(input: Nothing, ctx: Context) -> None:
    await asyncio.to_thread(Gate.here("thread").passed_blocking)


class Confidential(BaseModel):
    """What must not get into any log."""

    word: str


@action(id="confide", name="Confide", description="Carries something confidential.", policy=IN_APPROVALS)
async def confide(input: Confidential, ctx: Context) -> None:
    if ctx.resumption is None:
        ctx.report(f"report {input.word}")
        raise ActionInterrupt("Keep it?", data={"shown": f"data {input.word}"}, state={"kept": f"state {input.word}"})
    raise RuntimeError(f"error {input.word}")

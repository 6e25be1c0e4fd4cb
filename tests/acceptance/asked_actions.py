"""Actions that ask with each kind of card, in both ways in which an action can ask."""

from pydantic import BaseModel, JsonValue

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action
from tests.asked_kinds import QUESTIONS

IN_THE_CHANNEL = Policy(deciders=ChannelMembers("#approvals"))


class Kind(BaseModel):
    """Which of them."""

    ui: str


def as_json(answer: object) -> JsonValue:
    found: JsonValue = answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer  # type: ignore[assignment]
    return found


@action(
    id="asks_kind",
    name="Ask with a kind",
    description="Asks with ctx.ask, and returns the answer.",
    policy=IN_THE_CHANNEL,
    idempotent=True,
)
async def asks_kind(input: Kind, ctx: Context) -> JsonValue:
    question, data = QUESTIONS[input.ui]
    return as_json(await ctx.ask(question, data, ui=input.ui))


@action(
    id="pauses_with_kind",
    name="Pause with a kind",
    description="Asks by raising, and returns the answer.",
    policy=IN_THE_CHANNEL,
)
async def pauses_with_kind(input: Kind, ctx: Context) -> JsonValue:
    if ctx.resumption is None:
        question, data = QUESTIONS[input.ui]
        raise ActionInterrupt(question, data, ui=input.ui)
    return as_json(ctx.resumption.data)

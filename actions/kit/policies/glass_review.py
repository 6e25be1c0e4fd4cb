"""The action that has a broken glass reviewed. The bot starts it in the moment in which the glass is broken, and nobody else does."""

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from actions.kit.action import action
from actions.kit.context import Context
from actions.kit.from_input import FromInput
from actions.kit.interrupt import ActionInterrupt
from actions.kit.policies.deciders import BreakGlass
from actions.kit.policies.emergencies import reviewing
from actions.kit.policies.policy import Policy
from actions.kit.resources import Lent
from actions.kit.shapes.slack_types import SlackUser

GLASS_REVIEW = "glass_review"
NAME = "Review of a broken glass"


class Reviewing(Lent, ABC):
    """The door through which the bot lets this action tell what came of a review, where the glass was broken."""

    @abstractmethod
    async def tell(self, run_id: str, epoch: int, *, was_right: bool) -> None:
        """Tells it once, however often this execution is repeated; nothing where it is executed by somebody else by now."""


class Breach(BaseModel):
    """What is reviewed: `run` asked `question`, and `broken_by` approved it alone. `glass` is what its policy said of that."""

    run: str
    action: str
    question: str
    broken_by: SlackUser
    at: datetime
    reason: str
    asked_by: list[SlackUser]
    glass: BreakGlass


class Told(BaseModel):
    """What those who review see."""

    action: str
    question: str
    approved_alone_by: SlackUser
    at: datetime
    reason: str
    asked_by: list[SlackUser]


class Right(BaseModel, title="It was right", json_schema_extra={"style": "primary"}):
    """It was an emergency, and the glass had to be broken."""


class Wrong(BaseModel, title="It was not right"):
    """Those who decide could have been asked."""

    remark: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=3, max_length=3000, description="Shown to whoever broke the glass"
    )


def _reviewers(breach: Breach) -> Policy:
    return reviewing(breach.glass, (breach.broken_by, *breach.asked_by))


@action(
    id=GLASS_REVIEW,
    name=NAME,
    description="Asks others afterwards whether it was right to break the glass.",
    policy=FromInput(_reviewers, "glass"),
    resume=Right | Wrong,
    idempotent=True,
)
async def glass_review(input: Breach, ctx: Context) -> str:
    """What those who review found. Whoever broke the glass is the requester of this run, and hears of it."""
    if ctx.resumption is None:
        told = Told(approved_alone_by=input.broken_by, **input.model_dump(exclude={"run", "broken_by", "glass"}))
        raise ActionInterrupt("Was it right to break the glass?", data=told, expires_in=input.glass.review_in)

    found: Right | Wrong = ctx.resumption.data
    door = ctx.resource(Reviewing)  # type: ignore[type-abstract]  # one is lent
    await door.tell(ctx.run_id, ctx.epoch, was_right=isinstance(found, Right))
    return "It was right." if isinstance(found, Right) else f"It was not right: {found.remark}"

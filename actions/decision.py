"""Put a yes-or-no question to people whom you name, about anything: a message in Slack, a page, a plan.

What to look at: each input says who decides, by `FromInput`, and the form picks them among the people in Slack. The message
shortcut *Ask for a decision* opens this form with the message quoted and linked.
"""

from datetime import timedelta

from pydantic import BaseModel, Field, HttpUrl

from actions import ActionInterrupt, Context, FromInput, Person, Policy, SlackUser, action


class Matter(BaseModel):
    """What the form of `/signoff decision` asks for."""

    question: str = Field(min_length=3, max_length=300, description="What they are to say yes or no to")
    deciders: list[SlackUser] = Field(
        min_length=1, max_length=20, title="Who decides", description="Each is asked directly; the first answer counts"
    )
    about: str | None = Field(
        default=None,
        max_length=2000,
        title="What it is about",
        description="They see this text",
    )
    link: HttpUrl | None = Field(default=None, description="Where they can read more")

    @property
    def policy(self) -> Policy:
        return Policy(deciders=tuple(map(Person, self.deciders)))


class Shown(BaseModel):
    """What those who decide see."""

    about: str | None
    link: HttpUrl | None


class Decided(BaseModel):
    """They said yes."""

    by: list[str]


@action(
    id="decision",
    name="Ask for a decision",
    description="Puts a yes-or-no question to people whom you name, and tells you what they say.",
    policy=FromInput(lambda matter: matter.policy, "deciders"),
    expires_in=timedelta(days=3),
    idempotent=True,
)
async def decision(input: Matter, ctx: Context) -> Decided:
    if ctx.resumption is None:
        raise ActionInterrupt(input.question, data=Shown(about=input.about, link=input.link))

    return Decided(by=[each.who for each in ctx.resumption.decisions])

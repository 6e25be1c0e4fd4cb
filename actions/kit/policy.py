"""Who may start, who decides, and where it is shown: pure values, and pure questions asked of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """A value that is stored as JSON and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Person(Frozen):
    """A named person, by Slack id or by e-mail. The bot fills in the id of an e-mail when it pauses."""

    kind: Literal["person"] = "person"
    id: str | None = None
    email: str | None = None


class Requester(Frozen):
    """Whoever started the run: for questions about themselves. An approval never counts its requester."""

    kind: Literal["requester"] = "requester"


class ChannelMembers(Frozen):
    """Every member of a channel (bots and guests excepted), looked up at the click. `channel` is an id or `#name`."""

    kind: Literal["channel_members"] = "channel_members"
    channel: str


Decider = Annotated[Person | Requester | ChannelMembers, Field(discriminator="kind")]


class Channel(Frozen):
    """Show it in a channel. `channel` is an id or `#name`."""

    kind: Literal["channel"] = "channel"
    channel: str


class DirectMessage(Frozen):
    """Show it to one person. A policy's own `DirectMessage()` without a person means: to each named decider."""

    kind: Literal["direct_message"] = "direct_message"
    person: Person | None = None


Place = Annotated[Channel | DirectMessage, Field(discriminator="kind")]


class Policy(Frozen):
    """Who decides (`deciders`, any of them; `quorum` of them must agree), where it is shown, and who may start it.

    One decline settles (`declines_at`). Without `show` the card goes to the channels whose members decide and by
    direct message to the named people. Without `starters` every full member of the workspace may start; guests never.
    """

    deciders: tuple[Decider, ...]
    show: tuple[Place, ...] = ()
    starters: tuple[Decider, ...] = ()
    quorum: int = Field(default=1, ge=1)
    declines_at: int = Field(default=1, ge=1)

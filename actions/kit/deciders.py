"""What a policy is written with: the people who decide or start, the places where a card is shown.

A later kind of decider (a group, a manager, an on-call rotation, stages) is one more member of the union `Decider`,
told apart by `kind`; what is stored today stays readable.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from actions.kit import slack_ids

PERSON_ID = re.compile(slack_ids.USER)
CHANNEL_ID = re.compile(slack_ids.CONVERSATION)
CHANNEL_NAME = re.compile(r"#[^\s#@A-Z]{1,80}")
EMAIL = re.compile(r"[^@\s<>|]+@[^@\s<>|]+\.[^@\s<>|.]+")


class Frozen(BaseModel):
    """A value that is stored as JSON and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _person_id(text: str) -> str:
    if not PERSON_ID.fullmatch(text):
        raise ValueError(f"{text!r} is neither the id of a person, such as 'U024BE7LH', nor an e-mail")
    return text


def _email(text: str) -> str:
    if not EMAIL.fullmatch(text):
        raise ValueError(f"{text!r} is not an e-mail, such as 'manager@example.com'")
    return text.lower()


def _channel(text: str) -> str:
    if not (CHANNEL_ID.fullmatch(text) or CHANNEL_NAME.fullmatch(text)):
        raise ValueError(
            f"{text!r} is neither the id of a channel, such as 'C024BE91L', nor a name such as '#approvals'"
        )
    return text


PersonId = Annotated[str, AfterValidator(_person_id)]
Email = Annotated[str, AfterValidator(_email)]
ChannelName = Annotated[str, AfterValidator(_channel)]


class Person(Frozen):
    """A named person, by Slack id or by e-mail: `Person("U024BE7LH")`, `Person("manager@example.com")`.

    The bot fills in the id of an e-mail when it pauses.
    """

    kind: Literal["person"] = "person"
    id: PersonId | None = None
    email: Email | None = None

    def __init__(self, who: str | None = None, /, **fields: Any) -> None:
        named = {} if who is None else {"email" if "@" in who else "id": who}
        super().__init__(**named, **fields)

    @model_validator(mode="after")
    def _is_named(self) -> "Person":
        if self.id is None and self.email is None:
            raise ValueError("a person needs an id or an e-mail")
        return self


class Requester(Frozen):
    """Whoever started the run: for questions about themselves. An approval never counts its requester."""

    kind: Literal["requester"] = "requester"


class ChannelMembers(Frozen):
    """Every member of a channel (bots and guests excepted), looked up at the click: `ChannelMembers("#approvals")`."""

    kind: Literal["channel_members"] = "channel_members"
    channel: ChannelName

    def __init__(self, channel: str | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if channel is None else {"channel": channel}), **fields)


Decider = Annotated[Person | Requester | ChannelMembers, Field(discriminator="kind")]


class Channel(Frozen):
    """Show it in a channel: `Channel("#approvals")`."""

    kind: Literal["channel"] = "channel"
    channel: ChannelName

    def __init__(self, channel: str | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if channel is None else {"channel": channel}), **fields)


class DirectMessage(Frozen):
    """Show it to one person. A policy's own `DirectMessage()` without a person means: to each named decider."""

    kind: Literal["direct_message"] = "direct_message"
    person: Person | None = None

    def __init__(self, person: Person | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if person is None else {"person": person}), **fields)


Place = Annotated[Channel | DirectMessage, Field(discriminator="kind")]


def _one_or_many(value: Any) -> Any:
    """A single value stands for a tuple of one; a mere text does not say what it names."""
    if isinstance(value, str):
        raise ValueError(  # noqa: TRY004 - pydantic tells a `ValueError` at its field
            f'write Person("{value}"), ChannelMembers("{value}") or, to show it there, Channel("{value}")'
        )
    return (value,) if isinstance(value, Frozen) else value


class Policy(Frozen):
    """Who decides (`deciders`, any of them; `quorum` of them must agree), where it is shown, and who may start it.

    One decline settles (`declines_at`). Without `show` the card goes to the channels whose members decide and by
    direct message to the named people. Without `starters` every full member of the workspace may start; guests never.
    A single decider, place or starter may stand without its tuple. Whoever asks for an approval never decides it; with
    `requester_excluded` they do not answer a mere question either.
    """

    deciders: Annotated[tuple[Decider, ...], BeforeValidator(_one_or_many)]
    show: Annotated[tuple[Place, ...], BeforeValidator(_one_or_many)] = ()
    starters: Annotated[tuple[Decider, ...], BeforeValidator(_one_or_many)] = ()
    quorum: int = Field(default=1, ge=1)
    declines_at: int = Field(default=1, ge=1)
    requester_excluded: bool = False

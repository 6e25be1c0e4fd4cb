"""What a policy is written with: the people who decide or start, the places where a card is shown, its stages.

A later kind of decider is one more member of the union `Decider`, told apart by `kind`; what is stored today stays
readable.
"""

import re
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from actions.kit import slack_ids
from actions.kit.frozen import Frozen, Truth
from actions.kit.policies.conditions import Condition
from actions.kit.policies.hours import Hours
from actions.kit.policies.pace import Every, Warn
from actions.kit.policies.remarks import MayAsk

__all__ = ["Frozen"]

PERSON_ID = re.compile(slack_ids.USER)
GROUP_ID = re.compile(slack_ids.GROUP)
HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
CHANNEL_ID = re.compile(slack_ids.CONVERSATION)
CHANNEL_NAME = re.compile(r"#[^\s#@A-Z]{1,80}")
EMAIL = re.compile(r"[^@\s<>|]+@[^@\s<>|]+\.[^@\s<>|.]+")


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


def _group(text: str) -> str:
    name = text.removeprefix("@")
    if not (GROUP_ID.fullmatch(name) or HANDLE.fullmatch(name)):
        raise ValueError(f"{text!r} is neither the handle of a group, such as 'finance', nor an id such as 'S0123ABCD'")
    return name


def _rota(text: str) -> str:
    if not HANDLE.fullmatch(text):
        raise ValueError(f"{text!r} is not the name of a rota, such as 'payments': small letters, digits, . _ -")
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


class Group(Frozen):
    """Every member of a group (bots and guests excepted), by its handle or Slack id: `Group("finance")`."""

    kind: Literal["group"] = "group"
    group: Annotated[str, AfterValidator(_group)]

    def __init__(self, group: str | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if group is None else {"group": group}), **fields)


class ManagerOf(Frozen):
    """The manager of somebody: `ManagerOf(Requester())`, and of level 2 the manager of that manager."""

    kind: Literal["manager_of"] = "manager_of"
    of: Annotated[Requester | Person, Field(discriminator="kind")]
    level: int = Field(default=1, ge=1, le=9)

    def __init__(self, of: Requester | Person | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if of is None else {"of": of}), **fields)


class OnCall(Frozen):
    """Whoever is on call in a rota when it is asked: `OnCall("payments")`."""

    kind: Literal["on_call"] = "on_call"
    rota: Annotated[str, AfterValidator(_rota)]

    def __init__(self, rota: str | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if rota is None else {"rota": rota}), **fields)


Lookup = ChannelMembers | Group | ManagerOf | OnCall
"""A decider that stands for people who must be looked up. It is hashable: the key of what was found."""
Decider = Annotated[Person | Requester | ChannelMembers | Group | ManagerOf | OnCall, Field(discriminator="kind")]


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


Deciders = Annotated[tuple[Decider, ...], BeforeValidator(_one_or_many)]


class Needs(Frozen):
    """So many of these must agree: `Needs(2, Group("leads"))`. One person fills one place of one need only."""

    kind: Literal["needs"] = "needs"
    count: int = Field(ge=1)
    of: Annotated[Deciders, Field(min_length=1)]

    def __init__(self, count: int | None = None, /, *of: Decider, **fields: Any) -> None:
        super().__init__(**({} if count is None else {"count": count, "of": of}), **fields)


def _fields(value: Any) -> Any:
    """`fields="service"` would be seven fields of a letter each."""
    return (value,) if isinstance(value, str) else value


Asked = Annotated[tuple[Annotated[Decider | Needs, Field(discriminator="kind")], ...], BeforeValidator(_one_or_many)]
Places = Annotated[tuple[Place, ...], BeforeValidator(_one_or_many)]
DeclinesAt = Annotated[int, Field(ge=1)] | Literal["majority"]


class After(Frozen):
    """Who decides as well once it has waited so long, made by `after(hours=8, to=Group("leads"))`."""

    kind: Literal["after"] = "after"
    wait: timedelta
    to: Annotated[Deciders, Field(min_length=1)]


def after(*, to: Decider | tuple[Decider, ...], days: float = 0, hours: float = 0, minutes: float = 0) -> After:
    """An escalation: those of `to` may decide too when nobody has settled it so long after it was asked."""
    return After(wait=timedelta(days=days, hours=hours, minutes=minutes), to=to)


Escalations = Annotated[tuple[After, ...], BeforeValidator(_one_or_many)]


class Grants(Frozen):
    """Standing grants may be asked for: for as long, and for as many uses, as this at most.

    `fields` of the input may narrow one, each by a text or a pattern such as `web-*`.
    """

    lasts: timedelta = Field(ge=timedelta(minutes=15), le=timedelta(days=30))
    times: int = Field(ge=1, le=1000)
    fields: Annotated[tuple[str, ...], BeforeValidator(_fields)] = ()


class BreakGlass(Frozen):
    """In an emergency one of `who` approves alone, with a reason; those of `review` look at it afterwards: they have `review_in`.

    `BreakGlass(Group("on-call-leads"), review=Group("security"))`. Everybody whom it concerns is told at once.
    """

    who: Annotated[Deciders, Field(min_length=1)]
    review: Annotated[Deciders, Field(min_length=1)]
    review_in: timedelta = timedelta(days=1)

    def __init__(self, who: Decider | tuple[Decider, ...] | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if who is None else {"who": who}), **fields)


class Stage(Frozen):
    """One step of a policy: whom it asks, under which condition, and by when.

    `deciders`, `quorum`, `declines_at`, `show`, `notify` and `exclude` are what they are in a policy; `show` and
    `notify` of the policy hold where the stage has none of its own, and its `exclude` holds beside the stage's. `when`
    is judged once, over the input, when the run pauses; where it cannot be told, the stage applies. `expires_in` counts
    from when the stage is asked; without it, it is what the pause says. Who agreed in an earlier stage counts in this
    one too where they are among its deciders; with `separate` they may not decide in it, nor whoever decided otherwise.
    """

    deciders: Asked
    quorum: int = Field(default=1, ge=1)
    declines_at: DeclinesAt = 1
    when: Condition | None = None
    expires_in: timedelta | None = None
    show: Places = ()
    notify: Deciders = ()
    exclude: Deciders = ()
    separate: Truth = False


class Policy(Frozen):
    """Who decides (`deciders`, any of them; `quorum` of them must agree), where it is shown, and who may start it.

    With `Needs(...)` among the deciders each need has its own quorum. With `stages` they are asked one after the other.
    `declines_at` is the number of declines that settle: one, or with "majority" as many as would have to agree.
    Whom `exclude` names, or finds, never decides. A single decider, place, stage or starter may stand without its tuple.

    Without `show` the card goes to the channels whose members decide and by direct message to those who are named or
    looked up. With `notify` only those get direct messages, and all the others may decide quietly. Without `starters`
    every full member of the workspace may start; guests never. Whoever asks for an approval never decides it; with
    `requester_excluded` they do not answer a mere question either. With `stand_ins` false nobody decides in the place of
    somebody who is away. With `grants` several may be asked for in advance. What is of `low_risk` may be answered together
    with others in the Home tab. With `break_glass` somebody may approve alone in an emergency, which is reviewed afterwards.

    `remind`, `warn` and `escalate` keep it from being forgotten; with `hours` they, and the deadline, count only business
    hours. They hold for each stage, whose clock starts anew.

    With `claim_for` somebody may take a card on for so long, which others see. With `may_ask` those who decide may ask
    for more, and those who asked reply; "pauses the clock" stops the time of the question until then.

    `stage`, `skipped`, `escalated`, `follows` and `gone` are written by the bot: the number of the stage that is asked,
    from 1, whose terms stand at the top of the stored policy; the stages that do not apply to the input; which of
    `escalate` have come in this stage, by number from 1; whether it is the action's own policy, so that a decider must be
    one by that policy of today as well; and whom it means who had left Slack when it was asked, by id, or whom Slack did
    not know, by e-mail.
    """

    deciders: Asked = ()
    show: Places = ()
    starters: Deciders = ()
    quorum: int = Field(default=1, ge=1)
    declines_at: DeclinesAt = 1
    requester_excluded: Truth = False
    exclude: Deciders = ()
    notify: Deciders = ()
    stand_ins: Truth = True
    low_risk: Truth = False
    stages: Annotated[tuple[Stage, ...], BeforeValidator(_one_or_many)] = ()
    remind: Every | None = None
    warn: Warn | None = None
    escalate: Escalations = ()
    hours: Hours | None = None
    grants: Grants | None = None
    break_glass: BreakGlass | None = None
    claim_for: timedelta | None = None
    may_ask: MayAsk = False
    stage: int = 0
    skipped: tuple[Stage, ...] = ()
    escalated: tuple[int, ...] = ()
    follows: Truth = False
    gone: tuple[str, ...] = ()

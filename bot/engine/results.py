"""What the runner answers to whoever asked: values that a listener or a command turns into a message, a view or a line."""

from collections.abc import Awaitable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from actions.kit.action import Action
from actions.kit.errors import Problem
from actions.kit.policies.granted import GrantRecord
from actions.kit.records.interrupts import Card, Choice, Draft
from actions.kit.records.runs import RunRecord, Stuck
from blocks.acts import ActForm
from blocks.clicks import ActTarget, Mark, StartTarget
from storage.results import Ordered, Redelivering, Started

End_co = TypeVar("End_co", covariant=True)


class Why(StrEnum):
    """What kind of refusal it is, for ways in that answer with more than words."""

    NOT_ALLOWED = "not_allowed"
    UNKNOWN = "unknown"
    SETTLED = "settled"
    EXPIRED = "expired"
    ALREADY_VOTED = "already_voted"
    OUTDATED = "outdated"
    NO_SUCH_CHOICE = "no_such_choice"
    HELD = "held"
    NOT_VERIFIED = "not_verified"
    NOT_CHECKED = "not_checked"
    ENDED = "ended"
    KEY_REUSED = "key_reused"


@dataclass(frozen=True, slots=True)
class Refusal:
    """It did not count; `text` says privately why, as mrkdwn. `card` is how the card stands, where there is one."""

    text: str
    card: Card | None = None
    why: Why = Why.NOT_ALLOWED


@dataclass(frozen=True, slots=True)
class FieldErrors:
    """What was filled in does not fit; `schema` is what the form was made from. Nothing was stored.

    Of a form that is redrawn, `draft` is what its person sees.
    """

    problems: tuple[Problem, ...]
    schema: dict[str, Any]
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """How a form is to be shown: with what was typed so far, under which mark, with which problems in words at its top."""

    draft: Draft | None = None
    mark: Mark | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenForm:
    """The choice asks for more: open its form, or show it as it is by now."""

    card: Card
    choice: Choice
    shown: Shown = Shown()


@dataclass(frozen=True, slots=True)
class OpenInput:
    """The form for the input of an action: open it, or show it as it is by now."""

    action: Action
    target: StartTarget
    shown: Shown = Shown()


@dataclass(frozen=True, slots=True)
class OpenAct:
    """The act asks for more before it is done: open its form, or show it as it is by now."""

    card: Card
    target: ActTarget
    form: ActForm
    shown: Shown = Shown()


@dataclass(frozen=True, slots=True)
class ActDone:
    """It is done, now or when it was first delivered; `text` says privately what came of it, as mrkdwn."""

    card: Card
    text: str = ""


@dataclass(frozen=True, slots=True)
class OpenChooser:
    """There are more choices than buttons: open the form with all of them."""

    card: Card


@dataclass(frozen=True, slots=True)
class Settled:
    """This answer settled the interrupt, now or when it was first delivered."""

    card: Card


@dataclass(frozen=True, slots=True)
class Counted:
    """This answer counts, and more are needed."""

    card: Card


@dataclass(frozen=True, slots=True)
class Checking(Generic[End_co]):
    """It is still being checked. `later` ends as it would have, and must not be cancelled to give up."""

    later: Awaitable[End_co]


@dataclass(frozen=True, slots=True)
class Details:
    """Everything that the card shows only in part."""

    card: Card


AnswerEnd = Settled | Counted | FieldErrors | Refusal
ClickResult = OpenForm | OpenChooser | AnswerEnd | Checking[AnswerEnd]
SubmitResult = OpenForm | AnswerEnd | Checking[AnswerEnd | OpenForm]
StartEnd = Started | FieldErrors | Refusal
StartResult = OpenInput | StartEnd | Checking[StartEnd | OpenInput]
ActEnd = ActDone | FieldErrors | Refusal
ActResult = OpenAct | ActEnd | Checking[ActEnd | OpenAct]
FormResult = OpenForm | OpenInput | OpenAct | Refusal


@dataclass(frozen=True, slots=True)
class CancelDone:
    """The run is cancelled, or (`asked`) will be as soon as what executes it notices.

    `withdrew`: this person does not ask for it any more, and it goes on for those who do.
    """

    run: RunRecord
    asked: bool = False
    withdrew: bool = False


@dataclass(frozen=True, slots=True)
class NudgeDone:
    """Those who must act are told."""

    card: Card


@dataclass(frozen=True, slots=True)
class GrantRevoked:
    """The standing grant allows nothing any more."""

    grant: GrantRecord


@dataclass(frozen=True, slots=True)
class StuckRuns:
    """One page of what is stuck, and how much there is in all."""

    found: tuple[Stuck, ...]
    total: int
    page: int


CancelResult = CancelDone | Refusal
OrderResult = Ordered | Redelivering | CancelDone | NudgeDone | GrantRevoked | OpenInput | Details | Refusal

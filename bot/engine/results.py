"""What the runner answers to whoever asked: values that a listener or a command turns into a message, a view or a line."""

from collections.abc import Awaitable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from actions.kit.records import Card, Choice, Problem, RunRecord, Stuck
from storage.results import Ordered, Redelivering, Started

End = TypeVar("End")


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
    """What was filled in does not fit; `schema` is what the form was made from. Nothing was stored."""

    problems: tuple[Problem, ...]
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class OpenForm:
    """The choice asks for more: open its form."""

    card: Card
    choice: Choice


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
class Checking(Generic[End]):
    """It is still being checked. `later` ends as it would have, and must not be cancelled to give up."""

    later: Awaitable[End]


@dataclass(frozen=True, slots=True)
class Details:
    """Everything that the card shows only in part."""

    card: Card


AnswerEnd = Settled | Counted | FieldErrors | Refusal
ClickResult = OpenForm | OpenChooser | AnswerEnd | Checking[AnswerEnd]
SubmitResult = OpenForm | AnswerEnd | Checking[AnswerEnd]
StartEnd = Started | FieldErrors | Refusal
StartResult = StartEnd | Checking[StartEnd]


@dataclass(frozen=True, slots=True)
class CancelDone:
    """The run is cancelled, or (`asked`) will be as soon as what executes it notices."""

    run: RunRecord
    asked: bool = False


@dataclass(frozen=True, slots=True)
class StuckRuns:
    """One page of what is stuck, and how much there is in all."""

    found: tuple[Stuck, ...]
    total: int
    page: int


CancelResult = CancelDone | Refusal
OrderResult = Ordered | Redelivering | CancelDone | Details | Refusal

"""What the runner answers to whoever asked: values that a listener or a command turns into a message, a view or a line."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from actions.kit.records import Card, Choice, Problem, RunRecord
from storage.results import Ordered, Redelivering, Started


@dataclass(frozen=True, slots=True)
class Refusal:
    """It did not count; `text` says privately why, as mrkdwn. `card` is how the card stands, where there is one."""

    text: str
    card: Card | None = None


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
class CheckingAnswer:
    """The answer is still being checked. `later` ends as the answer would have, and must not be cancelled to give up."""

    later: Awaitable["Refusal | FieldErrors | Settled | Counted"]


@dataclass(frozen=True, slots=True)
class CheckingStart:
    """The input is still being checked; `later` ends as the start would have."""

    later: Awaitable["Started | Refusal | FieldErrors"]


@dataclass(frozen=True, slots=True)
class Details:
    """Everything that the card shows only in part."""

    card: Card


AnswerEnd = Settled | Counted | FieldErrors | Refusal
ClickResult = OpenForm | OpenChooser | AnswerEnd | CheckingAnswer
SubmitResult = OpenForm | AnswerEnd | CheckingAnswer
StartEnd = Started | FieldErrors | Refusal
StartResult = StartEnd | CheckingStart
OrderResult = Ordered | Redelivering | Details | Refusal


@dataclass(frozen=True, slots=True)
class CancelDone:
    """The run is cancelled, or (`asked`) will be as soon as what executes it notices."""

    run: RunRecord
    asked: bool = False


CancelResult = CancelDone | Refusal

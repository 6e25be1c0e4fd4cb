"""How one execution of an action ended, and a pause as the action raised it."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from actions.kit.policies.deciders import Policy
from actions.kit.records.interrupts import Asker, InterruptRecord, OnExpiry, Shape
from actions.kit.records.runs import Failure, RunStatus


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """An interrupt as the action raised it, checked and resolved against the action's settings, before it is stored."""

    message: str
    data: str | None
    shown: str
    state: str | None
    ui: str | None
    resume: str
    shape: Shape
    fingerprint: str
    policy: Policy
    expires_in: timedelta | None
    on_expiry: OnExpiry
    call_path: str = ""
    occurrence: int = 1
    asker: Asker | None = None
    position: int = 1
    total: int = 1
    shown_schema: str | None = None
    editable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """The action, or one that it called, asks; of several questions that wait at once (`total`), this is the first.

    `resume` is the prepared type of its answer.
    """

    request: PauseRequest
    resume: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Returned:
    """The action returned; `output` is JSON text."""

    output: str


@dataclass(frozen=True, slots=True)
class Raised:
    """The action failed, or broke a rule of the contract. `error` is for the log of the process that executed it."""

    failure: Failure
    error: BaseException | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Stopped:
    """The action was cancelled from outside before it ended."""


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """The action let a `Declined` or `Expired` out: it ends as its question did. `by` is who declined, `call` its path."""

    status: Literal[RunStatus.DECLINED, RunStatus.EXPIRED]
    message: str
    call: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class AskAgain:
    """The newest answer does not fit today's code: its question is to be asked again, as `request` where that is known."""

    interrupt: InterruptRecord
    because: str
    request: PauseRequest | None = None


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is stored of a nested call does not fit today's code."""

    failure: Failure


Outcome = Paused | Returned | Raised | Stopped | TurnedDown | AskAgain | Unfit

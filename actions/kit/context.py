"""What an action is told about its run: who asks, what has been answered, and what it may use."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from actions.kit.json_text import from_json_text, storable
from actions.kit.records import Cause, DecisionRecord, InterruptRecord

T = TypeVar("T")

REPORT_LIMIT = 2_000
"""Characters of one reported line; the rest is cut, with a count."""

Answered = tuple[InterruptRecord, Sequence[DecisionRecord]]
"""A settled interrupt with its decisions, as the store hands it over."""


class StateError(Exception):
    """The stored state does not fit the type asked for. The message names paths and reasons, never values."""


class ResourceError(LookupError):
    """No resource, or more than one, is of the type asked for."""


class Restores(Protocol):
    """A prepared resume type, which turns stored answers into typed values."""

    def restore(self, choice_key: str, text: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """One decider's answer: who (a Slack id), when (UTC), what (the key of the choice), its typed value and their note."""

    who: str
    when: datetime
    what: str
    value: Any = field(repr=False)
    note: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Resumption:
    """The answer with which an action runs again.

    `data` is the answer as its declared type, falsy ones included, and `choice` the key of the choice it was given by.
    `state` is the checkpoint as it was stored, in JSON; `state_as` restores its types. `shown` is what the deciders saw.
    `cause` says whether people answered or the deadline did (`on_expiry=Answer(...)`).
    """

    choice: str | None
    data: Any = field(repr=False)
    state: Any = field(repr=False)
    shown: Any = field(repr=False)
    cause: Cause
    decisions: tuple[Decision, ...]
    _state_json: str | None = field(default=None, repr=False)

    def state_as(self, type_: type[T]) -> T:
        """The state as a type: a model, a dataclass, `list[Decimal]`. Raises `StateError`."""
        try:
            return from_json_text("null" if self._state_json is None else self._state_json, type_)
        except ValidationError as error:
            problems = "; ".join(_problem(dict(each)) for each in error.errors(include_input=False, include_url=False))
        if self._state_json is None:
            raise StateError("there is no state: the pause was raised without `state=`")
        raise StateError(f"the stored state does not fit {getattr(type_, '__name__', type_)}: {problems}")

    @classmethod
    def restored(cls, answered: Answered, resume: Restores) -> "Resumption":
        """From the stored rows. Raises what `resume.restore` raises where an answer no longer fits."""
        interrupt, decisions = answered
        data = None
        if interrupt.choice is not None and interrupt.answer is not None:
            data = resume.restore(interrupt.choice, interrupt.answer)
        return cls(
            choice=interrupt.choice,
            data=data,
            state=None if interrupt.state is None else json.loads(interrupt.state),
            shown=json.loads(interrupt.shown),
            cause=interrupt.cause or Cause.HUMAN,
            decisions=tuple(_decision(each, resume) for each in decisions),
            _state_json=interrupt.state,
        )


@dataclass(frozen=True, slots=True)
class Context:
    """The second argument of every action.

    `requester` is the Slack id of whoever started the run. `resumption` is the latest answer to this very call, `None`
    on the first pass. `idempotency_key` is the same on every re-run of one step and another on the next: hand it to
    whatever you call, so that a step which runs twice has its effect once.
    """

    run_id: str
    requester: str
    resumption: Resumption | None
    idempotency_key: str
    call_path: str = ""
    occurrence: int = 1
    _report: Callable[[str], None] = field(default=lambda _: None, repr=False)
    _resources: tuple[object, ...] = field(default=(), repr=False)

    @classmethod
    def build(
        cls,
        *,
        run_id: str,
        requester: str,
        resume: Callable[[str], Restores],
        answered: Iterable[Answered] = (),
        report: Callable[[str], None] = lambda _: None,
        resources: Iterable[object] = (),
        call_path: str = "",
    ) -> "Context":
        """The context of the call at `call_path`, from what the store and the host know.

        Args:
            run_id: The run.
            requester: The Slack id of whoever started it.
            resume: The action's `Action.resume`: the prepared resume type of a name.
            answered: The latest answered interrupt of each call path; the one of this path becomes the resumption.
            report: Called on the thread of the caller with each reported line, cut to `REPORT_LIMIT`; must not block.
            resources: What `Registry.resources()` yielded.
            call_path: Where in the run this call stands; empty for the action that was started.

        Raises what `resume` and its `restore` raise where a stored answer no longer fits the code.
        """
        latest = next((each for each in answered if each[0].call_path == call_path), None)
        count = 0 if latest is None else latest[0].occurrence
        return cls(
            run_id=run_id,
            requester=requester,
            resumption=None if latest is None else Resumption.restored(latest, resume(latest[0].resume)),
            idempotency_key=":".join(part for part in (run_id, call_path, str(count)) if part),
            call_path=call_path,
            occurrence=count + 1,
            _report=report,
            _resources=tuple(resources),
        )

    def report(self, text: str) -> None:
        """Say one line in the card's thread; it is kept until there is one. May be called from any thread.

        A text of more than 2,000 characters is cut. A line without visible text is left out.
        """
        line = _line(str(text))
        if line:
            self._report(line)

    def resource(self, type_: type[T]) -> T:
        """The shared object of this type that a set-up function opened at start-up. Raises `ResourceError`."""
        exact = [each for each in self._resources if type(each) is type_]
        found = exact or [each for each in self._resources if isinstance(each, type_)]
        if len(found) == 1:
            return found[0]
        there = ", ".join(sorted({type(each).__name__ for each in self._resources})) or "none"
        how_many = "no resource is" if not found else f"{len(found)} resources are"
        raise ResourceError(f"{how_many} of type {type_.__name__}; a function marked @resources opened: {there}")

    @property
    def resources(self) -> tuple[object, ...]:
        """Every shared object, in the order of opening."""
        return self._resources


def _decision(record: DecisionRecord, resume: Restores) -> Decision:
    value = resume.restore(record.choice, record.value)
    return Decision(who=record.person, when=record.at, what=record.choice, value=value, note=record.note)


def _problem(error: dict[str, Any]) -> str:
    path = ".".join(str(part) for part in error["loc"])
    return f"{path or 'the value'}: {error['msg']}"


def _line(text: str) -> str:
    """The text as every database and Slack can keep it, and not too long."""
    clean = storable(text).strip()
    if len(clean) <= REPORT_LIMIT:
        return clean
    kept = clean[: REPORT_LIMIT - 40].rstrip()
    return f"{kept}… ({len(clean) - len(kept):,} more characters)"

"""What an action is told about its run: who asks, what has been answered, and what it may use."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import ValidationError

from actions.kit.edits import FieldEdit
from actions.kit.errors import ShapeError
from actions.kit.interrupt import ActionInterrupt
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import Cause, DecisionRecord, InterruptStatus, OnExpiry
from actions.kit.resources import Lent
from actions.kit.running.calls import Answered, CallLog, CallRecord
from actions.kit.shapes.json_text import from_json_text, storable
from actions.kit.terms import Never

if TYPE_CHECKING:
    from actions.kit.action import Action

T = TypeVar("T")
MayStart = Callable[["Action", str], Awaitable[str | None]]
"""Whether a person, a Slack id, may start an action: `None`, or in words why not."""

REPORT_LIMIT = 2_000
"""Characters of one reported line; the rest is cut, with a count."""


class StateError(Exception):
    """The stored state does not fit the type asked for. The message names paths and reasons, never values."""


class ResourceError(LookupError):
    """No resource, or more than one, is of the type asked for."""


class Restores(Protocol):
    """A prepared resume type, which turns stored answers into typed values."""

    def restore(self, choice_key: str, text: str) -> Any: ...

    def as_shown(self, shown: str) -> "Restores": ...


class Nests(Protocol):
    """The place of an action in a pass, through which its context asks and calls."""

    async def ask(self, pause: Callable[[], ActionInterrupt], name: str | None) -> Any: ...

    async def call(
        self,
        action: Any,
        input: Any,
        name: str | None,
        *,
        for_requester: bool,
        on_wait: Callable[[], None] | None = None,
    ) -> Any: ...

    def hold(self) -> AbstractContextManager[None]: ...

    def step(self, answers: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """One decider's answer: who (a Slack id), when (UTC), what (the key of the choice), its typed value and their note.

    `standing_for` is the Slack id of somebody who was away, where it was given in their place.
    """

    who: str
    when: datetime
    what: str
    value: Any = field(repr=False)
    note: str | None = field(default=None, repr=False)
    standing_for: str | None = None


@dataclass(frozen=True, slots=True)
class Resumption:
    """The answer with which an action runs again.

    `data` is the answer as its declared type, falsy ones included, and `choice` the key of the choice it was given by.
    `state` is the checkpoint as it was stored, in JSON; `state_as` restores its types. `shown` is what the deciders saw.
    `cause` says whether people answered, the deadline did (`on_expiry=Answer(...)`) or the policy: then a standing grant
    allowed it, there are no decisions, and `grant` is its id and `granted_by` who had approved that. `edits` are what
    deciders changed in the input before, field by field. Where somebody broke the glass (`Cause.BREAK_GLASS`), `broken_by` is
    who approved it alone, and `reason` why.
    """

    choice: str | None
    data: Any = field(repr=False)
    state: Any = field(repr=False)
    shown: Any = field(repr=False)
    cause: Cause
    decisions: tuple[Decision, ...]
    edits: tuple[FieldEdit, ...] = ()
    grant: str | None = None
    granted_by: tuple[str, ...] = ()
    broken_by: str | None = None
    reason: str | None = field(default=None, repr=False)
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
    def restored(cls, answered: Answered, resume: Restores, edits: tuple[FieldEdit, ...] = ()) -> "Resumption":
        """From the stored rows. Raises `KeyError` where what was shown no longer fits, `AnswerError` where the answer."""
        interrupt, decisions = answered
        try:
            resume = resume.as_shown(interrupt.shown)
        except ShapeError as error:
            raise KeyError(interrupt.resume) from error
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
            edits=edits,
            grant=interrupt.granted.grant_id if interrupt.granted else None,
            granted_by=interrupt.granted.approved_by if interrupt.granted else (),
            broken_by=interrupt.settled_by if interrupt.broken else None,
            reason=interrupt.broken.reason if interrupt.broken else None,
            _state_json=interrupt.state,
        )


async def everybody(_action: "Action", _person: str, /) -> str | None:
    """Where nobody is told apart: in a trial."""
    return None


@dataclass(frozen=True, slots=True)
class Context:
    """The second argument of every action.

    `requester` is the Slack id of whoever started the run. `resumption` is the latest answer to a pause that this very
    call raised, `None` on the first pass. `call_path` is where in the run it stands, empty for the action that was
    started. `epoch` counts the executions of the run. `actions` are all that are registered, by id. `in_conversation`:
    the run was asked for in one, where its reports stand; else they stand below its cards, whoever is there. `edits` are
    what deciders changed in the input, field by field; of what a called action is given, nobody changes anything.
    """

    run_id: str
    requester: str
    resumption: Resumption | None
    call_path: str = ""
    occurrence: int = 1
    epoch: int = field(default=0, repr=False)
    in_conversation: bool = field(default=False, repr=False)
    edits: tuple[FieldEdit, ...] = field(default=(), repr=False)
    call_log: CallLog = field(default_factory=CallLog, repr=False)
    _report: Callable[[str], None] = field(default=lambda _: None, repr=False)
    resources: tuple[object, ...] = field(default=(), repr=False)
    actions: "Mapping[str, Action]" = field(default_factory=dict, repr=False)
    _may_start: MayStart = field(default=everybody, repr=False)
    _nest: Nests | None = field(default=None, repr=False)

    @classmethod
    def build(
        cls,
        *,
        run_id: str,
        requester: str,
        resume: Callable[[str], Restores],
        answered: Iterable[Answered] = (),
        calls: Iterable[CallRecord] = (),
        report: Callable[[str], None] = lambda _: None,
        resources: Iterable[object] = (),
        actions: "Iterable[Action]" = (),
        may_start: MayStart = everybody,
        call_path: str = "",
        epoch: int = 0,
        in_conversation: bool = False,
        edits: tuple[FieldEdit, ...] = (),
    ) -> "Context":
        """The context of the call at `call_path`, from what the store and the host know.

        Args:
            run_id: The run.
            requester: The Slack id of whoever started it.
            resume: The action's `Action.resume`: the prepared resume type of a name.
            answered: The latest settled interrupt of each call path; the one of this path becomes the resumption.
            calls: The nested calls of the run so far.
            report: Called on the thread of the caller with each reported line, cut to `REPORT_LIMIT`; must not block.
            resources: What `Registry.resources()` yielded.
            actions: Those that are registered.
            may_start: Asked before a call is executed on the requester's behalf.
            call_path: Where in the run this call stands; empty for the action that was started.
            epoch: Which execution of the run this is.
            in_conversation: The run was asked for in one.
            edits: What deciders changed in the input of the run.

        Raises what `resume` and its `restore` raise where a stored answer no longer fits the code.
        """
        log = CallLog.of(calls, answered)
        first = cls(
            run_id,
            requester,
            None,
            epoch=epoch,
            in_conversation=in_conversation,
            edits=edits,
            call_log=log,
            _report=report,
            resources=tuple(resources),
            actions={each.id: each for each in actions},
            _may_start=may_start,
        )
        return first.of_call(call_path, log.settled.get(call_path), resume)

    def of_call(self, call_path: str, settled: Answered | None, resume: Callable[[str], Restores]) -> "Context":
        """The context of another call of the run. Raises what `resume` and its `restore` raise."""
        latest = settled if settled and settled[0].status is InterruptStatus.ANSWERED else None
        edits = () if call_path else self.edits
        return replace(
            self,
            resumption=None if latest is None else Resumption.restored(latest, resume(latest[0].resume), edits),
            edits=edits,
            call_path=call_path,
            occurrence=1 if settled is None else settled[0].occurrence + 1,
        )

    @property
    def idempotency_key(self) -> str:
        """The same on every re-run of one step and another on the next: hand it to whatever you call.

        So a step that runs twice has its effect once. Each nested call has its own.
        """
        answers = self.occurrence - 1
        step = str(answers) if self._nest is None else self._nest.step(answers)
        return ":".join(part for part in (self.run_id, self.call_path, step) if part)

    async def ask(
        self,
        message: str,
        data: Any = None,
        *,
        name: str | None = None,
        resume: Any = None,
        policy: Policy | None = None,
        expires_in: timedelta | type[Never] | None = None,
        on_expiry: OnExpiry | None = None,
        ui: str | None = None,
    ) -> Any:
        """Ask people, and get their answer as its type: at once where the run has it, else on a later pass.

        Until then the action stops here; with the answer it runs again from the top, and passes this place with what it
        was told. Answers belong to the path of this call, `name`, and which time that name comes; so between its
        questions an action must do the same on every pass, and what has an effect belongs into a `call`.

        Args:
            message: The question. It must be the same on every pass.
            data: What the deciders must see, as JSON; without it they see the action's input.
            name: Names the place, for questions that may come in another order: `"ask"` unless given.
            resume: What can be answered: any type that `@action` takes, or the name of one of its `resumes`.
            policy: Who decides, where it is not whom the action names; the others likewise.
            expires_in: How long it may wait, from when it is posted; `Never` for ever.
            on_expiry: What happens then.
            ui: The kind of card.

        Raises:
            Declined: They said no. Let out of the action, it ends it as declined.
            Expired: Nobody answered in time. Let out of the action, it ends it as expired.
        """

        def pause() -> ActionInterrupt:
            return ActionInterrupt(
                message, data, ui=ui, resume=resume, policy=policy, expires_in=expires_in, on_expiry=on_expiry
            )

        return await self.nest.ask(pause, name)

    async def call(
        self, action: "Action | str", input: Any, *, name: str | None = None, for_requester: bool = False
    ) -> Any:
        """Execute another action as a part of this run, once, and get what it returned, as its type.

        What ended is never executed again: on every later pass its result comes from the run's log. The action keeps its
        own policy, answers and terms, asks by itself, and is told the same requester.

        Args:
            action: Made by `@action`, or the id of one that is registered.
            input: A model or JSON, validated by that action. It must be the same on every pass.
            name: Names the place, for calls that may come in another order: the action's id unless given.
            for_requester: What to call is not yours to say, but comes from the requester (a script, a model): it is
                refused where they may not start that action themselves.

        Raises:
            CallFailed: It failed, the input does not fit, or (with `for_requester`) they may not start it.
            LookupError: No action of this id is registered.
            Declined: What it asked was declined.
            Expired: What it asked was not answered in time.
        """
        return await self.nest.call(self._action(action), input, name, for_requester=for_requester)

    async def refusal(self, action: "Action") -> str | None:
        """Why the requester may not start an action themselves, in words; `None` where they may."""
        return await self._may_start(action, self.requester)

    def _action(self, action: "Action | str") -> "Action":
        if not isinstance(action, str):
            return action
        if action not in self.actions:
            raise LookupError(
                f"no action {action!r} is registered; there are: {', '.join(sorted(self.actions)) or 'none'}"
            )
        return self.actions[action]

    @property
    def nest(self) -> Nests:
        """Its place in the pass, for what carries pauses on in another form. Raises `RuntimeError` outside of one."""
        if self._nest is None:
            raise RuntimeError("only an action that executes can ask and call")
        return self._nest

    def report(self, text: str) -> None:
        """Say one line in the card's thread; it is kept until there is one. May be called from any thread.

        A text of more than 2,000 characters is cut. A line without visible text is left out.
        """
        line = _line(str(text))
        if line:
            self._report(line)

    def resource(self, type_: type[T]) -> T:
        """The shared object of this type that a set-up function opened at start-up. Raises `ResourceError`."""
        exact = [each for each in self.resources if type(each) is type_]
        found = exact or [each for each in self.resources if isinstance(each, type_)]
        if len(found) == 1:
            return found[0]
        theirs = {type(each).__name__ for each in self.resources if not isinstance(each, Lent)}
        there = ", ".join(sorted(theirs)) or "none"
        how_many = "no resource is" if not found else f"{len(found)} resources are"
        raise ResourceError(f"{how_many} of type {type_.__name__}; a function marked @resources opened: {there}")


def _decision(record: DecisionRecord, resume: Restores) -> Decision:
    value = resume.restore(record.choice, record.value)
    return Decision(
        who=record.person,
        when=record.at,
        what=record.choice,
        value=value,
        note=record.note,
        standing_for=record.standing_for,
    )


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

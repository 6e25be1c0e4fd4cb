"""Runs an action to its pause, answers, and looks at what came of it, without Slack and without a database.

    trial = await run(send_message, {"recipient": "Ben", "body": "Hello"}, resources=[ledger])
    trial = await trial.answer("approve")
    assert trial.output == Sent(recipient="Ben")

What is stored between pause and answer in production takes the same way here, as JSON text; so a test notices a state
that does not come back as it was.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from datetime import UTC, datetime
from typing import Any, Literal

from actions.kit.action import Action
from actions.kit.context import Context
from actions.kit.policies.emergencies import way_through
from actions.kit.records.interrupts import (
    Answer,
    Asker,
    BrokenGlass,
    Cause,
    DecisionRecord,
    Decline,
    Expire,
    InterruptRecord,
    InterruptStatus,
)
from actions.kit.records.outcomes import AskAgain, Paused, PauseRequest, Raised, Returned, Stopped, TurnedDown, Unfit
from actions.kit.records.runs import Failure, RunStatus
from actions.kit.running.calls import Answered, CallEnding, CallRecord, CallStatus, turn
from actions.kit.running.execution import execute
from actions.kit.shapes.answers import MISSING, Resume
from actions.kit.shapes.json_text import to_json_text

Status = Literal["paused", "returned", "failed", "declined", "expired"]

RUN_ID = "run"
THEN = datetime(2026, 1, 1, tzinfo=UTC)
"""When everything in a trial is said to happen."""


@dataclass(frozen=True)
class _Setting:
    """What stays the same through all passes of a trial."""

    action: Action
    input: str
    requester: str
    resources: tuple[object, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class _Log:
    """What the store would know of the run between two passes: nested calls, and settled questions, by their path."""

    calls: Mapping[str, CallRecord] = field(default_factory=dict)
    settled: Mapping[str, Answered] = field(default_factory=dict)
    latest: InterruptRecord | None = None

    def with_settled(self, settled: InterruptRecord, voted: Sequence[DecisionRecord]) -> "_Log":
        calls = dict(self.calls)
        if settled.status is not InterruptStatus.ANSWERED and settled.call_path in calls:
            ended = CallStatus.EXPIRED if settled.status is InterruptStatus.EXPIRED else CallStatus.DECLINED
            calls[settled.call_path] = replace(calls[settled.call_path], status=ended, ended_at=THEN)
        return _Log(calls, {**self.settled, settled.call_path: (settled, voted)}, settled)


class _Journal:
    """Keeps the calls of one pass, as the store would."""

    def __init__(self, calls: Mapping[str, CallRecord]) -> None:
        self.calls = dict(calls)

    async def begin(self, path: str, asker: Asker, /, *, idempotent: bool) -> bool:  # noqa: ARG002 - nothing crashes here
        before = self.calls.get(path)
        executions = 1 if before is None else before.executions + 1
        status = CallStatus.EXECUTING
        self.calls[path] = CallRecord(
            RUN_ID, path, asker.action_id, asker.action_name, asker.input, status, 1, executions, THEN
        )
        return True

    async def end(self, path: str, ending: CallEnding, /) -> bool:
        ended = replace(self.calls[path], status=ending.status, output=ending.output, failure=ending.failure)
        self.calls[path] = replace(ended, ended_at=THEN if ending.status.ended else None)
        return True


@dataclass(frozen=True)
class Trial:
    """A run as it stands after a pass: paused with a question, or at its end.

    Each question about it fails with words that say how it stands instead. `answer` and `expire` give the next one;
    this one stays as it is, so one pause can be answered in several ways. `executions` counts how often the function
    was executed, `reports` are the lines of `ctx.report`.
    """

    status: Status
    executions: int
    reports: tuple[str, ...]
    _setting: _Setting = field(repr=False)
    _log: _Log = field(default_factory=_Log, repr=False)
    _request: PauseRequest | None = field(default=None, repr=False)
    _resume: Resume | None = field(default=None, repr=False)
    _output: str | None = field(default=None, repr=False)
    _raised: Raised | None = field(default=None, repr=False)
    _declined: Any = field(default=None, repr=False)

    @property
    def message(self) -> str:
        """The question."""
        return self._paused().message

    @property
    def data(self) -> Any:
        """What the pause shows, as JSON; `None` where it shows the input."""
        text = self._paused().data
        return None if text is None else json.loads(text)

    @property
    def shown(self) -> Any:
        """What the card shows, as JSON: the data, or the input."""
        return json.loads(self._paused().shown)

    @property
    def state(self) -> Any:
        """The private checkpoint, as JSON."""
        text = self._paused().state
        return None if text is None else json.loads(text)

    @property
    def choices(self) -> tuple[str, ...]:
        """The keys with which it can be answered, in the order of the buttons."""
        return tuple(choice.key for choice in self._paused().shape.choices)

    @property
    def request(self) -> PauseRequest:
        """Everything about the pause: its policy, its terms, the shape of its answer."""
        return self._paused()

    @property
    def call_path(self) -> str:
        """Where in the run it is asked: `refund#2/approve`; empty for a pause of the action itself."""
        return self._paused().call_path

    @property
    def position(self) -> tuple[int, int]:
        """Which of how many questions this is, where several wait for their turn: `(2, 3)`."""
        request = self._paused()
        return request.position, request.total

    @property
    def calls(self) -> Mapping[str, CallRecord]:
        """Every nested call so far, by its path: how it stands, how often it was executed."""
        return self._log.calls

    @property
    def output(self) -> Any:
        """What the action returned, as its output type restores it."""
        if self._output is None:
            raise self._surprise("did not return")
        return self._setting.action.restore_output(self._output)

    @property
    def failure(self) -> Failure:
        """Why it failed."""
        if self._raised is None:
            raise self._surprise("did not fail")
        return self._raised.failure

    @property
    def declined(self) -> Any:
        """The answer with which it was declined, as its type; `None` where `on_expiry=Decline()` declined."""
        if self.status != "declined":
            raise self._surprise("was not declined")
        return self._declined

    async def answer(self, choice: str, value: Any = MISSING, /, *, by: str = "U0DECIDER", **fields: Any) -> "Trial":
        """Answer as a decider would: `answer("approve")`, `answer("reject", reason="Too dear")`, `answer("answer", 3)`.

        Fields are those of the form; a value that is not a model is given whole. Who may decide is the policy's matter
        and not tried here: `by` only says who did. Raises `AnswerError` for what a decider could not send either, and
        the trial then stands as it was.
        """
        request = self._paused()
        prepared = self._answers()
        chosen = request.shape.choice(choice)
        is_form = value is MISSING and chosen is not None and chosen.has_form
        text = prepared.validate(choice, fields if fields or is_form else value)
        return await self._answered(choice, text, Cause.HUMAN, by)

    async def break_glass(self, *, reason: str = "An emergency", by: str = "U0BREAKER") -> "Trial":
        """Approve alone, as somebody who breaks the glass does. Raises `AssertionError` where the policy offers no such way."""
        request = self._paused()
        choice = way_through(request)
        if choice is None:
            raise self._surprise("cannot be approved by breaking the glass")
        text = self._answers().validate(choice.key, MISSING)
        settled = self._settled(InterruptStatus.ANSWERED, Cause.BREAK_GLASS, choice.key, text)
        broken = replace(settled, settled_by=by, broken=BrokenGlass(reason=reason, review="review", source="trial"))
        return await _pass(self._setting, self, self._log.with_settled(broken, ()))

    async def expire(self) -> "Trial":
        """Let the deadline pass, and what `on_expiry` says happen."""
        match self._paused().on_expiry:
            case Expire():
                return await self._without_answer(InterruptStatus.EXPIRED, "expired")
            case Decline():
                return await self._without_answer(InterruptStatus.DECLINED, "declined")
            case Answer(choice=choice, value=value):
                return await self._answered(choice, to_json_text(value, what="value"), Cause.EXPIRED, None)

    async def _answered(self, choice: str, text: str, cause: Cause, by: str | None) -> "Trial":
        """A choice that declines ends what raised the pause; with any other, and below, the function is executed again."""
        request = self._paused()
        chosen = request.shape.choice(choice)
        declines = chosen is not None and chosen.declines
        if declines and not request.call_path:
            answer = self._answers().restore(choice, text)
            return replace(self, status="declined", _request=None, _declined=answer)
        status = InterruptStatus.DECLINED if declines else InterruptStatus.ANSWERED
        settled = self._settled(status, cause, choice, text)
        voted = [] if by is None else [DecisionRecord(by, choice, text, None, THEN, "trial")]
        return await _pass(self._setting, self, self._log.with_settled(settled, voted))

    async def _without_answer(self, status: InterruptStatus, ends: Literal["expired", "declined"]) -> "Trial":
        request = self._paused()
        if not request.call_path:
            return replace(self, status=ends, _request=None)
        settled = self._settled(status, Cause.EXPIRED)
        return await _pass(self._setting, self, self._log.with_settled(settled, ()))

    def _settled(
        self, status: InterruptStatus, cause: Cause, choice: str | None = None, text: str | None = None
    ) -> InterruptRecord:
        """The pause as the store would hand it back once it was settled."""
        request, latest = self._paused(), self._log.latest
        asked = {each.name: getattr(request, each.name) for each in dataclass_fields(request)}
        return InterruptRecord(
            **asked,
            id="interrupt",
            run_id=RUN_ID,
            number=1 if latest is None else latest.number + 1,
            status=status,
            content_version=1,
            created_at=THEN,
            posted_at=THEN,
            settled_at=THEN,
            cause=cause,
            choice=choice,
            answer=text,
            run_epoch=self.executions,
        )

    def _answers(self) -> Resume:
        if self._resume is None:
            raise self._surprise("is not paused")
        return self._resume

    def _paused(self) -> PauseRequest:
        if self._request is None:
            raise self._surprise("is not paused")
        return self._request

    def _surprise(self, what: str) -> AssertionError:
        """An error that says how it stands instead, with the action's own error, if there is one, as its cause."""
        error = AssertionError(f"the action {self._setting.action.id!r} {what}: {self._standing()}")
        error.__cause__ = None if self._raised is None else self._raised.error
        return error

    def _standing(self) -> str:
        if self._request is not None:
            return f"it pauses with {self._request.message!r}"
        if self._raised is not None:
            failure = self._raised.failure
            return f"it failed with {failure.kind}: {failure.message} {failure.advice or ''}".rstrip()
        return f"it returned {self._output}" if self._output is not None else f"it was {self.status}"


async def run(
    action: Action,
    input: Any,
    *,
    requester: str = "U0REQUESTER",
    resources: Sequence[object] = (),
    actions: Sequence[Action] = (),
) -> Trial:
    """Execute an action with an input, a model or JSON, until it pauses or ends. Raises `AnswerError` for a bad input.

    `actions` stand for those that are registered, in `ctx.actions`.
    """
    text = action.validate_input(input)
    return await _pass(_Setting(action.bound(text), text, requester, tuple(resources), tuple(actions)), None, _Log())


async def _pass(setting: _Setting, before: Trial | None, log: _Log) -> Trial:
    reports = [] if before is None else list(before.reports)
    executions = 1 if before is None else before.executions + 1
    context = Context.build(
        run_id=RUN_ID,
        requester=setting.requester,
        resume=setting.action.resume,
        answered=log.settled.values(),
        calls=log.calls.values(),
        report=reports.append,
        resources=setting.resources,
        actions=setting.actions,
        epoch=executions,
    )
    journal = _Journal(log.calls)
    outcome = await execute(setting.action, setting.input, context, journal)
    trial = Trial("failed", executions, tuple(reports), setting, replace(log, calls=_still(journal.calls)))
    match outcome:
        case Paused(request, resume):
            position, total = turn(log.latest, request.total)
            asked = replace(request, position=position, total=total)
            return replace(trial, status="paused", _request=asked, _resume=resume)
        case Returned(output):
            return replace(trial, status="returned", _output=output)
        case Raised():
            return replace(trial, _raised=outcome)
        case TurnedDown(status):
            return replace(trial, status="expired" if status is RunStatus.EXPIRED else "declined")
        case AskAgain() | Unfit():
            raise AssertionError("the action takes other answers or returns something else than a moment ago")
        case Stopped():
            raise asyncio.CancelledError


def _still(calls: Mapping[str, CallRecord]) -> Mapping[str, CallRecord]:
    """After a pass nothing executes: what was not ended waits."""
    return {
        path: replace(call, status=CallStatus.PAUSED) if call.status is CallStatus.EXECUTING else call
        for path, call in calls.items()
    }

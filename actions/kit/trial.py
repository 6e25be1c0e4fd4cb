"""Runs an action to its pause, answers, and looks at what came of it, without Slack and without a database.

    trial = await run(send_message, {"recipient": "Ben", "body": "Hello"}, resources=[ledger])
    trial = await trial.answer("approve")
    assert trial.output == Sent(recipient="Ben")

What is stored between pause and answer in production takes the same way here, as JSON text; so a test notices a state
that does not come back as it was.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from datetime import UTC, datetime
from typing import Any, Literal

from actions.kit.action import Action
from actions.kit.answers import MISSING
from actions.kit.context import Context
from actions.kit.execution import execute
from actions.kit.json_text import to_json_text
from actions.kit.records import (
    Answer,
    Cause,
    DecisionRecord,
    Decline,
    Expire,
    Failure,
    InterruptRecord,
    InterruptStatus,
    Paused,
    PauseRequest,
    Raised,
    Returned,
    Stopped,
)

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
    _request: PauseRequest | None = field(default=None, repr=False)
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
        prepared = self._setting.action.resume(request.resume)
        chosen = request.shape.choice(choice)
        is_form = value is MISSING and chosen is not None and chosen.has_form
        text = prepared.validate(choice, fields if fields or is_form else value)
        return await self._answered(choice, text, Cause.HUMAN, by)

    async def expire(self) -> "Trial":
        """Let the deadline pass, and what `on_expiry` says happen."""
        match self._paused().on_expiry:
            case Expire():
                return replace(self, status="expired", _request=None)
            case Decline():
                return replace(self, status="declined", _request=None)
            case Answer(choice=choice, value=value):
                return await self._answered(choice, to_json_text(value, what="value"), Cause.EXPIRED, None)

    async def _answered(self, choice: str, text: str, cause: Cause, by: str | None) -> "Trial":
        """A choice that declines ends it; with any other the function is executed again."""
        request = self._paused()
        chosen = request.shape.choice(choice)
        if chosen is not None and chosen.declines:
            answer = self._setting.action.resume(request.resume).restore(choice, text)
            return replace(self, status="declined", _request=None, _declined=answer)
        settled = _settled(request, choice, text, cause)
        voted = [] if by is None else [DecisionRecord(by, choice, text, None, THEN, "trial")]
        return await _pass(self._setting, self, settled, voted)

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
) -> Trial:
    """Execute an action with an input, a model or JSON, until it pauses or ends. Raises `AnswerError` for a bad input."""
    text = action.validate_input(input)
    return await _pass(_Setting(action.bound(text), text, requester, tuple(resources)), None, None, ())


async def _pass(
    setting: _Setting, before: Trial | None, settled: InterruptRecord | None, voted: Sequence[DecisionRecord]
) -> Trial:
    reports = [] if before is None else list(before.reports)
    context = Context.build(
        run_id=RUN_ID,
        requester=setting.requester,
        resume=setting.action.resume,
        answered=() if settled is None else ((settled, voted),),
        report=reports.append,
        resources=setting.resources,
    )
    outcome = await execute(setting.action, setting.input, context)
    executions = 1 if before is None else before.executions + 1
    match outcome:
        case Paused(request):
            return Trial("paused", executions, tuple(reports), setting, _request=request)
        case Returned(output):
            return Trial("returned", executions, tuple(reports), setting, _output=output)
        case Raised():
            return Trial("failed", executions, tuple(reports), setting, _raised=outcome)
        case Stopped():
            raise asyncio.CancelledError


def _settled(request: PauseRequest, choice: str, text: str, cause: Cause) -> InterruptRecord:
    """The pause as the store would hand it back once it was answered."""
    asked = {each.name: getattr(request, each.name) for each in dataclass_fields(request)}
    return InterruptRecord(
        **asked,
        id="interrupt",
        run_id=RUN_ID,
        number=request.occurrence,
        status=InterruptStatus.ANSWERED,
        content_version=1,
        created_at=THEN,
        posted_at=THEN,
        settled_at=THEN,
        cause=cause,
        choice=choice,
        answer=text,
    )

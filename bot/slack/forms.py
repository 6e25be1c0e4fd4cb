"""Forms in Slack: redrawn while they are filled in, answered within the ack, and given back with everything typed."""

import asyncio
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, assert_never

import structlog
from slack_bolt.async_app import AsyncAck

from blocks.clicks import FormClick, Other, StartTarget, Submission, Suggestion, parse_submission, parse_suggestion
from blocks.form import answer_view, field_errors, input_view, notice_view
from blocks.starts import with_defaults
from bot.engine import refusals
from bot.engine.results import Checking, Counted, FieldErrors, OpenForm, OpenInput, Refusal, Settled
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.slack.modals import Modals
from storage.results import Started

NOT_TAKEN = "Not taken"
NOT_KNOWN = "Not known"
CHECKING = "Checking…"
ACK_TRAVELS = 0.5
"""Seconds before a result follows an ack: one that overtook it would be covered by "Checking…" for good."""

log = structlog.get_logger(__name__)


def form_view(form: OpenForm | OpenInput, given: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """The modal of a form, as it is to be shown now; that of a new run may open with values that are `given`, by field."""
    shown = form.shown
    draft_id = str(shown.mark) if shown.mark else None
    match form:
        case OpenForm(card, choice):
            return answer_view(card, choice, shown.draft, draft_id=draft_id, problems=shown.problems)
        case OpenInput(action, target):
            return input_view(
                action.id,
                action.name,
                action.description,
                with_defaults(action.input_schema, given),
                channel=target.channel,
                nonce=target.nonce,
                draft=shown.draft,
                draft_id=draft_id,
                problems=shown.problems,
            )


class FormListeners:
    """What people do in open forms. The runner has it on disk before the ack goes out, and before anything is drawn."""

    def __init__(self, *, runner: Runner, modals: Modals, tasks: OwnedTasks) -> None:
        self._runner = runner
        self._modals = modals
        self._tasks = tasks

    async def on_click(self, click: FormClick) -> None:
        """Something that changes the form: another variant, a row more or less, a step back."""
        match await self._runner.click_in_form(click):
            case OpenForm() | OpenInput() as form:
                is_wanted = partial(self._runner.is_newest, form.shown, click.person)
                self._modals.redraw(click.view_id, click.view_hash, form_view(form), is_wanted)
            case Refusal(text):
                self._modals.redraw(click.view_id, click.view_hash, notice_view(NOT_TAKEN, text), _always)

    async def on_suggestion(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Options for what somebody types into a searchable select; Slack waits three seconds for them."""
        match parse_suggestion(body):
            case Suggestion() as asked:
                await ack(options=await self._runner.suggest(asked))
            case Other() as other:
                log.info("suggestion_not_understood", reason=other.reason)
                await ack(options=[])

    async def on_submission(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """A submitted form: an answer, the input of a new run, or one step of either."""
        match parse_submission(body):
            case Submission(target=StartTarget()) as submission:
                await self._start(ack, submission)
            case Submission() as submission:
                await self._answer(ack, submission)
            case Other(ours=True) as other:
                log.warning("submission_not_understood", reason=other.reason)
                await _instead(ack, NOT_TAKEN, refusals.OLDER_CARD)
            case Other():
                await ack()

    async def _answer(self, ack: AsyncAck, submission: Submission) -> None:
        match await self._runner.submit_answer(submission):
            case Settled() | Counted():
                await ack()
            case OpenForm() as form:
                await ack(response_action="update", view=form_view(form))
            case FieldErrors() as errors:
                await _errors(ack, submission, errors)
            case Refusal(text):
                await _instead(ack, NOT_TAKEN, text)
            case Checking(later):
                await self._check(ack, submission, later)
            case other:
                assert_never(other)

    async def _start(self, ack: AsyncAck, submission: Submission) -> None:
        match await self._runner.submit_start(submission):
            case Started():
                await ack()
            case OpenInput() as form:
                await ack(response_action="update", view=form_view(form))
            case FieldErrors() as errors:
                await _errors(ack, submission, errors)
            case Refusal(text):
                await _instead(ack, NOT_TAKEN, text)
            case Checking(later):
                await self._check(ack, submission, later)
            case other:
                assert_never(other)

    async def _check(self, ack: AsyncAck, submission: Submission, later: Any) -> None:
        """Validation takes longer than an ack may wait: say so, and show what came of it in the same modal."""
        await _instead(
            ack, CHECKING, "This takes a moment. You may close this window: what comes of it counts all the same."
        )
        self._tasks.spawn(self._show_later(submission, later), "a late check")

    async def _show_later(self, submission: Submission, later: Any) -> None:
        await asyncio.sleep(ACK_TRAVELS)
        try:
            view = _came_of_it(await later)
        except Exception:
            await self._modals.replace(submission.view_id, notice_view(NOT_KNOWN, refusals.BROKE_OFF))
            raise
        await self._modals.replace(submission.view_id, view)


async def _always() -> bool:
    return True


def _came_of_it(result: Any) -> dict[str, Any]:
    match result:
        case OpenForm() | OpenInput():
            return form_view(result)
        case Refusal(text):
            return notice_view(NOT_TAKEN, text)
    return notice_view("Done", "Your answer was taken. You may close this window.")


async def _errors(ack: AsyncAck, submission: Submission, errors: FieldErrors) -> None:
    """Say what is wrong at the field that caused it; where no field can carry it, in place of the form."""
    at_fields = field_errors(errors.schema, errors.problems, submission.values, draft=errors.draft)
    if at_fields:
        await ack(response_action="errors", errors=at_fields)
    else:
        await _instead(ack, NOT_TAKEN, refusals.of_problems(errors.problems))


async def _instead(ack: AsyncAck, title: str, text: str) -> None:
    await ack(response_action="update", view=notice_view(title, text))

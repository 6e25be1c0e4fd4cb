"""Forms in Slack: redrawn while they are filled in, answered within the ack, and given back with everything typed."""

import asyncio
from functools import partial
from typing import Any, assert_never

import structlog
from slack_bolt.async_app import AsyncAck

from blocks.clicks import (
    ActTarget,
    FormClick,
    Other,
    StartTarget,
    Submission,
    Suggestion,
    parse_submission,
    parse_suggestion,
)
from blocks.form import act_view, answer_view, field_errors, input_view, notice_view
from blocks.joined import TITLE, joined_words
from bot.engine import refusals
from bot.engine.results import (
    ActDone,
    ActResult,
    Checking,
    Counted,
    FieldErrors,
    OpenAct,
    OpenForm,
    OpenInput,
    Refusal,
    Settled,
    StartResult,
    SubmitResult,
)
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.slack.modals import Modals
from bot.slack.whispers import Whispers
from storage.results import Started

NOT_TAKEN = "Not taken"
NOT_KNOWN = "Not known"
DONE = "Done"
CHECKING = "Checking…"
BEING_CHECKED = (
    "This takes a moment. You may close this window: you are told if it is not taken. If nothing has come of it after a "
    "minute, please send it again."
)
ACK_TRAVELS = 0.5
"""Seconds before a result follows an ack: one that overtook it would be covered by "Checking…" for good."""

log = structlog.get_logger(__name__)


def form_view(form: OpenForm | OpenInput | OpenAct) -> dict[str, Any]:
    """The modal of a form, as it is to be shown now."""
    shown = form.shown
    draft_id = str(shown.mark) if shown.mark else None
    match form:
        case OpenForm(card, choice):
            return answer_view(card, choice, shown.draft, draft_id=draft_id, problems=shown.problems)
        case OpenAct(card, target, asked):
            return act_view(card, target, asked, shown.draft, draft_id=draft_id, problems=shown.problems)
        case OpenInput(action, target):
            return input_view(
                action.id,
                action.name,
                action.description,
                action.input_schema,
                channel=target.channel,
                nonce=target.nonce,
                draft=shown.draft,
                draft_id=draft_id,
                problems=shown.problems,
            )


class FormListeners:
    """What people do in open forms. The runner has it on disk before the ack goes out, and before anything is drawn."""

    def __init__(self, *, runner: Runner, modals: Modals, whispers: Whispers, tasks: OwnedTasks) -> None:
        self._runner = runner
        self._modals = modals
        self._whispers = whispers
        self._tasks = tasks

    async def on_click(self, click: FormClick) -> None:
        """Something that changes the form: another variant, a row more or less, a step back."""
        match await self._runner.click_in_form(click):
            case OpenForm() | OpenInput() | OpenAct() as form:
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
        """A submitted form: an answer, the input of a new run, what an act asks for, or one step of any of them."""
        match parse_submission(body):
            case Submission(target=StartTarget()) as submission:
                await self._reply(ack, submission, await self._runner.submit_start(submission))
            case Submission(target=ActTarget()) as submission:
                await self._reply(ack, submission, await self._runner.submit_act(submission))
            case Submission() as submission:
                await self._reply(ack, submission, await self._runner.submit_answer(submission))
            case Other(ours=True) as other:
                log.warning("submission_not_understood", reason=other.reason)
                await _instead(ack, NOT_TAKEN, refusals.OLDER_CARD)
            case Other():
                await ack()

    async def _reply(
        self, ack: AsyncAck, submission: Submission, result: SubmitResult | StartResult | ActResult
    ) -> None:
        match result:
            case Started(run, joined=True):
                await _instead(ack, TITLE, joined_words(run, submission.person))
            case ActDone(text=words) if words:
                await _instead(ack, DONE, words)
            case Settled() | Counted() | Started() | ActDone():
                await ack()
            case OpenForm() | OpenInput() | OpenAct() as form:
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
        await _instead(ack, CHECKING, BEING_CHECKED)
        self._tasks.spawn(self._show_later(submission, later), "a late check")

    async def _show_later(self, submission: Submission, later: Any) -> None:
        """In the window, or to the person alone where they have closed it: nobody takes for done what was not taken."""
        await asyncio.sleep(ACK_TRAVELS)
        try:
            end = await later
        except Exception:
            if not await self._modals.replace(submission.view_id, notice_view(NOT_KNOWN, refusals.BROKE_OFF)):
                await self._whispers.tell(submission.person, refusals.BROKE_OFF)
            raise
        view = _came_of_it(end, submission.person)
        if not await self._modals.replace(submission.view_id, view) and (words := _not_taken(end, submission.person)):
            await self._whispers.tell(submission.person, words)


async def _always() -> bool:
    return True


def _came_of_it(result: Any, person: str) -> dict[str, Any]:
    match result:
        case Started(run, joined=True):
            return notice_view(TITLE, joined_words(run, person))
        case OpenForm() | OpenInput() | OpenAct():
            return form_view(result)
        case ActDone(text=words) if words:
            return notice_view(DONE, words)
        case Refusal(text):
            return notice_view(NOT_TAKEN, text)
    return notice_view(DONE, "Your answer was taken. You may close this window.")


def _not_taken(result: Any, person: str) -> str | None:
    match result:
        case Started(run, joined=True):
            return joined_words(run, person)
        case OpenForm(shown=shown) | OpenInput(shown=shown) | OpenAct(shown=shown):
            return refusals.of_problems(shown.problems)
        case Refusal(text):
            return text
    return None


async def _errors(ack: AsyncAck, submission: Submission, errors: FieldErrors) -> None:
    """Say what is wrong at the field that caused it; where no field can carry it, in place of the form."""
    at_fields = field_errors(errors.schema, errors.problems, submission.values, draft=errors.draft)
    if at_fields:
        await ack(response_action="errors", errors=at_fields)
    else:
        await _instead(ack, NOT_TAKEN, refusals.of_problems(errors.problems))


async def _instead(ack: AsyncAck, title: str, text: str) -> None:
    await ack(response_action="update", view=notice_view(title, text))

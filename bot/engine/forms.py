"""Forms that are redrawn while somebody fills them in: what was typed is on disk before the next view is shown.

A draft belongs to the person who opened its form. Of two clicks at once neither is lost: each changes what the other
kept. What a view shows may be older than its draft, so a click or a submission says which step its person saw.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from actions.kit.action import Action
from actions.kit.errors import Problem
from actions.kit.records.interrupts import Draft
from actions.kit.sources import source_of
from blocks.clicks import FormClick, Mark, Submission, Suggestion
from blocks.form import (
    Filled,
    asks_for_more,
    field_errors,
    given_draft,
    is_outdated,
    is_redrawn,
    is_too_much,
    kept,
    next_step,
    planned,
    read_form,
    read_step,
    sources_of,
    step_of,
    suggestions,
    turned,
    why_not_turned,
)
from bot.engine import refusals
from bot.engine.results import FieldErrors, Refusal, Shown, Why
from bot.engine.tasks import OwnedTasks
from storage.drafts import Drafts, Keeping

CLICKS = 16
"""So many of the last clicks are remembered, to tell one that Slack delivers again from the next."""

SUGGESTS_WITHIN = 2.3
"""Seconds for options to be found. Slack waits for three, and then says that something is broken."""

A_STEP = 0.5
"""Seconds that validation has for a step; what takes longer is told in the end."""

Schema = dict[str, Any]
Check = Callable[[Any], Awaitable[Sequence[Problem]]]
"""What validation finds in a value that may not be whole yet, as far as it finds it in time."""

NOTHING: Mapping[str, Any] = MappingProxyType({})
_TOO_MUCH = Problem((), refusals.DRAFT_TOO_LARGE)
_CHANGED = Problem((), refusals.FORM_CHANGED)


class Forms:
    """What becomes of a form between its opening and the answer in it; who may, and whether it counts, is others' business."""

    def __init__(self, *, drafts: Drafts, tasks: OwnedTasks, now: Callable[[], datetime]) -> None:
        self._drafts = drafts
        self._tasks = tasks
        self._now = now

    async def prepare(self, schema: Schema) -> None:
        """Plans the form, which takes long for a huge schema: off the loop, and once."""
        await asyncio.to_thread(planned, schema)

    async def prepare_all(self, actions: Iterable[Action]) -> None:
        """Plans every form that is known, so that nobody waits for it."""
        for action in actions:
            await self.prepare(action.input_schema)
            for name in action.resume_names if action.answers_from is None else ():
                for choice in action.resume(name).shape.choices:
                    await self.prepare(choice.json_schema)

    async def ready(self, schema: Schema) -> None:
        """Plans the form, and loads what its options come from: off the loop, and each source once."""
        await self.prepare(schema)
        for source in filter(None, map(source_of, sources_of(schema))):
            await asyncio.to_thread(source.load)

    async def suggested(self, schema: Schema, asked: Suggestion) -> list[dict[str, Any]]:
        """Options for what was typed so far. None where their source is still being loaded: the next letter asks again."""
        try:
            async with asyncio.timeout(SUGGESTS_WITHIN):
                await self.ready(schema)
                return await asyncio.to_thread(suggestions, schema, asked.block_id, asked.typed)
        except TimeoutError:
            return []

    async def opened(self, schema: Schema, person: str, given: Mapping[str, Any] = NOTHING) -> Shown:
        """How a form opens, with what is `given` for its fields by name; one that will be redrawn gets its draft."""
        await self.prepare(schema)
        if sources_of(schema):
            self._tasks.spawn(self.ready(schema), "loading the options of a form")
        return await self._begun(schema, given_draft(schema, given), person)

    async def _begun(self, schema: Schema, draft: Draft, person: str, problems: tuple[Problem, ...] = ()) -> Shown:
        if not is_redrawn(schema):
            return Shown(draft, None, problems)
        return Shown(draft, Mark.of(await self._drafts.begin(draft, person=person, now=self._now()), draft), problems)

    async def clicked(self, schema: Schema, click: FormClick) -> Shown | Refusal:
        """The form after a click in it. The same click again changes nothing."""
        await self.ready(schema)

        def change(before: Draft) -> Draft:
            if click.source in before.clicks:
                return before
            there = before.model_copy(update={"step": click.mark.step})
            after = turned(schema, there, click.action_id, click.value, click.values)
            return _next_turn(after, before, clicks=(*before.clicks, click.source)[-CLICKS:])

        match await self._change(schema, click.mark, click.person, change):
            case Refusal() as refusal:
                return refusal
            case _TooLarge(draft):
                return Shown(draft, Mark.of(click.mark.draft_id, draft), (_TOO_MUCH,))
            case Draft() as draft:
                there = draft.model_copy(update={"step": click.mark.step})
                return Shown(draft, Mark.of(click.mark.draft_id, draft), why_not_turned(schema, there, click.action_id))

    async def submitted(
        self, schema: Schema, submission: Submission, check: Check
    ) -> Filled | FieldErrors | Shown | Refusal:
        """What a submitted form comes to: the value after the last step, else the next one, or what is wrong with this."""
        await self.ready(schema)
        if submission.mark is None:
            return await self._alone(schema, submission, check)
        step = _Step(schema, submission, submission.mark)
        match await self._change(schema, submission.mark, submission.person, step.take):
            case Refusal() as refusal:
                return refusal
            case _TooLarge(draft):
                return FieldErrors((_TOO_MUCH,), schema, draft.model_copy(update={"step": submission.mark.step}))
            case Draft() as draft:
                return await self._taken(schema, step, draft, submission, check)

    async def _alone(self, schema: Schema, submission: Submission, check: Check) -> Filled | FieldErrors | Shown:
        """A form without a draft. One that asks for something else by now is shown as it is, with what was typed."""
        draft = kept(Draft(), submission.values)
        if is_redrawn(schema) or asks_for_more(schema, submission.values):
            return await self._begun(schema, draft, submission.person, (_CHANGED,))
        filled = read_form(schema, submission.values)
        return FieldErrors(await _all_wrong(filled, check), schema) if filled.problems else filled

    async def _taken(
        self, schema: Schema, step: "_Step", draft: Draft, submission: Submission, check: Check
    ) -> Filled | FieldErrors | Shown | Refusal:
        """Whatever can be told of a step is told in it: what validation finds later, somebody has to go back for."""
        if step.is_outdated:
            return Shown(draft, Mark(step.draft_id, draft.step), (_CHANGED,))
        if step.is_last and not step.filled.problems:
            filled = read_form(schema, draft.values, rows=draft.rows)
            problems = await _all_wrong(filled, check) if filled.problems else ()
            return await self.refused(schema, problems, submission) if problems else filled
        problems = tuple(
            each for each in await _all_wrong(step.filled, check) if _is_in_step(schema, each, step.number)
        )
        if problems:
            return await self.refused(schema, problems, submission)
        return Shown(draft, Mark(step.draft_id, draft.step))

    async def refused(
        self, schema: Schema, problems: Sequence[Problem], submission: Submission
    ) -> FieldErrors | Shown | Refusal:
        """Where it is said what is wrong: at the fields of the view, or in the step where it can be mended, shown again."""
        draft = await self._find(submission.mark, submission.person)
        if draft is None or submission.mark is None:
            return FieldErrors(tuple(problems), schema)
        seen, step = draft.model_copy(update={"step": submission.mark.step}), _first_step(schema, problems)
        if step == seen.step and field_errors(schema, problems, submission.values, draft=seen):
            return FieldErrors(tuple(problems), schema, seen)
        return await self.given_back(schema, problems, submission)

    async def given_back(self, schema: Schema, problems: Sequence[Problem], submission: Submission) -> Shown | Refusal:
        """The form again, with everything that was typed and with what is wrong at its top."""
        if submission.mark is None:
            return Shown(kept(Draft(), submission.values), None, tuple(problems))
        step = _first_step(schema, problems)

        def back(before: Draft) -> Draft:
            return _next_turn(before.model_copy(update={"step": step}), before)

        match await self._change(schema, submission.mark, submission.person, back):
            case Refusal() as refusal:
                return refusal
            case _TooLarge(draft) | (Draft() as draft):
                there = draft.model_copy(update={"step": step})
                return Shown(there, Mark.of(submission.mark.draft_id, there), tuple(problems))

    async def not_now(self, schema: Schema, words: str, submission: Submission) -> FieldErrors:
        """The form stays open as it is, with these words at its first field: it can be sent again as soon as possible."""
        draft = await self._find(submission.mark, submission.person)
        seen = draft.model_copy(update={"step": submission.mark.step}) if draft and submission.mark else None
        return FieldErrors((Problem((), words),), schema, seen)

    async def is_newest(self, shown: Shown, person: str) -> bool:
        """Whether nothing was clicked or submitted in this form since: only then may it be drawn as `shown`."""
        draft = await self._find(shown.mark, person)
        return draft is not None and shown.draft is not None and draft.turn == shown.draft.turn

    async def _find(self, mark: Mark | None, person: str) -> Draft | None:
        found = await self._drafts.find(mark.draft_id, person=person) if mark else None
        return found.draft if found else None

    async def _change(
        self, schema: Schema, mark: Mark, person: str, change: Callable[[Draft], Draft]
    ) -> "Draft | _TooLarge | Refusal":
        """The draft as `change` made it of what is kept now, on disk; `change` may be asked again when somebody was faster."""
        while (before := await self._drafts.find(mark.draft_id, person=person)) is not None:
            after = change(before.draft)
            if is_too_much(schema, after.model_copy(update={"step": mark.step})):
                return _TooLarge(before.draft)
            match await self._drafts.keep(mark.draft_id, person=person, before=before, after=after, now=self._now()):
                case Keeping.KEPT:
                    return after
                case Keeping.TOO_LARGE:
                    return _TooLarge(before.draft)
                case Keeping.GONE:
                    break
                case Keeping.CHANGED:
                    continue
        return Refusal(refusals.DRAFT_GONE, why=Why.UNKNOWN)


@dataclass(frozen=True, slots=True)
class _TooLarge:
    """What was typed is more than a draft may hold; `draft` is what it holds."""

    draft: Draft


class _Step:
    """A submitted step, taken: the draft stands at the next one, unless something is wrong with it.

    `is_outdated`: what was sent does not show what the form is by now, because a click in it came just before.
    """

    def __init__(self, schema: Schema, submission: Submission, mark: Mark) -> None:
        self._schema = schema
        self._values = submission.values
        self.number = mark.step
        self.draft_id = mark.draft_id
        self.filled = Filled(None)
        self.is_outdated = False
        self.is_last = False

    def take(self, before: Draft) -> Draft:
        here = kept(before.model_copy(update={"step": self.number}), self._values)
        self.is_outdated = is_outdated(self._schema, here, self._values)
        self.filled = read_step(self._schema, here)
        stays = self.is_outdated or self.filled.problems
        further = None if stays else next_step(self._schema, here)
        self.is_last = further is None
        return _next_turn(further or here, before)


def _next_turn(draft: Draft, before: Draft, **more: Any) -> Draft:
    return draft.model_copy(update={"turn": before.turn + 1, **more})


async def _all_wrong(filled: Filled, check: Check) -> tuple[Problem, ...]:
    """What could not be read, and what validation finds in the rest; where nothing could be read it has nothing to say."""
    unread = [tuple(problem.path) for problem in filled.problems]
    found = [problem for problem in await check(filled.value) if not _is_about(tuple(problem.path), unread)]
    return (*filled.problems, *found)


def _is_about(path: tuple[str | int, ...], unread: Sequence[tuple[str | int, ...]]) -> bool:
    """Whether it lies within one of these, or around it."""
    return not path or any(each[: len(path)] == path[: len(each)] for each in unread)


def _is_in_step(schema: Schema, problem: Problem, number: int) -> bool:
    return bool(problem.path) and step_of(schema, problem) == number


def _first_step(schema: Schema, problems: Sequence[Problem]) -> int:
    return min(step_of(schema, problem) for problem in problems)


def passing(end: object) -> str | None:
    """The words of a refusal that may not be one the next time, so that what was typed must stay."""
    match end:
        case Refusal(words, why=Why.NOT_VERIFIED | Why.NOT_CHECKED):
            return words
    return None


def problems_in(end: object) -> tuple[Problem, ...]:
    """What has to be told in the form itself, because it can be sent again."""
    if isinstance(end, FieldErrors):
        return end.problems
    words = passing(end)
    return () if words is None else (Problem((), words),)

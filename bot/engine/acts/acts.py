"""From a pressed button or a submitted form to an act that is done: may this person, does it fit, do it."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Card
from blocks.acts import ActForm, ActVerb
from blocks.clicks import Act, ActTarget, FormClick, Submission
from blocks.form import Filled
from bot.engine import refusals
from bot.engine.acts.doing import Doing, Done
from bot.engine.facts import Budget
from bot.engine.forms import A_STEP, Forms, passing, problems_in
from bot.engine.in_time import in_time
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.open_cards import Attempt
from bot.engine.results import ActDone, ActEnd, ActResult, Checking, FieldErrors, OpenAct, Refusal, Shown, Why
from bot.engine.tasks import OwnedTasks

NO_SOURCE = ""
"""Of what does nothing."""
ASKS_NOTHING = ActForm("", "", {"type": "object"})
"""Of an act that is done as soon as its button is pressed."""


@dataclass(frozen=True, slots=True)
class _Act:
    """An act that this person may do now with this card, and what it asks for."""

    doing: Doing
    target: ActTarget
    card: Card
    form: ActForm

    @property
    def schema(self) -> dict[str, Any]:
        return self.form.schema

    def opened(self, shown: Shown) -> OpenAct:
        return OpenAct(self.card, self.target, self.form, shown)


class Acts:
    """Every act takes the same way; what is its own, its `Doing` says."""

    def __init__(
        self, doings: Mapping[ActVerb, Doing], *, forms: Forms, validation: Validation, tasks: OwnedTasks
    ) -> None:
        self._doings = doings
        self._forms = forms
        self._validation = validation
        self._tasks = tasks

    async def press(self, act: Act) -> OpenAct | ActDone | Refusal:
        """A pressed button: done at once, or the form that it needs. A redelivery says again what it did."""
        found = await self._found(act.target, act.person, act.source, Budget())
        if not isinstance(found, _Act):
            return found
        if found.form is ASKS_NOTHING:
            done = Done(found.card, act.person, act.source)
            return await asyncio.shield(self._tasks.spawn(found.doing.do(done), "an act"))
        return found.opened(await self._forms.opened(found.form.schema, act.person, found.doing.given(found.card)))

    async def submit(self, submission: Submission) -> ActResult:
        """A submitted form; what does not fit comes back as problems of its fields, and nothing was done."""
        target, budget = submission.target, Budget()
        if not isinstance(target, ActTarget):
            return Refusal(refusals.UNKNOWN)
        found = await self._found(target, submission.person, submission.source, budget)
        if not isinstance(found, _Act):
            return found
        match await self._forms.submitted(found.schema, submission, partial(self._wrong_so_far, found, budget)):
            case Filled(value):
                return await self._done(found, value, submission, budget)
            case Shown() as shown:
                return found.opened(shown)
            case refused:
                return refused

    async def clicked_in_form(self, click: FormClick, target: ActTarget) -> OpenAct | Refusal:
        """Something that redraws the form."""
        found = await self._found(target, click.person, NO_SOURCE, Budget())
        if not isinstance(found, _Act):
            return found if isinstance(found, Refusal) else Refusal(refusals.OLDER_CARD, found.card, Why.OUTDATED)
        shown = await self._forms.clicked(found.schema, click)
        return shown if isinstance(shown, Refusal) else found.opened(shown)

    async def schema_for(self, target: ActTarget, person: str) -> dict[str, Any] | None:
        """What the form of an act is made from, for somebody who may do it."""
        found = await self._found(target, person, NO_SOURCE, Budget())
        return found.schema if isinstance(found, _Act) else None

    async def _found(self, target: ActTarget, person: str, source: str, budget: Budget) -> _Act | ActDone | Refusal:
        doing = self._doings.get(target.verb)
        if doing is None:
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        attempt = Attempt(target.interrupt_id, target.content_version, person, source)
        card = await doing.for_person(attempt, budget)
        return _Act(doing, target, card, doing.form(card) or ASKS_NOTHING) if isinstance(card, Card) else card

    async def _done(self, act: _Act, value: Any, submission: Submission, budget: Budget) -> ActResult:
        """What validation refuses is said where it can be mended; when that takes longer, the form comes back with it."""
        check = self._checked(act, Done(act.card, submission.person, submission.source, value))
        match await in_time(check, partial(_do, act.doing), tasks=self._tasks, budget=budget):
            case FieldErrors(problems, schema):
                shown = await self._forms.refused(schema, problems, submission)
                return act.opened(shown) if isinstance(shown, Shown) else shown
            case Checking(later):
                again = self._tasks.spawn(self._given_back(later, act, submission), "a late check")
                return Checking(asyncio.shield(again))
            case end if words := passing(end):
                return await self._forms.not_now(act.schema, words, submission)
            case end:
                return end

    async def _given_back(self, later: Awaitable[ActEnd], act: _Act, submission: Submission) -> ActEnd | OpenAct:
        end = await later
        problems = problems_in(end)
        if not problems:
            return end
        shown = await self._forms.given_back(act.schema, problems, submission)
        return shown if isinstance(shown, Refusal) else act.opened(shown)

    async def _wrong_so_far(self, act: _Act, budget: Budget, value: Any) -> tuple[Problem, ...]:
        check = partial(act.doing.validate, act.card, value)
        return await self._validation.problems(check, within=min(A_STEP, budget.left))

    async def _checked(self, act: _Act, done: Done) -> Done | FieldErrors | Refusal:
        """The act with what its form came to, as it is done, or why it is not."""
        try:
            value = await self._validation.run(partial(act.doing.validate, done.card, done.value))
        except AnswerError as error:
            return FieldErrors(error.problems, act.schema)
        except NotCheckedError as error:
            return Refusal(refusals.not_checked(too_slow=error.too_slow), done.card, Why.NOT_CHECKED)
        return replace(done, value=value)


async def _do(doing: Doing, checked: Done | FieldErrors | Refusal) -> ActEnd:
    return await doing.do(checked) if isinstance(checked, Done) else checked

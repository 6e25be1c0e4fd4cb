"""From a click or a submitted form to a decision: look up, may this person, does it fit, settle."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar, assert_never

from actions.kit.action import Action
from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Card, Choice
from actions.kit.request import resume_of
from actions.kit.shapes.answers import MISSING
from blocks.clicks import AnswerTarget, Click, FormClick, Submission
from blocks.form import Filled, chosen
from bot.engine import refusals
from bot.engine.facts import Budget, NotVerified
from bot.engine.forms import A_STEP, Forms, passing, problems_in
from bot.engine.in_time import in_time
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.open_cards import Attempt, OpenCards, on_hold, settled, voted_before
from bot.engine.orders import Via
from bot.engine.questions import bound_to
from bot.engine.refused import Tried, not_an_answer, refused_answer
from bot.engine.results import (
    AnswerEnd,
    Checking,
    ClickResult,
    Counted,
    FieldErrors,
    OpenChooser,
    OpenForm,
    Refusal,
    Settled,
    Shown,
    SubmitResult,
    Why,
)
from bot.engine.staging import Brought, Staging
from bot.engine.tasks import OwnedTasks
from bot.engine.watch import Watch
from storage import results as stored
from storage.store import Store

E = TypeVar("E")

NO_SOURCE = ""
"""Of what answers nothing."""
NOTES = ("note", "reason", "comment")
"""Fields of an answer that are the decider's own words, the first of them that is there."""


Besides = Callable[[Card, Choice], Refusal | None]
"""What may stand in the way of an answer by one route alone."""


def _nothing_besides(card: Card, choice: Choice) -> None:
    """A button of its own takes every choice."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as a program gives it: the key of a choice, and a value as JSON (`MISSING` where there is none).

    `content_version` is what was seen, `None` where that is not to be checked. `source` tells a repetition from a second
    answer.
    """

    interrupt_id: str
    choice: str
    value: Any
    person: str
    source: str
    content_version: int | None = None
    via: Via = "http"


class Answers:
    """Every way in which a person answers: a click, a form, a program in their name.

    What is answered is checked again by the store, in one commit.
    """

    def __init__(
        self,
        *,
        store: Store,
        open_cards: OpenCards,
        staging: Staging,
        forms: Forms,
        validation: Validation,
        tasks: OwnedTasks,
        now: Callable[[], datetime],
        watch: Watch,
    ) -> None:
        self._watch = watch
        self._store = store
        self._open_cards = open_cards
        self._staging = staging
        self._forms = forms
        self._validation = validation
        self._tasks = tasks
        self._now = now

    async def click(self, click: Click, *, besides: Besides = _nothing_besides) -> ClickResult:
        """A pressed choice: counted at once, or the form that it needs. A redelivery says again what it did.

        What is asked `besides` is asked last, of somebody who may answer with this choice.
        """
        tried = Tried(click.interrupt_id, click.person, "slack", click.choice_key)
        return self._noted(await self._click(click, besides), tried)

    async def _click(self, click: Click, besides: Besides) -> ClickResult:
        budget = Budget()
        target = AnswerTarget(click.interrupt_id, click.content_version, click.choice_key)
        card = await self._open_cards.for_person(Attempt.at(target, click.person, click.source), budget)
        if not isinstance(card, Card):
            return card
        if not click.choice_key:
            return self._open_cards.held(card) or OpenChooser(card)
        choice = self._open_cards.choice(card, click.choice_key)
        if isinstance(choice, Refusal):
            return choice
        if refused := besides(card, choice):
            return refused
        if choice.has_form:
            return await self._opened(card, choice, click.person)
        return await self._count(_Vote(card, choice, MISSING, click.person, click.source, "slack"), budget)

    async def submit(self, submission: Submission) -> SubmitResult:
        """A submitted form; what does not fit comes back as problems of its fields, and no decision was stored."""
        target = submission.target
        if not isinstance(target, AnswerTarget):
            return Refusal(refusals.UNKNOWN)
        tried = Tried(target.interrupt_id, submission.person, "slack", target.choice_key)
        return self._noted(await self._submit(target, submission), tried)

    async def _submit(self, target: AnswerTarget, submission: Submission) -> SubmitResult:
        budget = Budget()
        card = await self._open_cards.for_person(Attempt.at(target, submission.person, submission.source), budget)
        if not isinstance(card, Card):
            return await self._not_now(card, target, submission) or card
        key = target.choice_key or _key_chosen(card, submission)
        choice = self._open_cards.choice(card, key)
        if isinstance(choice, Refusal):
            return choice
        if choice.has_form:
            if not target.choice_key:
                return await self._opened(card, choice, submission.person)
            return await self._filled_in(card, choice, submission, budget)
        return await self._count(_Vote(card, choice, MISSING, submission.person, submission.source, "slack"), budget)

    async def _not_now(
        self, end: Settled | Counted | Refusal, target: AnswerTarget, submission: Submission
    ) -> FieldErrors | None:
        words, card = passing(end), end.card
        choice = card.interrupt.shape.choice(target.choice_key) if words and card else None
        if words is None or choice is None or not choice.has_form:
            return None
        return await self._forms.not_now(choice.json_schema, words, submission)

    async def clicked_in_form(self, click: FormClick, target: AnswerTarget) -> OpenForm | Refusal:
        """Something that redraws the form: who may answer is asked when it is sent, and a draft has one owner."""
        card = await self._open_cards.standing(Attempt.at(target, click.person, click.source))
        if not isinstance(card, Card):
            return card if isinstance(card, Refusal) else voted_before(card.card, click.person)
        choice = self._open_cards.choice(card, target.choice_key)
        if isinstance(choice, Refusal):
            return choice
        shown = await self._forms.clicked(choice.json_schema, click)
        return shown if isinstance(shown, Refusal) else OpenForm(card, choice, shown)

    async def schema_for(self, target: AnswerTarget, person: str) -> dict[str, Any] | None:
        """What the form of a pending card was made from, for somebody who may answer it."""
        card = await self._open_cards.for_person(Attempt.at(target, person, NO_SOURCE), Budget())
        choice = card.interrupt.shape.choice(target.choice_key) if isinstance(card, Card) else None
        return choice.json_schema if choice else None

    async def _opened(self, card: Card, choice: Choice, person: str) -> OpenForm:
        return OpenForm(card, choice, await self._forms.opened(choice.json_schema, person))

    async def _filled_in(self, card: Card, choice: Choice, submission: Submission, budget: Budget) -> SubmitResult:
        vote = _Vote(card, choice, MISSING, submission.person, submission.source, "slack")
        match await self._forms.submitted(choice.json_schema, submission, partial(self._wrong_so_far, vote, budget)):
            case Filled(value):
                return await self._counted(replace(vote, value=value), submission, budget)
            case Shown() as shown:
                return OpenForm(card, choice, shown)
            case refused:
                return refused

    async def _counted(self, vote: "_Vote", submission: Submission, budget: Budget) -> SubmitResult:
        """What validation refuses is said where it can be mended; when that takes longer, the form comes back with it."""
        match await self._count(vote, budget):
            case FieldErrors(problems, schema):
                shown = await self._forms.refused(schema, problems, submission)
                return OpenForm(vote.card, vote.choice, shown) if isinstance(shown, Shown) else shown
            case Checking(later):
                again = self._tasks.spawn(self._given_back(later, vote, submission), "a late check")
                return Checking(asyncio.shield(again))
            case end if words := passing(end):
                return await self._forms.not_now(vote.choice.json_schema, words, submission)
            case end:
                return end

    async def _given_back(
        self, later: Awaitable[AnswerEnd], vote: "_Vote", submission: Submission
    ) -> AnswerEnd | OpenForm:
        end = await later
        problems = problems_in(end)
        if not problems:
            return end
        target = AnswerTarget(vote.card.interrupt.id, vote.card.interrupt.content_version, vote.choice.key)
        card = await self._open_cards.standing(Attempt.at(target, vote.person, vote.source))
        if not isinstance(card, Card):
            return card
        shown = await self._forms.given_back(vote.choice.json_schema, problems, submission)
        return shown if isinstance(shown, Refusal) else OpenForm(card, vote.choice, shown)

    async def answer(self, given: Given) -> AnswerEnd:
        """A choice and a value that come from no form; nobody waits for an acknowledgement, so it is seen to its end."""
        tried = Tried(given.interrupt_id, given.person, given.via, given.choice, given.value)
        return self._noted(await self._answer(given), tried)

    async def _answer(self, given: Given) -> AnswerEnd:
        attempt = Attempt(given.interrupt_id, given.content_version, given.person, given.source)
        card = await self._open_cards.for_person(attempt, Budget())
        if not isinstance(card, Card):
            return card
        choice = self._open_cards.choice(card, given.choice)
        if isinstance(choice, Refusal):
            return choice
        vote = _Vote(card, choice, given.value, given.person, given.source, given.via)
        return await asyncio.shield(self._tasks.spawn(self._check_and_store(vote), "an answer"))

    def unfit(self, tried: Tried, places: Iterable[str]) -> None:
        """Notes an answer that was none: its very envelope does not fit, at these JSON pointers."""
        self._note(not_an_answer(tried, places))

    def _noted(self, end: E, tried: Tried) -> E:
        """The end as it is."""
        if refused := refused_answer(end, tried):
            self._note(refused)
        return end

    def _note(self, refused: stored.RefusedAnswer) -> None:
        """Beside the acknowledgement: for a note nobody waits, and where it fails the answer was told all the same."""
        self._tasks.spawn(self._store.answer_refused(refused, now=self._now()), "a refused answer")

    async def _wrong_so_far(self, vote: "_Vote", budget: Budget, value: Any) -> tuple[Problem, ...]:
        action = self._open_cards.action_of(vote.card)
        if action is None:
            return ()
        check = partial(_validated, action, replace(vote, value=value))
        return await self._validation.problems(check, within=min(A_STEP, budget.left))

    async def _count(self, vote: "_Vote", budget: Budget) -> AnswerEnd | Checking[AnswerEnd]:
        return await in_time(self._checked(vote), partial(self._store_checked, vote), tasks=self._tasks, budget=budget)

    async def _check_and_store(self, vote: "_Vote") -> AnswerEnd:
        return await self._store_checked(vote, await self._checked(vote))

    async def _checked(self, vote: "_Vote") -> stored.Vote | FieldErrors | Refusal:
        """The vote as it will be stored, or why there is none."""
        text = await self._validated(vote)
        if not isinstance(text, str):
            return text
        today = self._open_cards.policy_of_today(vote.card)
        brought = await self._staging.brought(vote.card, vote.person, today=today)
        return NotVerified().refusal(vote.card) if brought is None else vote.stored(text, brought)

    async def _validated(self, vote: "_Vote") -> str | FieldErrors | Refusal:
        """The answer as JSON text, or why it is none. What runs an author's code runs off the loop."""
        action = self._open_cards.action_of(vote.card)
        if action is None:
            return on_hold(vote.card)
        check = partial(_validated, action, vote)
        try:
            text = await self._validation.run(check) if vote.choice.has_form or action.answers_from else check()
        except AnswerError as error:
            return FieldErrors(error.problems, vote.choice.json_schema)
        except NotCheckedError as error:
            return Refusal(refusals.not_checked(too_slow=error.too_slow), vote.card, Why.NOT_CHECKED)
        return on_hold(vote.card) if text is None else text

    async def _store_checked(self, vote: "_Vote", checked: stored.Vote | FieldErrors | Refusal) -> AnswerEnd:
        if not isinstance(checked, stored.Vote):
            return checked
        result = await self._store.answer(checked, now=self._now())
        if isinstance(result, stored.Answered):
            self._watch.decided(result.card)
        return _told(result, vote)


@dataclass(frozen=True, slots=True)
class _Vote:
    """An answer on its way to the store."""

    card: Card
    choice: Choice
    value: Any
    person: str
    source: str
    via: Via

    def stored(self, text: str, brought: Brought) -> stored.Vote:
        return stored.Vote(
            interrupt_id=self.card.interrupt.id,
            content_version=self.card.interrupt.content_version,
            person=self.person,
            choice=self.choice,
            value=text,
            note=_note_in(text),
            source=self.source,
            via=self.via,
            fits=brought.fits,
            following=brought.following,
            standing_for=self.card.answering_for,
        )


def _validated(action: Action, vote: _Vote) -> str | None:
    """The answer as JSON text; `None` where the run's input does not complete the action any more. Raises `AnswerError`."""
    bound = bound_to(action, vote.card.run, vote.card.interrupt)
    try:
        resume = resume_of(bound, vote.card.interrupt)
    except KeyError:
        return None
    return resume.validate(vote.choice.key, vote.value)


def _key_chosen(card: Card, submission: Submission) -> str:
    choice = chosen(card.interrupt.shape, submission.values)
    return choice.key if choice else ""


def _note_in(text: str) -> str | None:
    """The decider's own words in an answer, given as JSON text."""
    value = json.loads(text)
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in NOTES if isinstance(value.get(key), str) and value[key]), None)


def _told(result: stored.AnswerResult, vote: _Vote) -> AnswerEnd:
    match result.first if isinstance(result, stored.Duplicate) else result:
        case stored.Answered(card):
            return Settled(card)
        case stored.Voted(card):
            return Counted(card)
        case refused:
            return _refusal_of(refused, vote)


def _refusal_of(refused: stored.RefusedVote, vote: _Vote) -> Refusal:
    match refused:
        case stored.AlreadyVoted(card):
            return voted_before(card, vote.person, vote.card.answering_for)
        case stored.OwnRequest(card):
            return Refusal(refusals.OWN_REQUEST, card)
        case stored.AlreadySettled(card) | stored.Late(card):
            return settled(card)
        case stored.Stale(card):
            return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
        case stored.Unknown():
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        case never:
            assert_never(never)

"""From a click or a submitted form to a decision: look up, may this person, does it fit, settle."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, assert_never

from actions.kit.action import Action
from actions.kit.answers import MISSING
from actions.kit.errors import AnswerError
from actions.kit.policy import Allowed, Refused
from actions.kit.records import Card, Choice, InterruptStatus
from actions.kit.registry import Registry
from blocks.clicks import AnswerTarget, Click, Submission
from blocks.form import chosen, read_form
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.in_time import in_time
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.orders import Via
from bot.engine.questions import bound_to
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
    SubmitResult,
    Why,
)
from bot.engine.tasks import OwnedTasks
from bot.engine.watch import Watch
from storage import results as stored
from storage.store import Store

NOTES = ("note", "reason", "comment")
"""Fields of an answer that are the decider's own words, the first of them that is there."""


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
        registry: Registry,
        entitlement: Entitlement,
        validation: Validation,
        tasks: OwnedTasks,
        now: Callable[[], datetime],
        watch: Watch,
    ) -> None:
        self._watch = watch
        self._store = store
        self._registry = registry
        self._entitlement = entitlement
        self._validation = validation
        self._tasks = tasks
        self._now = now

    async def click(self, click: Click) -> ClickResult:
        """A pressed choice: counted at once, or the form that it needs. A redelivery says again what it did."""
        budget = Budget()
        target = AnswerTarget(click.interrupt_id, click.content_version, click.choice_key)
        card = await self._open_card(_Attempt.at(target, click.person, click.source), budget)
        if not isinstance(card, Card):
            return card
        if not click.choice_key:
            return self._held(card) or OpenChooser(card)
        choice = card.interrupt.shape.choice(click.choice_key)
        refusal = self._unanswerable(card, choice)
        if refusal or choice is None:
            return refusal or _no_such_choice(card)
        if choice.has_form:
            return OpenForm(card, choice)
        return await self._count(_Vote(card, choice, MISSING, click.person, click.source, "slack"), budget)

    async def submit(self, submission: Submission) -> SubmitResult:
        """A submitted form; what does not fit comes back as problems of its fields, and nothing was stored."""
        target = submission.target
        if not isinstance(target, AnswerTarget):
            return Refusal(refusals.UNKNOWN)
        budget = Budget()
        card = await self._open_card(_Attempt.at(target, submission.person, submission.source), budget)
        if not isinstance(card, Card):
            return card
        shape = card.interrupt.shape
        choice = shape.choice(target.choice_key) if target.choice_key else chosen(shape, submission.values)
        refusal = self._unanswerable(card, choice)
        if refusal or choice is None:
            return refusal or _no_such_choice(card)
        if not target.choice_key and choice.has_form:
            return OpenForm(card, choice)
        return await self._count_form(card, choice, submission, budget)

    async def _count_form(self, card: Card, choice: Choice, submission: Submission, budget: Budget) -> SubmitResult:
        value = MISSING
        if choice.has_form:
            filled = read_form(choice.json_schema, submission.values)
            if filled.problems:
                return FieldErrors(filled.problems, choice.json_schema)
            value = filled.value
        return await self._count(_Vote(card, choice, value, submission.person, submission.source, "slack"), budget)

    async def answer(self, given: Given) -> AnswerEnd:
        """A choice and a value that come from no form; nobody waits for an acknowledgement, so it is seen to its end."""
        card = await self._open_card(_Attempt.of(given), Budget())
        if not isinstance(card, Card):
            return card
        choice = card.interrupt.shape.choice(given.choice)
        refusal = self._unanswerable(card, choice)
        if refusal or choice is None:
            return refusal or _no_such_choice(card)
        vote = _Vote(card, choice, given.value, given.person, given.source, given.via)
        return await asyncio.shield(self._tasks.spawn(self._check_and_store(vote), "an answer"))

    async def _open_card(self, attempt: "_Attempt", budget: Budget) -> Card | Settled | Counted | Refusal:
        """The card that may be answered by this person, or what stands in the way, the plainest reason first."""
        card = await self._store.card(attempt.interrupt_id)
        if card is None:
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        if any(decision.source == attempt.source for decision in card.decisions):
            return Counted(card) if card.interrupt.status is InterruptStatus.PENDING else Settled(card)
        if card.interrupt.status is not InterruptStatus.PENDING:
            return _settled(card)
        if card.interrupt.expires_at is not None and card.interrupt.expires_at <= self._now():
            return await self._expired(card)
        if attempt.content_version not in {None, card.interrupt.content_version}:
            return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
        return await self._refused(card, attempt.person, budget) or card

    async def _refused(self, card: Card, person: str, budget: Budget) -> Refusal | None:
        interrupt = card.interrupt
        match await self._entitlement.to_answer(card, person, budget):
            case NotVerified() as not_verified:
                return not_verified.refusal(card)
            case Refused() as refused:
                return Refusal(refusals.not_allowed(refused, interrupt.policy, card.run.requester), card)
            case Allowed():
                voted = any(decision.person == person for decision in card.decisions)
                return _voted_before(card, person) if voted else None

    async def _expired(self, card: Card) -> Refusal:
        """The deadline has passed and no sweep has seen it yet: whoever comes late performs the expiry."""
        await self._store.expire_due(now=self._now())
        today = await self._store.card(card.interrupt.id) or card
        is_open = today.interrupt.status is InterruptStatus.PENDING
        return Refusal(refusals.expired(today), today, Why.EXPIRED) if is_open else _settled(today)

    def _unanswerable(self, card: Card, choice: Choice | None) -> Refusal | None:
        return _no_such_choice(card) if choice is None else self._held(card)

    def _held(self, card: Card) -> Refusal | None:
        return None if self._action_of(card) else _on_hold(card)

    def _action_of(self, card: Card) -> Action | None:
        action = self._registry.get(card.run.action_id)
        return action if action and action.knows(card.interrupt.resume) else None

    async def _count(self, vote: "_Vote", budget: Budget) -> AnswerEnd | Checking[AnswerEnd]:
        return await in_time(self._checked(vote), partial(self._store_checked, vote), tasks=self._tasks, budget=budget)

    async def _check_and_store(self, vote: "_Vote") -> AnswerEnd:
        return await self._store_checked(vote, await self._checked(vote))

    async def _checked(self, vote: "_Vote") -> str | FieldErrors | Refusal:
        """The answer as JSON text, or why it is none. What runs an author's code runs off the loop."""
        action = self._action_of(vote.card)
        if action is None:
            return _on_hold(vote.card)
        check = partial(_validated, action, vote)
        try:
            text = await self._validation.run(check) if vote.choice.has_form or action.answers_from else check()
        except AnswerError as error:
            return FieldErrors(error.problems, vote.choice.json_schema)
        except NotCheckedError as error:
            return Refusal(refusals.not_checked(too_slow=error.too_slow), vote.card, Why.NOT_CHECKED)
        return _on_hold(vote.card) if text is None else text

    async def _store_checked(self, vote: "_Vote", checked: str | FieldErrors | Refusal) -> AnswerEnd:
        if not isinstance(checked, str):
            return checked
        result = await self._store.answer(vote.stored(checked), now=self._now())
        if isinstance(result, stored.Answered):
            self._watch.decided(result.card)
        return _told(result, vote.person)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """Who wants to answer what; `content_version` is what they saw, `None` where they need not say."""

    interrupt_id: str
    content_version: int | None
    person: str
    source: str

    @classmethod
    def at(cls, target: AnswerTarget, person: str, source: str) -> "_Attempt":
        return cls(target.interrupt_id, target.content_version, person, source)

    @classmethod
    def of(cls, given: Given) -> "_Attempt":
        return cls(given.interrupt_id, given.content_version, given.person, given.source)


@dataclass(frozen=True, slots=True)
class _Vote:
    """An answer on its way to the store."""

    card: Card
    choice: Choice
    value: Any
    person: str
    source: str
    via: Via

    def stored(self, text: str) -> stored.Vote:
        return stored.Vote(
            interrupt_id=self.card.interrupt.id,
            content_version=self.card.interrupt.content_version,
            person=self.person,
            choice=self.choice,
            value=text,
            note=_note_in(text),
            source=self.source,
            via=self.via,
        )


def _validated(action: Action, vote: _Vote) -> str | None:
    """The answer as JSON text; `None` where the run's input does not complete the action any more. Raises `AnswerError`."""
    bound = bound_to(action, vote.card.run)
    name = vote.card.interrupt.resume
    return bound.resume(name).validate(vote.choice.key, vote.value) if name in bound.resume_names else None


def _settled(card: Card) -> Refusal:
    is_expired = card.interrupt.status is InterruptStatus.EXPIRED
    return Refusal(refusals.settled(card), card, Why.EXPIRED if is_expired else Why.SETTLED)


def _voted_before(card: Card, person: str) -> Refusal:
    return Refusal(refusals.already_voted(card, person), card, Why.ALREADY_VOTED)


def _no_such_choice(card: Card) -> Refusal:
    return Refusal(refusals.UNKNOWN_CHOICE, card, Why.NO_SUCH_CHOICE)


def _on_hold(card: Card) -> Refusal:
    return Refusal(refusals.held(card), card, Why.HELD)


def _note_in(text: str) -> str | None:
    """The decider's own words in an answer, given as JSON text."""
    value = json.loads(text)
    if not isinstance(value, dict):
        return None
    return next((value[key] for key in NOTES if isinstance(value.get(key), str) and value[key]), None)


def _told(result: stored.AnswerResult, person: str) -> AnswerEnd:
    match result.first if isinstance(result, stored.Duplicate) else result:
        case stored.Answered(card):
            return Settled(card)
        case stored.Voted(card):
            return Counted(card)
        case stored.AlreadyVoted(card):
            return _voted_before(card, person)
        case stored.AlreadySettled(card) | stored.Late(card):
            return _settled(card)
        case stored.Stale(card):
            return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
        case stored.Unknown():
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        case never:
            assert_never(never)

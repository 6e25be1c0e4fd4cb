"""From a filled-in form or a command to a run: may this person, does the input fit, start."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from actions.kit.action import Action
from actions.kit.errors import AnswerError, Problem
from actions.kit.policies.policy import Refused
from actions.kit.records.runs import Origin
from actions.kit.registry import Registry
from blocks.clicks import FormClick, StartTarget, Submission
from blocks.form import Filled
from bot.engine import refusals
from bot.engine.addresses import Addresses
from bot.engine.engine import Engine
from bot.engine.executor import Executor
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.forms import A_STEP, Forms, passing, problems_in
from bot.engine.in_time import in_time
from bot.engine.joining import joining
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.results import Checking, FieldErrors, OpenInput, Refusal, Shown, StartEnd, StartResult, Why
from bot.engine.tasks import OwnedTasks
from storage.deliveries import RunHook
from storage.results import Claimed, NewRun, Started
from storage.store import Store


class Starting:
    """Starts runs. Where a place is free, the start and the first claim are one commit."""

    def __init__(
        self,
        *,
        store: Store,
        registry: Registry,
        entitlement: Entitlement,
        forms: Forms,
        validation: Validation,
        engine: Engine,
        addresses: Addresses,
        executor: Executor,
        tasks: OwnedTasks,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._registry = registry
        self._entitlement = entitlement
        self._forms = forms
        self._validation = validation
        self._engine = engine
        self._addresses = addresses
        self._executor = executor
        self._tasks = tasks
        self._now = now

    async def may_start(self, action_id: str, person: str, budget: Budget) -> Action | Refusal:
        """The action, if there is one of this id and the person may start it."""
        action = self._registry.get(action_id)
        if action is None:
            return Refusal(refusals.unknown_action(action_id), why=Why.UNKNOWN)
        match await self._entitlement.to_start(action.policy, person, budget):
            case NotVerified() as not_verified:
                return not_verified.refusal()
            case Refused() as refused:
                return Refusal(refusals.may_not_start(refused, action.policy, action.name))
        return action

    async def start(
        self,
        action_id: str,
        raw: Any,
        *,
        requester: str,
        origin: Origin,
        idempotency_key: str | None,
        request: str | None,
        webhook: RunHook | None,
    ) -> StartEnd:
        """Starts a run of a raw input. The same key of the same requester finds the run that it started.

        With `request`, a hash of everything that is asked for, a key that stands for another request is refused.
        """
        if idempotency_key is not None and request is not None:
            known = await self._store.requests_of_key(requester, idempotency_key)
            if known:  # of several actions, where two requests raced for one key
                return _found(next((each for each in known if each.request == request), known[0]), request)
        action = await self.may_start(action_id, requester, Budget())
        if isinstance(action, Refusal):
            return action
        asked = NewRun(action.id, action.name, requester, origin, "", idempotency_key, request, webhook)
        return await self._store_checked(await self._checked(action, raw, asked))

    async def submit(self, submission: Submission) -> StartResult:
        """A submitted input form; one form starts one run, however often it is delivered."""
        target = submission.target
        if not isinstance(target, StartTarget):
            return Refusal(refusals.UNKNOWN)
        budget = Budget()
        action = await self.may_start(target.action_id, submission.person, budget)
        if isinstance(action, Refusal):
            return await self._not_now(action, target, submission) or action
        match await self._forms.submitted(action.input_schema, submission, partial(self._wrong_so_far, action, budget)):
            case Filled(value):
                return await self._started(action, value, submission, target, budget=budget)
            case Shown() as shown:
                return OpenInput(action, target, shown)
            case refused:
                return refused

    async def open(
        self, action_id: str, person: str, channel: str | None, given: Awaitable[dict[str, Any]]
    ) -> OpenInput | Refusal:
        """The form for a new run, if this person may start one. Its fields hold at first what is `given` for them."""
        action, values = await asyncio.gather(self.may_start(action_id, person, Budget()), given)
        if isinstance(action, Refusal):
            return action
        target = StartTarget(action.id, channel, secrets.token_hex(8))
        return OpenInput(action, target, await self._forms.opened(action.input_schema, person, values))

    async def clicked_in_form(self, click: FormClick, target: StartTarget) -> OpenInput | Refusal:
        """Something that redraws the form: who may start is asked when it is sent, and a draft has one owner."""
        action = self._registry.get(target.action_id)
        if action is None:
            return Refusal(refusals.unknown_action(target.action_id), why=Why.UNKNOWN)
        shown = await self._forms.clicked(action.input_schema, click)
        return shown if isinstance(shown, Refusal) else OpenInput(action, target, shown)

    async def schema_for(self, target: StartTarget, person: str) -> dict[str, Any] | None:
        """What the form of an action is made from, for somebody who may start it."""
        action = await self.may_start(target.action_id, person, Budget())
        return action.input_schema if isinstance(action, Action) else None

    async def _started(
        self, action: Action, value: Any, submission: Submission, target: StartTarget, *, budget: Budget
    ) -> StartResult:
        """What validation refuses is said where it can be mended; when that takes longer, the form comes back with it."""
        origin = Origin(via="slack", channel=target.channel)
        asked = NewRun(action.id, action.name, submission.person, origin, "", f"form:{target.nonce}")
        check = self._checked(action, value, asked)
        match await in_time(check, self._store_checked, tasks=self._tasks, budget=budget):
            case FieldErrors(problems, schema):
                shown = await self._forms.refused(schema, problems, submission)
                return OpenInput(action, target, shown) if isinstance(shown, Shown) else shown
            case Checking(later):
                again = self._tasks.spawn(self._given_back(later, action, submission, target), "a late check")
                return Checking(asyncio.shield(again))
            case end if words := passing(end):
                return await self._forms.not_now(action.input_schema, words, submission)
            case end:
                return end

    async def _not_now(self, end: Refusal, target: StartTarget, submission: Submission) -> FieldErrors | None:
        words, action = passing(end), self._registry.get(target.action_id)
        return await self._forms.not_now(action.input_schema, words, submission) if words and action else None

    async def _given_back(
        self, later: Awaitable[StartEnd], action: Action, submission: Submission, target: StartTarget
    ) -> StartEnd | OpenInput:
        end = await later
        problems = problems_in(end)
        if not problems:
            return end
        shown = await self._forms.given_back(action.input_schema, problems, submission)
        return shown if isinstance(shown, Refusal) else OpenInput(action, target, shown)

    async def _wrong_so_far(self, action: Action, budget: Budget, value: Any) -> tuple[Problem, ...]:
        return await self._validation.problems(lambda: action.validate_input(value), within=min(A_STEP, budget.left))

    async def _checked(self, action: Action, raw: Any, asked: NewRun) -> NewRun | FieldErrors | Refusal:
        """The request with its input as JSON text, or why it is none."""
        try:
            text = await self._validation.run(lambda: action.validate_input(raw))
            problems = await self._nobody_decides(action, text, asked.requester)
        except AnswerError as error:
            return FieldErrors(error.problems, action.input_schema)
        except NotCheckedError as error:
            return Refusal(refusals.not_checked(too_slow=error.too_slow), why=Why.NOT_CHECKED)
        if problems:
            return FieldErrors(problems, action.input_schema)
        return await joining(self._store, self._addresses, action, replace(asked, input=text))

    async def _store_checked(self, checked: NewRun | FieldErrors | Refusal) -> StartEnd:
        if not isinstance(checked, NewRun):
            return checked
        return _found(await self._store_new(checked), checked.request)

    async def _nobody_decides(self, action: Action, text: str, requester: str) -> tuple[Problem, ...]:
        """What is wrong with the people whom the input names to decide, as far as Slack tells now, and with who starts it."""
        if action.policy_from is None:
            return ()
        bound = await self._validation.run(lambda: action.bound(text))
        match await self._entitlement.to_start(bound.policy, requester, Budget()):
            case NotVerified():
                return (Problem((action.policy_from,), refusals.STARTER_NOT_VERIFIED),)
            case Refused():
                return (Problem((action.policy_from,), refusals.NOT_A_STARTER),)
        approval = bound.resume().shape.is_approval
        mistakes = await self._addresses.mistakes(bound.policy, requester, approval=approval)
        return tuple(Problem((action.policy_from,), mistake) for mistake in mistakes)

    async def _store_new(self, new: NewRun) -> Started:
        if not self._engine.reserve():
            return await self._store.start(new, lease=None, now=self._now())
        try:
            started = await self._store.start(new, lease=self._executor.lease(), now=self._now())
        except BaseException:
            self._engine.release()
            raise
        if started.created:
            self._engine.begin(self._executor.carry_out(Claimed(started.run, ())))
        else:
            self._engine.release()
        return started


def _found(started: Started, request: str | None) -> Started | Refusal:
    """What was started, unless it is what another request started under the same key."""
    is_other = not started.created and request is not None and started.request != request
    return Refusal(refusals.KEY_REUSED, why=Why.KEY_REUSED) if is_other else started

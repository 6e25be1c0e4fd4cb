"""From a filled-in form or a command to a run: may this person, does the input fit, start."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

from actions.kit.action import Action
from actions.kit.errors import AnswerError
from actions.kit.policy import Refused
from actions.kit.records import Origin
from actions.kit.registry import Registry
from blocks.clicks import StartTarget, Submission
from blocks.form import read_form
from bot.engine import refusals
from bot.engine.engine import Engine
from bot.engine.executor import Executor
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.offloop import NotCheckedError, Validation
from bot.engine.results import CheckingStart, FieldErrors, Refusal, StartEnd, StartResult
from bot.engine.tasks import OwnedTasks
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
        validation: Validation,
        engine: Engine,
        executor: Executor,
        tasks: OwnedTasks,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._registry = registry
        self._entitlement = entitlement
        self._validation = validation
        self._engine = engine
        self._executor = executor
        self._tasks = tasks
        self._now = now

    async def may_start(self, action_id: str, person: str, budget: Budget) -> Action | Refusal:
        """The action, if there is one of this id and the person may start it."""
        action = self._registry.get(action_id)
        if action is None:
            return Refusal(refusals.unknown_action(action_id))
        match await self._entitlement.to_start(action.policy, person, budget):
            case NotVerified(why):
                return Refusal(why)
            case Refused() as refused:
                return Refusal(refusals.may_not_start(refused, action.policy, action.name))
        return action

    async def start(
        self, action_id: str, raw: Any, *, requester: str, origin: Origin, idempotency_key: str | None
    ) -> StartEnd:
        """Starts a run of a raw input. The same key of the same requester finds the run that it started."""
        action = await self.may_start(action_id, requester, Budget())
        if isinstance(action, Refusal):
            return action
        return await self._validate_and_store(action, raw, requester, origin, idempotency_key)

    async def submit(self, submission: Submission) -> StartResult:
        """A submitted input form; one form starts one run, however often it is delivered."""
        target = submission.target
        if not isinstance(target, StartTarget):
            return Refusal(refusals.UNKNOWN)
        budget = Budget()
        action = await self.may_start(target.action_id, submission.person, budget)
        if isinstance(action, Refusal):
            return action
        filled = read_form(action.input_schema, submission.values)
        if filled.problems:
            return FieldErrors(filled.problems, action.input_schema)
        origin = Origin(via="slack", channel=target.channel)
        starting = self._tasks.spawn(
            self._validate_and_store(action, filled.value, submission.person, origin, f"form:{target.nonce}"), "a start"
        )
        done, _ = await asyncio.wait({starting}, timeout=budget.left)
        return starting.result() if done else CheckingStart(asyncio.shield(starting))

    async def _validate_and_store(
        self, action: Action, raw: Any, requester: str, origin: Origin, key: str | None
    ) -> StartEnd:
        try:
            text = await self._validation.run(lambda: action.validate_input(raw))
        except AnswerError as error:
            return FieldErrors(error.problems, action.input_schema)
        except NotCheckedError as error:
            return Refusal(refusals.not_checked(too_slow=error.too_slow))
        return await self._store_new(NewRun(action.id, action.name, requester, origin, text, key))

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

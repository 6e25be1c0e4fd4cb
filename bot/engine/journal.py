"""Writes down what a run calls: from the actions' loop into the store, which belongs to the bot's loop."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol

import structlog

from actions.kit.records.interrupts import Asker
from actions.kit.records.runs import Failure, RunRecord
from actions.kit.running.calls import CallEnding, deepest
from storage.store import Store

log = structlog.get_logger(__name__)


class Persist(Protocol):
    """Sees to it that a transition is stored even if the database is away for a moment."""

    async def __call__(self, transition: Callable[[], Awaitable[bool]]) -> bool: ...


class RunJournal:
    """Of one execution of a run; made on the bot's loop. See `actions.kit.running.calls.Journal`."""

    def __init__(
        self, store: Store, run: RunRecord, *, owner: str, now: Callable[[], datetime], persist: Persist
    ) -> None:
        self._store = store
        self._run = run
        self._owner = owner
        self._now = now
        self._persist = persist
        self._home = asyncio.get_running_loop()
        self._executing: dict[str, tuple[str, bool]] = {}

    async def begin(self, path: str, asker: Asker, /, *, idempotent: bool) -> bool:
        self._executing[path] = asker.action_name, idempotent
        run, calls = self._run, self._store.calls
        begun = await self._at_home(
            lambda: calls.begin(
                run.id,
                run.epoch,
                owner=self._owner,
                path=path,
                asker=asker,
                idempotent=idempotent,
                now=self._now(),
            )
        )
        if not begun:
            self._executing.pop(path)
        return begun

    async def end(self, path: str, ending: CallEnding, /) -> bool:
        if ending.failure is not None and ending.error is not None:
            log.warning("call_failed", run=self._run.id, call=path, kind=ending.failure.kind, exc_info=ending.error)
        run, calls = self._run, self._store.calls
        kept = await self._at_home(
            lambda: calls.end(run.id, run.epoch, owner=self._owner, path=path, ending=ending, now=self._now())
        )
        self._executing.pop(path, None)
        return kept

    @property
    def in_doubt(self) -> tuple[str, ...]:
        """The calls of which nobody knows whether they happened, if the execution was cut at this moment."""
        executing = dict(self._executing)
        return deepest([path for path, (_, idempotent) in executing.items() if not idempotent])

    def about(self, failure: Failure) -> Failure:
        """What cut the execution, told of the call that it cut, where it cut one."""
        doubted = self.in_doubt
        if not doubted:
            return failure
        name = self._executing[doubted[0]][0]
        message = f"{failure.message} The call “{name}” at {doubted[0]} executed; we do not know whether it happened."
        return failure.model_copy(update={"message": message, "call": doubted[0]})

    async def _at_home(self, transition: Callable[[], Awaitable[bool]]) -> bool:
        """Whoever is cancelled meanwhile does not undo the write."""
        writing = asyncio.run_coroutine_threadsafe(self._persist(transition), self._home)
        return await asyncio.shield(asyncio.wrap_future(writing))

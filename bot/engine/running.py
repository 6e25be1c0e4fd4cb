"""One execution on an actions' loop, and how the bot's loop follows it without ever waiting on that thread."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from actions.kit.records.outcomes import Outcome, Raised, Stopped
from actions.kit.records.runs import Failure
from bot.engine.loops import ActionsLoop

Work = Callable[[Any], Coroutine[Any, Any, Outcome]]


class LoopLostError(Exception):
    """The thread that carried this execution never came back; whether the action happened is not known."""


@dataclass(frozen=True, slots=True)
class Job:
    """One execution to be made: `work` gets the opened resources, on the actions' loop. `module` is where its code is."""

    action_id: str
    run_id: str
    module: str
    time_limit: timedelta
    work: Work


class Running:
    """One execution under way, seen from the bot's loop."""

    def __init__(self, job: Job, on: ActionsLoop) -> None:
        self.job = job
        self.on = on
        self.task: asyncio.Task[None] | None = None
        self._home = asyncio.get_running_loop()
        self._ended: asyncio.Future[Outcome] = self._home.create_future()
        self._ticket = [self]
        self._stop_asked = False

    @property
    def ended(self) -> bool:
        return self._ended.done()

    def result(self) -> Outcome:
        return self._ended.result()

    def go(self, on: ActionsLoop) -> None:
        """Lets a loop carry it out. Given to a second loop, whichever comes first takes it: only one finds the ticket."""
        on.call(self._begin, on)

    def stop(self) -> None:
        """Cancels the action; it may take its time, and may be done before it notices."""
        if not self.ended:
            self._stop_asked = True
            self.on.call(self._cancel)

    def give_up(self) -> None:
        """Settles it without the action, which is stopped should its loop ever come back."""
        self.stop()
        self._settle(LoopLostError(self.job.action_id))

    async def ends_within(self, seconds: float) -> bool:
        await asyncio.wait({self._ended}, timeout=max(seconds, 0.0))
        return self.ended

    def _begin(self, on: ActionsLoop) -> None:
        if not self._ticket:
            return
        self._ticket.pop()
        self.on = on
        self.task = on.spawn(lambda: self._work(on), name=self.job.run_id)
        self.task.add_done_callback(lambda _: self._tell(Stopped()))  # cancelled before its first step

    def _cancel(self) -> None:
        if self.task is not None:
            self.task.cancel()

    async def _work(self, on: ActionsLoop) -> None:
        result: Outcome | Exception
        try:
            result = await self._result(on)
        except asyncio.CancelledError:
            result = Stopped()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for the outcome
            result = error
        except BaseException as error:  # noqa: BLE001 - an exit that an action asks for is a failure of that action
            result = Raised(Failure(kind=type(error).__name__, message=str(error) or "it asked the process to exit"))
        self._tell(result)

    async def _result(self, on: ActionsLoop) -> Outcome:
        if self._stop_asked:
            return Stopped()
        try:
            resources = await on.resources()
        except Exception as error:  # noqa: BLE001 - whatever the team's set-up function raises
            return Raised(Failure(kind="resources", message=f"The resources could not be opened: {error}"))
        return await self.job.work(resources)

    def _tell(self, result: Outcome | Exception) -> None:
        with suppress(RuntimeError):  # the bot is gone; nobody waits any more
            self._home.call_soon_threadsafe(self._settle, result)

    def _settle(self, result: Outcome | Exception) -> None:
        if self._ended.done():
            return
        if isinstance(result, Exception):
            self._ended.set_exception(result)
            self._ended.exception()
        else:
            self._ended.set_result(result)

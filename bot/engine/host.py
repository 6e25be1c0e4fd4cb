"""Keeps actions away from the bot: each runs on the actions' own loop, within its time, whatever it does there."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from itertools import count
from pathlib import Path
from typing import Any

import structlog

from actions.kit.records.outcomes import Outcome, Raised, Stopped
from actions.kit.records.runs import Failure
from actions.kit.resources import OPENS_WITHIN, ResourcesError
from actions.kit.running.stray import run_on
from blocks.people import duration_words
from bot.engine.loops import ActionsLoop, OpenResources
from bot.engine.running import Job, Running

log = structlog.get_logger(__name__)

WATCH_EVERY = 0.25
"""Seconds between two signs of life that the watchdog asks for."""
BLOCKED_AFTER = 1.0
"""Seconds without a sign of life after which a loop counts as blocked."""
MOVE_ON_AFTER = 3.0
"""Seconds after which new executions get a fresh loop instead of waiting behind the blocked one."""
STOP_GRACE = 6.0
"""Seconds that a stopped action has: its own tasks and threads get five of them."""
LAST_WORDS = 5.0
"""Seconds that an interrupted loop has to come back before what else was on it is given up."""
OPENING = OPENS_WITHIN + 5.0
"""Seconds after which a set-up function blocks the thread; one that merely waits was named by the kit before."""
NIMBLE_SWITCH = 0.0005
"""Seconds for which a spinning thread may keep the interpreter while a loop is blocked, so that acks stay quick."""


class ActionsHost:
    """Executes actions on a loop in a thread of its own, and replaces that loop when an action takes it hostage."""

    def __init__(self, open_resources: OpenResources, *, on_blocked: Callable[[Job, str], None] | None = None) -> None:
        """`on_blocked` is told which execution blocks its loop for good, and where in its code."""
        self._open_resources = open_resources
        self._on_blocked = on_blocked
        self._numbers = count(1)
        self._loops: list[ActionsLoop] = []
        self._retiring: set[ActionsLoop] = set()
        self._running: set[Running] = set()
        self._culprits: dict[ActionsLoop, Job | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._switch = sys.getswitchinterval()

    async def start(self) -> None:
        """Opens the team's resources on the actions' loop; raises what they raise."""
        try:
            await _opened(self._open_loop())
        except BaseException:
            await self.stop(grace=1.0)
            raise
        self._own(self._watch(), "watchdog")

    async def stop(self, grace: float = 5.0) -> bool:
        """Stops what still runs, closes the resources and ends the threads; whether all of them ended."""
        for running in self._running:
            running.stop()
        await asyncio.gather(*(running.ends_within(grace) for running in self._running))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        closed = await asyncio.gather(*(_close(loop, grace) for loop in self._loops))
        sys.setswitchinterval(self._switch)
        return all(closed)

    def submit(self, job: Job) -> Running:
        """Starts an execution. `outcome` must then be awaited: it is what holds the time limit."""
        if self._loops[-1].is_broken:
            self._open_loop()
        running = Running(job, self._loops[-1])
        self._running.add(running)
        running.go(running.on)
        return running

    async def outcome(self, running: Running) -> Outcome:
        """How the execution ended; a time limit that passed is a `Raised`. Raises `LoopLostError`."""
        try:
            if not await self._ends_in_time(running):
                return await self._end(running)
            return running.result()
        finally:
            self._running.discard(running)

    def blocked(self) -> str | None:
        """The action that keeps its loop from running anything else, if one does."""
        for loop, culprit in self._culprits.items():
            if _is_blocked(loop):
                return culprit.action_id if culprit else "an action"
        return None

    async def _ends_in_time(self, running: Running) -> bool:
        if await running.ends_within(running.job.time_limit.total_seconds()):
            return True
        while not running.ended and _is_blocked(running.on) and not self._is_culprit(running):
            await running.ends_within(WATCH_EVERY)
        return running.ended

    async def _end(self, running: Running) -> Outcome:
        """Ends an execution whose time is up: told to stop first, interrupted with its whole loop if it cannot hear."""
        running.stop()
        patience = STOP_GRACE
        while patience > 0 and not _is_blocked(running.on) and not await running.ends_within(WATCH_EVERY):
            patience -= WATCH_EVERY
        if not running.ended:
            log.warning("action_not_stopped", action=running.job.action_id, run=running.job.run_id)
        if running.ended and not isinstance(running.result(), Raised | Stopped):
            return running.result()
        failure = _time_is_up(running)
        if not running.ended and _is_blocked(running.on):
            self._abandon(running.on)
        return Raised(failure)

    def _is_culprit(self, running: Running) -> bool:
        culprit = self._culprits.get(running.on)
        return culprit is None or culprit is running.job

    def _abandon(self, loop: ActionsLoop) -> None:
        if loop is self._loops[-1]:
            self._open_loop()
        loop.interrupt()
        self._own(self._give_up_if_lost(loop), "last words")

    async def _give_up_if_lost(self, loop: ActionsLoop) -> None:
        await asyncio.sleep(LAST_WORDS)
        if not _is_blocked(loop):
            return
        for running in self._on(loop):
            log.error("execution_lost", action=running.job.action_id, run=running.job.run_id)
            running.give_up()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_EVERY)
            for loop in tuple(self._loops):
                self._look_after(loop)
            sys.setswitchinterval(NIMBLE_SWITCH if any(map(_is_blocked, self._loops)) else self._switch)

    def _look_after(self, loop: ActionsLoop) -> None:
        is_current = loop is self._loops[-1]
        if _is_blocked(loop):
            self._name_culprit(loop)
            if is_current and loop.late >= MOVE_ON_AFTER:
                self._move_on(loop)
            return
        self._culprits.pop(loop, None)
        if self._on(loop):
            loop.beat()
        elif not is_current and loop not in self._retiring:
            self._retiring.add(loop)
            self._own(self._retire(loop), "retire")

    def _name_culprit(self, loop: ActionsLoop) -> None:
        if loop in self._culprits:
            return
        culprit = self._culprits[loop] = _culprit(loop, self._on(loop))
        if culprit is None:
            log.warning("actions_loop_blocked")
        else:
            log.warning("actions_loop_blocked", action=culprit.action_id, run=culprit.run_id, line=_line(loop, culprit))

    def _move_on(self, blocked: ActionsLoop) -> None:
        culprit = self._culprits.get(blocked)
        if culprit and self._on_blocked:
            self._on_blocked(culprit, _line(blocked, culprit))
        fresh = self._open_loop()
        for running in self._on(blocked):
            running.go(fresh)

    async def _retire(self, loop: ActionsLoop) -> None:
        if await _close(loop, STOP_GRACE):
            self._loops.remove(loop)
        self._retiring.discard(loop)

    def _on(self, loop: ActionsLoop) -> list[Running]:
        return [running for running in self._running if running.on is loop]

    def _open_loop(self) -> ActionsLoop:
        loop = ActionsLoop(self._open_resources, number=next(self._numbers))
        self._loops.append(loop)
        loop.start()
        return loop

    def _own(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_blocked(loop: ActionsLoop) -> bool:
    return loop.late >= BLOCKED_AFTER


def _culprit(loop: ActionsLoop, there: list[Running]) -> Job | None:
    """Whose code the thread is in: the only one there, the run on the stack, the one whose task runs, or whose module it is."""
    if len(there) == 1:
        return there[0].job
    frames = loop.frames()
    run_id, current = run_on(frames), loop.running_task
    modules = {str(frame.f_globals.get("__name__")) for frame in frames}
    by_run = [running.job for running in there if running.job.run_id == run_id]
    by_task = [running.job for running in there if running.task is current]
    by_module = [running.job for running in there if running.job.module in modules]
    return next(iter(by_run or by_task or by_module), None)


def _line(loop: ActionsLoop, job: Job) -> str:
    """Where in an action's module its thread is, in words for its author."""
    lines = [frame for frame in loop.frames() if frame.f_globals.get("__name__") == job.module]
    return f"{Path(lines[0].f_code.co_filename).name}, line {lines[0].f_lineno}" if lines else "in a library"


async def _opened(loop: ActionsLoop) -> None:
    try:
        async with asyncio.timeout(OPENING) as limit:
            await loop.resources()
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise ResourcesError("a set-up function", f"it blocks its thread ({_place_in(loop)})") from error


def _place_in(loop: ActionsLoop) -> str:
    return next((f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}" for frame in loop.frames()), "ended")


def _time_is_up(running: Running) -> Failure:
    job, limit = running.job, duration_words(running.job.time_limit)
    if running.ended:
        message = f"It ran longer than its time limit of {limit} and was stopped."
    elif _is_blocked(running.on):
        message = f"It blocked its thread ({_line(running.on, job)}) beyond its time limit of {limit}."
    else:
        message = f"It ran longer than its time limit of {limit} and did not stop when it was told to."
    advice = "Raise the action's time_limit, or find out what it waits for."
    return Failure(kind="time_limit", message=message, advice=advice)


async def _close(loop: ActionsLoop, grace: float) -> bool:
    if await loop.close(0.0 if _is_blocked(loop) else grace):
        return True
    loop.interrupt()
    return await loop.close(1.0)

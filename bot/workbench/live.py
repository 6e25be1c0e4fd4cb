"""A workbench with the real bot connected to it, for tests: people act in Slack, and the test asks what came of it."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from actions.kit.action import Action
from actions.kit.records.runs import Origin, RunRecord, RunStatus
from actions.kit.registry import Registry
from bot.app import Signoff
from bot.engine.results import FieldErrors, Refusal
from bot.settings import Settings, Transport
from bot.workbench.bench import Timings
from bot.workbench.driver import Tab
from bot.workbench.fault_catalogue import CataloguedFaults
from bot.workbench.server import Workbench
from bot.workbench.with_bot import bot_settings, connected
from storage.results import Started
from storage.store import Store

PATIENCE = 10.0
"""Seconds for which a test waits for a run."""

LOOK_EVERY = 0.02


@dataclass(frozen=True, slots=True)
class Setup:
    """What a test's workbench is like. `actions` are modules besides those in `actions/`.

    `config` is a file as `signoff workbench --config` takes it; without one it is Acme. `settings` are the bot's, by
    the names of the fields of `bot.settings.Settings`.
    """

    actions: Sequence[str] = ()
    transport: Transport = "socket"
    config: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    timings: Timings | None = None


class NotStartedError(AssertionError):
    """The bot refused to start a run, in the words that a person would have been told."""


class LiveWorkbench:
    """One workspace, one database, one bot at a time, which can be closed and opened again."""

    def __init__(self, workbench: Workbench, setup: Setup, folder: Path) -> None:
        self.workbench = workbench
        self.setup = setup
        self.folder = folder
        self._bot: Signoff | None = None
        self._open = AsyncExitStack()

    # --- people, and what goes wrong

    def person(self, name: str) -> Tab:
        """Somebody's tab, by name or id: what they see, and everything that they can do."""
        return self.workbench.person(name)

    @property
    def faults(self) -> CataloguedFaults:
        """What is to go wrong: `faults.rate_limit("chat.postMessage")`, `faults.withhold_acks()` and so on."""
        return self.workbench.faults

    async def move_deadlines(self, *, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """Bring all deadlines nearer by this; what is due then happens as it would have happened in time."""
        await self.workbench.move_clock(timedelta(minutes=minutes, hours=hours, days=days))

    # --- runs

    async def start(self, action: str | Action, given: Mapping[str, Any] | BaseModel, *, by: str = "rita") -> RunRecord:
        """Start a run for somebody, without the form. Raises `NotStartedError` where the bot refuses."""
        person, action_id = self.person(by).person, action if isinstance(action, str) else action.id
        said = given.model_dump(mode="json") if isinstance(given, BaseModel) else dict(given)
        started = await self.bot.runner.start(action_id, said, requester=person.id, origin=Origin(via="demo"))
        match started:
            case Started(run):
                return run
            case Refusal(text):
                raise NotStartedError(text)
            case FieldErrors(problems):
                raise NotStartedError("; ".join(f"{'.'.join(map(str, p.path))} {p.message}" for p in problems))
            case other:
                raise NotStartedError(repr(other))

    async def newest_run(self) -> RunRecord:
        """The run that was started last, by whatever way."""
        runs = await self.store.runs(limit=1)
        if not runs:
            raise AssertionError("no run has been started")
        return runs[0]

    async def ends(self, run: RunRecord | str, *statuses: RunStatus, timeout: float = PATIENCE) -> RunRecord:  # noqa: ASYNC109 - how patient a test is
        """The run as it is once it has ended, or stands in one of these states."""
        run_id, deadline = run if isinstance(run, str) else run.id, time.monotonic() + timeout
        while True:
            known = await self.store.run(run_id)
            if known is not None and (known.status in statuses if statuses else known.status.ended):
                return known
            if time.monotonic() > deadline:
                wanted = " or ".join(statuses) or "ended"
                raise AssertionError(f"waited {timeout:g} s for run {run_id} to be {wanted}; {_told(known)}")
            await asyncio.sleep(LOOK_EVERY)

    # --- the bot

    @property
    def bot(self) -> Signoff:
        if self._bot is None:
            raise AssertionError("the bot is closed")
        return self._bot

    @property
    def store(self) -> Store:
        return self.bot.store

    def settings(self, **overrides: Any) -> Settings:
        """The bot's settings: what connects it, then the setup's, then these. Without digests, which come by the day."""
        setup = self.setup
        chosen = {"digest_hour": None, **setup.settings}
        base = bot_settings(self.workbench, setup.transport, self.folder, setup.actions, **chosen)
        return base.model_copy(update=overrides)

    async def open(self, registry: Registry | None = None, **overrides: Any) -> Signoff:
        """Start the bot in this process; what it did before is in the database."""
        self._bot = await self._open.enter_async_context(
            connected(self.workbench, self.settings(**overrides), registry)
        )
        return self._bot

    async def close(self) -> None:
        """Stop the bot; people can still look and click, and nobody answers."""
        self._bot = None
        await self._open.aclose()

    async def restart(self) -> Signoff:
        """Stop the bot and start it again: what waited before waits again."""
        await self.close()
        return await self.open()


def _told(run: RunRecord | None) -> str:
    if run is None:
        return "there is no such run"
    failed = "" if run.failure is None else f": {run.failure.message}"
    return f"it is {run.status}{failed}"

"""The office in which the acceptance tests play: the workbench, and the whole bot over one database, which can be closed and opened again."""

import os
import signal
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from actions.kit.records.interrupts import Card, DecisionRecord
from actions.ledger import Entry, Ledger
from bot import clock
from bot.settings import Settings, Transport
from bot.workbench.live import LiveWorkbench, Setup
from bot.workbench.server import Workbench
from storage.database import Database
from storage.store import Store
from tests.sqlite import sqlite_in
from tests.waiting import until

BOTH_DATABASES = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
"""For the stories that must hold wherever the runs are kept."""

EXTRA_ACTIONS = tuple(
    f"tests.acceptance.{name}" for name in ("extra_actions", "form_actions", "kind_actions", "asked_actions")
)


class Office(LiveWorkbench):
    """The fixture that teams have, with the worked actions' ledger, and with the bot in a process of its own (`serve`)."""

    def __init__(self, workbench: Workbench, transport: Transport, folder: Path) -> None:
        super().__init__(workbench, Setup(EXTRA_ACTIONS, transport), folder)
        self.transport = transport
        self.ledger = Ledger(folder / "ledger.jsonl")
        self.database_url: str | None = None
        self.served: Process | None = None

    def settings(self, **overrides: Any) -> Settings:
        kept = {} if self.database_url is None else {"database_url": self.database_url}
        return super().settings(**kept | overrides)

    async def serve(self) -> Process:
        """The bot as `signoff serve` in a process of its own, which can be killed. Socket Mode only."""
        settings = self.settings()
        with (self.folder / "bot.log").open("ab") as log:  # a pipe that nobody reads would hold the bot up
            self.served = await create_subprocess_exec(
                sys.executable, "-c", "from bot.cli import main; main()", "serve",
                env=self.environment(settings), cwd=self.folder, stderr=log,
            )  # fmt: skip
        assert await self.workbench.connected(timeout=60), f"the bot did not connect: see {self.folder / 'bot.log'}"
        return self.served

    def environment(self, settings: Settings) -> dict[str, str]:
        """What `signoff` needs to find this office."""
        assert settings.bot_token
        assert settings.app_token
        return {
            **os.environ,
            "SLACK_BOT_TOKEN": settings.bot_token.get_secret_value(),
            "SLACK_APP_TOKEN": settings.app_token.get_secret_value(),
            "SLACK_API_URL": settings.slack_api_url,
            "DATABASE_URL": settings.database_url,
            "ACTIONS": ",".join(EXTRA_ACTIONS),
            "SIGNOFF_LEDGER": str(self.ledger.path),
            "SIGNOFF_ADMINS": ",".join(settings.admins),
        }

    async def kill(self) -> None:
        """SIGKILL: nothing is drained, nothing is closed."""
        assert self.served
        self.served.send_signal(signal.SIGKILL)
        await self.served.wait()
        assert await self.workbench.workspace.changes.until(lambda: self.workbench.sockets.connections == 0, timeout=10)

    async def card(self, run_id: str) -> Card:
        """The run's newest card, once it stands in Slack and its clock runs."""

        async def stands() -> Card | None:
            card = await self.store.latest_card(run_id)
            return card if card is not None and card.interrupt.posted_at is not None else None

        return await until(stands, f"the card of {run_id} to stand in Slack")

    async def decisions(self, run_id: str) -> list[DecisionRecord]:
        """Everything that was decided in a run so far, which is nothing where it never asked."""
        card = await self.store.latest_card(run_id)
        return list(card.decisions) if card else []

    async def settled(self, run_id: str) -> None:
        """Every message of a run stands in Slack and shows what the rows say: nothing more comes of it."""

        async def shown() -> bool:
            copies = await self.store.copies(run_id)
            return all(copy.shown_version == copy.wanted_version for copy in copies)

        await until(shown, f"everything of {run_id} to be shown")

    async def move_to_deadline(self, run_id: str, *, but: timedelta = timedelta()) -> datetime:
        """Move the clock to the deadline of a run, or to `but` before it; the deadline as it is then."""
        expires_at = (await self.card(run_id)).interrupt.expires_at
        assert expires_at is not None
        await self.workbench.move_clock(expires_at - clock.now() - but)
        moved = (await self.card(run_id)).interrupt.expires_at
        assert moved is not None
        return moved

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Store]:
        """The store beside a bot in another process."""
        async with Database(self.settings().database_url) as database:
            yield Store(database, on_wake=lambda _: None, on_change=lambda: None)

    def effects(self, kind: str | None = None) -> list[Entry]:
        """What the actions really did, one entry for each execution."""
        return [entry for entry in self.ledger.entries() if kind in (None, entry.kind)]


@asynccontextmanager
async def office(transport: Transport, folder: Path, **timings: Any) -> AsyncIterator[Office]:
    """A fresh office without a bot."""
    sqlite_in(folder)
    async with Workbench(**timings) as workbench:
        opened = Office(workbench, transport, folder)
        try:
            yield opened
        finally:
            await opened.close()
            if opened.served and opened.served.returncode is None:
                await opened.kill()

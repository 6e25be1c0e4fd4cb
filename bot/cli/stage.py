"""The stage of the demo: a workbench, and the unchanged bot connected to it, with a database of its own."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from actions.kit.registry import Registry
from bot import clock
from bot.app import Signoff, running
from bot.settings import Settings, Transport
from bot.workbench.server import Workbench

ANYBODY = 0
LEDGER = "ledger.jsonl"


@dataclass(frozen=True, slots=True)
class Stage:
    """What stands on it. `folder` holds the database and the ledger, and goes with the demo."""

    workbench: Workbench
    bot: Signoff
    folder: Path


@asynccontextmanager
async def staged(
    transport: Transport, *, port: int = ANYBODY, actions: tuple[str, ...] | None = (), hints: Iterable[str] = ()
) -> AsyncIterator[Stage]:
    """Everything connected and ready, with the modules of `actions`, `None` for those that the environment names.

    `hints` are what the page says can be tried.
    Raises `PortError` where the workbench's port is taken.
    """
    bots: list[Signoff] = []

    async def move_deadlines(by: timedelta) -> None:
        for bot in bots:
            await bot.store.bring_deadlines_forward(by, now=clock.now())

    with tempfile.TemporaryDirectory(prefix="signoff-demo-") as name:
        folder = Path(name)
        async with Workbench(port=port, on_clock=move_deadlines, hints=hints) as workbench:
            settings = demo_settings(workbench, transport, folder, actions)
            os.environ["SIGNOFF_LEDGER"] = str(folder / LEDGER)
            async with running(settings, Registry.load(settings.actions)) as bot:
                bots.append(bot)
                await _connect(workbench, bot, transport)
                yield Stage(workbench, bot, folder)


def demo_settings(
    workbench: Workbench, transport: Transport, folder: Path, actions: tuple[str, ...] | None = ()
) -> Settings:
    """The settings that connect a bot to a workbench, whatever the environment says about a real Slack."""
    return Settings.load(
        bot_token=workbench.bot_token,
        app_token=workbench.app_token,
        signing_secret=workbench.signing_secret,
        slack_api_url=workbench.api_url,
        database_url=f"sqlite:///{folder / 'signoff.db'}",
        **({} if actions is None else {"actions": actions}),
        transport=transport,
        host="127.0.0.1",
        port=ANYBODY,
        check_cards=True,
        migrate=True,
        admins=("U0ANN",),
    )


async def _connect(workbench: Workbench, bot: Signoff, transport: Transport) -> None:
    if transport == "socket":
        await workbench.connected()
    elif bot.address:
        workbench.request_url = f"http://127.0.0.1:{bot.address[1]}/slack/events"

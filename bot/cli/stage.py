"""The stage of the demo: a workbench, and the unchanged bot connected to it, with a database of its own."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.app import Signoff
from bot.settings import Transport
from bot.workbench.server import Workbench
from bot.workbench.with_bot import ANY_PORT, bot_settings, connected

LEDGER = "ledger.jsonl"
AGENT_MODULE, AGENT = "bot.cli.demo_agent", "support"


@dataclass(frozen=True, slots=True)
class Stage:
    """What stands on it. `folder` holds the database and the ledger, and goes with the demo."""

    workbench: Workbench
    bot: Signoff
    folder: Path


@asynccontextmanager
async def staged(
    transport: Transport,
    *,
    port: int = ANY_PORT,
    actions: tuple[str, ...] | None = (),
    hints: Iterable[str] = (),
    with_agent: bool = False,
) -> AsyncIterator[Stage]:
    """Everything connected and ready, with the modules of `actions`, `None` for those that the environment names.

    `hints` are what the page says can be tried. With an agent, it is the one of the demo.
    Raises `PortError` where the workbench's port is taken.
    """
    with tempfile.TemporaryDirectory(prefix="signoff-demo-") as name:
        folder = Path(name)
        async with Workbench(port=port, hints=hints) as workbench:
            os.environ["SIGNOFF_LEDGER"] = str(folder / LEDGER)
            settings = bot_settings(workbench, transport, folder, actions)
            if with_agent:
                modules = (*settings.actions, AGENT_MODULE)
                settings = settings.model_copy(update={"actions": modules, "agent": AGENT})
            async with connected(workbench, settings) as bot:
                yield Stage(workbench, bot, folder)

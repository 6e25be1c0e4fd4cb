"""`signoff serve`: the bot itself, until it is told to stop."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich.markup import escape

from actions.kit.registry import Registry
from bot import logs
from bot.app import Signoff, running
from bot.cli.show import err
from bot.settings import Settings


async def serve() -> None:
    """Say what is served and where, then serve."""
    settings = Settings.load()
    logs.set_up(settings.log_format, settings.log_level)
    settings.check_slack()
    registry = Registry.load(settings.actions)
    async with until_told() as told, running(settings, registry) as bot:
        for line in _greeting(settings, bot):
            err.print(line)
        await told.wait()
        err.print("Stopping: what runs may finish, then everything is closed.")


@asynccontextmanager
async def until_told() -> AsyncIterator[asyncio.Event]:
    """An event that Ctrl-C and SIGTERM set."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, told.set)
    try:
        yield told
    finally:
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)


def _greeting(settings: Settings, bot: Signoff) -> list[str]:
    way = "Socket Mode" if bot.address is None else f"HTTP on {bot.address[0]}:{bot.address[1]}/slack/events"
    names = ", ".join(action.id for action in bot.registry.actions)
    lines = [
        f"[bold]Signoff[/] serves [bold]{escape(bot.identity.team)}[/] over {way}",
        f"  actions   {escape(names)}",
        f"  database  {escape(bot.database)}",
    ]
    if not settings.admins:
        lines.append("  [yellow]missing[/]   SIGNOFF_ADMINS: nobody can settle what is stalled but those who decided")
    if bot.reconciled.without_action:
        lines.append(
            f"  [yellow]held[/]      {len(bot.reconciled.without_action)} runs wait for actions that are not here"
        )
    return [*lines, "Ctrl-C stops it."]

"""`signoff serve`: the bot itself, until it is told to stop."""

import asyncio

import structlog
from rich.text import Text

from actions.kit.registry import Registry
from bot import logs
from bot.app import Signoff, running
from bot.cli.leaving import leave_threads_behind
from bot.cli.show import err, safe
from bot.cli.stopping import until_told
from bot.settings import Settings

log = structlog.get_logger(__name__)


def serve() -> None:
    """Serve until told to stop, and end then, whatever an action left behind."""
    asyncio.run(_serve())
    leave_threads_behind()


async def _serve() -> None:
    """Say what is served and where, then serve."""
    settings = Settings.load()
    settings.check_slack()
    logs.set_up(settings.log_format, settings.log_level)
    registry = Registry.load(settings.actions)
    async with until_told() as told, running(settings, registry) as bot:
        _say(settings, "serving", _greeting(settings, bot))
        await told.wait()
        _say(settings, "stopping", ["Stopping: what runs may finish, then everything is closed."])


def _say(settings: Settings, event: str, lines: list[str]) -> None:
    """For people as it is; where the log is for machines, as one event of it."""
    if settings.log_format == "json":
        log.info(event, said=[Text.from_markup(line).plain.strip() for line in lines])
        return
    for line in lines:
        err.print(line)


def _greeting(settings: Settings, bot: Signoff) -> list[str]:
    at = None if bot.address is None else f"{bot.address[0]}:{bot.address[1]}"
    way = "Socket Mode" if settings.way_in == "socket" else f"HTTP on {at}/slack/events"
    names = ", ".join(action.id for action in bot.registry.actions)
    lines = [
        f"[bold]Signoff[/] serves [bold]{safe(bot.identity.team)}[/] over {way}",
        f"  actions   {safe(names)}",
        f"  database  {safe(bot.database)}",
        f"  http      on {at}: /v1 for programs, /openapi.json, /healthz, /readyz, /metrics"
        if at
        else "  [yellow]no http[/]   for programs, health and metrics: set SIGNOFF_PORT to serve them",
    ]
    if not settings.admins:
        lines.append("  [yellow]missing[/]   SIGNOFF_ADMINS: nobody can settle what is stalled but those who decided")
    if bot.reconciled.without_action:
        lines.append(
            f"  [yellow]held[/]      {len(bot.reconciled.without_action)} runs wait for actions that are not here"
        )
    return [*lines, "Ctrl-C stops it."]

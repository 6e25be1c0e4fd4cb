"""Starts an app that knows nothing of Signoff in a process of its own, as somebody at a terminal would."""

import os
import socket
import sys
from asyncio.subprocess import create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.workbench.server import Workbench
from tests.waiting import until

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@asynccontextmanager
async def started(
    workbench: Workbench, transport: str, log: Path, *command: str, cwd: Path | None = None
) -> AsyncIterator[None]:
    """The command, with the settings that `signoff workbench` prints; ready when the workbench can reach it."""
    port = free_port()
    settings = {"SLACK_API_URL": workbench.api_url, "SLACK_BOT_TOKEN": workbench.bot_token, "PORT": str(port)}
    if transport == "socket":
        settings["SLACK_APP_TOKEN"] = workbench.app_token
    else:
        settings["SLACK_SIGNING_SECRET"] = workbench.signing_secret
        workbench.request_url = f"http://127.0.0.1:{port}/slack/events"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLACK_", "SIGNOFF_"))}
    with log.open("ab") as printed:
        process = await create_subprocess_exec(*command, env=kept | settings, cwd=cwd, stdout=printed, stderr=printed)
    try:
        if transport == "socket":
            assert await workbench.connected(timeout=60), f"the app did not connect: see {log}"
        else:
            await until(lambda: _answers(port), f"the app to listen: {log}", timeout=60)
        yield
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def lunch() -> tuple[str, ...]:
    """The example of a plain Bolt app, as a command."""
    return sys.executable, str(EXAMPLES / "lunch.py")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


async def _answers(port: int) -> bool:
    with socket.socket() as trying:
        trying.settimeout(1)
        return trying.connect_ex(("127.0.0.1", port)) == 0

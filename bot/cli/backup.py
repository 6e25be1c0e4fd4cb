"""`signoff backup`: a copy of the database, made while the bot runs."""

import asyncio
import shlex
import sys
from pathlib import Path

from rich.markup import escape

from bot.cli.progress import progress
from bot.cli.show import WRONG_INPUT, err, out, safe
from bot.settings import Settings
from storage.backup import back_up, dump_command


async def make_backup(file: str, *, force: bool) -> None:
    """Copy, check, and say what is in it. A database on a server has its own tool, which is named."""
    url, target = Settings.load().database_url, Path(file)
    command = dump_command(url, target)
    if command is not None:
        err.print(
            "Nothing was done: a database on a server is backed up by PostgreSQL's own tool. Run this; it asks for"
        )
        err.print("the password, or reads it from PGPASSWORD or ~/.pgpass:")
        out.print(escape(shlex.join(command)))
        sys.exit(WRONG_INPUT)
    with progress("Copying pages") as tell:
        made = await asyncio.to_thread(back_up, url, target, force=force, progress=tell)
    out.print(f"{safe(str(made.path))}: {made.size:,} bytes, {made.runs:,} runs, schema {made.revision}; checked.")
    err.print("How to restore it: docs/operating.md")

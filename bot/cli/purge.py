"""`signoff purge`: takes old runs out of the database, beside the running bot."""

import asyncio
import secrets
import time
from datetime import datetime

from actions.kit.counting import counted
from bot import clock
from bot.cli.ages import age
from bot.cli.progress import progress
from bot.cli.records import opened
from bot.cli.show import fail, moment, out
from bot.settings import Settings
from storage.results import Purge, Purged
from storage.store import Store

CHUNK = 100
LEAST_PAUSE = 0.02
"""Seconds between two chunks, or as long as a chunk took: the bot writes too."""


async def purge(older_than: str, *, dry_run: bool) -> None:
    """Count, and unless it is a dry run purge, the runs that ended longer ago."""
    before = clock.now() - age("--older-than", older_than)
    async with opened(Settings.load()) as store:
        found = await store.purgeable(before)
        if dry_run:
            out.print(f"{_runs(found)} that ended before {moment(before)} would be purged.")
            return
        gone = await _purged(store, before, found) if found else Purged()
    out.print(
        f"Purged {_runs(gone.runs)} that ended before {moment(before)}, with {gone.decisions:,} decisions and "
        f"{gone.entries:,} entries of the audit."
    )


async def _purged(store: Store, before: datetime, found: int) -> Purged:
    request, done = Purge(secrets.token_hex(8), before, "command line"), 0
    with progress("Purging runs") as tell:
        while True:
            began = time.monotonic()
            chunk = await store.purge(request, now=clock.now(), limit=CHUNK)
            if chunk is None:
                fail("Another purge is going on. Try again when it is done.")
            if chunk.runs == 0:
                return await store.purged(request.id)
            done += chunk.runs
            tell(done, max(done, found))
            await asyncio.sleep(max(LEAST_PAUSE, time.monotonic() - began))


def _runs(count: int) -> str:
    return counted(count, "run")

"""The database of the bot, as the command line opens it: beside the running bot, and never in its place."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from actions.kit.policies.deciders import PERSON_ID
from actions.kit.records.runs import RunRecord
from bot.cli.show import fail
from bot.settings import Settings
from storage.database import Database
from storage.results import RunFilters
from storage.store import Store

CANDIDATES = 10


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    """The store of the bot's own database. It is neither made nor migrated here: both are the bot's to do."""
    async with Database(settings.database_url, migrate=False, create=False) as database:
        yield Store(database)


def person_id(given: str) -> str:
    """The Slack id that `--as` gives; without Slack nobody can be found by name."""
    if not given:
        fail(
            "--as is missing: say for whom you act, by their Slack id, such as --as U012ABCDEF (Slack: profile, ⋮, Copy member ID)."
        )
    if not PERSON_ID.fullmatch(given):
        fail(
            f"--as takes a Slack id such as U012ABCDEF, and {given!r} is none. Names and e-mails cannot be looked up without Slack."
        )
    return given


async def find_run(store: Store, given: str) -> RunRecord:
    """The one run of this id, or whose id begins so."""
    wanted = given.strip().lower()
    run = await store.run(wanted) if wanted else None
    if run is not None:
        return run
    found = await store.runs(RunFilters(id_begins=wanted), limit=CANDIDATES + 1) if wanted.isalnum() else ()
    if not found:
        fail(f"There is no run {given!r}. `signoff runs` lists them.")
    if len(found) > 1:
        ids = ", ".join(each.id for each in found[:CANDIDATES])
        more = " …" if len(found) > CANDIDATES else ""
        fail(f"Several runs begin with {given!r}: {ids}{more}. Give more of the id.")
    return found[0]

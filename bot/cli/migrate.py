"""`signoff migrate`: brings the database's schema to what this program knows, or says how far it is behind."""

import asyncio
import sys

from bot.cli.show import err, out, safe
from bot.settings import Settings
from storage.connections import describe
from storage.database import Database
from storage.examination import Schema, is_made, schema_of
from storage.schema import HEAD

BEHIND = 1


async def migrate(*, check: bool) -> None:
    """Say from which revision to which, and go there; a database that is not there is made. With `check` only say."""
    url = Settings.load().database_url
    where = safe(describe(url))
    schema = await asyncio.to_thread(schema_of, url) if is_made(url) else Schema(None, HEAD, "none")
    if schema.step == "current":
        out.print(f"{where} is at schema {schema.found} already.")
        return
    if check and schema.step != "newer":
        out.print(f"{where} is at schema {schema.found or 'none'}; this program's is {schema.known}: signoff migrate")
        sys.exit(BEHIND)
    if schema.step == "behind":
        err.print(f"Migrating {where} from schema {schema.found} to {schema.known} …")
    async with Database(url, migrate=not check):
        pass
    out.print(f"{where}: schema {schema.found or 'none'} → {schema.known}.")

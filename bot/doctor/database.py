"""Whether the database can be used: there, of the right schema, writable, with room to grow."""

import asyncio

from bot.doctor.findings import Finding, fail, ok, warn
from bot.settings import Settings
from storage.connections import describe
from storage.errors import DatabaseError
from storage.examination import Examined, Place, Schema, examine, is_made

MB, GB = 10**6, 10**9
LITTLE, SOME = 200 * MB, 2 * GB
LONG_LOG = 256 * MB


async def database_findings(settings: Settings) -> tuple[list[Finding], bool]:
    """What is to be said of the database, and whether its rows can be read by this program."""
    url = settings.database_url
    try:
        if not is_made(url):
            return [_not_made(settings)], False
        examined = await asyncio.to_thread(examine, url)
    except DatabaseError as error:
        fix = error.advice or "See DATABASE_URL."
        return [fail("database", f"{error.where} {error.reason}", _sentence(fix))], False
    findings = [_schema(settings, examined.where, examined.schema), *_writing(examined)]
    findings += _places(examined.place) if examined.place else []
    return findings, examined.schema.step == "current"


def _not_made(settings: Settings) -> Finding:
    seen = f"{describe(settings.database_url)} is not there yet"
    if settings.migrate:
        return warn("database", seen, "The bot makes it when it first starts; otherwise see DATABASE_URL.")
    return fail("database", seen, "Run signoff migrate, or see DATABASE_URL.")


def _schema(settings: Settings, where: str, schema: Schema) -> Finding:
    seen = f"{where} is at schema {schema.found or 'none'}, and this program's is {schema.known}"
    match schema.step:
        case "current":
            return ok("database", f"{where}, at schema {schema.found}")
        case "newer":
            return fail("database", seen, "Start the version of the program that migrated it, or restore a backup.")
        case _ if settings.migrate:
            return warn("database", seen, "The bot migrates it when it starts; make a backup first.")
        case _:
            return fail("database", seen, "Make a backup, then run signoff migrate.")


def _writing(examined: Examined) -> list[Finding]:
    if examined.unwritable is None:
        return []
    return [fail("database", f"cannot be written to: it {examined.unwritable}", "Mend that; nothing can be decided.")]


def _places(place: Place) -> list[Finding]:
    free = f"{place.free / GB:,.1f} GB free, {place.size / MB:,.1f} MB used"
    findings = [ok("disk", free)]
    if place.free < SOME:
        how = fail if place.free < LITTLE else warn
        findings = [how("disk", free, "Free some space; signoff purge takes old runs out of the database.")]
    if place.log > LONG_LOG:
        seen = f"its write-ahead log has grown to {place.log / MB:,.0f} MB"
        findings.append(warn("disk", seen, "Something reads without end: see what else has the file open."))
    if place.others_may_read:
        findings.append(warn("database", "others on this machine may read the file", "chmod 600 it."))
    return findings


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."

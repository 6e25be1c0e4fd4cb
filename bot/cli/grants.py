"""`signoff grants`: what is allowed without asking at the moment, and the end of it."""

from datetime import datetime
from typing import Any

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.grants import what_words
from blocks.text import one_line
from bot import clock
from bot.cli.records import opened, person_id
from bot.cli.show import fail, moment, out, print_json, print_table, safe
from bot.settings import Settings

COLUMNS = ("id", "for", "what", "used", "until", "approved by")


async def list_grants(*, as_json: bool) -> None:
    async with opened(Settings.load()) as store:
        found = await store.grants.live(now=clock.now())
    if as_json:
        print_json([_facts(grant) for grant in found])
    elif found:
        print_table(COLUMNS, [(_row(grant), None) for grant in found])
    else:
        out.print("No standing grant is in force.")


async def revoke_grant(given: str, person: str) -> None:
    by, now = person_id(person), clock.now()
    async with opened(Settings.load()) as store:
        grant = await store.grants.get(given.strip().lower())
        if grant is None:
            fail(f"There is no standing grant {given!r}. `signoff grants list` shows their ids.")
        if not grant.is_live(now):
            fail(f"The standing grant {grant.id} is over already: used up, revoked, or past {moment(grant.until)}.")
        await store.grants.revoke(grant.id, person=by, via="command line", now=now)
    out.print(f"Revoked: {safe(_what(grant))}. {safe(grant.holder)} and whoever approved it are told.")


def _what(grant: GrantRecord) -> str:
    return one_line(what_words(grant.terms.action_name, grant.terms.where))


def _row(grant: GrantRecord) -> tuple[str, ...]:
    used = f"{grant.used} of {grant.terms.times}"
    return grant.id, grant.holder, _what(grant), used, moment(grant.until), ",".join(grant.approved_by)


def _facts(grant: GrantRecord) -> dict[str, Any]:
    return {
        "id": grant.id,
        "holder": grant.holder,
        "action": grant.terms.action_id,
        "where": grant.terms.where,
        "used": grant.used,
        "times": grant.terms.times,
        "granted_at": _iso(grant.granted_at),
        "until": _iso(grant.until),
        "approved_by": list(grant.approved_by),
    }


def _iso(at: datetime) -> str:
    return at.isoformat()

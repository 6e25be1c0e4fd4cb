"""For whom the groups, managers and rotas of policies stand now, and where nobody knows them."""

import asyncio
from collections.abc import Iterable, Sequence

from actions.kit.policies.deciders import Lookup, ManagerOf, Requester
from blocks.deciding import decider_said
from blocks.said import in_plain
from bot.directory.directory import Directory
from bot.doctor.findings import Finding, fail, ok, warn
from bot.doctor.places import named_words
from bot.engine.people import CouldNotVerify, UnknownName

NAMED = 5
AGAIN = "Try again, and see the scopes above."


async def lookup_finding(
    directory: Directory, lookup: Lookup, whos: Sequence[str], requester: str | None = None
) -> Finding:
    """One decider that is looked up: the people for whom it stands, and from where that is known.

    Whose manager is meant by `Requester()` is known only with a requester.
    """
    check, by = in_plain(decider_said(lookup, requester)), f"named by {named_words(whos)}"
    try:
        await directory.check(lookup)
        if requester is None and isinstance(lookup, ManagerOf) and isinstance(lookup.of, Requester):
            return ok(check, f"looked up for whoever asks, {await directory.managers_source()}; {by}")
        found = await directory.found(lookup, requester=requester or "")
    except UnknownName as unknown:
        return fail(check, f"{unknown.what}; {by}", unknown.advice)
    except CouldNotVerify as error:
        return warn(check, f"could not be looked up: {error}; {by}", AGAIN)
    if found.strangers:
        seen = f"{', '.join(found.strangers[:NAMED])}: nobody in Slack ({found.source}); {by}"
        return warn(check, seen, "Correct the people file, or the calendar.")
    if not found.people:
        return warn(check, f"nobody now ({found.source}); {by}", "See that somebody is there before it is asked.")
    return ok(check, f"{await _names(directory, found.people)} ({found.source}); {by}")


async def _names(directory: Directory, found: Iterable[str]) -> str:
    people = sorted(found)
    names = await asyncio.gather(*(_name(directory, person) for person in people[:NAMED]))
    more = f" and {len(people) - NAMED} more" if len(people) > NAMED else ""
    return f"{', '.join(names)}{more}"


async def _name(directory: Directory, person: str) -> str:
    try:
        facts = await directory.person(person)
    except CouldNotVerify:
        return person
    if facts is None:
        return f"{person} (nobody in Slack)"
    return f"{facts.name} (has left Slack)" if facts.is_deleted else facts.name

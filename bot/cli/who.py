"""`signoff who`: who would decide a request, stage by stage, and from where each of them comes. Nothing is started."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import NoReturn

from actions.kit.action import Action
from actions.kit.registry import Registry
from blocks.text import is_person_id
from bot import clock, logs
from bot.cli.catalogue import unknown_action
from bot.cli.fields import read_input
from bot.cli.records import opened
from bot.cli.show import err, fail, out, print_json, safe
from bot.cli.starting import checked
from bot.directory.directory import Directory, open_directory
from bot.directory.who import Somebody, StageWho, Who, who_decides
from bot.engine.people import CouldNotVerify
from bot.engine.stand_ins import StandIns
from bot.settings import Settings
from bot.slack.client import open_clients
from storage.errors import DatabaseError, MissingDatabaseError

QUIET = "error"
PATIENCE = 15.0
"""Seconds for one look-up; nobody waits for an acknowledgement here."""


async def tell_who(
    action_id: str, fields: Sequence[str], input_json: str | None, person: str, *, as_json: bool
) -> None:
    """Check the input, look everybody up, and print who would decide it if `person` asked now."""
    logs.set_up("console", QUIET)
    settings = Settings.load()
    if settings.bot_token is None:
        fail("SLACK_BOT_TOKEN is not set, and Slack knows who people are. Put it into the environment or into .env.")
    registry = Registry.load(settings.actions)
    action = registry.get(action_id) or unknown_action(action_id, registry)
    text = await checked(action, read_input(fields, input_json, action.input_schema))
    async with (
        open_clients(settings.bot_token.get_secret_value(), settings.slack_api_url) as clients,
        open_directory(
            clients.reader,
            settings.people_file,
            settings.manager_field,
            budget=PATIENCE,
            away_statuses=settings.away_status,
        ) as directory,
    ):
        requester = await _requester(directory, person)
        found = await _who(settings, directory, action, text, requester)
    if as_json:
        print_json({"action": action.id, "requester": requester, **asdict(found)})
        return
    _print(action, requester, found)


async def _who(settings: Settings, directory: Directory, action: Action, text: str, requester: str) -> Who:
    """Who is away is known to the bot's database alone; where there is none yet, nobody is."""
    bound = action.bound(text)
    approval = bound.resume().shape.is_approval
    look = partial(who_decides, directory, bound.policy, json.loads(text), requester=requester, approval=approval)
    try:
        async with opened(settings) as store:
            return await look(stand_ins=StandIns(store.absences, directory, now=clock.now))
    except MissingDatabaseError:
        return await look()
    except DatabaseError as error:
        err.print(f"Who is away is not told: {safe(str(error))}.")
        return await look()


async def _requester(directory: Directory, person: str) -> str:
    """The Slack id of whoever would ask, given by id or e-mail."""
    if is_person_id(person):
        return person
    if "@" not in person:
        _no_requester(person)
    try:
        facts = await directory.by_email(person)
    except CouldNotVerify as error:
        fail(f"{person} could not be looked up in Slack: {error}.")
    if facts is None:
        fail(f"Nobody in Slack has the e-mail address {person!r}.")
    return facts.id


def _no_requester(person: str) -> NoReturn:
    given = f", and {person!r} is neither" if person else ""
    fail(f"--as says who would ask: a Slack id such as U012ABCDEF, or an e-mail address{given}.")


def _print(action: Action, requester: str, who: Who) -> None:
    out.print(f"If [bold]{safe(requester)}[/] asked for [bold]{safe(action.name)}[/] now:")
    for stage in who.stages:
        _print_stage(stage, len(who.stages))
    if who.pacing:
        out.print(f"\nWhile nobody decides: {safe('; '.join(who.pacing))}")
    if who.skipped:
        out.print(f"\nNot asked: {safe(who.skipped)}")


def _print_stage(stage: StageWho, total: int) -> None:
    title = f"Stage {stage.number} of {total}: " if total > 1 else ""
    out.print(f"\n[bold]{title}{safe(stage.says)}[/]")
    for person in stage.people:
        _print_person(person)
    if stage.more:
        out.print(f"  … and {stage.more:,} more, who were not looked at one by one")
    for note in stage.notes:
        out.print(f"  [yellow]![/] {safe(note)}")
    if not stage.more and len(stage.able) < stage.needed:
        out.print(f"  [bold red]✘ It needs {stage.needed}, and {len(stage.able) or 'nobody'} can decide.[/]")


def _print_person(person: Somebody) -> None:
    mark = "[green]✔[/]" if person.refused is None else "[red]✘[/]"
    why = "; ".join(person.sources) if person.refused is None else "; ".join((person.refused, *person.sources))
    away = f" · {safe(person.away)}" if person.away else ""
    out.print(f"  {mark} {safe(person.name)} ({safe(person.id)}): {safe(why)}{away}")

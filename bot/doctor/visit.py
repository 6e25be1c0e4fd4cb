"""All checks, in the order in which one would mend what they find. What cannot be checked without another is left out."""

from collections.abc import Callable, Sequence
from pathlib import Path

from actions.kit.action import Action
from actions.kit.records import Card
from actions.kit.registry import Registry, RegistryError
from bot import clock
from bot.doctor.database import database_findings
from bot.doctor.engine import engine_findings
from bot.doctor.findings import Finding, fail, ok
from bot.doctor.manifest import manifest_finding
from bot.doctor.named import Named, named_by
from bot.doctor.people import decider_finding, operator_findings
from bot.doctor.places import channel_finding
from bot.doctor.slack import Met, clock_finding, meet, scope_findings, token_finding, way_in_finding
from bot.settings import Settings, SettingsError
from bot.slack.client import open_clients
from bot.slack.directory import Directory
from storage.database import Database
from storage.errors import DatabaseError
from storage.results import Backlog
from storage.store import Store

PATIENCE = 15.0
"""Seconds for one look-up in Slack; nobody waits for an acknowledgement here."""

Tell = Callable[[int, int], None]


async def examine(manifest: Path, tell: Tell) -> list[Finding]:
    """Look at everything; `tell` hears how many of the look-ups in Slack are done."""
    try:
        settings = Settings.load()
    except SettingsError as error:
        return [fail("settings", mistake, "Correct it in the environment or in .env.") for mistake in error.mistakes]
    actions, findings = _actions(settings)
    findings = [*_tokens(settings), *findings, manifest_finding(manifest)]
    stored, cards, rest = await _database(settings)
    return [*findings, *stored, *await _slack(settings, named_by(actions, cards), tell), *rest]


def _tokens(settings: Settings) -> list[Finding]:
    try:
        settings.check_slack()
    except SettingsError as error:
        return [fail("settings", mistake, "Set it in the environment or in .env.") for mistake in error.mistakes]
    return [ok("settings", f"complete, for {'Socket Mode' if settings.way_in == 'socket' else 'HTTP'}")]


def _actions(settings: Settings) -> tuple[Sequence[Action], list[Finding]]:
    try:
        actions = Registry.load(settings.actions).actions
    except RegistryError as error:
        return (), [fail("actions", mistake, "The bot does not start with it.") for mistake in error.mistakes]
    return actions, [ok("actions", ", ".join(action.id for action in actions))]


async def _database(settings: Settings) -> tuple[list[Finding], Sequence[Card], list[Finding]]:
    """What is said of the database, the questions that wait in it, and what is said of the engine."""
    findings, is_readable = await database_findings(settings)
    if not is_readable:
        return findings, (), []
    try:
        cards, backlog = await _rows(settings.database_url)
    except DatabaseError as error:
        return [*findings, fail("database", str(error), "See its log and its disk.")], (), []
    return findings, cards, engine_findings(backlog, clock.now())


async def _rows(url: str) -> tuple[Sequence[Card], Backlog]:
    async with Database(url, migrate=False, create=False) as database:
        store = Store(database)
        return await store.pending(), await store.backlog(now=clock.now())


async def _slack(settings: Settings, named: Named, tell: Tell) -> list[Finding]:
    if settings.bot_token is None:
        return []
    async with open_clients(settings.bot_token.get_secret_value(), settings.slack_api_url) as clients:
        met = await meet(clients.reader)
        if isinstance(met, Finding):
            return [met]
        directory = Directory(clients.reader, budget=PATIENCE)
        try:
            way_in = await way_in_finding(settings, clients.reader)
            known = [token_finding(met), way_in, *scope_findings(met), clock_finding(met)]
            return [
                *known,
                *await _policies(directory, named, met, tell),
                *await operator_findings(directory, settings.admins),
            ]
        finally:
            await directory.close()


async def _policies(directory: Directory, named: Named, met: Met, tell: Tell) -> list[Finding]:
    findings: list[Finding] = []
    total = len(named.channels) + len(named.people)
    for channel, whos in named.channels.items():
        findings.append(await channel_finding(directory, channel, whos, met.scopes))
        tell(len(findings), total)
    for person, whos in named.people.items():
        findings.append(await decider_finding(directory, person, whos))
        tell(len(findings), total)
    return findings

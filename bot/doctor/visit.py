"""All checks, in the order in which one would mend what they find. What cannot be checked without another is left out."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from slack_sdk.web.async_client import AsyncWebClient

from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Card
from actions.kit.registry import Registry, RegistryError
from blocks.life import NOTHING, Life, Missing
from bot import clock
from bot.directory.directory import Directory, open_directory
from bot.doctor.database import database_findings
from bot.doctor.engine import engine_findings
from bot.doctor.findings import Finding, fail, ok, warn
from bot.doctor.lookups import lookup_finding
from bot.doctor.manifest import manifest_finding
from bot.doctor.named import Named, named_by
from bot.doctor.people import decider_finding, operator_findings
from bot.doctor.places import channel_finding
from bot.doctor.questions import question_findings
from bot.doctor.run import answering_findings, run_findings
from bot.doctor.slack import Met, clock_finding, meet, scope_findings, token_finding, way_in_finding
from bot.engine.lives import missing_of
from bot.settings import Settings, SettingsError
from bot.slack.client import open_clients
from bot.yaml_file import FileError
from storage.database import Database
from storage.errors import DatabaseError
from storage.results import Backlog
from storage.store import Store

PATIENCE = 15.0
"""Seconds for one look-up in Slack; nobody waits for an acknowledgement here."""

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Slack:
    """What is looked up with, and what Slack said of the token."""

    client: AsyncWebClient
    directory: Directory
    met: Met


async def examine(manifest: Path, tell: Tell) -> list[Finding]:
    """Look at everything; `tell` hears how many of the look-ups in Slack are done."""
    try:
        settings = Settings.load()
    except SettingsError as error:
        return [fail("settings", mistake, "Correct it in the environment or in .env.") for mistake in error.mistakes]
    registry, findings = _actions(settings)
    findings = [*_tokens(settings), *findings, manifest_finding(manifest)]
    stored, cards, rest = await _database(settings, registry)
    named = named_by(registry.actions if registry else (), cards)
    return [*findings, *stored, *await _slack(settings, partial(_everybody, settings, named, tell)), *rest]


async def examine_run(settings: Settings, life: Life) -> list[Finding]:
    """Look at one run, and at those in Slack who are to answer what it asks."""
    findings, card = run_findings(life, clock.now()), life.pending
    if card is None:
        return findings
    if settings.bot_token is None:
        unseen = warn("bot token", "Slack was not looked at", "Set SLACK_BOT_TOKEN in the environment or in .env.")
        return [*findings, unseen]
    return [*findings, *await _slack(settings, partial(_answering, card))]


def _tokens(settings: Settings) -> list[Finding]:
    try:
        settings.check_slack()
    except SettingsError as error:
        return [_mistaken(mistake) for mistake in error.mistakes]
    return [ok("settings", f"complete, for {'Socket Mode' if settings.way_in == 'socket' else 'HTTP'}")]


def _mistaken(mistake: str) -> Finding:
    """The first sentence says what is wrong, the second how to mend it."""
    seen, _, fix = mistake.partition(". ")
    return fail("settings", seen, fix)


def _actions(settings: Settings) -> tuple[Registry | None, list[Finding]]:
    try:
        registry = Registry.load(settings.actions)
    except RegistryError as error:
        return None, [fail("actions", mistake, "The bot does not start with it.") for mistake in error.mistakes]
    return registry, [ok("actions", ", ".join(action.id for action in registry.actions))]


async def _database(
    settings: Settings, registry: Registry | None
) -> tuple[list[Finding], Sequence[Card], list[Finding]]:
    """What is said of the database, the questions that wait in it, and what is said of the engine."""
    findings, is_readable = await database_findings(settings)
    if not is_readable:
        return findings, (), []
    try:
        cards, refused, backlog = await _rows(settings.database_url)
    except DatabaseError as error:
        return [*findings, fail("database", str(error), "See its log and its disk.")], (), []
    now = clock.now()
    missing = partial(missing_of, registry) if registry else _nothing
    return findings, cards, [*engine_findings(backlog, now), *question_findings(cards, refused, missing, now)]


async def _rows(url: str) -> tuple[Sequence[Card], Sequence[AuditRecord], Backlog]:
    async with Database(url, migrate=False, create=False) as database:
        store = Store(database)
        return await store.pending(), await store.refused_answers(), await store.backlog(now=clock.now())


def _nothing(_: Card) -> Missing:
    """Where the actions do not load, all of them are missing, and that is told."""
    return NOTHING


async def _slack(settings: Settings, look: Callable[[_Slack], Awaitable[list[Finding]]]) -> list[Finding]:
    if settings.bot_token is None:
        return []
    async with open_clients(settings.bot_token.get_secret_value(), settings.slack_api_url) as clients:
        met = await meet(clients.reader)
        if isinstance(met, Finding):
            return [met]
        try:
            async with open_directory(
                clients.reader, settings.people_file, settings.manager_field, budget=PATIENCE
            ) as directory:
                return await look(_Slack(clients.reader, directory, met))
        except FileError as error:
            return [fail("people file", mistake, "The bot does not start with it.") for mistake in error.mistakes]


async def _everybody(settings: Settings, named: Named, tell: Tell, slack: _Slack) -> list[Finding]:
    met = slack.met
    way_in = await way_in_finding(settings, slack.client)
    return [
        *[token_finding(met), way_in, *scope_findings(met), clock_finding(met)],
        *await _policies(slack.directory, named, met, tell),
        *await operator_findings(slack.directory, settings.admins),
    ]


async def _answering(card: Card, slack: _Slack) -> list[Finding]:
    return await answering_findings(slack.directory, card, slack.met)


async def _policies(directory: Directory, named: Named, met: Met, tell: Tell) -> list[Finding]:
    findings: list[Finding] = []
    total = len(named.channels) + len(named.people) + len(named.lookups)
    for channel, whos in named.channels.items():
        findings.append(await channel_finding(directory, channel, whos, met.scopes))
        tell(len(findings), total)
    for person, whos in named.people.items():
        findings.append(await decider_finding(directory, person, whos))
        tell(len(findings), total)
    for lookup, whos in named.lookups.items():
        findings.append(await lookup_finding(directory, lookup, whos))
        tell(len(findings), total)
    return findings

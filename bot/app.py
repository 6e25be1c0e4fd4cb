"""The composition root: builds every part, in order, and closes them in reverse. Nothing else knows all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from pydantic import SecretStr
from slack_bolt.async_app import AsyncApp

from actions.kit.agents.declared import prepare
from actions.kit.registry import Registry
from bot import clock
from bot.api.app import mount_api
from bot.directory.directory import Directory, open_directory
from bot.directory.known import refuse_unknown_names
from bot.engine.changes import Changes
from bot.engine.engine import EmbeddedEngine
from bot.engine.going_away import GoingAway
from bot.engine.reconcile import Reconciled
from bot.engine.runner import Runner
from bot.engine.stand_ins import StandIns
from bot.engine.sweeps import Sweeps
from bot.engine.tasks import OwnedTasks
from bot.health import Vitals, health_routes, over_http
from bot.hooks.postman import Postman
from bot.hooks.reach import Reach
from bot.hooks.sender import Sender
from bot.metrics import Metrics, metrics_routes
from bot.server import application_of, http_server
from bot.settings import Settings
from bot.slack.away import AwayDesk
from bot.slack.bolt import OnAck, make_app
from bot.slack.client import Identity, SlackClients, identify, open_clients
from bot.slack.commands import Commands
from bot.slack.details import DetailsModal
from bot.slack.digests import Digests
from bot.slack.home import HomeTab
from bot.slack.home_drawing import HomeDrawing
from bot.slack.home_publisher import HomePublisher
from bot.slack.listeners import Listeners
from bot.slack.mentions import Mentions
from bot.slack.modals import Modals
from bot.slack.names import Names
from bot.slack.posting import Posting
from bot.slack.publisher import Publisher
from bot.slack.quoting import Quoting
from bot.slack.results import ResultModal
from bot.slack.shortcuts import Starts
from bot.slack.transport import slack_routes, socket_transport
from bot.slack.uploads import Uploads
from bot.slack.whispers import Whispers
from storage.database import Database
from storage.store import Store

DRAIN = 10.0


@dataclass(frozen=True, slots=True)
class Signoff:
    """The running bot. `database` names it without its password; `address` is where HTTP listens, if it does."""

    identity: Identity
    registry: Registry
    store: Store
    runner: Runner
    reconciled: Reconciled
    database: str
    address: tuple[str, int] | None
    vitals: Vitals


@asynccontextmanager
async def running(settings: Settings, registry: Registry) -> AsyncIterator[Signoff]:
    """The whole bot, from the database to the transport, until the block ends.

    Raises `SettingsError`, `FileError`, `UnknownNamesError`, `DatabaseError`, `SlackError`, `AddressError`, and what
    opening the team's resources raises.
    """
    settings.check_slack()
    prepare(registry.actions)
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(Database(settings.database_url, migrate=settings.migrate))
        metrics = Metrics([action.id for action in registry.actions])
        clients = await stack.enter_async_context(
            open_clients(secret(settings.bot_token), settings.slack_api_url, on_error=metrics.slack_failed)
        )
        identity = await identify(clients.reader)
        directory = await stack.enter_async_context(
            open_directory(
                clients.reader, settings.people_file, settings.manager_field, away_statuses=settings.away_status
            )
        )
        await refuse_unknown_names(directory, registry.actions)

        engine, due, changes, to_send = EmbeddedEngine(), asyncio.Event(), Changes(), asyncio.Event()
        homes_due = asyncio.Event()
        store = Store(
            database,
            on_wake=engine.wake,
            on_change=due.set,
            on_run_change=changes.tell,
            on_delivery=to_send.set,
            on_home=homes_due.set,
        )
        runner = Runner(
            store=store,
            registry=registry,
            directory=directory,
            engine=engine,
            operators=settings.admins,
            watch=metrics,
        )
        stand_ins = StandIns(store.absences, directory, now=clock.now)
        drawing = HomeDrawing(store, directory, stand_ins, digest_hour=settings.digest_hour)
        publisher = Publisher(
            store,
            Posting(clients.writer, bot_user=identity.bot_user),
            directory,
            drawing,
            due=due,
            owner=runner.owner,
            check_cards=settings.check_cards,
        )
        publisher.start()
        stack.push_async_callback(publisher.stop)
        homes = HomePublisher(
            store, clients.writer, drawing, due=homes_due, owner=runner.owner, check_views=settings.check_cards
        )
        homes.start()
        stack.push_async_callback(homes.stop)
        reach = Reach(hosts=settings.webhook_hosts, insecure=settings.webhook_insecure)
        await _send_webhooks(stack, reach, store, due=to_send, owner=runner.owner)
        stack.push_async_callback(runner.close)
        reconciled = await runner.open()
        digests = Digests(store, directory, drawing, hour=settings.digest_hour)
        sweeps = Sweeps(runner, republish=due.set, digests=digests.sweep)
        sweeps.start()
        stack.callback(sweeps.stop)
        bolt = _listening(
            settings,
            clients,
            identity,
            runner=runner,
            registry=registry,
            store=store,
            drawing=drawing,
            stand_ins=stand_ins,
            digests=digests,
            directory=directory,
            tasks=await _owned(stack),
            on_ack=metrics.acknowledged,
        )
        vitals = Vitals(database, runner, publisher, sweeps)
        stack.push_async_callback(vitals.close)
        application = application_of([*health_routes(vitals), *metrics_routes(metrics, vitals)])
        mount_api(
            application,
            runner=runner,
            store=store,
            registry=registry,
            directory=directory,
            changes=changes,
            operators=settings.admins,
            reach=reach,
        )
        address = await _take_requests(stack, settings, application, bolt, vitals)
        yield Signoff(identity, registry, store, runner, reconciled, database.where, address, vitals)


async def _send_webhooks(stack: AsyncExitStack, reach: Reach, store: Store, *, due: asyncio.Event, owner: str) -> None:
    postman = await stack.enter_async_context(Postman(reach, now=clock.now))
    sender = Sender(store, postman, due=due, owner=owner)
    sender.start()
    stack.push_async_callback(sender.stop)


async def _owned(stack: AsyncExitStack) -> OwnedTasks:
    tasks = OwnedTasks()
    stack.push_async_callback(tasks.drain, DRAIN)
    return tasks


def _listening(
    settings: Settings,
    clients: SlackClients,
    identity: Identity,
    *,
    runner: Runner,
    registry: Registry,
    store: Store,
    drawing: HomeDrawing,
    stand_ins: StandIns,
    digests: Digests,
    directory: Directory,
    tasks: OwnedTasks,
    on_ack: OnAck,
) -> AsyncApp:
    whispers = Whispers(clients.reader, clients.session, slack_api_url=settings.slack_api_url)
    modals = Modals(clients.writer, whispers, tasks)
    away = AwayDesk(
        going_away=GoingAway(store.absences, directory, now=clock.now),
        stand_ins=stand_ins,
        drawing=drawing,
        modals=modals,
        whispers=whispers,
        tasks=tasks,
    )
    commands = Commands(runner, registry, modals, drawing, away=away, digests=digests)
    quoting = Quoting(clients.reader, directory)
    starts = Starts(runner=runner, registry=registry, quoting=quoting, modals=modals, whispers=whispers, tasks=tasks)
    uploads = Uploads(clients.writer, clients.session)
    app = make_app(clients.reader, identity, on_ack=on_ack)
    Listeners(
        runner=runner,
        commands=commands,
        starts=starts,
        home=HomeTab(store),
        away=away,
        digests=digests,
        mentions=Mentions(
            runner=runner,
            registry=registry,
            agent=settings.agent,
            bot_user=identity.bot_user,
            whispers=whispers,
            tasks=tasks,
        ),
        details=DetailsModal(runner, modals, Names(directory), uploads),
        results=ResultModal(store, runner, directory, modals, uploads),
        modals=modals,
        whispers=whispers,
        tasks=tasks,
    ).register(app)
    return app


async def _take_requests(
    stack: AsyncExitStack, settings: Settings, application: web.Application, app: AsyncApp, vitals: Vitals
) -> tuple[str, int] | None:
    """Open the ways in, last of all: from here on Slack, and whoever else asks, is answered."""
    if settings.way_in == "http":
        application.add_routes(slack_routes(app, secret(settings.signing_secret)))
        vitals.is_connected = over_http
    port = settings.listens_on
    address = None if port is None else await stack.enter_async_context(http_server(application, settings.host, port))
    if settings.way_in == "socket":
        vitals.is_connected = await stack.enter_async_context(socket_transport(app, secret(settings.app_token)))
    return address


def secret(value: SecretStr | None) -> str:
    return value.get_secret_value() if value else ""

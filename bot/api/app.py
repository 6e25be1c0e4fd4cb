"""Puts the way in for programs together: the operations below `/v1`, and the document that describes them."""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from functools import cache
from itertools import chain

from aiohttp import web

from actions.kit.registry import Registry
from bot import clock
from bot.api.access import Access
from bot.api.authentication import Authentication
from bot.api.calls import JSON, Calls, answer_problems
from bot.api.catalogue import Catalogue
from bot.api.grants import Grants
from bot.api.interrupts import Interrupts
from bot.api.openapi import PREFIX, as_json, document
from bot.api.runs import Runs
from bot.engine.changes import Changes
from bot.engine.facts import Entitlement
from bot.engine.granting import StandingGrants
from bot.engine.people import Directory
from bot.engine.runner import Runner
from bot.engine.stand_ins import StandIns
from bot.hooks.reach import Reach
from storage.store import Store

DOCUMENT_PATH = "/openapi.json"


def mount_api(
    application: web.Application,
    *,
    runner: Runner,
    store: Store,
    registry: Registry,
    directory: Directory,
    changes: Changes,
    operators: Collection[str],
    reach: Reach,
    now: Callable[[], datetime] = clock.now,
) -> None:
    """Serve `/v1/…` and `/openapi.json`. When the application shuts down, whoever waits is answered at once."""
    stand_ins = StandIns(store.absences, directory, now=now)
    entitlement = Entitlement(directory, stand_ins)
    access = Access(store, entitlement, operators)
    grants = StandingGrants(store=store, entitlement=entitlement, operators=operators, now=now)
    calls = Calls(Authentication(store, directory, now))
    operations = list(
        chain(
            Runs(runner, store, access, changes, reach).operations(),
            Interrupts(runner, store, access).operations(),
            Grants(grants, now).operations(),
            Catalogue(registry).operations(),
        )
    )
    api = web.Application(middlewares=[answer_problems])
    for operation in operations:
        api.router.add_route(operation.method, operation.path, calls.handler(operation))

    @cache
    def described() -> str:
        return as_json(document(operations))

    async def on_document(_: web.Request) -> web.Response:
        """Made when somebody first asks for it: that takes longer than all the rest of a start."""
        return web.Response(text=await asyncio.to_thread(described), content_type=JSON)

    async def send_home(_: web.Application) -> None:
        changes.close()

    application.router.add_get(DOCUMENT_PATH, on_document)
    application.on_shutdown.append(send_home)
    application.add_subapp(PREFIX, api)

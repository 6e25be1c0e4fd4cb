"""Programs that speak to the office's bot over HTTP, each as the person whom its token is bound to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from bot import clock
from bot.api.tokens import Scope, new_token
from tests.acceptance.office import Office
from tests.integration.api_room import Client

EVERYTHING = frozenset(Scope)


@asynccontextmanager
async def programs(office: Office) -> AsyncIterator[aiohttp.ClientSession]:
    address = office.bot.address
    assert address
    async with aiohttp.ClientSession(f"http://127.0.0.1:{address[1]}") as session:
        yield session


async def client(office: Office, session: aiohttp.ClientSession, person: str, **values: Any) -> Client:
    given = {"scopes": EVERYTHING, "actions": frozenset(), "now": clock.now(), "expires_at": None, **values}
    made = new_token("a service", person, **given)
    await office.store.create_token(made.stored)
    return Client(session, made.shown)

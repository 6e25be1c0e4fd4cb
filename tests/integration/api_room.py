"""The way in for programs over a real socket, with a real engine and database behind it, and a workspace of a few people."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from actions import Action
from actions.kit.registry import Registry
from bot.api.app import mount_api
from bot.api.tokens import NewToken, Scope, new_token
from bot.engine.changes import Changes
from bot.hooks.reach import Reach
from bot.server import application_of, http_server
from tests.integration.engine_room import ANN, RITA, People, Room, engine_room

EVERYTHING = frozenset(Scope)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. Whatever is not a success is problem details."""

    status: int
    body: Any
    headers: Any

    @property
    def errors(self) -> dict[str, str]:
        """What is wrong, by the place that it is told at."""
        return {
            error.get("pointer") or error.get("parameter") or error.get("header", ""): error["message"]
            for error in self.body["errors"]
        }


@dataclass(frozen=True, slots=True)
class Client:
    """A program with a token, or (`secret` empty) without."""

    session: aiohttp.ClientSession
    secret: str

    async def ask(self, method: str, path: str, **more: Any) -> Reply:
        headers = {**({"Authorization": f"Bearer {self.secret}"} if self.secret else {}), **more.pop("headers", {})}
        async with self.session.request(method, path, headers=headers, **more) as response:
            body: Any = await response.json(content_type=None) if response.status != 304 else None
            if response.status >= 400:
                assert response.content_type == "application/problem+json"
                assert body["status"] == response.status
            return Reply(response.status, body, response.headers)

    async def get(self, path: str, **more: Any) -> Reply:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> Reply:
        given = {} if body is None else {"json": body}
        return await self.ask("POST", path, **given, **more)

    async def start(self, action: str, given: Any, *, webhook: Any = None, **more: Any) -> Reply:
        told = {} if webhook is None else {"webhook": webhook}
        return await self.post("/v1/runs", {"action": action, "input": given, **told}, **more)

    async def answer(self, interrupt: str, **body: Any) -> Reply:
        return await self.post(f"/v1/interrupts/{interrupt}/answer", body)


@dataclass(frozen=True, slots=True)
class Api:
    room: Room
    session: aiohttp.ClientSession
    changes: Changes
    application: web.Application

    async def token(self, person: str, **values: Any) -> NewToken:
        made = new_token(
            "a program",
            person,
            **{
                "scopes": EVERYTHING,
                "actions": frozenset(),
                "now": self.room.clock.now(),
                "expires_at": None,
                **values,
            },
        )
        await self.room.store.create_token(made.stored)
        return made

    async def client(self, person: str = RITA, **values: Any) -> Client:
        return Client(self.session, (await self.token(person, **values)).shown)

    async def asked(self, client: Client, action: str, given: Any) -> str:
        """The id of the question of a run that a program starts."""
        started = await client.start(action, given)
        assert started.status == 201, started
        run = await self.room.store.run(started.body["id"])
        assert run
        return (await self.room.asked(run)).interrupt.id


@asynccontextmanager
async def api_room(
    place: Path,
    *actions: Action,
    url: str | None = None,
    operators: Collection[str] = (),
    people: People | None = None,
) -> AsyncIterator[Api]:
    changes = Changes()
    async with engine_room(
        place, *actions, url=url, operators=operators, people=people, on_run_change=changes.tell
    ) as room:
        application = application_of([])
        mount_api(
            application,
            runner=room.runner,
            store=room.store,
            registry=Registry(actions),
            directory=room.people,
            changes=changes,
            operators=operators,
            reach=Reach(),
            now=room.clock.now,
        )
        async with (
            http_server(application, "127.0.0.1", 0) as (host, port),
            aiohttp.ClientSession(f"http://{host}:{port}") as session,
        ):
            yield Api(room, session, changes, application)


__all__ = ["ANN", "RITA", "Api", "Client", "Reply", "api_room"]

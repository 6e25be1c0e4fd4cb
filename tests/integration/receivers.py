"""A receiver of webhooks on this machine: it notes what arrives, and answers what a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Answering = Callable[["Arrival"], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Arrival:
    """One request, as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> Any:
        return json.loads(self.body)

    @property
    def event(self) -> str:
        return str(self.told["event"])

    @property
    def id(self) -> str:
        return self.headers["Signoff-Delivery"]


@dataclass
class Receiver:
    """`answers` is what comes back to each; until a test says otherwise, 204."""

    url: str = ""
    arrived: list[Arrival] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    answers: Answering | None = None

    def status(self, *statuses: int) -> None:
        """Answers with these, one after the other, and with the last of them for ever."""
        left = list(statuses)

        async def answer(_: Arrival) -> web.Response:
            return web.Response(status=left.pop(0) if len(left) > 1 else left[0])

        self.answers = answer

    @property
    def events(self) -> list[str]:
        return [arrival.event for arrival in self.arrived]

    async def gets(self, count: int, timeout: float = 10.0) -> list[Arrival]:
        """Everything that arrived, once it is so many."""
        async with asyncio.timeout(timeout), self.changed:
            await self.changed.wait_for(lambda: len(self.arrived) >= count)
        return self.arrived

    async def take(self, request: web.Request) -> web.StreamResponse:
        arrival = Arrival(dict(request.headers), await request.read())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        async with self.changed:
            self.arrived.append(arrival)
            self.changed.notify_all()
        try:
            return await self.answers(arrival) if self.answers else web.Response(status=204)
        finally:
            self.at_once -= 1


@asynccontextmanager
async def receiving(path: str = "/hook") -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = web.Application()
    app.router.add_post(path, receiver.take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}{path}"
    try:
        yield receiver
    finally:
        await runner.cleanup()

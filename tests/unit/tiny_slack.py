"""The least of a Slack that clients can talk to over real sockets: methods that answer as a test says, and a socket."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

DROP = web.Response()
"""An answer that never arrives: the connection breaks after the call."""

Answer = dict[str, Any] | web.Response
Method = Callable[[dict[str, Any]], Answer | Awaitable[Answer]]

OK = {"ok": True}


def failed(error: str, **more: Any) -> dict[str, Any]:
    return {"ok": False, "error": error, **more}


class TinySlack:
    def __init__(self) -> None:
        self.methods: dict[str, Method] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.url = ""
        self.acks: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.connected = asyncio.Event()
        self.hears = asyncio.Event()
        self.hears.set()
        self._socket: web.WebSocketResponse | None = None

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    def answer(self, method: str, answer: Answer) -> None:
        self.methods[method] = lambda _arguments: answer

    def called(self, method: str) -> list[dict[str, Any]]:
        return [arguments for name, arguments in self.calls if name == method]

    async def deliver(self, envelope: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send_json(envelope)

    async def on_call(self, request: web.Request) -> web.StreamResponse:
        arguments = dict(request.query)
        if request.can_read_body and request.content_type == "application/json":
            arguments |= await request.json()
        name = request.match_info["method"]
        self.calls.append((name, arguments))
        answer = self.methods.get(name, lambda _arguments: failed("unknown_method"))(arguments)
        if not isinstance(answer, dict | web.Response):
            answer = await answer
        if answer is DROP and request.transport is not None:
            request.transport.close()
            return web.Response()
        return web.json_response(answer) if isinstance(answer, dict) else answer

    async def on_socket(self, request: web.Request) -> web.WebSocketResponse:
        self._socket = web.WebSocketResponse()
        await self._socket.prepare(request)
        await self._socket.send_json({"type": "hello", "num_connections": 1})
        self.connected.set()
        await self.hears.wait()
        async for message in self._socket:
            if message.type == WSMsgType.TEXT:
                self.acks.put_nowait(json.loads(message.data))
        return self._socket


@asynccontextmanager
async def tiny_slack():
    slack = TinySlack()
    application = web.Application()
    application.router.add_route("*", "/api/{method}", slack.on_call)
    application.router.add_get("/link", slack.on_socket)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0]
    slack.url = f"http://{host}:{port}"
    socket = {**OK, "url": f"ws://{host}:{port}/link?ticket=sesame"}
    slack.answer("apps.connections.open", socket)
    slack.answer(
        "auth.test", {**OK, "team_id": "T0ACME", "team": "Acme", "user_id": "U0SIGNOFF", "bot_id": "B0SIGNOFF"}
    )
    try:
        yield slack
    finally:
        await runner.cleanup()

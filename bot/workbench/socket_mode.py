"""Socket Mode: connections that the bot opens, one of which carries each delivery, and the acks that come back on any."""

import asyncio
import json
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

from aiohttp import WSMsgType, web

from bot.workbench.bench import Bench
from bot.workbench.journal import Delivery

CONNECTIONS = 10  # https://docs.slack.dev/apis/events-api/using-socket-mode
TICKETS = 100  # that are known at a time; an app that asks for more connects with none of the older ones
Reason = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]


class NotConnected(Exception):  # noqa: N818 - a state of the line
    """The bot has no connection open."""


class SocketMode:
    """The app's open connections."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._tickets: dict[str, None] = {}
        self._open: list[web.WebSocketResponse] = []
        self._waiting: dict[str, asyncio.Future[Any]] = {}
        self._turn = 0

    @property
    def connections(self) -> int:
        return len(self._open)

    def new_url(self, origin: str) -> str:
        """Where to connect, once."""
        ticket = secrets.token_urlsafe(16)
        if len(self._tickets) >= TICKETS:
            del self._tickets[next(iter(self._tickets))]
        self._tickets[ticket] = None
        return f"{origin.replace('http', 'ws', 1)}/link/?ticket={ticket}&app_id={self._bench.workspace.app.id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=403, text="invalid ticket")
        del self._tickets[ticket]
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if len(self._open) >= CONNECTIONS:
            await self._bye(socket, "too_many_websockets")
            return socket
        self._open.append(socket)
        try:
            await socket.send_json(self._hello())
            self._bench.journal.noted(f"Socket Mode: a connection opened, {len(self._open)} in all")
            await self._listen(socket)
        finally:
            self._forget(socket)
        return socket

    async def deliver(self, delivery: Delivery) -> Any:
        """Send to one of the connections, in turn; the payload of the ack, `None` where it is empty.

        Waits for the ack as long as the caller lets it. Raises `NotConnected` where there is no connection.
        """
        future = self._waiting.get(delivery.envelope_id)
        if future is None:
            future = asyncio.get_running_loop().create_future()
            self._waiting[delivery.envelope_id] = future
        try:
            await self.send(delivery)
            return await asyncio.shield(future)
        finally:
            if self._waiting.get(delivery.envelope_id) is future:  # a later delivery of it may wait by now
                del self._waiting[delivery.envelope_id]

    async def send(self, delivery: Delivery) -> None:
        """Send without waiting for the ack; for a second copy of an envelope."""
        envelope: dict[str, Any] = {
            "envelope_id": delivery.envelope_id,
            "type": delivery.kind,
            "accepts_response_payload": delivery.accepts_response,
            "payload": delivery.payload,
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": delivery.retry_attempt, "retry_reason": delivery.retry_reason}
        await self._next().send_str(json.dumps(envelope))

    async def disconnect(self, reason: Reason = "refresh_requested", *, close: bool = True) -> None:
        """Tell all connections to go and, unless it is only a warning, close them."""
        for socket in list(self._open):
            if close and reason != "warning":
                await self._bye(socket, reason)
            else:
                await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "workbench"}})
                self._bench.journal.noted(f"Socket Mode: disconnect was announced ({reason})")

    async def refresh(self, warning: float = 0) -> None:
        """Close the connections of now as Slack does every few hours, with so many seconds of warning before.

        https://docs.slack.dev/apis/events-api/using-socket-mode
        """
        old = list(self._open)
        if warning:
            await self.disconnect("warning")
            await asyncio.sleep(warning)
        for socket in old:
            with suppress(ConnectionError):  # the app may have left by itself, as the warning asks it to
                await self._bye(socket, "refresh_requested")

    async def close(self) -> None:
        for socket in list(self._open):
            await socket.close()

    def _next(self) -> web.WebSocketResponse:
        if not self._open:
            raise NotConnected
        self._turn += 1
        return self._open[self._turn % len(self._open)]

    async def _listen(self, socket: web.WebSocketResponse) -> None:
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                with suppress(ValueError):
                    self._acked(json.loads(frame.data))

    def _acked(self, ack: Any) -> None:
        if not isinstance(ack, Mapping):
            return
        future = self._waiting.get(str(ack.get("envelope_id")))
        if future is not None and not future.done():
            future.set_result(ack.get("payload"))

    def _forget(self, socket: web.WebSocketResponse) -> None:
        if socket in self._open:
            self._open.remove(socket)
            self._bench.journal.noted(f"Socket Mode: a connection closed, {len(self._open)} left")

    async def _bye(self, socket: web.WebSocketResponse, reason: Reason) -> None:
        await socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "workbench"}})
        self._forget(socket)
        await socket.close()

    def _hello(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "num_connections": len(self._open),
            "debug_info": {
                "host": "workbench",
                "started": "",
                "build_number": 1,
                "approximate_connection_time": 3600,
            },
            "connection_info": {"app_id": self._bench.workspace.app.id},
        }

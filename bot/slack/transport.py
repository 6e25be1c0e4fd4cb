"""How Slack reaches the bot: a socket that the bot opens, or signed HTTP that Slack calls.

The socket is a context manager: entered, the bot takes requests; left, it takes no more and lets those in hand be
answered. For HTTP there are routes, which `bot.server` serves beside the others.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from aiohttp import ClientWebSocketResponse, WSMsgType, web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

from bot.logs import where
from bot.slack.client import UnreachableError, proxy_for, socket_url
from bot.slack.quiet import sdk_logger
from bot.slack.signatures import is_fresh, is_signed

EVENTS_PATH = "/slack/events"
CONNECT_SECONDS = 30.0
DRAIN_SECONDS = 10.0
QUIET_SECONDS = 0.05
"""For how long nothing may have come in before a socket counts as quiet."""

log = structlog.get_logger(__name__)


class _Handler(AsyncSocketModeHandler):
    """Bolt's handler, which knows how many requests are in hand."""

    client: SocketModeClient

    def __init__(self, app: AsyncApp, app_token: str) -> None:
        super().__init__(app, app_token, logger=sdk_logger())
        self.in_hand: set[asyncio.Task[Any]] = set()

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        task = asyncio.current_task()
        if task is None:
            return
        self.in_hand.add(task)
        try:
            await super().handle(client, req)
        except ConnectionError:
            log.warning("not_acknowledged", kind=req.type, reason="the connection is closed")
        except Exception as error:  # noqa: BLE001 - as over HTTP
            _tell_unreadable(error)
        finally:
            self.in_hand.discard(task)


@asynccontextmanager
async def socket_transport(app: AsyncApp, app_token: str) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
    """Socket Mode. Yields a function that tells whether the connection stands; the SDK renews it by itself.

    Raises `TokenRefusedError`, `UnreachableError` where the first connection cannot be had.
    """
    url = await socket_url(app.client, app_token)
    handler = _Handler(app, app_token)
    client = handler.client
    client.wss_uri = url
    client.proxy = proxy_for(url.replace("ws", "http", 1))
    try:
        await _connect(handler)
        yield client.is_connected
    finally:
        await _close(handler)


async def _connect(handler: _Handler) -> None:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await handler.client.connect()  # type: ignore[no-untyped-call]
    except TimeoutError:
        raise UnreachableError(handler.app.client.base_url, "no connection for Socket Mode") from None


async def _close(handler: _Handler) -> None:
    """Slack learns only by the closing that it should send nothing more: what it sent before is carried out as well.

    Whatever is taken until the socket is quiet is acknowledged; what crosses the closing counts, without an ack.
    """
    client = handler.client
    client.auto_reconnect_enabled = False
    await _quiet(handler)
    client.closed = True  # or the SDK's own loops would answer to the closing, and take what we want to read
    late = await _closed(client.current_session) if client.current_session is not None else []
    while not client.message_queue.empty():
        late.append(client.message_queue.get_nowait())
    await asyncio.gather(*(client.run_message_listeners(json.loads(each), each) for each in late))
    await _quiet(handler)
    await client.close()  # type: ignore[no-untyped-call]
    loops = (client.message_processor, client.current_session_monitor, client.message_receiver)
    await asyncio.gather(*(loop for loop in loops if loop is not None), return_exceptions=True)


async def _quiet(handler: _Handler) -> None:
    """Until nothing is in hand or about to be, `DRAIN_SECONDS` at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            is_quiet = False
            while not is_quiet:
                await asyncio.gather(*handler.in_hand, return_exceptions=True)
                await asyncio.sleep(QUIET_SECONDS)
                is_quiet = not handler.in_hand and handler.client.message_queue.empty()


class _Keeping:
    """Stands before a socket's reader, and keeps the requests that are read while the socket closes."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.kept: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    async def read(self) -> Any:
        message = await self._reader.read()
        if message.type is WSMsgType.TEXT and '"envelope_id"' in message.data:
            self.kept.append(message.data)
        return message


async def _closed(socket: ClientWebSocketResponse) -> list[str]:
    """Close, and tell which requests arrived before the other side had heard of it: aiohttp drops them unread."""
    keeping = _Keeping(socket._reader)  # noqa: SLF001 - there is no other way to what is still on the wire
    socket._reader = keeping  # type: ignore[assignment]  # noqa: SLF001 - as above
    await socket.close()
    return keeping.kept


def slack_routes(app: AsyncApp, signing_secret: str, *, clock: Callable[[], float] = time.time) -> list[web.RouteDef]:
    """The routes that Slack calls. They need an application of `bot.server`, which takes large bodies."""

    async def on_request(request: web.Request) -> web.Response:
        timestamp = request.headers.get("X-Slack-Request-Timestamp", "")
        signature = request.headers.get("X-Slack-Signature", "")
        if not signature or not is_fresh(timestamp, clock()):
            return _unsigned()
        body = await request.read()
        if not is_signed(signing_secret, timestamp, signature, body):
            return _unsigned()
        try:
            return await to_aiohttp_response(await app.async_dispatch(_parsed(request, body)))
        except Exception as error:  # noqa: BLE001 - Bolt answers for listeners that fail, and itself stumbles over junk
            _tell_unreadable(error)
            return web.json_response({"error": "unreadable request"}, status=400)

    return [web.post(EVENTS_PATH, on_request)]


def _unsigned() -> web.Response:
    return web.json_response({"error": "invalid request"}, status=401)


def _parsed(request: web.Request, body: bytes) -> AsyncBoltRequest:
    return AsyncBoltRequest(
        body=body.decode("utf-8"), query=request.query_string, headers=dict(request.headers.items())
    )


def _tell_unreadable(error: Exception) -> None:
    """Signed, and yet no request of Slack's: in the log without its words, which may quote it."""
    log.warning("unreadable_request", error=type(error).__name__, where=where(error))

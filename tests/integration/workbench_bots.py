"""Small bots of slack_bolt's, on either transport, that the tests of the workbench talk to."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.server import Workbench

Handler = Callable[[web.Request], Awaitable[web.Response]]

TRANSPORTS = ("socket", "http")


def client_of(workbench: Workbench) -> AsyncWebClient:
    return AsyncWebClient(token=workbench.bot_token, base_url=workbench.api_url, retry_handlers=[])


def app_of(workbench: Workbench) -> AsyncApp:
    return AsyncApp(client=client_of(workbench), signing_secret=workbench.signing_secret, process_before_response=True)


@asynccontextmanager
async def serving(app: AsyncApp, workbench: Workbench, transport: str) -> AsyncIterator[None]:
    if transport == "socket":
        async with over_socket(app, workbench):
            yield
    else:
        async with over_http(app, workbench):
            yield


@asynccontextmanager
async def over_socket(app: AsyncApp, workbench: Workbench) -> AsyncIterator[AsyncSocketModeHandler]:
    before = workbench.sockets.connections
    handler = AsyncSocketModeHandler(app, workbench.app_token)
    await handler.connect_async()
    assert await workbench.connected(connections=before + 1)
    try:
        yield handler
    finally:
        await handler.close_async()


@asynccontextmanager
async def over_http(app: AsyncApp, workbench: Workbench) -> AsyncIterator[None]:
    async def events(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    async with at_request_url(workbench, events):
        yield


@asynccontextmanager
async def answering(workbench: Workbench, answer: object) -> AsyncIterator[None]:
    """A bot that gives everybody the same answer, which no library has looked at."""

    async def events(_request: web.Request) -> web.Response:
        return web.Response(text=answer) if isinstance(answer, str) else web.json_response(answer)

    async with at_request_url(workbench, events):
        yield


@asynccontextmanager
async def at_request_url(workbench: Workbench, handler: Handler) -> AsyncIterator[None]:
    """Whatever this handler answers is what the bot answers over HTTP."""
    server = web.Application(client_max_size=4 * 1024 * 1024)
    server.add_routes([web.post("/slack/events", handler)])
    runner = web.AppRunner(server, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    workbench.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    try:
        yield
    finally:
        workbench.request_url = None
        await runner.cleanup()


def plain(text: str) -> dict:
    return {"type": "plain_text", "text": text}


def section(text: str) -> dict:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def button(label: str, action_id: str, **more) -> dict:
    return {"type": "button", "text": plain(label), "action_id": action_id, "value": label.lower(), **more}


def question(text: str = "Approve sending?") -> dict:
    """The text and blocks of a card with two buttons."""
    buttons = [button("Approve", "approve", style="primary"), button("Reject", "reject", style="danger")]
    blocks = [{"type": "header", "text": plain(text)}, {"type": "actions", "block_id": "choices", "elements": buttons}]
    return {"text": text, "blocks": blocks}


def reason_view(title: str = "Reject", **more) -> dict:
    """A modal with one required field."""
    field = {"type": "plain_text_input", "action_id": "value"}
    block = {"type": "input", "block_id": "reason", "label": plain("Reason"), "element": field}
    view = {"type": "modal", "callback_id": "answer", "title": plain(title), "submit": plain("Send")}
    return {**view, "blocks": [block], **more}

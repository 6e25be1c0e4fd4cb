"""The workbench as a whole: one local server that is Slack to the bot, and a web page to people."""

import os
import secrets
from collections.abc import Iterable
from contextlib import AsyncExitStack
from datetime import timedelta
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.workbench.acts import Acts
from bot.workbench.bench import Bench, OnClock, Timings
from bot.workbench.control import Control
from bot.workbench.delivery import Courier
from bot.workbench.driver import Tab
from bot.workbench.fault_catalogue import CataloguedFaults
from bot.workbench.file_server import FileServer
from bot.workbench.guards import harden, loopback, only_ourselves
from bot.workbench.http_delivery import HttpDelivery, local_url
from bot.workbench.journal import Ack, Call, Delivery, Journal
from bot.workbench.page_server import PageServer
from bot.workbench.replies import handle_response_url
from bot.workbench.seed import HINTS, acme
from bot.workbench.socket_mode import SocketMode
from bot.workbench.subscriptions import Subscriptions
from bot.workbench.web_api import WebApi
from bot.workbench.workspace import Workspace

BODY_LIMIT = 8 * 1024 * 1024


class PortError(Exception):
    """The workbench's port cannot be had: in use, or not allowed."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"the workbench cannot listen on {host}:{port}: {reason}")
        self.host, self.port, self.reason = host, port, reason


class Workbench:
    """A local Slack: `async with Workbench() as workbench` serves it until the block ends.

    The bot gets `api_url`, `bot_token`, and `app_token` (Socket Mode) or `signing_secret` (HTTP: set `request_url`
    to the bot's address and everything goes there instead). People open `url`. `strict` refuses what Slack would let
    pass to our harm: unknown arguments, missing notification texts. `on_clock` is called with the time by which
    deadlines are to come nearer; without it Slack's own come nearer instead. Raises `PortError` where the port is taken.
    """

    def __init__(
        self,
        *,
        workspace: Workspace | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        request_url: str | None = None,
        signing_secret: str | None = None,
        on_clock: OnClock | None = None,
        timings: Timings | None = None,
        strict: bool = True,
        hints: Iterable[str] = HINTS,
    ) -> None:
        self._host = loopback(host)
        self._port = port
        self.bench = Bench(
            workspace or acme(),
            signing_secret or secrets.token_hex(16),
            timings or Timings(),
            strict,
            tuple(hints),
            on_clock,
        )
        self.bench.request_url = None if request_url is None else local_url(request_url)
        self.sockets = SocketMode(self.bench)
        self._http = HttpDelivery(self.bench)
        self.courier = Courier(self.bench, self.sockets, self._http)
        self.subscriptions = Subscriptions(self.bench, self.courier)
        self.acts = Acts(self.bench, self.courier, self.subscriptions)
        self._page = PageServer(self.bench, self.acts, self.courier)
        self.faults.on_revoke = self._refuse_token
        self.faults.on_refresh = lambda warning: self.courier.in_background(self.sockets.refresh(warning))
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            raise PortError(self._host, self._port, os.strerror(error.errno or 0).lower()) from error
        host, port = self._runner.addresses[0][:2]
        self.bench.origin = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.faults.clear()
        async with AsyncExitStack() as ending:
            if self._runner is not None:
                ending.push_async_callback(self._runner.cleanup)
            ending.push_async_callback(self._http.close)
            ending.push_async_callback(self.sockets.close)
            ending.push_async_callback(self._page.close)
            ending.push_async_callback(self.courier.close)
            ending.push_async_callback(self.bench.schedule.close)

    # --- where it is, and how to get in

    @property
    def url(self) -> str:
        """The page."""
        return f"{self.bench.origin}/"

    @property
    def api_url(self) -> str:
        """The base URL of the Web API."""
        return f"{self.bench.origin}/api/"

    @property
    def bot_token(self) -> str:
        return self._token("bot")

    @property
    def app_token(self) -> str:
        return self._token("app")

    @property
    def signing_secret(self) -> str:
        return self.bench.signing_secret

    @property
    def request_url(self) -> str | None:
        """Where the bot takes signed HTTP; while it is set nothing goes over Socket Mode."""
        return self.bench.request_url

    @request_url.setter
    def request_url(self, url: str | None) -> None:
        self.bench.request_url = None if url is None else local_url(url)
        self.workspace.changes.happened()

    @property
    def on_clock(self) -> OnClock | None:
        """What brings the bot's deadlines forward; may be set once the bot is there."""
        return self.bench.on_clock

    @on_clock.setter
    def on_clock(self, hook: OnClock | None) -> None:
        self.bench.on_clock = hook
        self.workspace.changes.happened()

    # --- what is in it, and what happened

    @property
    def workspace(self) -> Workspace:
        return self.bench.workspace

    @property
    def faults(self) -> CataloguedFaults:
        return self.bench.faults

    @property
    def journal(self) -> Journal:
        return self.bench.journal

    @property
    def calls(self) -> list[Call]:
        """Every call of the Web API and of response URLs so far, oldest first."""
        return self.bench.journal.calls

    @property
    def acks(self) -> list[Ack]:
        """How the bot answered each delivery so far, oldest first."""
        return self.bench.journal.acks

    def calls_of(self, method: str, *, ok: bool | None = None) -> list[Call]:
        """The calls of one method; `ok` narrows to those that did or did not succeed."""
        return self.bench.journal.calls_of(method, ok=ok)

    def acks_of(self, kind: str) -> list[Ack]:
        """The acks of `block_actions`, `view_submission`, `view_closed`, `slash_commands` or `events_api`."""
        return self.bench.journal.acks_of(kind)

    @property
    def deliveries(self) -> list[Delivery]:
        return self.bench.journal.deliveries

    def deliveries_of(self, kind: str) -> list[Delivery]:
        """The deliveries of a type or kind: `block_actions`, `view_submission`, …, `slash_commands`, `events_api`."""
        return self.bench.journal.deliveries_of(kind)

    async def delivered(self, kind: str, *, times: int = 1, timeout: float = 10.0) -> bool:  # noqa: ASYNC109 - as `Changes.until`
        """Whether so many deliveries of a type or kind were sent within the time."""
        changes = self.workspace.changes
        return await changes.until(lambda: len(self.deliveries_of(kind)) >= times, timeout=timeout)

    def person(self, who: str) -> Tab:
        """One person's tab, by id or name: what they see and what they can do."""
        return Tab(self.bench, self.acts, who)

    async def move_clock(self, by: timedelta) -> None:
        """Bring deadlines forward, the bot's through `on_clock`, as the page's clock does."""
        await self.acts.move_clock(by)

    async def redeliver(self, delivery: Delivery) -> Ack:
        """Send to the bot once more what it was sent before, under the same envelope id."""
        return await self.courier.redeliver(delivery)

    async def connected(self, *, connections: int = 1, timeout: float = 10.0) -> bool:  # noqa: ASYNC109 - as `Changes.until`
        """Whether the bot had at least that many Socket Mode connections within the time."""
        changes = self.workspace.changes
        return await changes.until(lambda: self.sockets.connections >= connections, timeout=timeout)

    def _refuse_token(self, error: str | None) -> None:
        if error is None:
            self.workspace.restore(self.bot_token)
        else:
            self.workspace.revoke(self.bot_token, error=error)
            self.subscriptions.tell_of_revocation()

    def _token(self, kind: str) -> str:
        return next(token.value for token in self.workspace.tokens.values() if token.kind == kind)

    def _application(self) -> web.Application:
        application = web.Application(middlewares=[only_ourselves], client_max_size=BODY_LIMIT)
        application.on_response_prepare.append(harden)
        api = WebApi(self.bench, self.sockets)

        async def response_url(request: web.Request) -> web.StreamResponse:
            return await handle_response_url(self.bench, request)

        application.add_routes(
            [
                web.route("*", "/api/{method}", api.handle),
                web.get("/link/", self.sockets.handle),
                web.post("/actions/{secret}", response_url),
                *FileServer(self.bench).routes(),
                *Control(self.bench, self.acts, self.courier).routes(),
                *self._page.routes(),
            ]
        )
        return application

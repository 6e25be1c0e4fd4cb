"""The one HTTP server of the process: it answers Slack, programs, and whoever looks after the bot."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from aiohttp import web

MOST_BYTES = 4 * 1024 * 1024
"""A view of 250 KB is far larger once it is form-encoded; aiohttp's own default would refuse it."""

DRAIN_SECONDS = 10.0
"""How long requests in hand may take once the server takes no more."""


class AddressError(Exception):
    """The address to listen on cannot be had: in use, not ours, or not allowed."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"cannot listen on {host}:{port}: {reason}")
        self.host = host
        self.port = port
        self.reason = reason


def application_of(routes: Iterable[web.RouteDef]) -> web.Application:
    """An application that takes bodies as large as Slack's."""
    application = web.Application(client_max_size=MOST_BYTES)
    application.add_routes(routes)
    return application


@asynccontextmanager
async def http_server(application: web.Application, host: str, port: int) -> AsyncIterator[tuple[str, int]]:
    """Serve an application over HTTP. Yields the address that it listens on (port 0: any free one). Raises `AddressError`."""
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=DRAIN_SECONDS)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        address = runner.addresses[0]
        yield str(address[0]), int(address[1])
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise AddressError(host, port, error.strerror or type(error).__name__) from None

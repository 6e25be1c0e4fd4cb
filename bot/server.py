"""The one HTTP server of the process: it answers Slack, programs, and whoever looks after the bot."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from aiohttp import web

MOST_BYTES = 4 * 1024 * 1024
"""A view of 250 KB is far larger once it is form-encoded; aiohttp's own default would refuse it."""

DRAIN_SECONDS = 10.0
"""How long requests in hand may take once the server takes no more."""

TURNS = 5
"""Of the event loop, from an accepted socket to a connection that the server knows."""


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
    listening: list[socket.socket] = []
    try:
        async for each in _bound(host, port):
            listening.append(each)
            await web.SockSite(runner, each).start()
        address = runner.addresses[0]
        yield str(address[0]), int(address[1])
    finally:
        await _accept_no_more(listening)
        await runner.cleanup()


async def _bound(host: str, port: int) -> AsyncIterator[socket.socket]:
    """A socket for each address of the host."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, address[:2]) for family, *_, address in found):
            yield socket.create_server((str(address[0]), int(address[1])), family=family)
    except OSError as error:
        raise AddressError(host, port, error.strerror or type(error).__name__) from None


async def _accept_no_more(listening: Iterable[socket.socket]) -> None:
    """Who was let in last is known to the server before it closes: asyncio loses a connection of a server that is closed."""
    for each in listening:
        asyncio.get_running_loop().remove_reader(each)
    for _ in range(TURNS):
        await asyncio.sleep(0)

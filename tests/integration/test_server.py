"""The HTTP server closes every connection when it goes, also one that came in the last moment."""

import asyncio
import socket
from contextlib import suppress

import pytest
from aiohttp import web

from bot.server import application_of, http_server


@pytest.mark.parametrize("turns", range(6))
async def test_whoever_connects_while_it_goes_is_not_left_with_an_open_connection(turns: int):
    async with http_server(application_of([web.get("/", _nothing)]), "127.0.0.1", 0) as address:
        client = socket.create_connection(address)
        for _ in range(turns):
            await asyncio.sleep(0)
    with client:
        client.settimeout(2)
        with suppress(ConnectionResetError):  # it was closed before it was let in
            assert client.recv(1) == b""


async def _nothing(_: web.Request) -> web.Response:
    return web.Response()

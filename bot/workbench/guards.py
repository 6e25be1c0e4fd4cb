"""Keeps other machines and other web pages out: loopback only, our own Host, our own Origin."""

import ipaddress
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

SOCKET_PATH = "/link/"
"""Where Socket Mode is served. slack_sdk's client for threads leaves the port out of `Host`; a ticket is asked for anyway."""

_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class NotLoopbackError(ValueError):
    """The workbench was asked to listen where others could reach it."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the workbench listens on this machine alone, not on {host!r}; use 127.0.0.1")
        self.host = host


def loopback(host: str) -> str:
    """The address to bind to; `NotLoopbackError` for any that leads off this machine."""
    if host == "localhost":
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise NotLoopbackError(host) from None
    if not address.is_loopback:
        raise NotLoopbackError(host)
    return host


@web.middleware
async def only_ourselves(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a foreign Host (DNS rebinding) and a foreign Origin (another page in the same browser)."""
    host = f"//{request.headers.get('Host', '')}"
    if not _is_ours(host, request, portless=request.path == SOCKET_PATH):
        return web.json_response({"ok": False, "error": "This address is not served here."}, status=421)
    origin = request.headers.get("Origin")
    if origin is not None and not _is_ours(origin, request):
        return web.json_response({"ok": False, "error": "This page may not talk to the workbench."}, status=403)
    visited = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if not visited and request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return web.json_response({"ok": False, "error": "This page may not talk to the workbench."}, status=403)
    return await handler(request)


async def harden(_request: web.Request, response: web.StreamResponse) -> None:
    """Headers on every answer: nothing is loaded from elsewhere, nothing is framed, nothing is kept."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _is_ours(address: str, request: web.Request, *, portless: bool = False) -> bool:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    socket = request.transport.get_extra_info("sockname") if request.transport is not None else None
    if parts.hostname not in _NAMES or parts.scheme not in ("", "http") or socket is None:
        return False
    return port == socket[1] or (portless and port is None)

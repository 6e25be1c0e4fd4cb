"""Where a webhook may point: the bot must not be turned into a way into the network that it stands in.

A URL is checked when it is registered and at each attempt; the address that its host resolves to is checked when the
connection is made, and is the one that is connected to.
"""

import asyncio
import re
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

MOST_CHARACTERS = 2000
LOCALHOST = "localhost"
# https://www.rfc-editor.org/rfc/rfc6052: IPv4 within IPv6, as NAT64 translates it.
NAT64 = IPv6Network("64:ff9b::/96")
# https://www.iana.org/assignments/ipv6-address-space: all that is handed out. Beside it stand translations and relics.
GLOBAL_UNICAST = IPv6Network("2000::/3")

# Blanks, control characters, and halves of surrogate pairs, which cannot be stored.
_BROKEN = re.compile(r"[\x00-\x20\x7f\ud800-\udfff]")

Address = IPv4Address | IPv6Address


class ReachError(Exception):
    """A URL that is not sent to, in words that follow the URL's name: "must begin with https://"."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Which hosts are reached. `hosts` may resolve to any address; with `insecure` this very machine may be reached by HTTP.

    A host is a name or an address; `*.example.com` stands for all names below it.
    """

    hosts: tuple[str, ...] = ()
    insecure: bool = False

    def check(self, url: str) -> None:
        """Raise `ReachError` for what is refused without asking for the host's address."""
        parts = _parsed(url)
        host = parts.raw_host or ""
        literal = _literal(host)
        is_here = host == LOCALHOST or (literal is not None and literal.is_loopback)
        if parts.scheme != "https" and not (parts.scheme == "http" and self.insecure and is_here):
            raise ReachError("must begin with https://")
        if literal is not None and not self.allows(host, literal):
            raise ReachError(_refusal(host))

    def allows(self, host: str, address: Address) -> bool:
        """Whether a host that resolves to this address is connected to there."""
        plain = _unwrapped(address)
        return self._is_listed(host) or (self.insecure and plain.is_loopback) or _is_public(plain)

    def _is_listed(self, host: str) -> bool:
        name = host.lower().rstrip(".")
        return any(_matches(name, listed.lower()) for listed in self.hosts)


class Resolver(AbstractResolver):
    """Resolves names for aiohttp, and keeps from it every address that is out of reach."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        allowed = [
            ResolveResult(
                hostname=host, host=str(address[0]), port=port, family=kind, proto=0, flags=socket.AI_NUMERICHOST
            )
            for kind, _, _, _, address in found
            if self._reach.allows(host, ip_address(str(address[0]).partition("%")[0]))
        ]
        if not allowed:
            raise ReachError(_refusal(host))
        return allowed

    async def close(self) -> None:
        """Nothing is kept open."""


def _parsed(text: str) -> URL:
    """Read as aiohttp reads it, which turns `①②⑦.0.0.1` into an address."""
    try:
        url = URL(text)
    except (ValueError, IndexError):  # the latter for some brackets
        raise ReachError("is not a URL") from None
    if not url.raw_host or _BROKEN.search(text):
        raise ReachError("is not a URL")
    if len(text) > MOST_CHARACTERS:
        raise ReachError(f"must be at most {MOST_CHARACTERS:,} characters long")
    if url.user is not None or url.password is not None:
        raise ReachError("must not carry a user or a password")
    if url.fragment:
        raise ReachError("must not have a fragment (#…)")
    return url


def _literal(host: str) -> Address | None:
    """The address that a host is. `127.1` and the like, which only some readers take for one, are refused."""
    try:
        return ip_address(host)
    except ValueError:
        if ":" in host or host.replace(".", "").isdigit():
            raise ReachError("is not a URL") from None
        return None


def _unwrapped(address: Address) -> Address:
    """The IPv4 address that some IPv6 addresses only carry: it is where the packets end up."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(address.packed[-4:])
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else address)


def _is_public(address: Address) -> bool:
    is_handed_out = isinstance(address, IPv4Address) or address in GLOBAL_UNICAST
    return is_handed_out and address.is_global and not address.is_multicast


def _matches(name: str, listed: str) -> bool:
    return name.endswith(listed[1:]) if listed.startswith("*.") else name == listed


def _refusal(host: str) -> str:
    return f"leads to {host!r}, which is not on the public internet and not named in SIGNOFF_WEBHOOK_HOSTS"

"""Where a webhook may point, and where it may not: told without a network."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from bot.hooks.reach import Reach, ReachError, Resolver

ANYWHERE_PUBLIC = Reach()
HERE = Reach(insecure=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hook",
        "https://example.com:8443/hook?team=a",
        "https://8.8.8.8/hook",
        "https://[2606:4700::1111]/hook",
        "https://bücher.example/hook",
    ],
)
def test_a_public_https_address_is_taken(url):
    ANYWHERE_PUBLIC.check(url)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.com/hook", "must begin with https://"),
        ("http://127.0.0.1/hook", "must begin with https://"),
        ("ftp://example.com/hook", "must begin with https://"),
        ("file:///etc/passwd", "is not a URL"),
        ("example.com/hook", "is not a URL"),
        ("https:///hook", "is not a URL"),
        ("https://example.com:99999/", "is not a URL"),
        ("https://exa mple.com/", "is not a URL"),
        ("https://]a[.@", "is not a URL"),
        ("https://example.com/\ud800", "is not a URL"),
        ("https://example.com/\r\nX-Evil: 1", "is not a URL"),
        ("https://user:word@example.com/", "must not carry a user"),
        ("https://example.com/#part", "must not have a fragment"),
        ("https://example.com/" + "x" * 2000, "must be at most 2,000 characters"),
    ],
)
def test_what_is_no_such_url_is_refused_in_words(url, why):
    with pytest.raises(ReachError, match=why):
        ANYWHERE_PUBLIC.check(url)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.8.9.1",
        "10.0.0.7",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - an address that is refused, not one to bind to
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fd00::1]",
        "[ff02::1]",
        "[::ffff:10.0.0.7]",
        "[64:ff9b::a00:7]",
        "[2002:a00:7::1]",
        "[64:ff9b:1::a00:7]",
        "[::10.0.0.7]",
        "[::ffff:0:10.0.0.7]",
        "[fec0::7]",
        "①②⑦.0.0.1",
        "127。0。0。1",
    ],
)
def test_an_address_of_the_inside_is_refused(host):
    with pytest.raises(ReachError, match="not on the public internet"):
        ANYWHERE_PUBLIC.check(f"https://{host}/latest/meta-data")


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0127.0.0.1", "127.0.0.1.2", "[fe80::1%25eth0]"])
def test_what_only_some_readers_take_for_an_address_is_refused(host):
    with pytest.raises(ReachError):
        ANYWHERE_PUBLIC.check(f"https://{host}/")


def test_this_very_machine_is_reached_without_tls_only_where_that_is_set():
    for url in ("http://127.0.0.1:9000/", "http://localhost:9000/", "http://[::1]:9000/", "https://127.0.0.1/"):
        HERE.check(url)
    for url in ("http://example.com/", "http://10.0.0.7/", "https://10.0.0.7/", "http://localhost.example.com/"):
        with pytest.raises(ReachError):
            HERE.check(url)


def test_named_hosts_may_stand_inside():
    reach = Reach(hosts=("hooks.internal", "*.corp.example", "10.0.0.7"))
    inside = ip_address("10.0.0.9")
    assert reach.allows("hooks.internal", inside)
    assert reach.allows("HOOKS.internal.", inside)
    assert reach.allows("a.corp.example", inside)
    reach.check("https://10.0.0.7/hook")
    assert not reach.allows("corp.example", inside)
    assert not reach.allows("evilcorp.example", inside)
    assert not reach.allows("hooks.internal.evil.example", inside)
    with pytest.raises(ReachError, match="must begin with https"):
        reach.check("http://hooks.internal/")


class Names:
    """A name server that says what a test wants."""

    def __init__(self, *addresses: str) -> None:
        self._addresses = addresses

    async def getaddrinfo(self, host: str, port: int, **_: Any) -> list[Any]:
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in self._addresses
        ]


async def resolved(monkeypatch: pytest.MonkeyPatch, host: str, *addresses: str) -> list[str]:
    monkeypatch.setattr("asyncio.get_running_loop", lambda: Names(*addresses))
    return [each["host"] for each in await Resolver(ANYWHERE_PUBLIC).resolve(host, 443)]


async def test_a_name_that_leads_inside_is_refused_when_it_is_resolved(monkeypatch):
    with pytest.raises(ReachError, match=r"leads to 'rebind\.example'"):
        await resolved(monkeypatch, "rebind.example", "127.0.0.1", "fd00::1", "::ffff:169.254.169.254")


async def test_only_the_public_addresses_of_a_name_are_connected_to(monkeypatch):
    assert await resolved(monkeypatch, "mixed.example", "10.0.0.7", "8.8.8.8") == ["8.8.8.8"]

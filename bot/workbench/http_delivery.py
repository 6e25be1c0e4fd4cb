"""Signed HTTP: what Slack POSTs to the bot's request URL where Socket Mode is off."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import aiohttp

from bot.workbench.bench import Bench
from bot.workbench.journal import Delivery

AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class NotAccepted(Exception):  # noqa: N818 - an answer, if not the one that was hoped for
    """The bot answered, but not with 200; or could not be reached at all (status 0)."""

    def __init__(self, status: int, body: str, *, no_retry: bool = False) -> None:
        super().__init__(f"HTTP {status}: {body[:200]}")
        self.status = status
        self.no_retry = no_retry


class HttpDelivery:
    """POSTs each delivery as Slack does and reads the answer as an ack."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._session: aiohttp.ClientSession | None = None

    async def deliver(self, delivery: Delivery) -> Any:
        """The body of a 200: `None` where it is empty, an object where it is JSON, else text. Else `NotAccepted`.

        Slack follows two redirects of an event; here none is followed, for it could lead off this machine.
        """
        url, body = self._bench.request_url or "", encoded(delivery)
        headers = {**signed(self._bench.signing_secret, body), "Content-Type": content_type(delivery)}
        headers |= retry_headers(delivery)
        try:
            async with self._client().post(url, data=body, headers=headers, allow_redirects=False) as response:
                text = await response.text(errors="replace")
                if response.status != 200:  # noqa: PLR2004 - the one status that counts
                    raise NotAccepted(response.status, text, no_retry=response.headers.get("x-slack-no-retry") == "1")
                return _ack(text, response.content_type)
        except aiohttp.ClientError as error:
            raise NotAccepted(0, str(error)) from error

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            # A connection per delivery: one that was kept would be dead after the bot's restart.
            connector = aiohttp.TCPConnector(force_close=True)
            self._session = aiohttp.ClientSession(connector=connector, headers={"User-Agent": AGENT})
        return self._session


def local_url(url: str) -> str:
    """A request URL, which has to be on this machine."""
    if urlsplit(url).hostname not in _LOOPBACK:
        raise ValueError(f"the request URL has to be on this machine, not {url!r}")
    return url


def content_type(delivery: Delivery) -> str:
    return "application/json" if delivery.kind == "events_api" else "application/x-www-form-urlencoded"


def encoded(delivery: Delivery) -> bytes:
    """Events are JSON, commands a form, everything else a form with one field `payload`."""
    match delivery.kind:
        case "events_api":
            return json.dumps(delivery.payload).encode()
        case "slash_commands":
            return urlencode({key: _field(value) for key, value in delivery.payload.items()}).encode()
        case "interactive":
            return urlencode({"payload": json.dumps(delivery.payload)}).encode()


def signed(secret: str, body: bytes, *, at: int | None = None) -> Mapping[str, str]:
    """The two headers of a signature over the raw body (https://docs.slack.dev/authentication/verifying-requests-from-slack)."""
    timestamp = str(int(time.time()) if at is None else at)
    digest = hmac.new(secret.encode(), b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}


def retry_headers(delivery: Delivery) -> Mapping[str, str]:
    """What an event that is sent again says about it: https://docs.slack.dev/apis/events-api."""
    if not delivery.retry_attempt:
        return {}
    return {"x-slack-retry-num": str(delivery.retry_attempt), "x-slack-retry-reason": delivery.retry_reason}


def _field(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ack(text: str, kind: str) -> Any:
    if not text.strip():
        return None
    if kind != "application/json":
        return {"text": text}
    try:
        return json.loads(text)
    except ValueError:
        return {"text": text}

"""Response URLs: the right to answer a click or a command up to five times within half an hour, without a token."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

USES = 5  # https://docs.slack.dev/interactivity/handling-user-interaction
KEPT = 10_000  # older ones are not known any more


class ResponseUrlError(Exception):
    """Why a response URL does not answer any more; Slack says it in plain text."""


@dataclass(slots=True)
class ResponseUrl:
    """Where an answer goes: whose click, in which channel, on which message (none for a command)."""

    person: str
    channel: str
    message_ts: str | None
    made_at: float
    uses: int = 0


class ResponseUrls:
    """All response URLs that were handed out, by their secret."""

    def __init__(self, lifetime: float, moment: Callable[[], float]) -> None:
        self._lifetime = lifetime
        self._moment = moment
        self._urls: dict[str, ResponseUrl] = {}

    def new(self, person: str, channel: str, *, message_ts: str | None = None) -> str:
        """The path of a new one, below the workbench's address."""
        secret = secrets.token_urlsafe(24)
        if len(self._urls) >= KEPT:
            del self._urls[next(iter(self._urls))]
        self._urls[secret] = ResponseUrl(person, channel, message_ts, self._moment())
        return f"/actions/{secret}"

    def use(self, secret: str) -> ResponseUrl:
        """The target, one use of which is spent by this."""
        url = self._urls.get(secret)
        if url is None:
            raise ResponseUrlError("invalid_url")
        if self._moment() - url.made_at > self._lifetime:
            raise ResponseUrlError("expired_url")
        if url.uses >= USES:
            raise ResponseUrlError("used_url")
        url.uses += 1
        return url

"""How the Web API says no: Slack's error bodies, raised where the reason is found, or nothing at all."""

from collections.abc import Iterable, Mapping
from typing import Any

from aiohttp import web


class SlackError(Exception):
    """An answer `{"ok": false, "error": …}`; HTTP 200 unless `status` says otherwise."""

    def __init__(self, error: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.status = status
        self.headers = dict(headers or {})
        self.more = more

    @property
    def body(self) -> dict[str, Any]:
        return {"ok": False, "error": self.error, **self.more}


def invalid_arguments(messages: Iterable[str], *, error: str = "invalid_arguments") -> SlackError:
    lines = [f"[ERROR] {message}" for message in messages]
    return SlackError(error, response_metadata={"messages": lines})


def missing_scope(needed: str, provided: Iterable[str]) -> SlackError:
    return SlackError("missing_scope", needed=needed, provided=",".join(sorted(provided)))


def rate_limited(retry_after: int) -> SlackError:
    """HTTP 429; `Retry-After` is in whole seconds: https://docs.slack.dev/apis/web-api/rate-limits."""
    return SlackError("ratelimited", status=429, headers={"Retry-After": str(retry_after)})


def cut(request: web.Request) -> web.StreamResponse:
    """Break the connection without a word."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)

"""What a Slack call came back with, told apart by what may be done about it.

Sources: the error tables of `chat.postMessage` and `chat.update` in Slack's method reference, and its page on rate limits.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import aiohttp
from slack_sdk.errors import SlackApiError

PASSING = frozenset(
    {"ratelimited", "rate_limited", "request_timeout", "service_unavailable", "team_added_to_org", "org_login_required"}
)
# Of these Slack says that some aspect may have succeeded all the same: look before repeating a post.
UNSURE = frozenset({"fatal_error", "internal_error"})
TOO_MUCH = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_too_long",
        "msg_blocks_too_long",
        "invalid_arguments",
        "block_mismatch",
        "no_text",
    }
)
DELETED = frozenset({"message_not_found", "thread_not_found"})

network_errors = (aiohttp.ClientError, TimeoutError, OSError)
"""What a call raises that never got an answer of Slack's."""

DEFAULT_WAIT = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Passing:
    """Slack will take it later. `rate_limited` holds for the place; `unsure`: it may have been done all the same."""

    error: str
    wait: timedelta | None = None
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Slack refuses the content; a smaller message may pass."""

    error: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """The message is no longer there."""

    error: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Slack will never take it as things stand: not in the channel, archived, no such person, a dead token."""

    error: str


Reply = Passing | TooMuch | Deleted | Refused


def reply_of(error: Exception) -> Reply:
    """Tell what a failed call means. An error that is not of the network or of Slack is raised again."""
    match error:
        case SlackApiError():
            return _of_api_error(error)
        case asyncio.TimeoutError() | aiohttp.ClientConnectorError():
            return Passing(
                "timeout" if isinstance(error, asyncio.TimeoutError) else "connection_refused",
                unsure=isinstance(error, asyncio.TimeoutError),
            )
        case aiohttp.ClientError() | ConnectionError():
            return Passing("connection_lost", unsure=True)
    raise error


def _of_api_error(error: SlackApiError) -> Reply:
    response = error.response
    if response.status_code == 429:  # noqa: PLR2004 - HTTP's own name for it
        return Passing("ratelimited", wait=_retry_after(response.headers))
    if response.status_code >= 500:  # noqa: PLR2004
        return Passing(f"http_{response.status_code}", unsure=True)
    name = str(response.get("error", "unknown_error"))
    if name in PASSING:
        return Passing(name, wait=_retry_after(response.headers) if "limit" in name else None)
    if name in UNSURE:
        return Passing(name, unsure=True)
    if name in TOO_MUCH:
        return TooMuch(name)
    return Deleted(name) if name in DELETED else Refused(name)


def _retry_after(headers: object) -> timedelta:
    values = {str(key).lower(): value for key, value in dict(headers or {}).items()}  # type: ignore[call-overload]
    value = values.get("retry-after")
    value = value[0] if isinstance(value, list) and value else value
    try:
        return timedelta(seconds=max(1.0, float(str(value))))
    except ValueError:
        return DEFAULT_WAIT

"""What a Slack call came back with, told apart by what may be done about it.

Sources: the error tables of `chat.postMessage` and `chat.update` in Slack's method reference, and its page on rate limits.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError

from bot.slack.client import error_word

PASSING = frozenset({"ratelimited", "rate_limited", "request_timeout", "service_unavailable"})
# The directory's words for a look-up that got no answer.
AWAY = frozenset({"timeout", "unreachable", "closing"})
# Of these Slack says that some aspect may have succeeded all the same: look before repeating a post.
UNSURE = frozenset({"fatal_error", "internal_error"})
# The bot itself may not, whatever the place and the content: somebody has to mend its token.
NOT_THE_BOT = frozenset(
    {
        "access_denied",
        "account_inactive",
        "invalid_auth",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "not_authed",
        "org_login_required",
        "team_access_not_granted",
        "team_added_to_org",
        "token_expired",
        "token_revoked",
        "two_factor_setup_required",
    }
)
TOO_MUCH = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_too_long",
        "msg_blocks_too_long",
        "invalid_arguments",
        "block_mismatch",
        "no_text",
        "view_too_large",
    }
)
DELETED = frozenset({"message_not_found", "thread_not_found", "cannot_reply_to_message"})
UNREADABLE = "unreadable_answer"

network_errors = (aiohttp.ClientError, TimeoutError, OSError)
"""What a call raises that never got an answer of Slack's."""

DEFAULT_WAIT = timedelta(seconds=5)
LONGEST_WAIT = 3600.0
TOO_MANY, BROKEN = 429, 500


@dataclass(frozen=True, slots=True)
class Passing:
    """Slack will take it later.

    `wait` is Slack's own word for how long, and holds for the place. `unsure`: it may have been done all the same.
    `away`: Slack was not reached at all, so nothing else that goes to the place would be taken either.
    """

    error: str
    wait: timedelta | None = None
    unsure: bool = False
    away: bool = False


@dataclass(frozen=True, slots=True)
class Blocked:
    """Nothing can be done until somebody mends the bot; then it will be. `unsure` as above."""

    error: str
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Slack refuses the content; a smaller message may pass."""

    error: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """The message, or the thread that it was for, is no longer there."""

    error: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Slack will never take it as things stand: not in the channel, archived, no such person."""

    error: str


Reply = Passing | Blocked | TooMuch | Deleted | Refused


def reply_of(error: Exception) -> Reply:
    """Tell what a failed call means. An error that is not of the network or of Slack is raised again."""
    match error:
        case SlackApiError():
            return _of_api_error(error)
        case TimeoutError():
            return Passing("timeout", unsure=True)
        case aiohttp.ClientConnectorError():
            return Passing("unreachable", away=True)
        case aiohttp.ClientError() | OSError():
            return Passing("connection_lost", unsure=True)
    raise error


def reply_of_word(word: str) -> Reply:
    """What one of Slack's error words means, or one of the directory's for a look-up that failed."""
    if word in PASSING or word in AWAY:
        return Passing(word, away=word in AWAY)
    if word in UNSURE:
        return Passing(word, unsure=True)
    if word in NOT_THE_BOT:
        return Blocked(word)
    if word in TOO_MUCH:
        return TooMuch(word)
    return Deleted(word) if word in DELETED else Refused(word)


def _of_api_error(error: SlackApiError) -> Reply:
    """Without one of Slack's words it is something on the way that answered, and who knows what Slack has done."""
    status, headers = _status_and_headers(error.response)
    if status == TOO_MANY:
        return Passing("ratelimited", wait=_retry_after(headers))
    if status >= BROKEN:
        return Passing(f"http_{status}", unsure=True)
    word = error_word(error)
    if word is None:
        return Passing(UNREADABLE, unsure=True)
    return Passing(word, wait=_retry_after(headers)) if "limited" in word else reply_of_word(word)


def _status_and_headers(response: Any) -> tuple[int, Any]:
    """The SDK's own answer says `status_code`; for a body that is no JSON it hands out aiohttp's, which says `status`."""
    status = getattr(response, "status_code", None) or getattr(response, "status", None)
    return status if isinstance(status, int) else 0, getattr(response, "headers", None) or {}


def _retry_after(headers: Any) -> timedelta:
    """In seconds, from one to an hour; five where it cannot be read."""
    given = {str(key).lower(): value for key, value in dict(headers).items()}.get("retry-after")
    try:
        return timedelta(seconds=min(max(1.0, float(str(given))), LONGEST_WAIT))
    except ValueError:
        return DEFAULT_WAIT

"""Asking Slack: an answer, its absence, or `CouldNotVerify` with "timeout", "unreachable" or Slack's own word."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.engine.people import CouldNotVerify
from bot.slack.client import error_word

PAGE = 999
MOST_PAGES = 100


async def asked(
    call: Awaitable[AsyncSlackResponse], *, absent: frozenset[str] = frozenset()
) -> AsyncSlackResponse | None:
    """Slack's answer; `None` where its error is one of `absent`. Raises `CouldNotVerify` for every other failure."""
    try:
        return await call
    except SlackApiError as error:
        word = error_word(error) or "unreadable"
        if word in absent:
            return None
        raise CouldNotVerify(word) from None
    except TimeoutError:
        raise CouldNotVerify("timeout") from None
    except (aiohttp.ClientError, SlackClientError, OSError):
        raise CouldNotVerify("unreachable") from None


async def pages(
    method: Callable[..., Awaitable[AsyncSlackResponse]], **arguments: Any
) -> AsyncIterator[AsyncSlackResponse]:
    """Every page of a list. Raises `CouldNotVerify`, for a list without end too."""
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = await asked(method(limit=PAGE, cursor=cursor, **arguments))
        if page is None:
            return
        yield page
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return
    raise CouldNotVerify("too_many_pages")

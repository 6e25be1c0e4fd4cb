"""The Web API clients: one shared session, and two ways to treat a call that failed.

Reading may be repeated. What posts or edits is never repeated by the client itself, since a call whose connection broke
may have been done: the publisher looks before it posts again.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
    AsyncServerErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.slack.quiet import sdk_logger

TIMEOUT = aiohttp.ClientTimeout(total=30, connect=10)


class SlackError(Exception):
    """Slack cannot be used as things are set up."""


class TokenRefusedError(SlackError):
    """Slack refused a token. `setting` names where it comes from, `error` is Slack's word for it."""

    def __init__(self, setting: str, error: str) -> None:
        super().__init__(f"Slack refused the token in {setting}: {error}")
        self.setting = setting
        self.error = error


class UnreachableError(SlackError):
    """Slack did not answer, or not as Slack does."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"Slack could not be reached at {url}: {reason}")
        self.url = url
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is, by its token."""

    team_id: str
    team: str
    bot_user: str
    bot_id: str | None
    enterprise_id: str | None = None


@dataclass(frozen=True, slots=True)
class SlackClients:
    """`reader` repeats calls that failed on the way or were rate limited; `writer` repeats nothing."""

    reader: AsyncWebClient
    writer: AsyncWebClient
    session: aiohttp.ClientSession


OnError = Callable[[str, Exception], None]


def _nobody(_method: str, _error: Exception) -> None:
    """Who is told of errors where nobody counts them."""


class WebClient(AsyncWebClient):
    """The SDK's client, which stumbles over an answer that is no JSON object, as a proxy on the way may give one."""

    def __init__(self, *, on_error: OnError, **given: Any) -> None:
        super().__init__(**given)
        self._on_error = on_error

    async def api_call(self, api_method: str, *args: Any, **kwargs: Any) -> AsyncSlackResponse:
        try:
            return await self._read(api_method, *args, **kwargs)
        except (SlackApiError, aiohttp.ClientError, TimeoutError, OSError) as error:
            self._on_error(api_method, error)
            raise

    async def _read(self, *args: Any, **kwargs: Any) -> AsyncSlackResponse:
        try:
            return await super().api_call(*args, **kwargs)
        except (AttributeError, UnicodeDecodeError):
            raise aiohttp.ClientPayloadError("the answer could not be read") from None


@asynccontextmanager
async def open_clients(token: str, base_url: str, *, on_error: OnError = _nobody) -> AsyncIterator[SlackClients]:
    """Both clients on one session, which is closed at the end. `on_error` is told of each call that failed for good."""

    def client(handlers: list[AsyncRetryHandler]) -> AsyncWebClient:
        return _client(token, base_url, session, handlers, on_error)

    async with aiohttp.ClientSession(timeout=TIMEOUT, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield SlackClients(
            reader=client(_reading()),
            writer=client([]),
            session=session,
        )


def _reading() -> list[AsyncRetryHandler]:
    return [
        AsyncConnectionErrorRetryHandler(),
        AsyncRateLimitErrorRetryHandler(max_retry_count=3),
        AsyncServerErrorRetryHandler(),
    ]


def _client(
    token: str,
    base_url: str,
    session: aiohttp.ClientSession,
    handlers: list[AsyncRetryHandler],
    on_error: OnError,
) -> AsyncWebClient:
    client = WebClient(
        token=token,
        base_url=base_url,
        session=session,
        retry_handlers=handlers,
        logger=sdk_logger(),
        on_error=on_error,
    )
    client.proxy = proxy_for(base_url)
    return client


def proxy_for(url: str) -> str | None:
    """The environment's proxy for `url`. The SDK would use one for this machine too, and does not know NO_PROXY."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _is_this_machine(host) or proxy_bypass(host):
        return None
    return getproxies().get(parts.scheme) or None


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def identify(client: AsyncWebClient) -> Identity:
    """Ask Slack who the bot token belongs to. Raises `TokenRefusedError`, `UnreachableError`."""
    return identity_of(await answer_to_auth_test(client))


async def answer_to_auth_test(client: AsyncWebClient) -> AsyncSlackResponse:
    """Slack's whole answer: its headers tell more than its body. Raises `TokenRefusedError`, `UnreachableError`."""
    try:
        return await client.auth_test()
    except SlackApiError as error:
        raise _refused("SLACK_BOT_TOKEN", client, error) from None
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise UnreachableError(client.base_url, _reason(error)) from None


def identity_of(answer: AsyncSlackResponse) -> Identity:
    return Identity(
        team_id=str(answer["team_id"]),
        team=str(answer.get("team") or answer["team_id"]),
        bot_user=str(answer["user_id"]),
        bot_id=answer.get("bot_id"),
        enterprise_id=answer.get("enterprise_id"),
    )


async def socket_url(client: AsyncWebClient, app_token: str) -> str:
    """Ask Slack for an address to connect to. Raises `TokenRefusedError`, `UnreachableError`."""
    try:
        answer = await client.apps_connections_open(app_token=app_token)
    except SlackApiError as error:
        raise _refused("SLACK_APP_TOKEN", client, error) from None
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise UnreachableError(client.base_url, _reason(error)) from None
    return str(answer["url"])


def error_word(error: SlackApiError) -> str | None:
    """Slack's own word for what went wrong; `None` where the answer was not one of Slack's."""
    body: Any = getattr(error.response, "data", error.response)
    word = body.get("error") if isinstance(body, dict) else None
    return word if isinstance(word, str) and word else None


def _refused(setting: str, client: AsyncWebClient, error: SlackApiError) -> SlackError:
    word = error_word(error)
    if word is None:
        return UnreachableError(client.base_url, "what answers there is not Slack's Web API")
    return TokenRefusedError(setting, word)


def _reason(error: Exception) -> str:
    return "no answer in time" if isinstance(error, TimeoutError) else type(error).__name__

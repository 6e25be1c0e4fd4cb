"""Words for one person only: why a click did not count, or what to do next."""

from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

SLACK_HOOKS = "hooks.slack.com"

log = structlog.get_logger(__name__)


class Whispers:
    """Sends by the click's own response URL, which works in any channel, else by direct message."""

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession, *, slack_api_url: str) -> None:
        self._client = client
        self._session = session
        self._api_host = urlsplit(slack_api_url).netloc

    async def tell(self, person: str, text: str, response_url: str | None = None) -> None:
        """Tell a person privately. A failure is logged and nothing else: what was told about has already happened."""
        try:
            if not (response_url and await self._respond(response_url, text)):
                await self._client.chat_postMessage(channel=person, text=text, unfurl_links=False, unfurl_media=False)
        except (SlackApiError, aiohttp.ClientError, TimeoutError) as error:
            log.warning("could_not_tell", person=person, error=type(error).__name__)

    async def _respond(self, response_url: str, text: str) -> bool:
        if not self._is_slacks(response_url):
            log.warning("foreign_response_url_ignored")
            return False
        body = {"response_type": "ephemeral", "replace_original": False, "text": text}
        async with self._session.post(response_url, json=body, allow_redirects=False) as response:
            return response.ok

    def _is_slacks(self, url: str) -> bool:
        """A response URL comes from a payload: only Slack's own hosts are called."""
        parts = urlsplit(url)
        if parts.netloc == self._api_host:
            return True
        return parts.scheme == "https" and parts.hostname == SLACK_HOOKS

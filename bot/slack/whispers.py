"""Words for one person only: why a click did not count, or what to do next."""

from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import limits
from blocks.text import clip
from bot.slack.client import error_word
from bot.slack.replies import network_errors

SLACK_HOOKS = frozenset({"hooks.slack.com", "hooks.slack-gov.com"})
HTTP_OK = 200

log = structlog.get_logger(__name__)


class Whispers:
    """Sends by the click's own response URL, which works in any channel, else by direct message.

    Its client may repeat a call: words that come twice are better than none.
    """

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession, *, slack_api_url: str) -> None:
        self._client = client
        self._session = session
        self._api = _origin(slack_api_url)

    async def tell(self, person: str, text: str, response_url: str | None = None) -> None:
        """Tell a person privately, in mrkdwn. A failure is logged: what was told about has already happened."""
        text = clip(text, limits.MESSAGE_TEXT)
        if response_url and await self._respond(response_url, text):
            return
        try:
            await self._client.chat_postMessage(channel=person, text=text, unfurl_links=False, unfurl_media=False)
        except SlackApiError as error:
            log.warning("could_not_tell", person=person, error=error_word(error))
        except network_errors as error:
            log.warning("could_not_tell", person=person, error=type(error).__name__)

    async def _respond(self, response_url: str, text: str) -> bool:
        """Five times within half an hour (docs.slack.dev, handling-user-interaction): after that it is refused."""
        if not self._is_slacks(response_url):
            log.warning("foreign_response_url_ignored")
            return False
        body = {"response_type": "ephemeral", "replace_original": False, "text": text}
        try:
            async with self._session.post(response_url, json=body, allow_redirects=False) as response:
                return response.status == HTTP_OK
        except (*network_errors, ValueError):
            return False

    def _is_slacks(self, url: str) -> bool:
        """A response URL comes from a payload: only Slack's own hosts are called."""
        try:
            parts = urlsplit(url)
            return _origin(url) == self._api or (parts.scheme == "https" and parts.netloc in SLACK_HOOKS)
        except ValueError:
            return False


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc

"""Sends a file to one person's direct messages, in the three steps that Slack has for it.

Sources: files.getUploadURLExternal and files.completeUploadExternal in Slack's method reference.
"""

from urllib.parse import urlsplit

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.details_file import File
from bot.slack.client import error_word, proxy_for
from bot.slack.replies import network_errors

HTTP_OK = 200
COMMENT = "All of the card that you asked for."
SENT = "📎 The file is in your direct messages with this app."
NOT_GRANTED = "The file could not be sent: whoever runs this bot has to grant it `files:write`."
NOT_TAKEN = "The file could not be sent: Slack, or your workspace, does not take it."
NOT_SENT = "The file could not be sent. Please try again."
PASSING = frozenset({"ratelimited", "fatal_error", "internal_error", "service_unavailable", "request_timeout"})

log = structlog.get_logger(__name__)


class UploadError(Exception):
    """The address that Slack gave did not take the bytes."""


class Uploads:
    """Its client repeats nothing: a file that comes twice is worse than one that has to be asked for again."""

    def __init__(self, client: AsyncWebClient, session: aiohttp.ClientSession) -> None:
        self._client = client
        self._session = session

    async def send(self, file: File, person: str) -> str:
        """Sends it; what to tell the person about that, as mrkdwn."""
        try:
            await self._send(file, person)
        except SlackApiError as error:
            word = error_word(error) or ""
            log.warning("file_not_sent", person=person, error=word)
            if word == "missing_scope":
                return NOT_GRANTED
            return NOT_SENT if word in PASSING or not word else NOT_TAKEN
        except (UploadError, *network_errors) as error:
            log.warning("file_not_sent", person=person, error=type(error).__name__)
            return NOT_SENT
        return SENT

    async def _send(self, file: File, person: str) -> None:
        opened = await self._client.conversations_open(users=person)
        content = file.text.encode("utf-8", "replace")
        ticket = await self._client.files_getUploadURLExternal(filename=file.name, length=len(content))
        await self._upload(str(ticket["upload_url"]), content)
        await self._client.files_completeUploadExternal(
            files=[{"id": str(ticket["file_id"]), "title": file.name}],
            channel_id=str(opened["channel"]["id"]),
            initial_comment=COMMENT,
        )

    async def _upload(self, url: str, content: bytes) -> None:
        if not self._is_trusted(url):
            raise UploadError("foreign address")
        headers, proxy = {"Content-Type": "application/octet-stream"}, proxy_for(url)
        async with self._session.post(
            url, data=content, headers=headers, allow_redirects=False, proxy=proxy
        ) as response:
            if response.status != HTTP_OK:
                raise UploadError(str(response.status))

    def _is_trusted(self, url: str) -> bool:
        """What a card shows goes nowhere without encryption, but to a local Slack."""
        given, api = urlsplit(url), urlsplit(self._client.base_url)
        return given.scheme == "https" or (given.scheme, given.netloc) == (api.scheme, api.netloc)

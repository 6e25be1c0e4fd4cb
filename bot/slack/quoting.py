"""What a form about a message opens with: the message quoted, with names for the people in it, and a link to it."""

import asyncio
from typing import Any

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.quotes import AboutMessage, mentioned, quote
from blocks.text import is_safe_url
from bot.engine.people import CouldNotVerify, Directory
from bot.slack.client import error_word
from bot.slack.replies import network_errors

PATIENCE = 1.0
"""Seconds for all of it: the form must open within the three that a trigger lasts."""

log = structlog.get_logger(__name__)


class Quoting:
    """What cannot be found out in time is left out: the quote has ids for names then, or the form has no link."""

    def __init__(self, client: AsyncWebClient, directory: Directory) -> None:
        self._client = client
        self._directory = directory

    async def of(self, message: AboutMessage) -> dict[str, Any]:
        """The fields `about` and `link` of the form."""
        people = [*([message.author] if message.author else []), *mentioned(message.text)]
        link, *names = await asyncio.gather(self._link(message), *map(self._name, people))
        known = {person: name for person, name in zip(people, names, strict=True) if name}
        given = {"about": quote(message.text, known, author=message.author)}
        return given | ({"link": link} if link else {})

    async def _link(self, message: AboutMessage) -> str | None:
        """None where the bot may not see the message: chat.getPermalink says `channel_not_found` then."""
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._client.chat_getPermalink(channel=message.channel, message_ts=message.ts)
        except SlackApiError as error:
            log.info("no_permalink", error=error_word(error))
            return None
        except network_errors as error:
            log.info("no_permalink", error=type(error).__name__)
            return None
        found = str(answer.get("permalink") or "")
        return found if is_safe_url(found) else None

    async def _name(self, person: str) -> str | None:
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
        except (CouldNotVerify, TimeoutError):
            return None
        return facts.name if facts else None

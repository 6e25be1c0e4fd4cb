"""One message of ours in Slack: post it, edit it, or find it again after a call of which nobody knows how it ended."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from actions.kit.records.copies import CopyKind, CopyRecord
from blocks.card import Message
from bot.slack.replies import network_errors

EVENT_TYPE = "signoff_copy"
HISTORY_PAGE = 200
HISTORY_PAGES = 5


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message stands. `ts` is Slack's: seconds since 1970, and the message's id within its channel."""

    channel: str
    ts: str

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(float(self.ts), UTC)


class Posting:
    """The client must not repeat a call by itself: a repeated post would be a second message."""

    def __init__(self, client: AsyncWebClient, *, bot_user: str) -> None:
        self._client = client
        self._bot_user = bot_user

    async def post(self, copy: CopyRecord, channel: str, message: Message) -> Posted:
        """Post to a channel, or to a person's direct messages by the person's id. Raises what the client raises.

        A nudge that stands below a card is in the card's thread and in the conversation too (docs.slack.dev, chat.postMessage).
        """
        response = await self._client.chat_postMessage(
            channel=channel,
            text=message.text,
            blocks=message.blocks or None,
            thread_ts=copy.thread_ts,
            reply_broadcast=True if copy.kind is CopyKind.NUDGE and copy.thread_ts else None,
            metadata={"event_type": EVENT_TYPE, "event_payload": {"copy": copy.id}},
            unfurl_links=False,
            unfurl_media=False,
        )
        return Posted(str(response["channel"]), str(response["ts"]))

    async def edit(self, at: Posted, message: Message) -> Posted:
        """Replace what a message shows. Raises what the client raises."""
        await self._client.chat_update(channel=at.channel, ts=at.ts, text=message.text, blocks=message.blocks)
        return at

    async def remove(self, at: Posted) -> None:
        """Take a message away that should not be there; a failure leaves it, and it says no more than its twin."""
        with suppress(SlackApiError, *network_errors):
            await self._client.chat_delete(channel=at.channel, ts=at.ts)

    async def find(self, copy: CopyRecord, channel: str) -> Posted | None:
        """Look for a message that an earlier attempt may have posted, by the copy's id in its metadata.

        Needs the history scope of the channel; raises what the client raises, `missing_scope` among it. Metadata can be
        written by any app, so only a message of our own bot counts.
        """
        if channel.startswith(("U", "W")):
            opened = await self._client.conversations_open(users=channel)
            channel = str(opened["channel"]["id"])
        cursor: str | None = None
        for _ in range(HISTORY_PAGES):
            page = await self._page(copy, channel, cursor)
            found = next((message for message in page["messages"] if self._is_mine(message, copy)), None)
            if found:
                return Posted(channel, str(found["ts"]))
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return None
        return None

    async def _page(self, copy: CopyRecord, channel: str, cursor: str | None) -> AsyncSlackResponse:
        if copy.thread_ts:
            return await self._client.conversations_replies(
                channel=channel, ts=copy.thread_ts, limit=HISTORY_PAGE, cursor=cursor, include_all_metadata=True
            )
        return await self._client.conversations_history(
            channel=channel, limit=HISTORY_PAGE, cursor=cursor, include_all_metadata=True
        )

    def _is_mine(self, message: dict[str, Any], copy: CopyRecord) -> bool:
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        return (
            message.get("user") == self._bot_user
            and metadata.get("event_type") == EVENT_TYPE
            and payload.get("copy") == copy.id
        )

"""What people write to the bot, parsed: a mention of it in a channel, or a message in their direct messages with it.

What a bot writes, ours included, edits, deletions and the like are not meant for us. Sources: docs.slack.dev,
reference/events/app_mention and reference/events/message.im.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from blocks.payloads import ChannelId, Id, Payload, PersonId
from blocks.quotes import in_words

WRITTEN = (None, "file_share", "thread_broadcast")
"""The subtypes of what somebody has just written."""


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody wrote to the bot. `ts` is the message's id in its channel, `thread` that of the message it stands below.

    `below` is who wrote that one, where this is a reply in direct messages.
    """

    person: str
    channel: str
    ts: str
    thread: str
    text: str
    below: str | None

    def is_to(self, bot_user: str) -> bool:
        """Whether it is said to this bot: not by itself, and not below a message of its own, such as a card."""
        return bot_user not in {self.person, self.below}

    def prompt(self, bot_user: str) -> str:
        """The words, as plain text, without the mention of the bot."""
        return in_words(self.text.replace(f"<@{bot_user}>", " "), {})


class Event(Payload):
    type: Literal["app_mention", "message"]
    user: PersonId
    channel: ChannelId
    ts: Id
    text: Annotated[str, Field(max_length=100_000)] = ""
    thread_ts: Id | None = None
    parent_user_id: str | None = None
    channel_type: str | None = None
    subtype: str | None = None
    bot_id: str | None = None
    edited: Any = None
    hidden: bool = False

    @property
    def is_for_us(self) -> bool:
        return self.type == "app_mention" or self.channel_type == "im"

    @property
    def was_written_now(self) -> bool:
        return self.subtype in WRITTEN and self.bot_id is None and self.edited is None and not self.hidden


class Body(Payload):
    event: Event


def parse_said(body: Any) -> Said | None:
    """What somebody wrote to a bot; `None` for every other event."""
    try:
        event = Body.model_validate(body).event
    except ValidationError:
        return None
    if not event.is_for_us or not event.was_written_now:
        return None
    below = event.parent_user_id if event.type == "message" else None
    return Said(event.user, event.channel, event.ts, event.thread_ts or event.ts, event.text, below)

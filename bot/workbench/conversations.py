"""Conversations and the messages in them."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.files import File

EMOJI = re.compile(r"[a-z0-9_+'-]{1,100}(?:::skin-tone-[2-6])?")
"""The name of an emoji, without colons."""

Kind = Literal["channel", "private", "dm"]


@dataclass(slots=True, eq=False)
class Message:
    """One message. `version` counts what people have seen of it: 1 is the post, each edit adds one."""

    channel: str
    ts: str
    author: str
    text: str
    blocks: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] | None = None
    attachments: list[dict[str, Any]] = field(default_factory=list)
    thread_ts: str | None = None
    broadcast: bool = False
    """Whether a reply is shown in the conversation too."""
    only_for: str | None = None
    by_response: bool = False
    edited_ts: str | None = None
    edited_by: str | None = None
    version: int = 1
    files: list[File] = field(default_factory=list)
    reactions: dict[str, list[str]] = field(default_factory=dict)
    """Who reacted, by the name of the emoji."""

    @property
    def ephemeral(self) -> bool:
        return self.only_for is not None

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass(slots=True, eq=False)
class Conversation:
    """A channel, a private channel, or the direct messages of one person with the app."""

    id: str
    name: str
    kind: Kind
    topic: str = ""
    members: list[str] = field(default_factory=list)
    archived: bool = False
    messages: list[Message] = field(default_factory=list)

    def message(self, ts: str) -> Message | None:
        return next((message for message in self.messages if message.ts == ts), None)

    def replies(self, ts: str) -> list[Message]:
        return [message for message in self.messages if message.thread_ts == ts and message.ts != ts]

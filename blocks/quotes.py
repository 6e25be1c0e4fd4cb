"""A message of somebody's as plain text that can be quoted: Slack's tokens become the words that people see.

Source: docs.slack.dev, messaging/formatting-message-text (retrieving messages).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from blocks.payloads import Id, Payload, Sender
from blocks.text import clean, clip, unescaped

QUOTE = 1_900
"""Characters of a message that are quoted: a field of the form takes 2,000."""
MENTIONS = 10
NO_TEXT = "(a message without text)"

_TOKEN = re.compile(r"<([^<>]*)>")
_MENTION = re.compile(r"<@([UW][A-Z0-9]{2,})(?:\|[^<>]*)?>")


@dataclass(frozen=True, slots=True)
class AboutMessage:
    """A person wants others to decide about a message. `author` is the id of whoever wrote it, if it was a person."""

    person: str
    channel: str
    ts: str
    text: str
    author: str | None
    trigger_id: str
    response_url: str | None


class _Message(Payload):
    ts: Id
    text: Annotated[str, Field(max_length=100_000)] | None = None
    user: str | None = None


class _MessageShortcut(Sender):
    type: Literal["message_action"]
    callback_id: str
    trigger_id: Id
    message: _Message


def parse_about_message(body: Any, callback_id: str) -> AboutMessage | None:
    """The message shortcut of this id; `None` for anything else."""
    try:
        sent = _MessageShortcut.model_validate(body)
    except ValidationError:
        return None
    if sent.callback_id != callback_id or sent.channel is None:
        return None
    message, author = sent.message, sent.message.user or ""
    return AboutMessage(
        sent.user.id,
        sent.channel.id,
        message.ts,
        message.text or "",
        author if _MENTION.fullmatch(f"<@{author}>") else None,
        sent.trigger_id,
        sent.response_url,
    )


def mentioned(text: str) -> tuple[str, ...]:
    """The ids of the first few people whom a message mentions."""
    return tuple(dict.fromkeys(_MENTION.findall(text)))[:MENTIONS]


def quote(text: str, names: Mapping[str, str], *, author: str | None = None) -> str:
    """The message as plain text, led by who wrote it. `names` are those of people, by id."""
    led = f"{names.get(author, author)} wrote:\n" if author else ""
    return clip(f"{led}{in_words(text, names) or NO_TEXT}", QUOTE)


def in_words(text: str, names: Mapping[str, str]) -> str:
    """What somebody wrote, as plain text; people whose name is not known are called by their ids."""
    words = _TOKEN.sub(lambda token: _words(token.group(1), names), text)
    return clean(unescaped(words)).strip()


def _words(token: str, names: Mapping[str, str]) -> str:
    """What a reader sees of what stands between `<` and `>`."""
    target, _, label = token.partition("|")
    match target[:1]:
        case "@":
            return f"@{names.get(target[1:], label or target[1:])}"
        case "#":
            return f"#{label or target[1:]}"
        case "!":
            return label or f"@{target[1:].partition('^')[0]}"
    url = target.removeprefix("mailto:")
    return f"{label} ({url})" if label and label != url else url

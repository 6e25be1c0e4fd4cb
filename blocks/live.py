"""What of a value is more than words: a moment in the reader's own time, a link, a channel, a person.

In a message a mention calls the person, so only a view shows one; a message shows the name.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from blocks.text import channel_mention, escape, link, mention, shortened_url

FORMAT, EXACT = "{date_long} at {time}", "{date_long} at {time_secs}"
LAST = 253_402_300_799
"""The end of the year 9999, in seconds since 1970: what lies outside is told in words alone."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds since 1970, told to the minute or to the second."""

    at: int
    format: str = FORMAT


@dataclass(frozen=True, slots=True)
class Link:
    """An address that is safe to follow; the words beside it are the address itself, or that of a mailbox."""

    url: str


@dataclass(frozen=True, slots=True)
class ChannelId:
    id: str


@dataclass(frozen=True, slots=True)
class PersonId:
    id: str


Live = Moment | Link | ChannelId | PersonId


def moment_of(at: datetime) -> Moment | None:
    """An aware moment that Slack can tell in the reader's own time."""
    try:
        seconds = int(at.timestamp())
    except (ValueError, OverflowError):
        return None
    return Moment(seconds, EXACT if at.second else FORMAT) if 0 <= seconds <= LAST else None


def in_mrkdwn(live: Live | None, words: str, *, in_view: bool = False) -> str:
    """`words` as mrkdwn, escaped; live as far as nobody is called."""
    match live:
        case Moment(at, format):
            return f"<!date^{at}^{format}|{escape(words).replace('|', ' ')}>"
        case Link(url):
            return link(url, words if url.startswith("mailto:") else None)
        case ChannelId(id):
            return channel_mention(id)
        case PersonId(id) if in_view:
            return mention(id)
        case PersonId() | None:
            return escape(words)
    assert_never(live)


def in_rich_text(live: Live | None, words: str, *, in_view: bool = False) -> dict[str, Any]:
    """The same as an element of rich text."""
    match live:
        case Moment(at, format):
            return {"type": "date", "timestamp": at, "format": format, "fallback": words}
        case Link(url):
            shown = words if url.startswith("mailto:") else shortened_url(url)
            return {"type": "link", "url": url} | ({"text": shown} if shown != url else {})
        case ChannelId(id):
            return {"type": "channel", "channel_id": id}
        case PersonId(id) if in_view:
            return {"type": "user", "user_id": id}
        case PersonId() | None:
            return {"type": "text", "text": words or "—"}
    assert_never(live)

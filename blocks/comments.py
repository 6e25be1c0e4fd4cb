"""What people type below a message, parsed: a reply in a thread, as it was written first.

What bots write, ours included, and edits and deletions are no comments. Source: docs.slack.dev, reference/events/message.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from blocks.mentions import Body
from blocks.quotes import in_words


@dataclass(frozen=True, slots=True)
class Comment:
    """Somebody wrote below the message `thread` of a conversation. `text` is plain; `ts` is its id in the conversation."""

    person: str
    channel: str
    thread: str
    ts: str
    text: str


def parse_comment(body: Any) -> Comment | None:
    """A reply in a thread; `None` for every other event."""
    try:
        event = Body.model_validate(body).event
    except ValidationError:
        return None
    is_reply = event.type == "message" and event.thread_ts is not None and event.thread_ts != event.ts
    if not is_reply or event.thread_ts is None or not event.was_written_now:
        return None
    text = in_words(event.text, {}).strip()
    return Comment(event.user, event.channel, event.thread_ts, event.ts, text) if text else None

"""Words about a run whose people, channels and moments each surface draws in its own way: a terminal, or Slack."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from blocks.live import ChannelId, Live, Moment, PersonId, in_rich_text
from blocks.text import (
    channel_mention,
    clean,
    clip,
    date_token,
    escape,
    is_channel_id,
    is_person_id,
    mention,
    utc,
    width,
)

PIECE, LINE = 200, 600
"""Characters of one piece of text, and of a whole line, that Slack is given."""
BREAKS = re.compile(r"\s*[\n\t]\s*")
FORMAT = "{date_short_pretty} at {time}"


@dataclass(frozen=True, slots=True)
class Who:
    """A person, by Slack id or by e-mail."""

    person: str


@dataclass(frozen=True, slots=True)
class Where:
    """A channel, by id or by `#name`."""

    channel: str


Part = str | datetime | Who | Where
Words = tuple[Part, ...]


def said(*parts: "Part | Words | None") -> Words:
    """One line of all these; nothing counts for nothing."""
    return tuple(_flat(parts))


def joined(lines: Iterable[Words], by: str = ", ") -> Words:
    """All of them with something in between."""
    found = [line for line in lines if line]
    return said(*(part for line in found for part in (by, *line)))[1:]


def in_plain(words: Words, moment: Callable[[datetime], str] = utc) -> str:
    """On one line, ids as they are; `moment` spells times."""
    return "".join(_plain(part, moment) for part in words).strip()


def in_mrkdwn(words: Words) -> str:
    """Escaped, for a text that may call those whom it names."""
    return "".join(_marked(part) for part in words)


def in_elements(words: Words) -> list[dict[str, Any]]:
    """Elements of rich text, clipped: nothing in them is read as markup, and people's names are told without a call."""
    room, elements = LINE, list[dict[str, Any]]()
    for part in words:
        text = clip(_plain(part, utc), min(PIECE, room))
        room -= width(text)
        if text:
            elements.append(in_rich_text(_live(part), text, in_view=True))
    return elements or [in_rich_text(None, "")]


def _flat(parts: Iterable["Part | Words | None"]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, tuple):
            yield from part
        elif part is not None and part != "":
            yield part


def _plain(part: Part, moment: Callable[[datetime], str]) -> str:
    match part:
        case str():
            return BREAKS.sub(" ", clean(part))
        case datetime():
            return moment(part)
        case Who():
            return clean(part.person)
        case Where():
            return clean(part.channel)
    assert_never(part)


def _marked(part: Part) -> str:
    match part:
        case str():
            return escape(part)
        case datetime():
            return date_token(part)
        case Who():
            return mention(part.person)
        case Where():
            return channel_mention(part.channel)
    assert_never(part)


def _live(part: Part) -> Live | None:
    match part:
        case datetime():
            return Moment(int(part.timestamp()), FORMAT)
        case Who(person) if is_person_id(person):
            return PersonId(person)
        case Where(channel) if is_channel_id(channel):
            return ChannelId(channel)
    return None

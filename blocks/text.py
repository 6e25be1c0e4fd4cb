"""Text for Slack: whatever a person or an action wrote is made harmless here before it becomes part of a block.

Slack reads `<…>` in mrkdwn as mentions, links and dates, and nothing else (docs.slack.dev, messaging/formatting-message-text).
So data is escaped once, clipped never in the middle of an entity or a token, and mrkdwn objects are `verbatim`, which
keeps Slack from finding links and `@here` in plain words.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import urlsplit

from actions.kit import slack_ids
from actions.kit.counting import counted
from blocks import limits

DateStyle = Literal["moment", "day", "time", "exact", "brief"]

# Slack renders these in the reader's own time zone.
_DATE_FORMATS: dict[DateStyle, str] = {
    "moment": "{date_short_pretty} at {time}",
    "day": "{date_long}",
    "time": "{time}",
    "exact": "{date_num} {time_secs}",
    "brief": "{date_num} {time}",
}
_UTC_FORMATS: dict[DateStyle, str] = {
    "moment": "%Y-%m-%d %H:%M UTC",
    "day": "%Y-%m-%d",
    "time": "%H:%M UTC",
    "exact": "%Y-%m-%d %H:%M:%S UTC",
    "brief": "%Y-%m-%d %H:%M UTC",
}

EMPTY = "(empty)"
URL_SHOWN = 300
"""Characters of an address that are shown; no host has more than 253."""
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_PERSON_ID = re.compile(slack_ids.USER, re.ASCII)
_CHANNEL_ID = re.compile(slack_ids.CONVERSATION, re.ASCII)
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Invisible, without a meaning that a reader would miss: soft hyphen, direction marks, zero-width space, word joiner,
# isolates, byte order mark, blank letters, tags (but those of a flag). Joiners are handled apart, since emoji and
# several scripts are written with them.
_INVISIBLE = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)"
    "|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u2064\u2066-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# Controls, overrides of the reading direction, lone surrogates and noncharacters: the reader sees that something was there.
_FORGING = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_JOINERS = re.compile("[\u200c\u200d]+")
_FIRST_JOINING_SCRIPT = "\u0600"
# What must stay in one piece: an entity, or one of Slack's tokens.
_ATOM = re.compile(r"&(?:amp|lt|gt);|<(?:[@#!]|https?:|mailto:)[^<>]*>")
_SCHEMES = ("http:", "https:", "mailto:")
# What changes the character before it: joiners, variations, skin tones, the tags of a flag.
_GLUE = re.compile("[\u200c\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_LOOKS_LIKE_A_LINK = re.compile(r"://|^\s*(?:www\.)?[\w-]+(?:\.[\w-]+)+(?:/|\s*$)")


def clean(text: str) -> str:
    """`text` without what could hide or reorder it: safe to show, and safe to encode.

    Line breaks of every kind become newlines, invisible characters go, controls, direction overrides and lone
    surrogates become the replacement character. Cleaning twice changes nothing more.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _FORGING.sub(REPLACEMENT, _LINE_BREAKS.sub("\n", text))
    return _JOINERS.sub(_joiner, _INVISIBLE.sub(r"\1", text))


def _joiner(match: re.Match[str]) -> str:
    start, end = match.span()
    before, after = match.string[max(start - 1, 0) : start], match.string[end : end + 1]
    return match.group()[0] if min(before, after) >= _FIRST_JOINING_SCRIPT else ""


def one_line(text: str) -> str:
    """`text` cleaned, with every run of white space as one space: for headers, titles and buttons."""
    return " ".join(clean(text).split())


def unescaped(text: str) -> str:
    """What Slack escaped, as it was written."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escape(text: str) -> str:
    """`text` cleaned and safe inside mrkdwn. Escape once: Slack decodes one level and does not read the result again."""
    return clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def width(text: str) -> int:
    """The length that is compared with Slack's limits: UTF-16 units, the strictest reading of its "characters"."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip(text: str, limit: int) -> str:
    """`text` cut to `limit` UTF-16 units, ending in "… (+N characters)" where something was cut.

    Never cuts inside an entity, a token such as `<@U0ANN>` or an emoji that is made of several characters. Where `limit`
    leaves no room for the count, only "…" is appended. N counts an entity or a token as one character.
    """
    if width(text) <= limit:
        return text
    room = limit - len(_cut_mark(len(text)))
    if room < 1:
        return text[: _cut_at(text, limit - 1)] + "…" if limit else ""
    cut = _cut_at(text, room)
    return text[:cut].rstrip() + _cut_mark(len(_ATOM.sub("x", text[cut:])))


def beginning(text: str, room: int, measure: Callable[[str], int] = width) -> str:
    """The longest beginning of plain `text` that `room` holds, in UTF-16 units unless `measure` counts others.

    An emoji that is made of several characters stays whole, here and in `ending`.
    """
    best = 0
    for position, character in enumerate(text):
        if not _holds_together(text, position):
            best = position
        room -= measure(character)
        if room < 0:
            return text[:best]
    return text


def ending(text: str, room: int) -> str:
    """The longest end of plain `text` that `room` UTF-16 units hold."""
    start = max(len(text) - room, 0)
    while start < len(text) and (width(text[start:]) > room or _holds_together(text, start)):
        start += 1
    return text[start:]


def clip_lines(text: str, limit: int) -> str:
    """`text` cut to `limit` UTF-16 units at the end of a line, ending in "… (+N lines)" where something was cut."""
    if width(text) <= limit:
        return text
    lines = text.split("\n")
    room, kept = limit - len(_cut_mark(len(lines), "line")) - 1, 0
    for line in lines:
        room -= width(line) + 1
        if room < 0:
            break
        kept += 1
    if not kept:
        return clip(text, limit)
    return "\n".join([*lines[:kept], _cut_mark(len(lines) - kept, "line")])


def pieces(text: str, limit: int) -> Iterator[str]:
    """All of `text`, in pieces of at most `limit` UTF-16 units, parted after a line where one ends in a piece's second half."""
    start = 0
    while start < len(text):
        piece = text[start : start + limit]
        if start + limit < len(text) or width(piece) > limit:
            piece = piece[: _line_end(piece, limit) or _parted(piece, limit)]
        yield piece
        start += len(piece)


def _line_end(piece: str, limit: int) -> int:
    """Where the last line ends that fits, if that is in the second half; a line never ends within what belongs together."""
    end = len(piece) + 1
    while (end := piece.rfind("\n", limit // 4, end - 1) + 1) and width(piece[:end]) > limit:
        pass
    return end if width(piece[:end]) > limit // 2 else 0


def _parted(piece: str, limit: int) -> int:
    is_simple = piece.isascii() and "&" not in piece and "<" not in piece
    return limit if is_simple else max(_cut_at(piece, limit), 1)


def _cut_mark(count: int, noun: str = "character") -> str:
    return f"… (+{counted(count, noun)})"


def _cut_at(text: str, room: int) -> int:
    """The last place in the first `room` UTF-16 units of `text` where it may be parted."""
    best = position = 0
    while position < len(text):
        atom = _ATOM.match(text, position)
        if atom or not _holds_together(text, position):
            best = position
        piece = atom.group() if atom else text[position]
        room -= width(piece)
        if room < 0:
            return best
        position += len(piece)
    return position


def _holds_together(text: str, position: int) -> bool:
    character = text[position]
    if character <= "\x7f" or position == 0:
        return False
    is_mark = unicodedata.category(character).startswith("M")
    return text[position - 1] == "\u200d" or is_mark or bool(_GLUE.match(character))


def plain(text: str, limit: int = limits.TEXT, *, emoji: bool = False) -> dict[str, Any]:
    """A plain_text object: cleaned, clipped, never empty. Nothing in it is read as markup.

    With `emoji`, words such as `:tada:` become emoji; leave it off for text that people or actions wrote.
    """
    return {"type": "plain_text", "text": clip(clean(text), limit).strip() or EMPTY, "emoji": emoji}


def mrkdwn(text: str, limit: int = limits.TEXT) -> dict[str, Any]:
    """A mrkdwn object of `text` that is composed already: whatever in it is data was escaped by the caller."""
    return {"type": "mrkdwn", "text": clip(clean(text), limit).strip() or EMPTY, "verbatim": True}


def date_token(moment: datetime, style: DateStyle = "moment") -> str:
    """`moment` (aware) in the reader's own time zone; readers that know no tokens see it in UTC. For mrkdwn only."""
    return f"<!date^{int(moment.timestamp())}^{_DATE_FORMATS[style]}|{utc(moment, style)}>"


def utc(moment: datetime, style: DateStyle = "moment") -> str:
    """`moment` (aware) in UTC, for plain_text and for the text of notifications."""
    return moment.astimezone(UTC).strftime(_UTC_FORMATS[style])


def is_person_id(text: str) -> bool:
    return _PERSON_ID.fullmatch(text) is not None


def is_channel_id(text: str) -> bool:
    return _CHANNEL_ID.fullmatch(text) is not None


def mention(person_id: str) -> str:
    """The person's name in mrkdwn. What is not an id of a person is shown as the text that it is."""
    return f"<@{person_id}>" if is_person_id(person_id) else escape(person_id)


def channel_mention(channel: str) -> str:
    """The channel's name in mrkdwn, from its id; a `#name` is shown as it is."""
    return f"<#{channel}>" if is_channel_id(channel) else escape(channel)


def is_safe_url(url: str) -> bool:
    """Whether `url` may become a link: http, https or mailto, nothing hidden in it, nobody else's name before the host.

    A host that is not ASCII may look like another one, so such an address is shown as text.
    """
    if not url.startswith(_SCHEMES) or len(url) > limits.URL or clean(url) != url or re.search(r"[\s<>|\\]", url):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return "@" in parts.path
    host = parts.hostname or ""
    return bool(host) and host.isascii() and "@" not in parts.netloc


def link(url: str, label: str | None = None) -> str:
    """A link in mrkdwn; a URL that is not safe is shown as text.

    A label that itself looks like an address, and another one, gives way to the URL: nobody is led elsewhere.
    """
    label = one_line(label or url)
    if not is_safe_url(url):
        return escape(label if label == one_line(url) else f"{label} ({one_line(url)})")
    if label == url or _LOOKS_LIKE_A_LINK.search(label):
        label = shortened_url(url)
    return f"<{escape(url)}|{escape(label).replace('|', REPLACEMENT)}>"


def shortened_url(url: str) -> str:
    """An address as it is shown: a long one by its beginning, in which the host stands."""
    return url if len(url) <= URL_SHOWN else f"{url[: URL_SHOWN - 1]}…"

"""Rules for rich text (reference/block-kit/blocks/rich-text-block): its texts are literal, so data is safe in it."""

from typing import Any

from blocks import limits
from blocks.validation.faults import Findings
from blocks.validation.rules import (
    Rule,
    anything,
    flag,
    integer,
    listing,
    matching,
    one_of,
    record,
    string,
    tagged,
    url,
)

_STYLES = ("bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink")
_STYLE = {"style": record({}, dict.fromkeys(_STYLES, flag))}


def _no_broadcast(_value: Any, at: str, findings: Findings) -> None:
    findings.warn(at, "must not mention a whole channel or group", "no_pings")


_PIECES: dict[str, Rule] = {
    "text": record({"text": string(limits.MESSAGE_TEXT_TRUNCATED)}, _STYLE),
    "link": record({"url": url()}, {"text": string(limits.TEXT), "unsafe": flag, **_STYLE}),
    "emoji": record(
        {"name": string(limits.BLOCK_ID)},
        {"unicode": string(limits.BLOCK_ID), "skin_tone": integer(1, 6), "url": anything, **_STYLE},
    ),
    "user": record({"user_id": matching(r"[UW][A-Z0-9]{2,}", "a user id")}, _STYLE),
    "channel": record({"channel_id": matching(r"[CGD][A-Z0-9]{2,}", "a channel id")}, _STYLE),
    "team": record({"team_id": matching(r"T[A-Z0-9]{2,}", "a team id")}, _STYLE),
    "usergroup": record({"usergroup_id": matching(r"S[A-Z0-9]{2,}", "a user group id")}, _STYLE, _no_broadcast),
    "broadcast": record({"range": one_of("here", "channel", "everyone")}, _STYLE, _no_broadcast),
    "date": record(
        {"timestamp": integer(0), "format": string(limits.TEXT)},
        {"url": url(), "fallback": string(limits.TEXT), **_STYLE},
    ),
    "color": record({"value": string(limits.BLOCK_ID)}, _STYLE),
}
_BORDER = {"border": integer(0, limits.RICH_TEXT_LIST_BORDER)}
_SECTION = record({"elements": listing(tagged(_PIECES))})
_PARTS: dict[str, Rule] = {
    "rich_text_section": _SECTION,
    "rich_text_quote": record({"elements": listing(tagged(_PIECES))}, _BORDER),
    "rich_text_preformatted": record(
        {"elements": listing(tagged({name: _PIECES[name] for name in ("text", "link")}))},
        {**_BORDER, "language": string(limits.BLOCK_ID)},
    ),
    "rich_text_list": record(
        {
            "style": one_of("bullet", "ordered"),
            "elements": listing(tagged({"rich_text_section": _SECTION})),
        },
        {**_BORDER, "indent": integer(0, limits.RICH_TEXT_LIST_INDENT), "offset": integer(0)},
    ),
}
PARTS = listing(tagged(_PARTS))
RICH_TEXT = tagged({"rich_text": record({"elements": PARTS}, {"block_id": string(limits.BLOCK_ID)})})

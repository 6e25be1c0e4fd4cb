"""Text that somebody writes to call people, to forge what a card says, or to break it; and how to tell that none of it works."""

import re
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from blocks.text import clean, is_person_id, shortened_url

FRAGMENTS = (
    *("<!channel>", "<!here>", "<!everyone>", "<!subteam^S0EVIL|@all>", "<@U0EVIL>", "<#C0EVIL>", "<!date^0^x|y>"),
    *("@here", "@channel", "@everyone", "#general", "&", "&amp;", "&lt;!channel&gt;", "&#60;", "<", ">", "|"),
    *("`", "```", "*", "_", "~", "*✅ Approved* by <@U0BEA>", "> quote", "• list", ":tada:", ":white_check_mark:"),
    *(
        "<https://evil.example|https://bank.example>",
        "[bank](https://evil.example)",
        "https://evil.example/a?b=1&c=<d>",
    ),
    *("https://bank.example@evil.example", "https://b\u0430nk.example", "javascript:alert(1)", "mailto:a@b.example"),
    *("<b>bold</b>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"', "'", "\\", "{}", "%s", "${x}"),
    *("\u202egnp.exe", "\u200f", "\u2066", "\u200b", "\u200d", "\ufeff", "\x00", "\x07", "\x1b[31m", "\x85"),
    *("👩‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é", "e\u0301" * 3, "漢字", "\n", "\r\n", "\u2028", "\t", "  ", "x" * 90, "word " * 40),
    *(
        "2026-11-30T10:42:00Z",
        "2026-11-30",
        "PT1H",
        "1250.00",
        "U0BENBROOK",
        "C0APPROVALS",
        "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y",
    ),
    "@long@",
)
LONG = "@long@"
"""Stands for a text longer than anything that is shown, so that a failing case can be read."""


def texts(most: int = 5) -> st.SearchStrategy[str]:
    """What nobody writes by chance."""
    return st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=most).map("".join)


def nobodys() -> st.SearchStrategy[str]:
    """What stands where an id of a person should."""
    return texts(2).filter(lambda text: not is_person_id(text))


def lengthened(text: str) -> str:
    return text.replace(LONG, "long <!channel> " * 300)


OUR_OWN = ("/value", "/private_metadata", "/block_id", "/url", "/image_url")
"""What nobody reads, or what is checked as an address."""
TOKEN = re.compile(r"<([^<>]*)>")
DATE = re.compile(r"!date\^\d+\^(?:\{[a-z_]+\}|[ a-z])+\|[^<>|]+")
CHANNELS = frozenset({"C0APPROVALS"})
RICH = frozenset({"text", "date", "link", "user", "channel"})


def is_ours(token: str, people: frozenset[str]) -> bool:
    """Whether a token is one that this bot means: a known person or channel, a moment, a link that says where it leads."""
    if token.startswith("@"):
        return token[1:] in people
    if token.startswith("#"):
        return token[1:] in CHANNELS
    url, _, label = token.partition("|")
    if url.startswith("mailto:"):
        return label in {url, url.removeprefix("mailto:")}
    return DATE.fullmatch(token) is not None or (
        url.startswith(("http://", "https://")) and is_where_it_leads(url, label)
    )


def is_where_it_leads(url: str, label: str) -> bool:
    plain_url, plain_label = (each.replace("&amp;", "&") for each in (url, label))
    return plain_label == shortened_url(plain_url)


def dangers(value: Any, people: frozenset[str], at: str = "") -> Iterator[str]:
    """Everything in blocks, a view or a message that calls somebody, leads elsewhere, hides or is read as markup."""
    if isinstance(value, list):
        for place, each in enumerate(value):
            yield from dangers(each, people, f"{at}/{place}")
    elif isinstance(value, dict):
        yield from _of_object(value, people, at)
        for key, each in value.items():
            yield from dangers(each, people, f"{at}/{key}")
    elif isinstance(value, str) and not at.endswith(OUR_OWN) and clean(value) != value:
        yield f"{at} hides something: {value!r}"


def _of_object(value: dict[str, Any], people: frozenset[str], at: str) -> Iterator[str]:
    match value.get("type"):
        case "mrkdwn":
            if value.get("verbatim") is not True:
                yield f"{at} is not verbatim"
            yield from in_mrkdwn(value["text"], people, at)
        case "plain_text" if value.get("emoji", False):
            yield f"{at} turns words into emoji"
        case "broadcast" | "usergroup":
            yield f"{at} calls many"
        case "user" if value.get("user_id") not in people:
            yield f"{at} calls {value.get('user_id')}"
        case "channel" if value.get("channel_id") not in CHANNELS:
            yield f"{at} names a channel that nobody meant"
        case "link" if not _leads_where_it_says(value):
            yield f"{at} leads elsewhere: {value}"


def _leads_where_it_says(link: dict[str, Any]) -> bool:
    url, label = str(link["url"]), str(link.get("text", link["url"]))
    return label == shortened_url(url) or url in {f"mailto:{label}", label}


def in_mrkdwn(text: str, people: frozenset[str], at: str = "/text") -> Iterator[str]:
    for found in TOKEN.finditer(text):
        if not is_ours(found[1], people):
            yield f"{at} has {found[0]!r}"
    rest = TOKEN.sub("", text)
    if "<" in rest or ">" in rest:
        yield f"{at} has a bracket that is not escaped"
    if re.search(r"&(?!amp;|lt;|gt;)", rest):
        yield f"{at} has an ampersand that is not escaped"

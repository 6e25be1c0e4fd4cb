"""Turns what is said in Slack's markup into plain words, for programs and those who read their logs."""

import html
import re

_PERSON_OR_CHANNEL = re.compile(r"<[@#]([A-Z0-9]+)(?:\|[^>]*)?>")
_WITH_FALLBACK = re.compile(r"<![^|>]*\|([^>]*)>")
_BOLD = re.compile(r"\*([^*\n]+)\*")


def plain(mrkdwn: str) -> str:
    """`Already approved by <@U0ANN> <!date^1…^…|30 Nov, 12:00 UTC>.` without its marks."""
    text = _PERSON_OR_CHANNEL.sub(r"\1", mrkdwn)
    text = _WITH_FALLBACK.sub(r"\1", text)
    return html.unescape(_BOLD.sub(r"\1", text))

"""Rules for texts, options and confirm dialogs (reference/block-kit/composition-objects)."""

import re
from typing import Any

from blocks import limits
from blocks.validation.faults import Findings, below
from blocks.validation.rules import Rule, at_least_one, flag, listing, one_of, record, string, tagged, url

_PINGS = re.compile(r"<!(?:channel|here|everyone|subteam)\b")
_PLAIN_PINGS = re.compile(r"(?<!\w)@(?:channel|here|everyone)\b")


def no_pings(value: Any, at: str, findings: Findings) -> None:
    """This bot never calls a whole channel, so such a token can only come from data that was not escaped."""
    if isinstance(value, str) and _PINGS.search(value):
        findings.warn(at, "must not mention a whole channel or group", "no_pings")


def _quiet(value: Any, at: str, findings: Findings) -> None:
    no_pings(value["text"], below(at, "text"), findings)
    if not value.get("verbatim") and _PLAIN_PINGS.search(value["text"]):
        findings.warn(at, "must be verbatim where the text names a whole channel", "no_pings")


def plain(limit: int, least: int = 1) -> Rule:
    return tagged({"plain_text": record({"text": string(limit, least)}, {"emoji": flag})})


def plain_or_mrkdwn(limit: int) -> Rule:
    return tagged(
        {
            "plain_text": record({"text": string(limit)}, {"emoji": flag}),
            "mrkdwn": record({"text": string(limit)}, {"verbatim": flag}, _quiet),
        }
    )


CONFIRM = record(
    {
        "title": plain(limits.CONFIRMATION_TITLE),
        "text": plain(limits.CONFIRMATION_TEXT),
        "confirm": plain(limits.CONFIRMATION_CONFIRM),
        "deny": plain(limits.CONFIRMATION_DENY),
    },
    {"style": one_of("primary", "danger")},
)

_VALUE = {"value": string(limits.OPTION_VALUE)}
OPTION = record({"text": plain(limits.OPTION_TEXT), **_VALUE}, {"description": plain(limits.OPTION_DESCRIPTION)})
RICH_OPTION = record(
    {"text": plain_or_mrkdwn(limits.OPTION_TEXT), **_VALUE},
    {"description": plain_or_mrkdwn(limits.OPTION_DESCRIPTION)},
)
OVERFLOW_OPTION = record(
    {"text": plain(limits.OPTION_TEXT), **_VALUE},
    {"description": plain(limits.OPTION_DESCRIPTION), "url": url(limits.OPTION_URL)},
)
OPTION_GROUP = record(
    {"label": plain(limits.OPTION_GROUP_LABEL), "options": listing(OPTION, limits.OPTION_GROUP_OPTIONS)}
)
CONVERSATION_FILTER = record(
    {},
    {
        "include": listing(one_of("im", "mpim", "private", "public")),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    },
    at_least_one("include", "exclude_external_shared_channels", "exclude_bot_users"),
)
DISPATCH = record(
    {},
    {"trigger_actions_on": listing(one_of("on_enter_pressed", "on_character_entered"), limits.TRIGGER_ACTIONS_ON)},
)
SLACK_FILE = record({}, {"id": string(limits.BLOCK_ID), "url": url()})

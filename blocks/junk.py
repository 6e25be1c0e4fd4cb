"""What of Slack's JSON is not for us or makes no sense: told in words that repeat nothing of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from blocks.payloads import Sender


@dataclass(frozen=True, slots=True)
class Other:
    """What is not for us, or makes no sense: acknowledged, and nothing done.

    `ours` says that it came from something of ours, damaged or out of date, so that its person deserves a word.
    `reason` is for logs and repeats nothing of the payload but field names.
    """

    reason: str
    ours: bool = False
    person: str | None = None
    channel: str | None = None
    response_url: str | None = None


def other(sent: Sender, reason: str, *, ours: bool) -> Other:
    return Other(reason, ours, sent.user.id, sent.channel_id, sent.response_url)


def unreadable(payload: Any, error: ValidationError, *, ours: bool = False) -> Other:
    reason = f"unreadable: {why(error)}"
    try:
        return other(Sender.model_validate(payload), reason, ours=ours)
    except ValidationError:
        return Other(reason, ours)


def why(error: Exception) -> str:
    """What is wrong, by field and kind; never what was sent."""
    if isinstance(error, ValidationError):
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{_path(detail['loc'])}: {detail['type']}" for detail in details[:3])
    return type(error).__name__ if isinstance(error, json.JSONDecodeError | RecursionError) else str(error)


def _path(location: tuple[str | int, ...]) -> str:
    return ".".join(str(step)[:40] for step in location[:4]) or "it"


def is_view_of(payload: Any, callback_ids: tuple[str, ...]) -> bool:
    """Whether a payload that cannot be read comes from one of these views."""
    view = payload.get("view") if isinstance(payload, Mapping) else None
    return isinstance(view, Mapping) and view.get("callback_id") in callback_ids

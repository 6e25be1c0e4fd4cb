"""Holds every message and view against the strict Block Kit rules, and says what is wrong the way Slack does."""

from collections.abc import Mapping
from typing import Any, Literal

from blocks.validate import Fault, validate_message, validate_view
from bot.workbench.slack_errors import SlackError, invalid_arguments


def check_message(content: Mapping[str, Any], *, strict: bool = True) -> None:
    """Raise what chat.* answers to text and blocks that Slack would not show.

    A strict workbench also refuses what Slack would accept to people's harm: a missing notification text, a mention
    of a whole channel, sums of text that come too close to an unpublished limit.
    """
    faults = _counting(validate_message(dict(content)), strict=strict)
    if not faults:
        return
    messages = {"messages": [f"[ERROR] {fault}" for fault in faults]}
    error = _error_of(faults[0])
    if error == "invalid_blocks":
        raise SlackError(error, errors=[str(fault) for fault in faults], response_metadata=messages)
    raise SlackError(error, response_metadata=messages)


def check_view(view: Any, kind: Literal["modal", "home"], *, strict: bool = True) -> dict[str, Any]:
    """The view, or what views.* answers to one that Slack would not show; its size comes first."""
    if not isinstance(view, dict):
        raise invalid_arguments(["must be a valid view [json-pointer:/view]"])
    faults = _counting(validate_view(view, kind), strict=strict)
    if any(fault.constraint.get("type") == "max_bytes" for fault in faults):
        raise SlackError("view_too_large")
    if faults:
        raise invalid_arguments(str(fault) for fault in faults)
    return view


def _counting(faults: list[Fault], *, strict: bool) -> list[Fault]:
    return [fault for fault in faults if strict or fault.code == "failed_constraint"]


def _error_of(fault: Fault) -> str:
    match (fault.pointer, fault.constraint.get("type")):
        case ("/text", "required"):
            return "no_text"
        case ("/text", "max_length"):
            return "msg_too_long"
        case ("/blocks", "max_length"):
            return "msg_blocks_too_long"
        case (pointer, _) if pointer.startswith("/metadata"):
            return "invalid_metadata_format"
        case _:
            return "invalid_blocks"

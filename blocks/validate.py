"""The strict validator: says what Slack would refuse before Slack does, and what this bot refuses for people's sake.

Used by tests, by the local Slack, and by the bot before it sends. It takes parsed JSON of any shape and never raises.
Lengths are compared in code points, the most that Slack may allow; what we render stays below them (`blocks.text.clip`).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from blocks import limits
from blocks.validation.composition import no_pings, plain
from blocks.validation.faults import Fault, Findings, Surface, below
from blocks.validation.layout import BLOCKS, ON_SURFACE
from blocks.validation.rules import Rule, anything, flag, one_of, record, string, tagged

__all__ = ["Fault", "Surface", "all_text", "validate_blocks", "validate_message", "validate_view"]

_VIEW_TAIL: dict[str, Rule] = {
    "private_metadata": string(limits.VIEW_PRIVATE_METADATA, least=0),
    "callback_id": string(limits.VIEW_CALLBACK_ID),
    "external_id": string(limits.VIEW_EXTERNAL_ID, least=0),
}
_MODAL = record(
    {"type": one_of("modal"), "title": plain(limits.VIEW_TITLE), "blocks": anything},
    {
        "submit": plain(limits.VIEW_SUBMIT),
        "close": plain(limits.VIEW_CLOSE),
        "clear_on_close": flag,
        "notify_on_close": flag,
        **_VIEW_TAIL,
    },
)
_HOME = record({"type": one_of("home"), "blocks": anything}, _VIEW_TAIL)
_SHOWN = frozenset({"text", "alt_text", "title", "caption"})
_COUNTED = {"table": limits.MESSAGE_TABLES, "data_visualization": limits.MESSAGE_DATA_VISUALIZATIONS}


def validate_blocks(blocks: Any, surface: Surface) -> list[Fault]:
    """What is wrong with these blocks on this surface. Pointers start at the list: `/0/text/text`."""
    findings = Findings(surface)
    _check_blocks(blocks, "", findings)
    return findings.faults


def validate_message(payload: Any) -> list[Fault]:
    """What is wrong with the arguments of a chat.postMessage or chat.update. Pointers: `/text`, `/blocks/0/…`.

    Looks at text, blocks, attachments and metadata; where it goes is not its business.
    """
    if not isinstance(payload, Mapping):
        return [Fault("failed_constraint", "must be an object", "", {"type": "type", "expected": "object"})]
    findings = Findings("message")
    _check_text(payload, findings)
    if payload.get("blocks") is not None:
        _check_blocks(payload["blocks"], "/blocks", findings)
    attachments = payload.get("attachments")
    if isinstance(attachments, list) and len(attachments) > limits.MESSAGE_ATTACHMENTS:
        most = limits.MESSAGE_ATTACHMENTS
        findings.fail("/attachments", f"no more than {most} items allowed", "max_items", most)
    if payload.get("metadata") is not None:
        _check_metadata(payload["metadata"], findings)
    return findings.faults


def validate_view(view: Any, kind: Literal["modal", "home"] = "modal") -> list[Fault]:
    """What is wrong with a view for views.open, push, update or publish. Pointers: `/view/title`, `/view/blocks/0/…`."""
    findings = Findings(kind)
    (_MODAL if kind == "modal" else _HOME)(view, "/view", findings)
    if not isinstance(view, dict):
        return findings.faults
    _check_blocks(view.get("blocks", []), "/view/blocks", findings)
    if findings.has_inputs and kind == "modal" and "submit" not in view:
        findings.fail("/view", "missing required field: submit", "required", "submit")
    for at in findings.focused[1:]:
        findings.fail(at, "only one element may have focus_on_load", "unique", "focus_on_load")
    if len(json.dumps(view, ensure_ascii=False).encode("utf-8", "replace")) > limits.VIEW_BYTES:
        findings.fail("/view", f"must be less than {limits.VIEW_BYTES + 1} bytes", "max_bytes", limits.VIEW_BYTES)
    return findings.faults


def all_text(blocks: Any) -> int:
    """How many characters of text these blocks show together; Slack limits the sum in a message."""
    return sum(len(text) for text in _texts(blocks))


def _texts(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        entries = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for key, entry in entries:
            if not isinstance(entry, str):
                waiting.append(entry)
            elif key in _SHOWN:
                yield entry


def _check_blocks(blocks: Any, at: str, findings: Findings) -> None:
    if not isinstance(blocks, list):
        findings.fail(at, "must be an array", "type", "array")
        return
    most = limits.MESSAGE_BLOCKS if findings.surface == "message" else limits.VIEW_BLOCKS
    if len(blocks) > most:
        findings.fail(at, f"no more than {most} items allowed", "max_items", most)
    if not blocks:
        findings.fail(at, "no fewer than 1 items allowed", "min_items", limits.VIEW_BLOCKS_MIN)
    rule = tagged({name: BLOCKS[name] for name in ON_SURFACE[findings.surface]})
    for index, block in enumerate(blocks):
        rule(block, below(at, index), findings)
    if findings.surface == "message":
        _check_sums(blocks, at, findings)


def _check_sums(blocks: list[Any], at: str, findings: Findings) -> None:
    kinds = [block.get("type") for block in blocks if isinstance(block, dict)]
    for kind, most in _COUNTED.items():
        if kinds.count(kind) > most:
            findings.fail(at, f"no more than {most} blocks of type {kind} allowed", "max_items", most)
    markdown = [block for block in blocks if isinstance(block, dict) and block.get("type") == "markdown"]
    if all_text(markdown) > limits.MARKDOWN_TOTAL_TEXT:
        findings.fail(at, "markdown blocks are too long together", "max_length", limits.MARKDOWN_TOTAL_TEXT)
    total = all_text(blocks)
    if total > limits.MESSAGE_ALL_TEXT:
        findings.fail(at, "blocks are too long together", "max_length", limits.MESSAGE_ALL_TEXT)
    elif total > limits.MESSAGE_ALL_TEXT_SAFE:
        findings.warn(at, "blocks are too long together", "max_length", limits.MESSAGE_ALL_TEXT_SAFE)


def _check_text(payload: Mapping[str, Any], findings: Findings) -> None:
    text = payload.get("text")
    if text is None or text == "":
        if payload.get("blocks"):
            findings.warn("/text", "missing required field: text (what notifications show)", "required", "text")
        else:
            findings.fail("/text", "missing required field: text", "required", "text")
        return
    if not isinstance(text, str):
        findings.fail("/text", "must be a string", "type", "string")
        return
    if len(text) > limits.MESSAGE_TEXT:
        findings.warn(
            "/text", f"must be less than {limits.MESSAGE_TEXT + 1} characters", "max_length", limits.MESSAGE_TEXT
        )
    no_pings(text, "/text", findings)
    if payload.get("link_names"):
        findings.warn("/link_names", "must be off, or plain words become mentions", "no_pings")


def _check_metadata(metadata: Any, findings: Findings) -> None:
    if not isinstance(metadata, dict) or not isinstance(metadata.get("event_payload"), dict):
        findings.fail("/metadata", "must be an object with event_type and event_payload", "type", "object")
        return
    if not isinstance(metadata.get("event_type"), str):
        findings.fail("/metadata/event_type", "must be a string", "type", "string")
    for key, value in metadata["event_payload"].items():
        if not _is_metadata(value):
            at = below("/metadata/event_payload", key)
            findings.fail(at, "must be a scalar, a flat object, or an array of flat objects", "type", "scalar")


def _is_metadata(value: Any) -> bool:
    def is_flat(entry: Any) -> bool:
        return isinstance(entry, dict) and all(isinstance(part, str | int | float) for part in entry.values())

    if isinstance(value, list):
        return all(is_flat(entry) for entry in value)
    return isinstance(value, str | int | float) or is_flat(value)

"""What the app wants a message to say: text, blocks, Markdown, attachments and metadata, held against Slack's rules."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.workbench.block_checks import check_message
from bot.workbench.echo import with_ids
from bot.workbench.methods import MethodCall
from bot.workbench.slack_errors import SlackError, invalid_arguments, missing_scope

POST_TEXT = 40_000  # longer text is cut: https://docs.slack.dev/reference/methods/chat.postMessage
EDIT_TEXT = 4_000  # longer text is refused: https://docs.slack.dev/reference/methods/chat.update
MARKDOWN_TEXT = 12_000  # https://docs.slack.dev/reference/methods/chat.postMessage
ATTACHMENTS = 100  # https://docs.slack.dev/reference/methods/chat.postMessage
METADATA_BYTES = 16_000  # Slack publishes no number; this is more than anybody should need

_CUSTOM = ("username", "icon_emoji", "icon_url")
ARGUMENTS = frozenset({"as_user", "attachments", "blocks", "link_names", "markdown_text", "metadata", "parse", "text"})
CUSTOM_ARGUMENTS = frozenset(_CUSTOM)


@dataclass(frozen=True, slots=True)
class Content:
    """`blocks` and `attachments` are `None` where the call does not name them, which an edit leaves as they are."""

    text: str
    blocks: list[dict[str, Any]] | None
    attachments: list[dict[str, Any]] | None


def content_of(call: MethodCall, *, longest: int | None = None) -> Content:
    """What the call says. Raises `SlackError`; a text over `longest` is refused, without it cut where Slack cuts it."""
    if call.flag("as_user"):
        raise SlackError("as_user_not_supported")
    for argument in _CUSTOM:
        if call.arguments.get(argument) and "chat:write.customize" not in call.token.scopes:
            raise missing_scope("chat:write.customize", call.token.scopes)
    text, blocks = call.text("text"), _blocks(call)
    attachments = attachments_of(call.arguments.get("attachments"), strict=call.bench.strict)
    if longest is not None and len(text) > longest:
        raise SlackError("msg_too_long")
    if not text and not blocks and not attachments:
        raise SlackError("no_text")
    text = (text or call.text("markdown_text"))[:POST_TEXT]
    if text or blocks:
        check_message({"text": text} | ({"blocks": blocks} if blocks else {}), strict=call.bench.strict)
    return Content(text, None if blocks is None else with_ids(blocks), attachments)


def metadata_of(call: MethodCall) -> dict[str, Any] | None:
    """`{event_type, event_payload}`, or nothing where it is absent or empty."""
    metadata = call.arguments.get("metadata")
    if metadata in (None, {}):
        return None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("event_type"), str):
        raise SlackError("invalid_metadata_format")
    if not isinstance(metadata.get("event_payload"), dict) or metadata.keys() - {"event_type", "event_payload"}:
        raise SlackError("invalid_metadata_format")
    if len(json.dumps(metadata)) > METADATA_BYTES:
        raise SlackError("metadata_too_large")
    return dict(metadata)


def _blocks(call: MethodCall) -> list[dict[str, Any]] | None:
    """The blocks; `markdown_text` is one `markdown` block and excludes text and blocks."""
    blocks, markdown = call.arguments.get("blocks"), call.text("markdown_text")
    if blocks is not None and not isinstance(blocks, list):
        raise SlackError("invalid_blocks_format")
    if not markdown:
        return blocks
    if blocks or call.text("text"):
        raise SlackError("markdown_text_conflict")
    if len(markdown) > MARKDOWN_TEXT:
        raise SlackError("msg_too_long")
    return [{"type": "markdown", "text": markdown}]


def attachments_of(attachments: Any, *, strict: bool) -> list[dict[str, Any]] | None:
    """The legacy attachments; of their blocks only the words count here, nothing in them can be clicked."""
    if attachments is None:
        return None
    if not isinstance(attachments, list) or not all(isinstance(one, Mapping) for one in attachments):
        raise invalid_arguments(["must be an array of attachments [json-pointer:/attachments]"])
    if len(attachments) > ATTACHMENTS:
        raise SlackError("too_many_attachments")
    for attachment in attachments:
        if attachment.get("blocks"):
            check_message({"text": "-", "blocks": attachment["blocks"]}, strict=strict)
    return [{"id": number, **attachment} for number, attachment in enumerate(attachments, start=1)]

"""chat.*: posting, editing and deleting messages, and showing one to a single person."""

import json
import time
from typing import Any

from bot.workbench.block_checks import check_message
from bot.workbench.echo import with_ids
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_conversations import message_object
from bot.workbench.slack_errors import SlackError, missing_scope, rate_limited
from bot.workbench.workspace import Conversation, Message

POST_TEXT = 40_000  # longer text is cut: https://docs.slack.dev/reference/methods/chat.postMessage
EDIT_TEXT = 4_000  # longer text is refused: https://docs.slack.dev/reference/methods/chat.update
METADATA_BYTES = 16_000  # Slack publishes no number; this is more than anybody should need


def post_message(call: MethodCall) -> Answer:
    conversation = place_of(call, call.text("channel"))
    _pace(call, conversation)
    _check_content(call)
    message = Message(
        conversation.id,
        call.bench.workspace.next_ts(),
        call.bench.workspace.app.user,
        call.text("text")[:POST_TEXT],
        with_ids(call.arguments.get("blocks") or ()),
        metadata=_metadata(call),
        thread_ts=root_of(call, conversation),
    )
    call.bench.workspace.add(message)
    return {"channel": conversation.id, "ts": message.ts, "message": message_object(call.bench, message)}


def update(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    message = _own(call, conversation, "ts", "cant_update_message")
    if conversation.archived:
        raise SlackError("is_inactive")
    if len(call.text("text")) > EDIT_TEXT:
        raise SlackError("msg_too_long")
    _check_content(call)
    blocks = call.arguments.get("blocks")
    if "metadata" in call.arguments:
        message.metadata = _metadata(call)
    kept = message.blocks if blocks is None else with_ids(blocks)
    call.bench.workspace.edit(message, text=call.text("text") or message.text, blocks=kept)
    shown = message_object(call.bench, message)
    return {"channel": conversation.id, "ts": message.ts, "text": shown["text"], "message": shown}


def delete(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    message = _own(call, conversation, "ts", "cant_delete_message")
    call.bench.workspace.remove(message)
    return {"channel": conversation.id, "ts": message.ts}


def post_ephemeral(call: MethodCall) -> Answer:
    conversation = place_of(call, call.text("channel"))
    person = call.bench.workspace.people.get(call.text("user"))
    if person is None or person.id not in conversation.members:
        raise SlackError("user_not_in_channel")
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    if len(call.text("text")) > EDIT_TEXT:
        raise SlackError("msg_too_long")
    _check_content(call)
    message = Message(
        conversation.id,
        call.bench.workspace.next_ts(),
        call.bench.workspace.app.user,
        call.text("text"),
        with_ids(call.arguments.get("blocks") or ()),
        thread_ts=root_of(call, conversation),
        only_for=person.id,
    )
    call.bench.workspace.add(message)
    return {"message_ts": message.ts}


def get_permalink(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    message = conversation.message(call.text("message_ts"))
    if message is None or message.ephemeral:
        raise SlackError("message_not_found")
    link = f"https://{call.bench.workspace.domain}.slack.com/archives/{conversation.id}/p{message.ts.replace('.', '')}"
    return {"channel": conversation.id, "permalink": link}


def place_of(call: MethodCall, named: str, *, public_scope: str | None = "chat:write.public") -> Conversation:
    """Where to post: a conversation by id or public name, or a person's direct messages by the person's id.

    With `public_scope` the token may post in a public channel that the bot is not in.
    """
    workspace = call.bench.workspace
    person = workspace.people.get(named)
    if person is not None and (person.is_bot or person.deactivated):
        raise SlackError("channel_not_found")
    if person is not None:
        conversation: Conversation | None = workspace.dm_of(person.id)
    else:
        conversation = workspace.conversation(named)
    if conversation is None or (conversation.kind != "channel" and not call.is_in(conversation)):
        raise SlackError("channel_not_found")
    if conversation.archived:
        raise SlackError("is_archived")
    if conversation.kind == "dm" and not workspace.app.messages_tab:
        raise SlackError("messages_tab_disabled")
    if not call.is_in(conversation) and public_scope not in call.token.scopes:
        raise SlackError("not_in_channel")
    return conversation


def _own(call: MethodCall, conversation: Conversation, argument: str, refusal: str) -> Message:
    """The app's own lasting message; ephemeral ones cannot be found, answers to a response URL not be touched."""
    message = conversation.message(call.text(argument))
    if message is None or message.ephemeral:
        raise SlackError("message_not_found")
    if message.author != call.bench.workspace.app.user or message.by_response:
        raise SlackError(refusal)
    return message


def root_of(call: MethodCall, conversation: Conversation) -> str | None:
    """The first message of the thread; naming a reply leads to the thread that it is in."""
    named = call.text("thread_ts")
    if not named:
        return None
    root = conversation.message(named)
    if root is None or root.ephemeral:
        raise SlackError("cannot_reply_to_message")
    return root.thread_ts or root.ts


def _check_content(call: MethodCall) -> None:
    text, blocks = call.text("text"), call.arguments.get("blocks")
    if blocks is not None and not isinstance(blocks, list):
        raise SlackError("invalid_blocks_format")
    if not text and not blocks:
        raise SlackError("no_text")
    content: dict[str, Any] = {"text": text[:POST_TEXT]}
    if blocks:
        content["blocks"] = blocks
    check_message(content, strict=call.bench.strict)
    for argument in ("username", "icon_emoji", "icon_url"):
        if call.arguments.get(argument) and "chat:write.customize" not in call.token.scopes:
            raise missing_scope("chat:write.customize", call.token.scopes)


def _metadata(call: MethodCall) -> dict[str, Any] | None:
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


def _pace(call: MethodCall, conversation: Conversation) -> None:
    """Where the test asks for it: one post per channel in so many seconds (Slack's rule is one a second)."""
    least = call.bench.timings.posts_per_channel
    own = [m for m in conversation.messages if m.author == call.bench.workspace.app.user and not m.ephemeral]
    if least is not None and own and time.time() - float(own[-1].ts) < least:
        raise rate_limited(max(1, round(least)))


_CONTENT = frozenset(
    {
        "text",
        "blocks",
        "metadata",
        "thread_ts",
        "link_names",
        "parse",
        "mrkdwn",
        "unfurl_links",
        "unfurl_media",
        "username",
        "icon_emoji",
        "icon_url",
    }
)
_WRITE = frozenset({"chat:write"})

METHODS = (
    Method("chat.postMessage", post_message, _CONTENT | {"reply_broadcast"}, frozenset({"channel"}), _WRITE),
    Method(
        "chat.update",
        update,
        frozenset({"text", "blocks", "metadata", "link_names", "parse", "reply_broadcast"}),
        frozenset({"channel", "ts"}),
        _WRITE,
    ),
    Method("chat.delete", delete, required=frozenset({"channel", "ts"}), scopes=_WRITE),
    Method(
        "chat.postEphemeral",
        post_ephemeral,
        _CONTENT - {"metadata", "mrkdwn", "unfurl_links", "unfurl_media"},
        frozenset({"channel", "user"}),
        _WRITE,
    ),
    Method("chat.getPermalink", get_permalink, required=frozenset({"channel", "message_ts"})),
)

"""chat.*: posting, editing and deleting messages, and showing one to a single person."""

import time
from typing import Any

from bot.workbench.message_content import ARGUMENTS, CUSTOM_ARGUMENTS, EDIT_TEXT, Content, content_of, metadata_of
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_conversations import message_object
from bot.workbench.slack_errors import SlackError, rate_limited
from bot.workbench.workspace import Conversation, Message


def post_message(call: MethodCall) -> Answer:
    """https://docs.slack.dev/reference/methods/chat.postMessage."""
    conversation = place_of(call, call.text("channel"))
    _pace(call, conversation)
    content, root = content_of(call), root_of(call, conversation)
    message = message_of(call, conversation, content, thread_ts=root, metadata=metadata_of(call))
    message.broadcast = root is not None and call.flag("reply_broadcast")
    call.bench.workspace.add(message)
    return {"channel": conversation.id, "ts": message.ts, "message": message_object(call.bench, message)}


def update(call: MethodCall) -> Answer:
    """What the call does not name stays as it is: https://docs.slack.dev/reference/methods/chat.update."""
    conversation = call.visible_conversation()
    message = _own(call, conversation, "ts", "cant_update_message")
    if conversation.archived:
        raise SlackError("is_inactive")
    content, metadata = content_of(call, longest=EDIT_TEXT), metadata_of(call)
    if call.flag("reply_broadcast") and not message.is_reply:
        raise SlackError("cant_broadcast_message")
    kept = message.blocks if content.blocks is None else content.blocks
    attached = message.attachments if content.attachments is None else content.attachments
    if "metadata" in call.arguments:
        message.metadata = metadata
    message.broadcast = message.broadcast or call.flag("reply_broadcast")
    call.bench.workspace.edit(message, text=content.text or message.text, blocks=kept, attachments=attached)
    shown = message_object(call.bench, message)
    return {"channel": conversation.id, "ts": message.ts, "text": shown["text"], "message": shown}


def delete(call: MethodCall) -> Answer:
    """The app's own messages alone: https://docs.slack.dev/reference/methods/chat.delete."""
    conversation = call.visible_conversation()
    message = _own(call, conversation, "ts", "cant_delete_message")
    call.bench.workspace.remove(message)
    return {"channel": conversation.id, "ts": message.ts}


def post_ephemeral(call: MethodCall) -> Answer:
    """To a member, by a bot that is one too: https://docs.slack.dev/reference/methods/chat.postEphemeral.

    How long its text may be is not documented: as long as an edit's.
    """
    conversation = place_of(call, call.text("channel"))
    person = call.bench.workspace.people.get(call.text("user"))
    if person is None or person.id not in conversation.members:
        raise SlackError("user_not_in_channel")
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    content, root = content_of(call, longest=EDIT_TEXT), root_of(call, conversation)
    shown = {"thread_ts": root, "only_for": person.id, "metadata": metadata_of(call)}
    message = message_of(call, conversation, content, **shown)
    call.bench.workspace.add(message)
    return {"message_ts": message.ts}


def get_permalink(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    message = conversation.message(call.text("message_ts"))
    if message is None or message.ephemeral:
        raise SlackError("message_not_found")
    link = f"https://{call.bench.workspace.domain}.slack.com/archives/{conversation.id}/p{message.ts.replace('.', '')}"
    return {"channel": conversation.id, "permalink": link}


def message_of(call: MethodCall, conversation: Conversation, content: Content, **more: Any) -> Message:
    workspace = call.bench.workspace
    message = Message(conversation.id, workspace.next_ts(), workspace.app.user, content.text, **more)
    message.blocks, message.attachments = content.blocks or [], content.attachments or []
    return message


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
    """The app's own lasting message; ephemeral ones cannot be found, answers to a response URL not be touched.

    https://github.com/slackapi/python-slack-sdk/issues/1254, https://github.com/slackapi/bolt-js/issues/2063
    """
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


def _pace(call: MethodCall, conversation: Conversation) -> None:
    """Where the test asks for it: one post per channel in so many seconds (Slack's rule is one a second)."""
    least = call.bench.timings.posts_per_channel
    own = [m for m in conversation.messages if m.author == call.bench.workspace.app.user and not m.ephemeral]
    if least is not None and own and time.time() - float(own[-1].ts) < least:
        raise rate_limited(max(1, round(least)))


_WRITE = frozenset({"chat:write"})
_UNFURL = frozenset({"mrkdwn", "unfurl_links", "unfurl_media"})

METHODS = (
    Method(
        "chat.postMessage",
        post_message,
        ARGUMENTS | CUSTOM_ARGUMENTS | _UNFURL | {"reply_broadcast", "thread_ts"},
        frozenset({"channel"}),
        _WRITE,
    ),
    Method("chat.update", update, ARGUMENTS | {"reply_broadcast"}, frozenset({"channel", "ts"}), _WRITE),
    Method("chat.delete", delete, frozenset({"as_user"}), frozenset({"channel", "ts"}), _WRITE),
    Method(
        "chat.postEphemeral",
        post_ephemeral,
        ARGUMENTS | CUSTOM_ARGUMENTS | {"thread_ts"},
        frozenset({"channel", "user"}),
        _WRITE,
    ),
    Method("chat.getPermalink", get_permalink, required=frozenset({"channel", "message_ts"})),
)

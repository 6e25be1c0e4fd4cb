"""chat.scheduleMessage and chat.deleteScheduledMessage: a message that is posted later by the workbench's clock."""

import time

from bot.workbench.message_content import ARGUMENTS, Content, content_of, metadata_of
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_chat import message_of, place_of, root_of
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Conversation

LATEST = 120 * 24 * 3600  # https://docs.slack.dev/reference/methods/chat.scheduleMessage


def schedule(call: MethodCall) -> Answer:
    conversation = place_of(call, call.text("channel"))
    content, wait = content_of(call), _wait(call)
    root_of(call, conversation)
    metadata_of(call)

    def post() -> None:
        _post(call, conversation, content)

    name = call.bench.schedule.at(call.bench.moment() + wait, post)
    shown = {"type": "delayed_message", "text": content.text, "bot_id": call.bench.workspace.app.bot_id}
    post_at = int(call.arguments["post_at"])
    return {"channel": conversation.id, "scheduled_message_id": name, "post_at": post_at, "message": shown}


def delete(call: MethodCall) -> Answer:
    call.visible_conversation()
    if not call.bench.schedule.cancel(call.text("scheduled_message_id")):
        raise SlackError("invalid_scheduled_message_id")
    return {}


def _wait(call: MethodCall) -> float:
    """Seconds from now until it is to be posted."""
    try:
        post_at = int(call.arguments["post_at"])
    except (TypeError, ValueError):
        raise SlackError("invalid_time") from None
    wait = post_at - time.time() - call.bench.aged.total_seconds()
    if wait <= 0:
        raise SlackError("time_in_past")
    if wait > LATEST:
        raise SlackError("time_too_far")
    return wait


def _post(call: MethodCall, conversation: Conversation, content: Content) -> None:
    """What becomes of a message whose channel was archived meanwhile is not documented: here it is not posted."""
    try:
        place_of(call, conversation.id)
        root, metadata = root_of(call, conversation), metadata_of(call)
    except SlackError as error:
        call.bench.journal.noted(f"A scheduled message could not be posted in {conversation.name}: {error.error}")
        return
    message = message_of(call, conversation, content, thread_ts=root, metadata=metadata)
    message.broadcast = root is not None and call.flag("reply_broadcast")
    call.bench.workspace.add(message)


_WRITE = frozenset({"chat:write"})
_LINKS = frozenset({"unfurl_links", "unfurl_media", "reply_broadcast", "thread_ts"})

METHODS = (
    Method("chat.scheduleMessage", schedule, ARGUMENTS | _LINKS, frozenset({"channel", "post_at"}), _WRITE),
    Method(
        "chat.deleteScheduledMessage",
        delete,
        frozenset({"as_user"}),
        frozenset({"channel", "scheduled_message_id"}),
        _WRITE,
    ),
)

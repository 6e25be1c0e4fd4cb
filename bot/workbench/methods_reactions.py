"""reactions.*: emoji under messages (https://docs.slack.dev/reference/methods/reactions.add)."""

import re

from bot.workbench.conversations import EMOJI
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_conversations import message_object
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Message

_MOMENT = re.compile(r"[0-9]+\.[0-9]+")


def add(call: MethodCall) -> Answer:
    message, name = _message(call), _name(call)
    if call.bench.workspace.conversations[message.channel].archived:
        raise SlackError("is_archived")
    if not call.bench.workspace.react(message, call.bench.workspace.app.user, name):
        raise SlackError("already_reacted")
    return {}


def remove(call: MethodCall) -> Answer:
    message, name = _message(call), _name(call)
    if not call.bench.workspace.unreact(message, call.bench.workspace.app.user, name):
        raise SlackError("no_reaction")
    return {}


def get(call: MethodCall) -> Answer:
    message = _message(call)
    return {"type": "message", "channel": message.channel, "message": message_object(call.bench, message)}


def _name(call: MethodCall) -> str:
    name = call.text("name")
    if not EMOJI.fullmatch(name):
        raise SlackError("invalid_name")
    return name


def _message(call: MethodCall) -> Message:
    """A message where the bot is; that Slack lets a bot react in public channels where it is not is not documented."""
    conversation = call.visible_conversation()
    if not _MOMENT.fullmatch(call.text("timestamp")):
        raise SlackError("bad_timestamp")
    message = conversation.message(call.text("timestamp"))
    if not call.is_in(conversation):
        raise SlackError("no_access")
    if message is None or message.ephemeral:
        raise SlackError("message_not_found")
    return message


_PLACE = frozenset({"channel", "timestamp"})
_WRITE = frozenset({"reactions:write"})

METHODS = (
    Method("reactions.add", add, required=_PLACE | {"name"}, scopes=_WRITE),
    Method("reactions.remove", remove, required=_PLACE | {"name"}, scopes=_WRITE),
    Method("reactions.get", get, frozenset({"full"}), _PLACE, frozenset({"reactions:read"})),
)

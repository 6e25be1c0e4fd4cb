"""conversations.*: what an app does with channels besides reading them: join, leave, invite, create, archive, name a topic."""

import re

from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_conversations import conversation_object
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Conversation, Person

NAME = 80  # https://docs.slack.dev/reference/methods/conversations.create
TOPIC = 250
_NAME = re.compile(r"[\w-]+")


def join(call: MethodCall) -> Answer:
    """Public channels alone can be joined; into others the bot has to be invited."""
    conversation = call.visible_conversation()
    if conversation.kind != "channel":
        raise SlackError("method_not_supported_for_channel_type")
    _not_archived(conversation)
    already = call.is_in(conversation)
    call.bench.workspace.join(conversation.id, call.bench.workspace.app.user)
    return _channel(call, conversation) | ({"warning": "already_in_channel"} if already else {})


def leave(call: MethodCall) -> Answer:
    conversation = _changeable(call, "")
    if conversation.name == "general":
        raise SlackError("cant_leave_general")
    if not call.is_in(conversation):
        return {"not_in_channel": True}
    call.bench.workspace.leave(conversation.id, call.bench.workspace.app.user)
    return {}


def invite(call: MethodCall) -> Answer:
    conversation = _changeable(call, ".invites")
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    invited = [_invited(call, conversation, who.strip()) for who in call.text("users").split(",")]
    for person in invited:
        call.bench.workspace.join(conversation.id, person.id)
    return _channel(call, conversation)


def create(call: MethodCall) -> Answer:
    """A new channel, with the bot as its only member."""
    private = call.flag("is_private")
    call.needs_one_of(*(("groups:write",) if private else ("channels:manage", "channels:write")))
    name, workspace = call.text("name"), call.bench.workspace
    if len(name) > NAME:
        raise SlackError("invalid_name_maxlength")
    if not _NAME.fullmatch(name) or name != name.lower():
        raise SlackError("invalid_name_specials")
    if workspace.conversation(name) is not None:
        raise SlackError("name_taken")
    channel_id = f"C0{name.upper().replace('-', '')}{len(workspace.conversations)}"
    made = Conversation(channel_id, name, "private" if private else "channel")
    workspace.conversations[made.id] = made
    workspace.join(made.id, workspace.app.user)
    return _channel(call, made)


def archive(call: MethodCall) -> Answer:
    conversation = _changeable(call, "", archived_error="already_archived")
    if conversation.name == "general":
        raise SlackError("cant_archive_general")
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    call.bench.workspace.archive(conversation.id)
    return {}


def set_topic(call: MethodCall) -> Answer:
    conversation = _changeable(call, ".topic")
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    if len(call.text("topic")) > TOPIC:
        raise SlackError("too_long")
    conversation.topic = call.text("topic")
    call.bench.workspace.changes.happened()
    return _channel(call, conversation)


def _changeable(call: MethodCall, part: str, *, archived_error: str = "is_archived") -> Conversation:
    """A channel, its scope held: `channels:manage` or one for this alone, `groups:write` where it is private."""
    conversation = call.visible_conversation()
    if conversation.kind == "dm":
        raise SlackError("method_not_supported_for_channel_type")
    if conversation.kind == "private":
        call.needs_one_of("groups:write", f"groups:write{part}")
    else:
        call.needs_one_of("channels:manage", f"channels:write{part}")
    _not_archived(conversation, archived_error)
    return conversation


def _not_archived(conversation: Conversation, error: str = "is_archived") -> None:
    if conversation.archived:
        raise SlackError(error)


def _invited(call: MethodCall, conversation: Conversation, who: str) -> Person:
    person = call.bench.workspace.people.get(who)
    if person is None or person.deactivated:
        raise SlackError("user_not_found")
    if person.id == call.bench.workspace.app.user:
        raise SlackError("cant_invite_self")
    if person.id in conversation.members:
        raise SlackError("already_in_channel")
    return person


def _channel(call: MethodCall, conversation: Conversation) -> Answer:
    return {"channel": conversation_object(call.bench, conversation)}


_CHANNEL = frozenset({"channel"})

METHODS = (
    Method("conversations.join", join, required=_CHANNEL, scopes=frozenset({"channels:join"})),
    Method("conversations.leave", leave, required=_CHANNEL),
    Method("conversations.invite", invite, frozenset({"force"}), _CHANNEL | {"users"}),
    Method("conversations.create", create, frozenset({"is_private"}), frozenset({"name"})),
    Method("conversations.archive", archive, required=_CHANNEL),
    Method("conversations.setTopic", set_topic, required=_CHANNEL | {"topic"}),
)

"""What the Events API tells an app of a happening: only where the bot is, and in Slack's shapes (docs.slack.dev/reference/events)."""

from collections.abc import Iterator
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.conversations import Conversation, Message
from bot.workbench.happenings import Edited, Happening, Joined, Left, Posted, Reacted, Removed, Unreacted
from bot.workbench.methods_conversations import message_object

Event = dict[str, Any]

_CHANNEL_TYPE = {"channel": "channel", "private": "group", "dm": "im"}
_SUBSCRIPTION = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}
_HISTORY = {"channel": "channels:history", "group": "groups:history", "im": "im:history"}
_MEMBERS = {"C": "channels:read", "G": "groups:read"}
_SCOPES = {
    "app_mention": "app_mentions:read",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
}


def events_of(bench: Bench, happening: Happening) -> Iterator[Event]:
    """The events that a happening amounts to; none of what only one person sees, or of where the bot is not."""
    match happening:
        case Posted(message):
            yield from _of_message(bench, message, _posted(bench, message))
        case Edited(message, before):
            yield from _of_message(bench, message, _edited(bench, message, before), mentions=False)
        case Removed(message):
            yield from _of_message(bench, message, _removed(bench, message), mentions=False)
        case Reacted(message, who, name) | Unreacted(message, who, name):
            added = isinstance(happening, Reacted)
            yield from _of_reaction(bench, message, who, name, added=added)
        case Joined(conversation, who) | Left(conversation, who):
            joined = isinstance(happening, Joined)
            yield from _of_member(bench, conversation, who, joined=joined)


def subscription_of(event: Event) -> str:
    """What an app subscribes to in order to get this event; messages go by the kind of conversation."""
    return _SUBSCRIPTION[event["channel_type"]] if event["type"] == "message" else str(event["type"])


def scope_for(event: Event) -> str | None:
    """The scope without which Slack does not send this event."""
    match event["type"]:
        case "message":
            return _HISTORY[event["channel_type"]]
        case "member_joined_channel" | "member_left_channel":
            return _MEMBERS[event["channel_type"]]
        case kind:
            return _SCOPES.get(kind)


def _of_message(bench: Bench, message: Message, event: Event, *, mentions: bool = True) -> Iterator[Event]:
    app, conversation = bench.workspace.app, bench.workspace.conversations[message.channel]
    if message.ephemeral or app.user not in conversation.members:
        return
    yield event
    if mentions and message.author != app.user and conversation.kind != "dm" and f"<@{app.user}>" in message.text:
        kept = {key: event[key] for key in event if key not in ("channel_type", "type", "subtype")}
        yield {"type": "app_mention", **kept}


def _posted(bench: Bench, message: Message) -> Event:
    shown = {**message_object(bench, message), **_where(bench, message), "event_ts": message.ts}
    return shown | ({"subtype": "file_share"} if message.files else {})


def _edited(bench: Bench, message: Message, before: Message) -> Event:
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        **_where(bench, message),
        "message": message_object(bench, message),
        "previous_message": message_object(bench, before),
        "ts": message.edited_ts,
        "event_ts": message.edited_ts,
    }


def _removed(bench: Bench, message: Message) -> Event:
    at = bench.workspace.next_ts()
    return {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        **_where(bench, message),
        "deleted_ts": message.ts,
        "previous_message": message_object(bench, message),
        "ts": at,
        "event_ts": at,
    }


def _of_reaction(bench: Bench, message: Message, who: str, name: str, *, added: bool) -> Iterator[Event]:
    if bench.workspace.app.user not in bench.workspace.conversations[message.channel].members:
        return
    yield {
        "type": "reaction_added" if added else "reaction_removed",
        "user": who,
        "reaction": name,
        "item_user": message.author,
        "item": {"type": "message", "channel": message.channel, "ts": message.ts},
        "event_ts": bench.workspace.next_ts(),
    }


def _of_member(bench: Bench, conversation: Conversation, who: str, *, joined: bool) -> Iterator[Event]:
    """A bot also hears that it was itself invited; one that left hears nothing more."""
    if bench.workspace.app.user not in conversation.members:
        return
    yield {
        "type": "member_joined_channel" if joined else "member_left_channel",
        "user": who,
        "channel": conversation.id,
        "channel_type": "G" if conversation.kind == "private" else "C",
        "team": bench.workspace.team_id,
        "event_ts": bench.workspace.next_ts(),
    }


def _where(bench: Bench, message: Message) -> Event:
    kind = bench.workspace.conversations[message.channel].kind
    return {"channel": message.channel, "channel_type": _CHANNEL_TYPE[kind]}

"""conversations.*: which conversations there are, who is in them, and what was said."""

from collections.abc import Mapping
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.echo import echoed, text_echoed
from bot.workbench.files import file_object
from bot.workbench.methods import HISTORY_SCOPES, READ_SCOPES, Answer, Method, MethodCall, page_of
from bot.workbench.slack_errors import SlackError, missing_scope
from bot.workbench.workspace import Conversation, Message, Person

_KIND_OF_TYPE = {"public_channel": "channel", "private_channel": "private", "im": "dm", "mpim": "mpim"}


def open_dm(call: MethodCall) -> Answer:
    person = _person_for_dm(call)
    if call.text("channel"):
        dm = call.visible_conversation()
        if dm.kind != "dm":
            raise SlackError("method_not_supported_for_channel_type")
    elif person is None:
        raise SlackError("users_list_not_supplied")
    else:
        dm = call.bench.workspace.dm_of(person.id)
    short = {"id": dm.id}
    return {"channel": conversation_object(call.bench, dm) if call.flag("return_im") else short}


def info(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    call.needs(READ_SCOPES[conversation.kind])
    found = conversation_object(call.bench, conversation)
    if call.flag("include_num_members"):
        found["num_members"] = len(conversation.members)
    return {"channel": found}


def list_conversations(call: MethodCall) -> Answer:
    kinds = wanted_kinds(call, READ_SCOPES)
    everything = call.bench.workspace.conversations.values()
    shown = [c for c in everything if c.kind in kinds and (c.kind == "channel" or call.is_in(c))]
    if call.flag("exclude_archived"):
        shown = [c for c in shown if not c.archived]
    page, more = page_of(shown, call)
    return {"channels": [conversation_object(call.bench, c) for c in page], **more}


def members(call: MethodCall) -> Answer:
    conversation = call.visible_conversation()
    call.needs(READ_SCOPES[conversation.kind])
    page, more = page_of(conversation.members, call)
    return {"members": page, **more}


def history(call: MethodCall) -> Answer:
    """Newest first, only where the bot is: https://docs.slack.dev/reference/methods/conversations.history."""
    conversation = _readable(call)
    in_channel = [m for m in conversation.messages if not m.ephemeral and (m.broadcast or not m.is_reply)]
    found = [m for m in reversed(in_channel) if _in_range(call, m)]
    page, more = page_of(found, call)
    return {"messages": _shown(call, page), "has_more": bool(more["response_metadata"]["next_cursor"]), **more}


def replies(call: MethodCall) -> Answer:
    conversation = _readable(call)
    root = conversation.message(call.text("ts"))
    if root is None or root.ephemeral:
        raise SlackError("thread_not_found")
    found = [root, *(m for m in conversation.replies(root.ts) if not m.ephemeral and _in_range(call, m))]
    page, more = page_of(found, call)
    return {"messages": _shown(call, page), "has_more": bool(more["response_metadata"]["next_cursor"]), **more}


def wanted_kinds(call: MethodCall, scopes: Mapping[str, str]) -> frozenset[str]:
    """The kinds that `types` names; each needs its scope."""
    kinds = set()
    for name in (call.text("types") or "public_channel").split(","):
        kind = _KIND_OF_TYPE.get(name.strip())
        if kind is None:
            raise SlackError("invalid_types")
        if kind == "mpim":
            raise missing_scope("mpim:read", call.token.scopes)
        call.needs(scopes[kind])
        kinds.add(kind)
    return frozenset(kinds)


def conversation_object(bench: Bench, conversation: Conversation) -> dict[str, Any]:
    shared = {"id": conversation.id, "created": 1764460800, "is_archived": conversation.archived}
    if conversation.kind == "dm":
        other = next(member for member in conversation.members if member != bench.workspace.app.user)
        return {**shared, "is_im": True, "user": other, "is_org_shared": False}
    private = conversation.kind == "private"
    return {
        **shared,
        "name": conversation.name,
        "name_normalized": conversation.name,
        "is_channel": not private,
        "is_group": private,
        "is_im": False,
        "is_mpim": False,
        "is_private": private,
        "is_general": conversation.name == "general",
        "is_member": bench.workspace.app.user in conversation.members,
        "context_team_id": bench.workspace.team_id,
        "topic": {"value": conversation.topic, "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
    }


def message_object(bench: Bench, message: Message) -> dict[str, Any]:
    """A message as history and payloads give it: escaped, with defaults filled in, without metadata."""
    app, workspace = bench.workspace.app, bench.workspace
    found: dict[str, Any] = {
        "type": "message",
        "user": message.author,
        "ts": message.ts,
        "team": workspace.team_id,
        "text": text_echoed(message.text),
    }
    if message.author == app.user:
        profile = {"id": app.bot_id, "app_id": app.id, "name": app.name, "deleted": False, "team_id": workspace.team_id}
        found |= {"bot_id": app.bot_id, "app_id": app.id, "bot_profile": profile}
    if message.blocks:
        found["blocks"] = echoed(message.blocks)
    if message.attachments:
        found["attachments"] = echoed(message.attachments)
    if message.broadcast:
        found["subtype"] = "thread_broadcast"
    if message.files:
        found["files"] = [file_object(file, origin=bench.origin, team_id=workspace.team_id) for file in message.files]
    if message.reactions:
        found["reactions"] = [
            {"name": name, "users": list(users), "count": len(users)} for name, users in message.reactions.items()
        ]
    if message.edited_ts is not None:
        editor = app.bot_id if message.edited_by == app.user else message.edited_by
        found["edited"] = {"user": editor, "ts": message.edited_ts}
    return found | _of_thread(workspace.conversations[message.channel], message)


def _of_thread(conversation: Conversation, message: Message) -> dict[str, Any]:
    """What a message says of the thread that it is in; ephemeral replies are none that others know of."""
    if message.thread_ts is not None and message.is_reply:
        root = conversation.message(message.thread_ts)
        return {"thread_ts": message.thread_ts} | ({} if root is None else {"parent_user_id": root.author})
    replies = [reply for reply in conversation.replies(message.ts) if not reply.ephemeral]
    if not replies:
        return {}
    people = list(dict.fromkeys(reply.author for reply in replies))
    counted = {"reply_count": len(replies), "reply_users_count": len(people), "reply_users": people}
    return {"thread_ts": message.ts, **counted, "latest_reply": replies[-1].ts, "is_locked": False}


def _person_for_dm(call: MethodCall) -> Person | None:
    named = [user for user in call.text("users").split(",") if user]
    if not named:
        return None
    if len(named) > 1:
        raise missing_scope("mpim:write", call.token.scopes)
    person = call.bench.workspace.people.get(named[0])
    if person is None or person.is_bot:
        raise SlackError("user_not_found")
    if person.deactivated:
        raise SlackError("user_disabled")
    return person


def _readable(call: MethodCall) -> Conversation:
    conversation = call.visible_conversation()
    call.needs(HISTORY_SCOPES[conversation.kind])
    if not call.is_in(conversation):
        raise SlackError("not_in_channel")
    return conversation


def _in_range(call: MethodCall, message: Message) -> bool:
    at = _moment(message.ts, "invalid_ts_oldest")
    oldest = _moment(call.arguments.get("oldest") or "0", "invalid_ts_oldest")
    latest = _moment(call.arguments.get("latest") or "inf", "invalid_ts_latest")
    if call.flag("inclusive"):
        return oldest <= at <= latest
    return oldest < at < latest


def _moment(ts: Any, error: str) -> float:
    try:
        return float(ts)
    except (TypeError, ValueError, OverflowError):
        raise SlackError(error) from None


def _shown(call: MethodCall, messages: list[Message]) -> list[dict[str, Any]]:
    return [_with_metadata(call, message) for message in messages]


def _with_metadata(call: MethodCall, message: Message) -> dict[str, Any]:
    found = message_object(call.bench, message)
    if message.metadata is None:
        return found
    everything = call.flag("include_all_metadata")
    metadata = message.metadata if everything else {"event_type": message.metadata["event_type"]}
    return {**found, "metadata": metadata}


_PAGES = frozenset({"cursor", "limit"})
_RANGE = _PAGES | {"oldest", "latest", "inclusive", "include_all_metadata"}

METHODS = (
    Method(
        "conversations.open",
        open_dm,
        optional=frozenset({"users", "channel", "return_im", "prevent_creation"}),
        scopes=frozenset({"im:write"}),
    ),
    Method(
        "conversations.info",
        info,
        required=frozenset({"channel"}),
        optional=frozenset({"include_locale", "include_num_members"}),
    ),
    Method("conversations.list", list_conversations, optional=_PAGES | {"types", "exclude_archived"}),
    Method("conversations.members", members, required=frozenset({"channel"}), optional=_PAGES),
    Method("conversations.history", history, required=frozenset({"channel"}), optional=_RANGE),
    Method("conversations.replies", replies, required=frozenset({"channel", "ts"}), optional=_RANGE),
)

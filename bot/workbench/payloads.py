"""The JSON that Slack sends to an app when a person clicks, submits, closes or types a command (slack reference: payloads)."""

import time
from collections.abc import Mapping
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.echo import echoed
from bot.workbench.elements import Placed, state_of, value_key
from bot.workbench.methods_conversations import message_object
from bot.workbench.methods_views import view_object
from bot.workbench.views import View
from bot.workbench.workspace import Command, Conversation, Message, Person

_TOKEN = "verification-token-is-deprecated"  # noqa: S105 - Slack still sends one; nobody should look at it


def click_on_message(
    bench: Bench,
    person: Person,
    message: Message,
    placed: Placed,
    *,
    chosen: Mapping[str, Any],
    state: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """`block_actions` from a message; an ephemeral one is not repeated in the payload."""
    conversation = bench.workspace.conversations[message.channel]
    container: dict[str, Any] = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.ephemeral,
    }
    if message.thread_ts is not None:
        container["thread_ts"] = message.thread_ts
    path = bench.response_urls.new(person.id, message.channel, message_ts=message.ts)
    payload = {
        **_common(bench, person, "block_actions"),
        "container": container,
        "trigger_id": bench.triggers.new(person.id),
        "channel": {"id": conversation.id, "name": _channel_name(conversation)},
        "state": {"values": state_of(message.blocks, state)},
        "response_url": bench.origin + path,
        "actions": [_click(placed, chosen)],
    }
    return payload if message.ephemeral else {**payload, "message": message_object(bench, message)}


def click_in_view(
    bench: Bench, person: Person, view: View, placed: Placed, *, chosen: Mapping[str, Any]
) -> dict[str, Any]:
    """`block_actions` from a modal or the Home tab: with `view`, without channel, message or response URL."""
    return {
        **_common(bench, person, "block_actions"),
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": bench.triggers.new(person.id, from_modal=True),
        "view": view_object(bench, view),
        "actions": [_click(placed, chosen)],
    }


def submission(bench: Bench, person: Person, view: View) -> dict[str, Any]:
    return {
        **_common(bench, person, "view_submission"),
        "trigger_id": bench.triggers.new(person.id, from_modal=True),
        "view": view_object(bench, view),
        "response_urls": [],
    }


def closing(bench: Bench, person: Person, view: View, *, is_cleared: bool) -> dict[str, Any]:
    """`view_closed`, in which the view comes without what was entered."""
    shown = {**view_object(bench, view), "state": {"values": {}}}
    return {**_common(bench, person, "view_closed"), "view": shown, "is_cleared": is_cleared}


def command(bench: Bench, person: Person, conversation: Conversation, registered: Command, text: str) -> dict[str, Any]:
    """The form of a slash command; over Socket Mode the same fields as JSON."""
    path = bench.response_urls.new(person.id, conversation.id)
    return {
        "token": _TOKEN,
        "team_id": bench.workspace.team_id,
        "team_domain": bench.workspace.domain,
        "channel_id": conversation.id,
        "channel_name": _channel_name(conversation),
        "user_id": person.id,
        "user_name": person.name,
        "command": registered.command,
        "text": text,
        "api_app_id": bench.workspace.app.id,
        "is_enterprise_install": "false",
        "response_url": bench.origin + path,
        "trigger_id": bench.triggers.new(person.id),
    }


def _common(bench: Bench, person: Person, kind: str) -> dict[str, Any]:
    workspace = bench.workspace
    return {
        "type": kind,
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": workspace.team_id},
        "api_app_id": workspace.app.id,
        "token": _TOKEN,
        "team": {"id": workspace.team_id, "domain": workspace.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _channel_name(conversation: Conversation) -> str:
    return {"dm": "directmessage", "private": "privategroup"}.get(conversation.kind, conversation.name)


def _click(placed: Placed, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was clicked: a button with its text and value, any other element with what was chosen in it."""
    element = placed.element
    click: dict[str, Any] = {"type": placed.type, "block_id": placed.block_id, "action_id": placed.action_id}
    if placed.type == "button":
        carried = ("text", "value", "style", "url", "confirm")
        click |= {
            key: echoed([element[key]])[0] if key == "text" else element[key] for key in carried if key in element
        }
    else:
        key = value_key(placed.type)
        click[key] = chosen.get(key)
    return {**click, "action_ts": f"{time.time():.6f}"}

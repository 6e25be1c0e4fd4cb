"""The JSON that Slack sends to an app when a person acts: https://docs.slack.dev/reference/interaction-payloads."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.echo import echoed, echoed_state
from bot.workbench.elements import Placed, State, elements_of, value_key
from bot.workbench.methods_conversations import message_object
from bot.workbench.methods_views import view_object
from bot.workbench.views import View
from bot.workbench.workspace import Command, Conversation, Message, Person, Shortcut

VERIFICATION_TOKEN = "verification-token-is-deprecated"  # noqa: S105 - Slack still sends one; nobody should look at it


_REPEATED = frozenset({"text", "value", "style", "url", "confirm", "placeholder", "min_query_length"})


def click_on_message(
    bench: Bench,
    person: Person,
    message: Message,
    placed: Placed,
    *,
    chosen: Mapping[str, Any],
    state: State,
) -> dict[str, Any]:
    """`block_actions` from a message; an ephemeral one is not repeated in the payload."""
    path = bench.response_urls.new(person.id, message.channel, message_ts=message.ts)
    payload = {
        **_common(bench, person, "block_actions"),
        "container": _message_container(message),
        "trigger_id": bench.triggers.new(person.id, place=message.channel),
        "channel": _channel(bench, message.channel),
        "state": {"values": echoed_state(state)},
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
        "container": _view_container(view),
        "trigger_id": bench.triggers.new(person.id, place=view.place),
        "view": view_object(bench, view),
        "actions": [_click(placed, chosen)],
    }


def submission(bench: Bench, person: Person, view: View) -> dict[str, Any]:
    """`view_submission`; a response URL for each conversation chosen where `response_url_enabled` asks for one."""
    return {
        **_common(bench, person, "view_submission"),
        "trigger_id": bench.triggers.new(person.id, place=view.place),
        "view": view_object(bench, view),
        "response_urls": [_response_url(bench, person, placed, where) for placed, where in _answerable(view)],
    }


def closing(bench: Bench, person: Person, view: View, *, is_cleared: bool) -> dict[str, Any]:
    """`view_closed`, in which the view comes without what was entered."""
    shown = {**view_object(bench, view), "state": {"values": {}}}
    return {**_common(bench, person, "view_closed"), "view": shown, "is_cleared": is_cleared}


def suggestion(bench: Bench, person: Person, place: View | Message, placed: Placed, typed: str) -> dict[str, Any]:
    """`block_suggestion`: what was typed into an external select, and where it stands; it carries no trigger."""
    asked = {
        **_common(bench, person, "block_suggestion"),
        "action_id": placed.action_id,
        "block_id": placed.block_id,
        "value": typed,
    }
    if isinstance(place, View):
        return {**asked, "container": _view_container(place), "view": view_object(bench, place)}
    where = {"container": _message_container(place), "channel": _channel(bench, place.channel)}
    return asked | where | ({} if place.ephemeral else {"message": message_object(bench, place)})


def shortcut(bench: Bench, person: Person, registered: Shortcut) -> dict[str, Any]:
    """`shortcut`, the global kind: it knows no channel and has no response URL.

    https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
    """
    shared = _chosen(bench, person, "shortcut", registered, called="username")
    return {**shared, "trigger_id": bench.triggers.new(person.id)}


def message_action(bench: Bench, person: Person, registered: Shortcut, message: Message) -> dict[str, Any]:
    """`message_action`, the kind on a message: with the message, its channel and a response URL."""
    path = bench.response_urls.new(person.id, message.channel, message_ts=message.ts)
    return {
        **_chosen(bench, person, "message_action", registered, called="name"),
        "trigger_id": bench.triggers.new(person.id, place=message.channel),
        "message": message_object(bench, message),
        "message_ts": message.ts,
        "channel": _channel(bench, message.channel),
        "response_url": bench.origin + path,
    }


def _chosen(bench: Bench, person: Person, kind: str, registered: Shortcut, *, called: str) -> dict[str, Any]:
    """What both kinds share. They name no app, and the person under one key alone, which is not the same for both."""
    shared = _common(bench, person, kind)
    del shared["api_app_id"]
    user = {"id": person.id, called: person.name, "team_id": bench.workspace.team_id}
    return {**shared, "user": user, "callback_id": registered.callback_id, "action_ts": _now()}


def command(bench: Bench, person: Person, conversation: Conversation, registered: Command, text: str) -> dict[str, Any]:
    """The form of a slash command; over Socket Mode the same fields as JSON."""
    path = bench.response_urls.new(person.id, conversation.id)
    return {
        "token": VERIFICATION_TOKEN,
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
        "trigger_id": bench.triggers.new(person.id, place=conversation.id),
    }


def _common(bench: Bench, person: Person, kind: str) -> dict[str, Any]:
    workspace = bench.workspace
    return {
        "type": kind,
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": workspace.team_id},
        "api_app_id": workspace.app.id,
        "token": VERIFICATION_TOKEN,
        "team": {"id": workspace.team_id, "domain": workspace.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _message_container(message: Message) -> dict[str, Any]:
    container: dict[str, Any] = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.ephemeral,
    }
    return container if message.thread_ts is None else {**container, "thread_ts": message.thread_ts}


def _view_container(view: View) -> dict[str, Any]:
    return {"type": "view", "view_id": view.id}


def _channel(bench: Bench, channel_id: str) -> dict[str, Any]:
    return {"id": channel_id, "name": _channel_name(bench.workspace.conversations[channel_id])}


def _answerable(view: View) -> Iterator[tuple[Placed, str]]:
    """The selects with `response_url_enabled` (https://docs.slack.dev/surfaces/modals), and the conversation chosen."""
    for placed in elements_of(view.blocks):
        if placed.block["type"] == "input" and placed.element.get("response_url_enabled"):
            where = view.values[placed.block_id][placed.action_id].get(value_key(placed.type))
            if isinstance(where, str):
                yield placed, where


def _response_url(bench: Bench, person: Person, placed: Placed, where: str) -> dict[str, Any]:
    url = bench.origin + bench.response_urls.new(person.id, where)
    return {"block_id": placed.block_id, "action_id": placed.action_id, "channel_id": where, "response_url": url}


def _channel_name(conversation: Conversation) -> str:
    return {"dm": "directmessage", "private": "privategroup"}.get(conversation.kind, conversation.name)


def _click(placed: Placed, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What was clicked, with what the app wrote on it: a button's text and value, a select's placeholder and initial value.

    Of what was chosen in it the shape is that of `state.values`.
    """
    click: dict[str, Any] = {"type": placed.type, "block_id": placed.block_id, "action_id": placed.action_id}
    written = {key: value for key, value in placed.element.items() if key in _REPEATED or key.startswith("initial_")}
    return {**click, **echoed([{**written, **chosen}])[0], "action_ts": _now()}


def _now() -> str:
    return f"{time.time():.6f}"

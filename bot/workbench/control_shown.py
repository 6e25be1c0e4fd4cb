"""What the control API shows: messages, forms and acks as JSON, the way a person sees them; stable within its version."""

from collections.abc import Mapping
from typing import Any

from bot.workbench.cards import Card
from bot.workbench.delivery import Courier
from bot.workbench.elements import Placed, elements_of, options_of, value_key
from bot.workbench.journal import Ack
from bot.workbench.modals import Modal, Surface
from bot.workbench.workspace import Workspace

Shown = dict[str, Any]


def message_shown(workspace: Workspace, card: Card) -> Shown:
    message, conversation = card.message, workspace.conversations[card.channel]
    return {
        "channel": card.channel,
        "channel_name": "dm" if conversation.kind == "dm" else f"#{conversation.name}",
        "ts": card.ts,
        "thread_ts": message.thread_ts,
        "by": workspace.people[message.author].name,
        "text": card.text,
        "notification": card.fallback,
        "elements": [_element(placed) for placed in elements_of(message.blocks)],
        "only_for_you": message.ephemeral,
        "edited": message.edited_ts is not None,
        "reactions": message.reactions,
        "files": [{"id": file.id, "name": file.name, "type": file.mimetype} for file in message.files],
    }


def view_shown(view: Surface) -> Shown:
    """A modal or the Home tab; `errors` and the fields' values by their labels."""
    titled = {"title": view.title, "submit": view.submit_label} if isinstance(view, Modal) else {}
    fields = {placed.block_id for placed in elements_of(view.view.blocks) if placed.block["type"] == "input"}
    return {
        "id": view.id,
        **titled,
        "text": view.text,
        "elements": [
            _element(placed) | ({"value": _value(view, placed)} if placed.block_id in fields else {})
            for placed in elements_of(view.view.blocks)
        ],
        "errors": view.errors,
    }


def ack_shown(ack: Ack | None) -> Shown | None:
    """How the app took it: `outcome` is `acked`, or why it was not; `None` where the app was told nothing."""
    if ack is None:
        return None
    return {"ok": ack.ok, "outcome": ack.outcome, "ms": round(ack.ms, 1), "detail": ack.detail}


def overview_shown(workspace: Workspace, courier: Courier, url: str) -> Shown:
    app, bot = workspace.app, next(token for token in workspace.tokens.values() if token.kind == "bot")
    return {
        "version": 1,
        "workspace": workspace.name,
        "page": url,
        "app": {
            "name": app.name,
            "bot": workspace.people[app.user].name,
            "transport": courier.transport,
            "connected": courier.connected,
            "commands": [command.command for command in app.commands],
            "shortcuts": [{"type": s.kind, "name": s.name, "callback_id": s.callback_id} for s in app.shortcuts],
            "events": list(app.events),
            "scopes": sorted(bot.scopes),
        },
        "people": [
            {"id": p.id, "name": p.name, "real_name": p.real_name, "guest": p.is_guest}
            for p in workspace.people.values()
            if not p.is_bot and not p.deactivated
        ],
        "channels": [
            {"id": c.id, "name": f"#{c.name}", "private": c.kind == "private", "archived": c.archived}
            for c in workspace.conversations.values()
            if c.kind != "dm"
        ],
        "groups": [{"id": g.id, "handle": g.handle, "name": g.name} for g in workspace.groups.values()],
    }


def _element(placed: Placed) -> Shown:
    options = [option["text"]["text"] for option in options_of(placed.element)]
    return {"label": placed.label, "type": placed.type} | ({"options": options} if options else {})


def _value(view: Surface, placed: Placed) -> Any:
    """What stands in a field: options by their texts, everything else as Slack's state has it."""
    stands = view.view.values[placed.block_id][placed.action_id][value_key(placed.type)]
    if isinstance(stands, list):
        return [_worded(one) for one in stands]
    return _worded(stands)


def _worded(stands: Any) -> Any:
    return stands["text"]["text"] if isinstance(stands, Mapping) and "text" in stands else stands

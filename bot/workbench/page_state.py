"""What one person's tab shows, as one JSON value: the page draws it and knows nothing else."""

from collections.abc import Collection
from typing import Any
from urllib.parse import quote

from bot.workbench.bench import Bench
from bot.workbench.delivery import Courier
from bot.workbench.files import File
from bot.workbench.views import View
from bot.workbench.workspace import Conversation, Message, Person


def page_state(bench: Bench, courier: Courier, person: Person, online: Collection[str]) -> dict[str, Any]:
    screen, workspace = bench.screens.of(person.id), bench.workspace
    shown = [c for c in workspace.conversations.values() if person.id in c.members]
    return {
        "type": "state",
        "team": {"name": workspace.name},
        "me": _person(person, online),
        "people": [_person(somebody, online) for somebody in workspace.people.values()],
        "app": {
            "id": workspace.app.id,
            "user": workspace.app.user,
            "name": workspace.app.name,
            "connected": courier.connected,
            "transport": courier.transport,
            "home_tab": workspace.app.home_tab,
        },
        "groups": [{"id": g.id, "handle": g.handle, "name": g.name} for g in workspace.groups.values()],
        "shortcuts": [
            {"kind": s.kind, "callback_id": s.callback_id, "name": s.name, "description": s.description}
            for s in (workspace.app.shortcuts if "commands" in workspace.scopes else ())
        ],
        "commands": [
            {"command": c.command, "usage_hint": c.usage_hint, "description": c.description}
            for c in (workspace.app.commands if "commands" in workspace.scopes else ())
        ],
        "conversations": [_conversation(bench, person, conversation) for conversation in shown],
        "view": None if screen.top is None else _view(screen.top, screen.stack),
        "home": None if screen.home is None else _home(screen.home),
        "errors": {} if screen.top is None else screen.top.errors,
        "toasts": [{"id": toast.id, "kind": toast.kind, "text": toast.text} for toast in screen.toasts],
        "clock": {
            "controllable": bench.on_clock is not None,
            "moved_minutes": int(bench.moved.total_seconds() // 60),
        },
        "hints": list(bench.hints),
    }


def people_to_choose(bench: Bench, online: Collection[str]) -> dict[str, Any]:
    """For a tab that is nobody yet."""
    people = [p for p in bench.workspace.people.values() if not p.is_bot and not p.deactivated]
    return {"team": {"name": bench.workspace.name}, "people": [_person(person, online) for person in people]}


def _person(person: Person, online: Collection[str]) -> dict[str, Any]:
    return {
        "id": person.id,
        "name": person.name,
        "real_name": person.real_name,
        "title": person.title,
        "color": person.color,
        "is_bot": person.is_bot,
        "is_guest": person.is_guest,
        "deactivated": person.deactivated,
        "online": person.is_bot or person.id in online,
    }


def _conversation(bench: Bench, person: Person, conversation: Conversation) -> dict[str, Any]:
    visible = [m for m in conversation.messages if m.only_for in (None, person.id)]
    return {
        "id": conversation.id,
        "name": bench.workspace.app.name if conversation.kind == "dm" else conversation.name,
        "kind": conversation.kind,
        "topic": conversation.topic,
        "members": conversation.members,
        "archived": conversation.archived,
        "writable": bench.workspace.may_write(person, conversation),
        "messages": [_message(bench, person, message) for message in visible],
    }


def _message(bench: Bench, person: Person, message: Message) -> dict[str, Any]:
    author = bench.workspace.people[message.author]
    return {
        "ts": message.ts,
        "user": author.id,
        "name": author.real_name,
        "is_bot": author.is_bot,
        "text": message.text,
        "blocks": message.blocks or None,
        "attachments": message.attachments,
        "files": [_file(bench, person, file) for file in message.files],
        "reactions": [{"name": name, "users": users} for name, users in message.reactions.items()],
        "edited": message.edited_ts is not None,
        "thread_ts": message.thread_ts,
        "broadcast": message.broadcast,
        "ephemeral": message.ephemeral,
        "version": message.version,
    }


def _file(bench: Bench, person: Person, file: File) -> dict[str, Any]:
    return {
        "id": file.id,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "size": file.length,
        "url": f"{bench.origin}/workbench/files/{file.id}?as={quote(person.id)}",
    }


def _home(view: View) -> dict[str, Any]:
    return {
        "id": view.id,
        "hash": view.hash,
        "callback_id": view.given.get("callback_id", ""),
        "blocks": view.blocks,
        "values": view.values,
    }


def _view(view: View, stack: list[View]) -> dict[str, Any]:
    """The modal on top, with the ids of those that lie below it, lowest first."""
    return {
        **_home(view),
        "title": _words(view.given.get("title")),
        "submit": _words(view.given.get("submit")),
        "close": _words(view.given.get("close")),
        "depth": len(stack),
        "below": [lower.id for lower in stack if lower is not view],
        "pending": view.pending,
    }


def _words(text: Any) -> str | None:
    return None if text is None else str(text["text"])

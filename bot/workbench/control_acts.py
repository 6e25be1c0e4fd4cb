"""What scripts can have a person do: each act reads its body and goes through the same person's tab as a test does."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.workbench import control_said as said
from bot.workbench.acting import ActError
from bot.workbench.cards import Card, NotThereError
from bot.workbench.control_shown import Shown, ack_shown, message_shown
from bot.workbench.driver import Tab
from bot.workbench.modals import Surface
from bot.workbench.workspace import Workspace

Body = TypeVar("Body", bound=said.Said)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who acts: their tab, in their workspace."""

    workspace: Workspace
    tab: Tab

    def message(self, which: said.AMessage) -> Card:
        """Raises `NotThereError` where they do not see it."""
        seen = self.tab.messages(which.channel)
        found = next((card for card in seen if card.ts == which.ts), None)
        if found is None:
            raise NotThereError(f"{self.tab.person.name} sees no message {which.ts} in {which.channel}")
        return found

    def on(self, where: said.On) -> Card | Surface:
        """A message, the modal on top, or the Home tab."""
        if isinstance(where, said.AMessage):
            return self.message(where)
        found = self.tab.open_modal if where == "modal" else self.tab.home_tab
        if found is None:
            raise NotThereError(f"{self.tab.person.name} has no {where} open")
        return found

    def modal(self) -> Any:
        return self.on("modal")

    def shown(self, card: Card) -> Shown:
        return message_shown(self.workspace, card)


@dataclass(frozen=True, slots=True)
class Act(Generic[Body]):
    """An act: what is said for it, and what is done."""

    body: type[Body]
    do: Callable[[Person, Body], Awaitable[Shown]]


async def _say(person: Person, body: said.Say) -> Shown:
    thread = None if body.thread is None else person.message(body.thread)
    return {"message": person.shown(person.tab.say(body.text, body.place, thread=thread))}


async def _command(person: Person, body: said.RunCommand) -> Shown:
    return {"ack": ack_shown(await person.tab.command(body.text, body.place))}


async def _shortcut(person: Person, body: said.UseShortcut) -> Shown:
    if body.message is None:
        return {"ack": ack_shown(await person.tab.shortcut(body.name))}
    return {"ack": ack_shown(await person.tab.message_shortcut(person.message(body.message), body.name))}


async def _click(person: Person, body: said.Click) -> Shown:
    return {"ack": ack_shown(await person.tab.click(person.on(body.on), body.label))}


async def _choose(person: Person, body: said.Choose) -> Shown:
    return {"ack": ack_shown(await person.tab.choose(person.on(body.on), body.label, body.answer))}


async def _type(person: Person, body: said.Type) -> Shown:
    typed = person.tab.type(person.on(body.on), body.label, body.text, enter=body.enter)
    return {"ack": ack_shown(await typed)}


async def _search(person: Person, body: said.Search) -> Shown:
    return {"options": await person.tab.search(person.on(body.on), body.label, body.typed)}


async def _submit(person: Person, body: said.Submit) -> Shown:
    sent = await person.tab.submit(person.modal(), body.fields, unchecked=body.unchecked)
    return {"result": sent.result, "errors": dict(sent.errors), "detail": sent.detail, "ack": ack_shown(sent.ack)}


async def _close(person: Person, body: said.Close) -> Shown:
    await person.tab.close(person.modal(), everything=body.everything)
    return {}


async def _open_home(person: Person, _body: said.Nothing) -> Shown:
    person.tab.open_home()
    return {}


async def _react(person: Person, body: said.React) -> Shown:
    person.tab.react(person.message(body.message), body.name)
    return {"message": person.shown(person.message(body.message))}


async def _edit(person: Person, body: said.Edit) -> Shown:
    person.tab.edit(person.message(body.message), body.text)
    return {"message": person.shown(person.message(body.message))}


async def _delete(person: Person, body: said.Delete) -> Shown:
    person.tab.delete(person.message(body.message))
    return {}


async def _upload(person: Person, body: said.Upload) -> Shown:
    try:
        content = base64.b64decode(body.base64, validate=True)
    except binascii.Error:
        raise ActError("base64 must be the file's bytes in base64.") from None
    return {"file": person.tab.upload(body.name, content)}


ACTS: dict[str, Act[Any]] = {
    "say": Act(said.Say, _say),
    "command": Act(said.RunCommand, _command),
    "shortcut": Act(said.UseShortcut, _shortcut),
    "click": Act(said.Click, _click),
    "choose": Act(said.Choose, _choose),
    "type": Act(said.Type, _type),
    "search": Act(said.Search, _search),
    "submit": Act(said.Submit, _submit),
    "close": Act(said.Close, _close),
    "open-home": Act(said.Nothing, _open_home),
    "react": Act(said.React, _react),
    "edit": Act(said.Edit, _edit),
    "delete": Act(said.Delete, _delete),
    "upload": Act(said.Upload, _upload),
}

"""What every act of a person starts with: who it is, and whether what they act on is in front of them."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from bot.workbench.bench import Bench
from bot.workbench.delivery import Courier
from bot.workbench.echo import escaped
from bot.workbench.journal import Ack
from bot.workbench.submissions import TROUBLE
from bot.workbench.subscriptions import Subscriptions
from bot.workbench.views import View
from bot.workbench.workspace import Conversation, Message, Person, Shortcut

_NAMED = re.compile(r"(?<!\S)([@#])([a-z0-9._-]+)")

Entered = Mapping[str, Mapping[str, Any]]


class ActError(Exception):
    """Why a person cannot do this, in words for the person."""


class Acting:
    """The base of all acts: looks up what a person can see, and sends what they do."""

    def __init__(self, bench: Bench, courier: Courier, subscriptions: Subscriptions) -> None:
        self._bench = bench
        self._courier = courier
        self._subscriptions = subscriptions

    async def _interact(self, person: Person, payload: Mapping[str, Any]) -> Ack:
        ack = await self._courier.deliver("interactive", payload)
        if not ack.ok:
            self._bench.screens.toast(person.id, TROUBLE)
        return ack

    def _person(self, who: str) -> Person:
        person = self._bench.workspace.person(who)
        if person is None or person.is_bot or person.deactivated:
            raise ActError(f"Nobody here is called {who!r}.")
        return person

    def _conversation(self, who: str, which: str) -> Conversation:
        person, conversation = self._person(who), self._bench.workspace.conversation(which)
        if conversation is None or not self._bench.workspace.may_see(person, conversation):
            raise ActError("You cannot see that conversation.")
        return conversation

    def _writer(self, who: str, which: str) -> tuple[Person, Conversation]:
        """Somebody who may write there: a member, while it is not archived, and with the app if it has a Messages tab."""
        person, conversation = self._person(who), self._conversation(who, which)
        if not self._bench.workspace.may_write(person, conversation):
            raise ActError("You cannot write here.")
        return person, conversation

    def _message(self, person: Person, conversation: Conversation, ts: str) -> Message:
        message = conversation.message(ts)
        if message is None or message.only_for not in (None, person.id):
            raise ActError("That message is not there any more.")
        return message

    def _view(self, who: str, view_id: str) -> View:
        view = self._bench.screens.view(view_id)
        if view is None or view.person != self._person(who).id:
            raise ActError("That form is not open any more.")
        return view

    def _shortcut(self, kind: Literal["global", "message"], which: str) -> Shortcut:
        """Shortcuts are registered under the scope `commands`."""
        registered = self._bench.workspace.app.shortcut(kind, which)
        if registered is None or "commands" not in self._bench.workspace.scopes:
            raise ActError("There is no such shortcut.")
        return registered

    def _with_tokens(self, text: str) -> str:
        """What a person typed, as Slack hands it on: escaped, and with tokens for people and channels."""
        return _NAMED.sub(self._token, escaped(text))

    def _token(self, named: re.Match[str]) -> str:
        sign, name = named.groups()
        if sign == "@":
            person = self._bench.workspace.person(name)
            return f"<@{person.id}>" if person else named.group()
        conversation = self._bench.workspace.conversation(name)
        if conversation is None or conversation.kind == "dm":
            return named.group()
        return f"<#{conversation.id}|>" if conversation.kind == "private" else f"<#{conversation.id}>"

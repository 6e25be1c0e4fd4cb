"""What a Slack workspace consists of: people, conversations, messages and tokens, all in memory."""

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bot.workbench.changes import Changes
from bot.workbench.conversations import Conversation, Kind, Message
from bot.workbench.happenings import Edited, Happening, Joined, Left, Posted, Reacted, Removed, Unreacted
from bot.workbench.installed_app import App, Command, Shortcut, Token
from bot.workbench.people import Group, Person, ProfileField

__all__ = [
    "App",
    "Command",
    "Conversation",
    "Group",
    "Kind",
    "Message",
    "Person",
    "ProfileField",
    "Shortcut",
    "Token",
    "Workspace",
]


class Workspace:
    """One team. Whoever changes it calls the methods below, so that everybody who looks hears of it."""

    def __init__(self, *, team_id: str, name: str, domain: str, app: App) -> None:
        self.team_id = team_id
        self.name = name
        self.domain = domain
        self.app = app
        self.people: dict[str, Person] = {}
        self.conversations: dict[str, Conversation] = {}
        self.groups: dict[str, Group] = {}
        self.profile_fields: dict[str, ProfileField] = {}
        self.tokens: dict[str, Token] = {}
        self.changes = Changes()
        self.listeners: list[Callable[[Happening], None]] = []
        self._dms: Iterator[int] = itertools.count(1)
        self._last_micros = 0

    # --- finding

    def person(self, who: str) -> Person | None:
        """A person by id, by name, or by name with an @."""
        name = who.removeprefix("@")
        return self.people.get(who) or next((person for person in self.people.values() if person.name == name), None)

    def person_with_email(self, email: str) -> Person | None:
        wanted = email.casefold()
        return next((p for p in self.people.values() if p.email and p.email.casefold() == wanted), None)

    def conversation(self, which: str) -> Conversation | None:
        """A conversation by id, by name, or by name with a #."""
        name = which.removeprefix("#")
        named = (c for c in self.conversations.values() if c.kind != "dm" and c.name == name)
        return self.conversations.get(which) or next(named, None)

    def dm_of(self, person_id: str) -> Conversation:
        """The direct messages of a person with the app; made on first use."""
        for conversation in self.conversations.values():
            if conversation.kind == "dm" and person_id in conversation.members:
                return conversation
        person = self.people[person_id]
        dm = Conversation(f"D0{person.name.upper()}{next(self._dms)}", person.name, "dm")
        dm.members = [person_id, self.app.user]
        self.conversations[dm.id] = dm
        return dm

    def may_see(self, person: Person, conversation: Conversation) -> bool:
        """Members see a conversation; public channels can be looked into by everybody but guests."""
        return person.id in conversation.members or (conversation.kind == "channel" and not person.is_guest)

    def may_write(self, person: Person, conversation: Conversation) -> bool:
        """Members write in a conversation that is not archived, to the app where it has a Messages tab.

        https://docs.slack.dev/surfaces/app-home
        """
        closed = conversation.archived or (conversation.kind == "dm" and not self.app.messages_tab)
        return person.id in conversation.members and not closed

    @property
    def scopes(self) -> frozenset[str]:
        """The scopes that the app was installed with, of all its tokens."""
        return frozenset(scope for token in self.tokens.values() for scope in token.scopes)

    # --- changing

    def next_ts(self) -> str:
        """A message's time, in Slack's form; never the same twice."""
        self._last_micros = max(time.time_ns() // 1000, self._last_micros + 1)
        return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    def add(self, message: Message) -> Message:
        self.conversations[message.channel].messages.append(message)
        self._tell(Posted(message))
        return message

    def edit(
        self,
        message: Message,
        *,
        text: str,
        blocks: list[dict[str, Any]],
        attachments: list[dict[str, Any]] | None = None,
        by: str | None = None,
    ) -> None:
        before = replace(message)
        message.text, message.blocks, message.attachments = text, blocks, attachments or []
        message.edited_ts, message.edited_by = self.next_ts(), by or message.author
        message.version += 1
        self._tell(Edited(message, before))

    def remove(self, message: Message) -> None:
        self.conversations[message.channel].messages.remove(message)
        self._tell(Removed(message))

    def react(self, message: Message, who: str, name: str) -> bool:
        """Whether the reaction is new."""
        people = message.reactions.setdefault(name, [])
        if who in people:
            return False
        people.append(who)
        self._tell(Reacted(message, who, name))
        return True

    def unreact(self, message: Message, who: str, name: str) -> bool:
        """Whether there was such a reaction."""
        people = message.reactions.get(name, [])
        if who not in people:
            return False
        people.remove(who)
        if not people:
            del message.reactions[name]
        self._tell(Unreacted(message, who, name))
        return True

    def archive(self, which: str, *, archived: bool = True) -> None:
        self._known(which).archived = archived
        self.changes.happened()

    def join(self, which: str, who: str) -> None:
        conversation, person = self._known(which), self._somebody(who)
        if person.id not in conversation.members:
            conversation.members.append(person.id)
            self._tell(Joined(conversation, person.id))

    def leave(self, which: str, who: str) -> None:
        conversation, person = self._known(which), self._somebody(who)
        if person.id in conversation.members:
            conversation.members.remove(person.id)
            self._tell(Left(conversation, person.id))

    def deactivate(self, who: str) -> None:
        """The person leaves the company: no log-in, no channels, not to be found by e-mail."""
        person = self._somebody(who)
        person.deactivated = True
        for conversation in self.conversations.values():
            if conversation.kind != "dm" and person.id in conversation.members:
                conversation.members.remove(person.id)
        self.changes.happened()

    def revoke(self, token: str, *, error: str = "token_revoked") -> None:
        """From now on the token is refused with this error: `account_inactive`, `invalid_auth` or another of Slack's."""
        self.tokens[token].refusal = error
        self.changes.happened()

    def restore(self, token: str) -> None:
        self.tokens[token].refusal = None
        self.changes.happened()

    def _tell(self, happening: Happening) -> None:
        for listener in self.listeners:
            listener(happening)
        self.changes.happened()

    def _known(self, which: str) -> Conversation:
        conversation = self.conversation(which)
        if conversation is None:
            raise LookupError(f"there is no conversation {which!r}")
        return conversation

    def _somebody(self, who: str) -> Person:
        person = self.person(who)
        if person is None:
            raise LookupError(f"there is no person {who!r}")
        return person

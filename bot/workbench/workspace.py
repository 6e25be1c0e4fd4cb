"""What a Slack workspace consists of: people, conversations, messages and tokens, all in memory."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.changes import Changes

Kind = Literal["channel", "private", "dm"]


@dataclass(slots=True, eq=False)
class Person:
    """A member of the workspace, or the app's bot user."""

    id: str
    name: str
    real_name: str
    email: str | None = None
    title: str = ""
    color: str = "#4a154b"
    is_bot: bool = False
    is_guest: bool = False
    deactivated: bool = False
    tz: str = "Etc/UTC"


@dataclass(slots=True, eq=False)
class Message:
    """One message. `version` counts what people have seen of it: 1 is the post, each edit adds one."""

    channel: str
    ts: str
    author: str
    text: str
    blocks: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] | None = None
    thread_ts: str | None = None
    only_for: str | None = None
    by_response: bool = False
    edited_ts: str | None = None
    version: int = 1

    @property
    def ephemeral(self) -> bool:
        return self.only_for is not None

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts


@dataclass(slots=True, eq=False)
class Conversation:
    """A channel, a private channel, or the direct messages of one person with the app."""

    id: str
    name: str
    kind: Kind
    topic: str = ""
    members: list[str] = field(default_factory=list)
    archived: bool = False
    messages: list[Message] = field(default_factory=list)

    def message(self, ts: str) -> Message | None:
        return next((message for message in self.messages if message.ts == ts), None)

    def replies(self, ts: str) -> list[Message]:
        return [message for message in self.messages if message.thread_ts == ts and message.ts != ts]


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command that the app has registered."""

    command: str
    description: str
    usage_hint: str = ""
    should_escape: bool = False


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A shortcut that the app has registered: in the menu of everything (`global`) or of a message."""

    kind: Literal["global", "message"]
    name: str
    callback_id: str
    description: str = ""


@dataclass(slots=True)
class App:
    """The installed app: who its bot is, and what its manifest switches on."""

    id: str
    name: str
    user: str
    bot_id: str
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    events: tuple[str, ...] = ()
    messages_tab: bool = True
    home_tab: bool = True

    def command(self, name: str) -> Command | None:
        return next((command for command in self.commands if command.command == name), None)

    def shortcut(self, kind: Literal["global", "message"], which: str) -> Shortcut | None:
        """A shortcut by callback id or by name."""
        of_kind = (shortcut for shortcut in self.shortcuts if shortcut.kind == kind)
        return next((shortcut for shortcut in of_kind if which in (shortcut.callback_id, shortcut.name)), None)


@dataclass(slots=True)
class Token:
    """A token of the app and what it may do. `refusal` is the error of a token that no longer counts."""

    value: str
    kind: Literal["bot", "app"]
    scopes: frozenset[str]
    refusal: str | None = None


class Workspace:
    """One team. Whoever changes it calls the methods below, so that everybody who looks hears of it."""

    def __init__(self, *, team_id: str, name: str, domain: str, app: App) -> None:
        self.team_id = team_id
        self.name = name
        self.domain = domain
        self.app = app
        self.people: dict[str, Person] = {}
        self.conversations: dict[str, Conversation] = {}
        self.tokens: dict[str, Token] = {}
        self.changes = Changes()
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

    # --- changing

    def next_ts(self) -> str:
        """A message's time, in Slack's form; never the same twice."""
        self._last_micros = max(time.time_ns() // 1000, self._last_micros + 1)
        return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    def add(self, message: Message) -> Message:
        self.conversations[message.channel].messages.append(message)
        self.changes.happened()
        return message

    def edit(self, message: Message, *, text: str, blocks: list[dict[str, Any]]) -> None:
        message.text, message.blocks = text, blocks
        message.edited_ts = self.next_ts()
        message.version += 1
        self.changes.happened()

    def remove(self, message: Message) -> None:
        self.conversations[message.channel].messages.remove(message)
        self.changes.happened()

    def archive(self, which: str, *, archived: bool = True) -> None:
        self._known(which).archived = archived
        self.changes.happened()

    def join(self, which: str, who: str) -> None:
        members, person = self._known(which).members, self._somebody(who)
        if person.id not in members:
            members.append(person.id)
        self.changes.happened()

    def leave(self, which: str, who: str) -> None:
        members, person = self._known(which).members, self._somebody(who)
        if person.id in members:
            members.remove(person.id)
        self.changes.happened()

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

    def restore(self, token: str) -> None:
        self.tokens[token].refusal = None

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

"""The app that a workspace has installed: its bot, its commands and shortcuts, its events and tokens."""

from dataclasses import dataclass
from typing import Literal


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

"""What happens in a workspace that an app may have subscribed to, told to whoever listens."""

from dataclasses import dataclass

from bot.workbench.conversations import Conversation, Message


@dataclass(frozen=True, slots=True)
class Posted:
    """A new message, also one that only one person sees."""

    message: Message


@dataclass(frozen=True, slots=True)
class Edited:
    message: Message
    before: Message


@dataclass(frozen=True, slots=True)
class Removed:
    message: Message


@dataclass(frozen=True, slots=True)
class Reacted:
    message: Message
    who: str
    name: str


@dataclass(frozen=True, slots=True)
class Unreacted:
    message: Message
    who: str
    name: str


@dataclass(frozen=True, slots=True)
class Joined:
    conversation: Conversation
    who: str


@dataclass(frozen=True, slots=True)
class Left:
    conversation: Conversation
    who: str


Happening = Posted | Edited | Removed | Reacted | Unreacted | Joined | Left

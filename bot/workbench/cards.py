"""A message as somebody sees it, for tests and the demo: it stays the same message while the bot edits it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.workbench.elements import Placed, elements_of
from bot.workbench.reading import markup_of_blocks, pings, words, words_of_attachments, words_of_blocks
from bot.workbench.workspace import Message, Workspace


class NotThereError(AssertionError):
    """A person looked for something that is not in front of them."""


@dataclass(frozen=True, slots=True)
class Card:
    """One message. Everything but `as_seen` is read anew each time: what it shows now.

    `as_seen` are the blocks as they were when it was found, for whoever clicks on a screen that is behind.
    """

    workspace: Workspace
    message: Message
    as_seen: tuple[dict[str, Any], ...]

    @property
    def channel(self) -> str:
        return self.message.channel

    @property
    def ts(self) -> str:
        return self.message.ts

    @property
    def text(self) -> str:
        """What a person reads on it, without the buttons."""
        message, workspace = self.message, self.workspace
        said = words_of_blocks(workspace, message.blocks) if message.blocks else words(workspace, message.text)
        attached = words_of_attachments(workspace, message.attachments)
        return "\n".join(part for part in (said, attached) if part)

    @property
    def markup(self) -> str:
        """The same as the bot wrote it, with its tokens and entities."""
        return markup_of_blocks(self.message.blocks) if self.message.blocks else self.message.text

    @property
    def fallback(self) -> str:
        """What notifications and screen readers get, as the bot wrote it."""
        return self.message.text

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return self.message.blocks

    @property
    def metadata(self) -> Mapping[str, Any] | None:
        return self.message.metadata

    @property
    def version(self) -> int:
        """1 as posted, one more with each edit."""
        return self.message.version

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons that it has now."""
        return [placed.label for placed in elements_of(self.message.blocks) if placed.type == "button"]

    @property
    def clickable(self) -> list[str]:
        """The labels of everything that can be clicked or chosen from."""
        return [placed.label for placed in elements_of(self.message.blocks)]

    @property
    def pings(self) -> list[str]:
        """Whom it calls: ids of people, `!channel` and the like."""
        return pings(self.message.blocks, self.message.text)

    @property
    def exists(self) -> bool:
        """Whether nobody has deleted it."""
        return self.message in self.workspace.conversations[self.channel].messages

    def says(self, text: str) -> bool:
        return text in self.text or text in self.markup

    def element(self, label: str, *, as_seen: bool = False) -> Placed:
        """What carries this label; `NotThereError` names what is there instead."""
        blocks = self.as_seen if as_seen else self.message.blocks
        found = [placed for placed in elements_of(blocks) if placed.label == label]
        if len(found) != 1:
            there = [placed.label for placed in elements_of(blocks)]
            raise NotThereError(f"{len(found)} elements are called {label!r}; there are {there}")
        return found[0]

    def __str__(self) -> str:
        buttons = "".join(f" [{label}]" for label in self.clickable)
        return f"{self.text}{buttons}"


def card_of(workspace: Workspace, message: Message) -> Card:
    return Card(workspace, message, tuple(message.blocks))

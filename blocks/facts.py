"""What is shown of some data: facts, longer texts, images, and how much of it there is room for."""

from dataclasses import dataclass

from blocks.live import Live
from blocks.texts import Style

FACTS = 8
PASSAGES = 3
IMAGES = 2
LINES = 10
"""Rows of a table and entries of a list that a card shows."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: a label and words for its value, and what of it is more. `money` stands before everything else."""

    label: str
    value: str
    money: bool = False
    is_abbreviated: bool = False
    live: Live | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that is long or has several lines; the label is empty where the text is all there is.

    `note` says beforehand what it holds: how many rows, what a diff adds. Of a list each line is an entry.
    """

    label: str
    text: str
    is_abbreviated: bool = False
    style: Style = "prose"
    note: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that Slack fetches from an https address; `alt` says in words what it is."""

    label: str
    url: str
    alt: str


Entry = Fact | Passage | Image


@dataclass(frozen=True, slots=True)
class Facts:
    """What is shown of some JSON, and how many entries are not; entries without a value do not count.

    `is_abbreviated`: of a value that is shown, such as a long list, some is only counted.
    """

    facts: tuple[Fact, ...] = ()
    passages: tuple[Passage, ...] = ()
    left_out: int = 0
    is_abbreviated: bool = False
    images: tuple[Image, ...] = ()

    @property
    def total(self) -> int:
        """All entries that have a value, shown or not."""
        return len(self.facts) + len(self.passages) + len(self.images) + self.left_out

    @property
    def sum(self) -> str | None:
        """The amount, if money is what this is about."""
        return next((fact.value for fact in self.facts if fact.money), None)


@dataclass(frozen=True, slots=True)
class Room:
    """How much is shown: so many entries of each kind, so many rows of a table or list. `whole`: nothing within is cut."""

    facts: int = FACTS
    passages: int = PASSAGES
    images: int = 0
    rows: int = LINES
    whole: bool = False


USUAL = Room()
"""As much as a card shows of data, its images as links."""

"""What is kept of a graph between two passes, and the door through which an action gets at it: bytes that nobody reads here."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from actions.kit.resources import Lent

Content = tuple[str, bytes]
"""How a value was serialized, and the result."""


class TakenAwayError(Exception):
    """The run is executed by somebody else by now, or is gone: what this execution does is not kept any more."""


@dataclass(frozen=True, slots=True)
class Line:
    """One namespace of a graph's thread: that of the graph itself is empty, a subgraph has its own.

    `epoch` is the execution of the run that writes; once another one began, nothing of this one is kept.
    """

    run_id: str
    epoch: int
    thread: str
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class KeptCheckpoint:
    """One checkpoint of a line; ids sort by time."""

    namespace: str
    id: str
    parent: str | None
    content: Content = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeptWrite:
    """What a task wrote beside a checkpoint. `index` is below zero where a later write of its kind takes its place."""

    task: str
    index: int
    channel: str
    path: str
    content: Content = field(repr=False)

    def order(self) -> tuple[str, str, int]:
        """In this order the writes of one step take effect."""
        return self.path, self.task, self.index


Kept = tuple[KeptCheckpoint, Sequence[KeptWrite]]
"""A checkpoint and what was written beside it, in `KeptWrite.order`."""


class Checkpoints(Lent, ABC):
    """The door: of each run its own, and gone with it. May be used from any loop."""

    @abstractmethod
    async def find(self, line: Line, checkpoint: str | None) -> Kept | None:
        """The checkpoint of this id, or the newest one of the line."""

    @abstractmethod
    async def history(self, line: Line, *, everywhere: bool) -> Sequence[Kept]:
        """All of a line, or of all namespaces of its thread, the newest first."""

    @abstractmethod
    async def keep(self, line: Line, checkpoint: KeptCheckpoint) -> None:
        """Commits a checkpoint; the same one again takes its place. Raises `TakenAwayError`."""

    @abstractmethod
    async def keep_writes(self, line: Line, checkpoint: str, writes: Collection[KeptWrite]) -> None:
        """Commits writes. One that is there already stays, unless its index is below zero. Raises `TakenAwayError`."""

    @abstractmethod
    async def forget(self, line: Line) -> None:
        """Throws a whole thread away. Raises `TakenAwayError`."""

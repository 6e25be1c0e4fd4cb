"""Checkpoints that last as long as a test: what a graph's action needs where there is no database."""

from collections.abc import Collection, Sequence

from actions.kit.graphs.kept import Checkpoints, Kept, KeptCheckpoint, KeptWrite, Line

Place = tuple[str, str, str]
"""A run, a thread, a namespace."""


class MemoryCheckpoints(Checkpoints):
    """Hand it to `actions.testing.run(..., resources=[MemoryCheckpoints()])`; every pass of the trial finds it again.

    What a graph has done is done, so answer each pause in one way only.
    """

    def __init__(self) -> None:
        self._checkpoints: dict[Place, dict[str, KeptCheckpoint]] = {}
        self._writes: dict[tuple[Place, str], dict[tuple[str, int], KeptWrite]] = {}

    async def find(self, line: Line, checkpoint: str | None) -> Kept | None:
        there = self._checkpoints.get(_place(line), {})
        wanted = checkpoint or max(there, default="")
        return self._kept(_place(line), there[wanted]) if wanted in there else None

    async def history(self, line: Line, *, everywhere: bool) -> Sequence[Kept]:
        places = [each for each in self._checkpoints if each[:2] == _place(line)[:2]] if everywhere else [_place(line)]
        found = [(place, each) for place in places for each in self._checkpoints.get(place, {}).values()]
        return [self._kept(*each) for each in sorted(found, key=lambda each: each[1].id, reverse=True)]

    async def keep(self, line: Line, checkpoint: KeptCheckpoint) -> None:
        self._checkpoints.setdefault(_place(line), {})[checkpoint.id] = checkpoint

    async def keep_writes(self, line: Line, checkpoint: str, writes: Collection[KeptWrite]) -> None:
        there = self._writes.setdefault((_place(line), checkpoint), {})
        for each in writes:
            if each.index < 0 or (each.task, each.index) not in there:
                there[each.task, each.index] = each

    async def forget(self, line: Line) -> None:
        thread = _place(line)[:2]
        self._checkpoints = {place: each for place, each in self._checkpoints.items() if place[:2] != thread}
        self._writes = {key: each for key, each in self._writes.items() if key[0][:2] != thread}

    def _kept(self, place: Place, checkpoint: KeptCheckpoint) -> Kept:
        writes = self._writes.get((place, checkpoint.id), {}).values()
        return checkpoint, sorted(writes, key=KeptWrite.order)


def _place(line: Line) -> Place:
    return line.run_id, line.thread, line.namespace

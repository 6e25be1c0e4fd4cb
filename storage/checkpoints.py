"""The store's part for graphs: what a run's graph knows at each of its steps, kept in the run's own database."""

from collections.abc import Callable, Collection, Sequence

from actions.kit.graphs.kept import Checkpoints, Kept, KeptCheckpoint, KeptWrite, Line, TakenAwayError
from storage.database import Database, Transaction
from storage.transitions import checkpoints


class GraphCheckpoints(Checkpoints):
    """Each method is one transaction. What it keeps goes with the run when that is purged."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, line: Line, checkpoint: str | None) -> Kept | None:
        return await self._database.read(lambda connection: checkpoints.find(connection, line, checkpoint))

    async def history(self, line: Line, *, everywhere: bool) -> Sequence[Kept]:
        return await self._database.read(
            lambda connection: checkpoints.history(connection, line, everywhere=everywhere)
        )

    async def keep(self, line: Line, checkpoint: KeptCheckpoint) -> None:
        await self._write(line, lambda writing: checkpoints.keep(writing, line, checkpoint))

    async def keep_writes(self, line: Line, checkpoint: str, writes: Collection[KeptWrite]) -> None:
        await self._write(line, lambda writing: checkpoints.keep_writes(writing, line, checkpoint, writes))

    async def forget(self, line: Line) -> None:
        await self._write(line, lambda writing: checkpoints.forget(writing, line))

    async def _write(self, line: Line, transition: Callable[[Transaction], bool]) -> None:
        if not await self._database.write(line.run_id, transition):
            raise TakenAwayError(f"the run {line.run_id} is executed by somebody else, or gone")

"""How many whole lives the store can write: start, pause, post, answer, claim, finish, one after the other by many at once.

    ./dev python -m tests.bench.store                       a new SQLite file, with every commit on disk
    ./dev python -m tests.bench.store --url postgresql://…  an empty database of a server

The database is used as the bot uses it: one writer, group commits.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from actions.kit.policies.deciders import Channel
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.runs import RunStatus, Wake
from storage.database import Database
from storage.results import Answered, Claimed
from storage.store import Store
from tests.integration.scenes import NOW, SECOND, lease, new_run, question, vote

OWNER = "bench"


class Bench:
    """Lives on one database; each card has a channel of its own, so that no pacing is measured."""

    def __init__(self, database: Database) -> None:
        self._store = Store(database)
        self._lives = 0

    async def life(self) -> None:
        store, owned = self._store, lease(owner=OWNER)
        run = (await store.start(new_run(), lease=owned, now=NOW)).run
        card = NewCopy(CopyKind.CARD, Channel(channel=f"C0{run.id.upper()}"))
        interrupt = await store.pause(run.id, 1, owner=OWNER, request=question(), copies=[card], now=NOW)
        assert interrupt is not None
        [copy] = await store.copies(run.id)
        await store.copy_posted(copy.id, owner=OWNER, channel="C0APP", ts=copy.id, version=1, at=NOW)
        assert isinstance(await store.answer(vote(interrupt.id), now=NOW + SECOND), Answered)
        claimed = await store.claim(Wake(run.id, 2), lease=owned, now=NOW + SECOND)
        assert isinstance(claimed, Claimed)
        await store.finish(run.id, 2, owner=OWNER, status=RunStatus.SUCCEEDED, output='"ok"', now=NOW + SECOND)
        self._lives += 1

    async def measure(self, at_once: int, seconds: float) -> float:
        """Lives a second."""
        self._lives, begin = 0, time.perf_counter()

        async def one_after_the_other() -> None:
            while time.perf_counter() - begin < seconds:
                await self.life()

        await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
        return self._lives / (time.perf_counter() - begin)


async def main(url: str, seconds: float) -> None:
    async with Database(url) as database:
        bench = Bench(database)
        await bench.measure(8, 0.5)
        for at_once in (1, 8, 32, 128):
            before = database.commits
            rate = await bench.measure(at_once, seconds)
            commits = (database.commits - before) / seconds
            sys.stdout.write(f"{at_once:4} at once: {rate:7.1f} lives a second in {commits:7.1f} commits a second\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="the database; without it a new SQLite file")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each line is measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(given.url or f"sqlite:///{Path(folder) / 'signoff.db'}", given.seconds))

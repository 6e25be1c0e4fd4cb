"""A process of its own that works on a shared database, for the races and crashes that one process cannot show.

    python -m tests.integration.storage_worker URL ROLE [ARGUMENT…]

It says `ready`, waits for a line on its standard input, and prints one JSON value a line.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable

from actions.kit.records import Wake
from storage.database import Database
from storage.store import Store
from tests.integration.scenes import HOUR, NOW, SECOND, lease, new_run, vote


async def answer(store: Store, name: str, *interrupts: str) -> None:
    """Five people of this process click on every card at once."""
    votes = [vote(each, f"U0{name}{number}") for each in interrupts for number in range(5)]
    results = await asyncio.gather(*(store.answer(each, now=NOW + HOUR - SECOND) for each in votes))
    say([(each.interrupt_id, each.person, type(result).__name__) for each, result in zip(votes, results, strict=True)])


async def expire(store: Store, _: str) -> None:
    """The clock of this process is a second ahead of those who click."""
    say(sum([await store.expire_due(now=NOW + HOUR, limit=3) for _ in range(10)]))


async def claim(store: Store, name: str, *runs: str) -> None:
    claims = (store.claim(Wake(run, 1), lease=lease(owner=name), now=NOW) for run in runs)
    say([claimed.run.id for claimed in await asyncio.gather(*claims) if claimed])


async def recover(store: Store, _: str) -> None:
    say((await store.recover(now=NOW + HOUR, idempotent=lambda _: False)).requeued)


async def take(store: Store, name: str) -> None:
    copies = await store.take_copies(owner=name, now=NOW, lease_until=NOW + 30 * SECOND, limit=100)
    say([copy.id for copy in copies])


async def start_for_ever(store: Store, _: str) -> None:
    """Says each run only after the store acknowledged it."""

    async def one_after_the_other() -> None:
        while True:
            say((await store.start(new_run(), lease=lease(), now=NOW)).run.id)

    await asyncio.gather(*(one_after_the_other() for _ in range(4)))


ROLES: dict[str, Callable[..., Awaitable[None]]] = {
    role.__name__: role for role in (answer, expire, claim, recover, take, start_for_ever)
}


def say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def work(url: str, role: str, name: str, *arguments: str) -> None:
    async with Database(url) as database:
        say("ready")
        sys.stdin.readline()
        await ROLES[role](Store(database), name, *arguments)


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:]))

"""A process of its own that works on shared databases, for the races and crashes that one process cannot show.

    python -m tests.integration.storage_worker

Each line on its standard input is a job, `[URL, ROLE, NAME, ARGUMENT…]` as JSON. It opens the database, says `ready`,
waits for one more line, and prints what the role says: one JSON value a line.
"""

import asyncio
import json
import random
import sys
import zlib
from collections.abc import Awaitable, Callable
from datetime import datetime

from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.runs import RunStatus, Wake
from storage.database import Database
from storage.results import Answered
from storage.store import Store
from tests.integration.scenes import APPROVALS, HOUR, LATER, NOW, SECOND, lease, new_run, question, vote


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


async def start_same(store: Store, name: str, *keys: str) -> None:
    """Everybody makes the same requests, each in an order of its own."""
    mine = sorted(keys, key=lambda key: zlib.crc32(f"{name} {key}".encode()))
    starts = (store.start(new_run(idempotency_key=key), lease=None, now=NOW) for key in mine)
    say([(started.run.id, started.created) for started in await asyncio.gather(*starts)])


async def churn(store: Store, name: str, *runs: str) -> None:
    """Does all that can be done to a few runs, in any order, with many tasks at once; says how many answers counted."""
    dice = random.Random(name)  # noqa: S311 -- dice, not secrets

    async def one_after_the_other(task: int) -> int:
        answered = 0
        for turn in range(12):
            now, run_id = NOW + turn * SECOND, dice.choice(runs)
            match dice.randrange(8):
                case 0:
                    await store.report(run_id, f"{name} {turn}", now=now)
                case 1:
                    await store.start(new_run(idempotency_key=str(turn)), lease=lease(now, name), now=now)
                case 2:
                    await store.expire_due(now=now, limit=5)
                    await store.recover(now=now + 31 * SECOND, idempotent=lambda _: True, limit=1)
                case 3 | 4:
                    await publish(store, name, now)
                    await send(store, name, now, dice)
                case _:
                    answered += await move_on(store, run_id, f"U0{name}{task}", now)
        return answered

    say(sum(await asyncio.gather(*(one_after_the_other(task) for task in range(16)))))


async def move_on(store: Store, run_id: str, person: str, now: datetime) -> bool:
    """Whatever comes next in a run; whether that was an answer that counted."""
    run, card = await store.run(run_id), await store.latest_card(run_id)
    assert run is not None
    assert card is not None
    if run.status is RunStatus.QUEUED:
        await store.claim(Wake(run_id, run.epoch), lease=lease(now, person), now=now)
    elif run.status is RunStatus.RUNNING:
        copies, owner = [NewCopy(CopyKind.CARD, APPROVALS)], run.lease_owner or ""
        await store.pause(run_id, run.epoch, owner=owner, request=question(), copies=copies, now=now)
    return isinstance(await store.answer(vote(card.interrupt.id, person, LATER), now=now), Answered)


async def publish(store: Store, name: str, now: datetime) -> None:
    """Its leases end at once, so that everybody takes lanes and copies from everybody."""
    for copy in await store.take_copies(owner=name, now=now, lease_until=now, limit=20):
        if copy.ts is None:
            ts, version = f"{name} {copy.id}", copy.wanted_version
            await store.copy_posted(copy.id, owner=name, channel=f"C0{copy.id[-1]}", ts=ts, version=version, at=now)
        else:
            await store.copy_updated(copy.id, owner=name, version=copy.wanted_version, now=now)


async def send(store: Store, name: str, now: datetime, dice: random.Random) -> None:
    """Its leases end at once too; sometimes a webhook wants nothing more, or a delivery is ordered once more."""
    for parcel in await store.hooks.take(owner=name, now=now, lease_until=now, limit=20):
        delivery = parcel.delivery.id
        match dice.randrange(6):
            case 0:
                await store.hooks.retry(delivery, owner=name, error="500", response_status=500, next_at=now + SECOND)
            case 1:
                gone = "gone" if dice.randrange(8) == 0 else None
                await store.hooks.give_up(
                    delivery, owner=name, error="410", response_status=410, disables=gone, now=now
                )
            case 2:
                await store.hooks.send_again(delivery, via="test", now=now)
            case _:
                await store.hooks.delivered(delivery, response_status=200, now=now)


async def start_for_ever(store: Store, _: str) -> None:
    """Says each run only after the store acknowledged it."""

    async def one_after_the_other() -> None:
        while True:
            say((await store.start(new_run(), lease=lease(), now=NOW)).run.id)

    await asyncio.gather(*(one_after_the_other() for _ in range(4)))


ROLES: dict[str, Callable[..., Awaitable[None]]] = {
    role.__name__: role for role in (answer, churn, claim, expire, recover, start_for_ever, start_same, take)
}


def say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def work(url: str, role: str, name: str, *arguments: str) -> None:
    async with Database(url) as database:
        say("ready")
        await asyncio.to_thread(sys.stdin.readline)
        await ROLES[role](Store(database), name, *arguments)


if __name__ == "__main__":
    for line in sys.stdin:
        asyncio.run(work(*json.loads(line)))

"""The publisher alone, on a real store and a real workbench: cards are wanted here, and people see them or not."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from actions.kit.policies.deciders import Channel, DirectMessage, Person, Place, Policy
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import InterruptRecord
from bot import clock
from bot.engine.stand_ins import StandIns
from bot.slack.client import open_clients
from bot.slack.directory import Directory
from bot.slack.home_drawing import HomeDrawing
from bot.slack.posting import Posting
from bot.slack.publisher import Publisher
from bot.workbench.bench import Timings
from bot.workbench.cards import Card
from bot.workbench.driver import Tab
from bot.workbench.server import Workbench
from storage.database import Database
from storage.store import Store
from tests.integration.scenes import Scene, vote
from tests.sqlite import sqlite_in
from tests.waiting import until

APPROVALS = Channel(channel="#approvals")
OPS = Channel(channel="C0OPS")
TO_ANN, TO_BEN, TO_DANA = (DirectMessage(person=Person(id=person)) for person in ("U0ANN", "U0BEN", "U0DANA"))
NAMED = Policy(deciders=(Person(id="U0ANN"), Person(id="U0BEN")))
BOT_USER = "U0SIGNOFF"
QUESTION = "Approve sending this message?"


class Press:
    """One database and one workbench; publishers come and go."""

    def __init__(self, workbench: Workbench, database: Database) -> None:
        self.workbench = workbench
        self.database = database
        self.due = asyncio.Event()
        self.scene = Scene(database)
        self.scene.store = self.store = Store(database, on_wake=self.scene.wakes.append, on_change=self.due.set)

    @asynccontextmanager
    async def publishing(self, owner: str = "publisher", **options: Any) -> AsyncIterator[Publisher]:
        """A publisher at work, until the block ends."""
        async with open_clients(self.workbench.bot_token, self.workbench.api_url) as clients:
            directory = Directory(clients.reader)
            posting = Posting(clients.writer, bot_user=BOT_USER)
            stand_ins = StandIns(self.store.absences, directory, now=clock.now)
            homes = HomeDrawing(self.store, directory, stand_ins)
            publisher = Publisher(
                self.store, posting, directory, homes, due=self.due, owner=owner, check_cards=True, **options
            )
            publisher.start()
            try:
                yield publisher
            finally:
                await publisher.stop()
                await directory.close()

    async def asked(self, *places: Place, message: str = QUESTION, **values: Any) -> InterruptRecord:
        """A run that waits for people; its cards are wanted."""
        now = clock.now()
        run = await self.scene.running(now=now, requester="U0RITA")
        wanted: Sequence[Place] = places or (APPROVALS,)
        return await self.scene.asked(run, places=wanted, now=now, message=message, **values)

    async def vote(self, interrupt: InterruptRecord, person: str = "U0ANN", **values: Any) -> None:
        await self.store.answer(vote(interrupt.id, person, **values), now=clock.now())

    def person(self, name: str) -> Tab:
        return self.workbench.person(name)

    def in_channel(self, channel: str = "#approvals") -> list[Card]:
        """What stands there of the bot's, oldest first, without what is in threads."""
        dana = self.person("ann")
        return [
            card for card in dana.messages(channel) if card.message.author == BOT_USER and not card.message.is_reply
        ]

    async def copies(self, interrupt: InterruptRecord, kind: CopyKind = CopyKind.CARD) -> list[CopyRecord]:
        return await self.scene.copies(interrupt.run_id, kind)

    async def interrupt(self, interrupt: InterruptRecord) -> InterruptRecord:
        return (await self.scene.card(interrupt.id)).interrupt

    async def copy(self, interrupt: InterruptRecord, status: str, kind: CopyKind = CopyKind.CARD) -> CopyRecord:
        """The first copy of this kind with this status, once there is one."""

        async def found() -> CopyRecord | None:
            return next((copy for copy in await self.copies(interrupt, kind) if copy.status == status), None)

        return await until(found, f"a {kind} that is {status}")

    async def in_step(self, interrupt: InterruptRecord, timeout: float = 10.0) -> list[CopyRecord]:
        """Every message of the run, once Slack shows all that the rows say."""

        async def reached() -> list[CopyRecord] | None:
            copies = await self.store.copies(interrupt.run_id)
            return list(copies) if all(copy.shown_version == copy.wanted_version for copy in copies) else None

        return await until(reached, "everything to be shown", timeout=timeout)

    async def flagged(self, interrupt: InterruptRecord) -> str:
        """Why the card could not be delivered, once that is written down."""

        async def reason() -> str | None:
            return (await self.interrupt(interrupt)).undeliverable

        return await until(reason, "the card to be undeliverable")


@asynccontextmanager
async def opened_press(folder: Path, timings: Timings | None = None) -> AsyncIterator[Press]:
    async with (
        Workbench(timings=timings) as workbench,
        Database(sqlite_in(folder)) as database,
    ):
        yield Press(workbench, database)

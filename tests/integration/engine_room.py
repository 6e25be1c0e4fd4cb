"""The engine room with a real store, host and engine, and a workspace of a few people."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from actions import Action
from actions.kit.policies.deciders import Lookup
from actions.kit.records.copies import CopyRecord
from actions.kit.records.interrupts import Card
from actions.kit.records.people import PersonFacts
from actions.kit.records.runs import Origin, RunRecord, RunStatus
from actions.kit.registry import Registry
from actions.kit.resources import SetUp
from blocks.clicks import AnswerTarget, Click, Order, StartTarget, Submission
from bot.engine.engine import EmbeddedEngine
from bot.engine.facts import Entitlement
from bot.engine.people import CouldNotVerify, Status
from bot.engine.results import Refusal
from bot.engine.runner import Runner
from bot.engine.stand_ins import StandIns
from storage.database import Database
from storage.results import Started
from storage.store import Store
from tests.sqlite import sqlite_in

T = TypeVar("T")
RITA, ANN, BEN, GUS, BOT, EVE = "U0RITA", "U0ANN", "U0BEN", "U0GUS", "U0BOT", "U0EVE"
VIA = Origin(via="demo")
sources = count(1)


@dataclass
class People:
    """A workspace: Rita asks, Ann and Ben decide, Gus is a guest, Eve is in no channel."""

    members: set[str] = field(default_factory=lambda: {RITA, ANN, BEN, GUS, BOT})
    stand_for: dict[Lookup, set[str]] = field(default_factory=dict)
    is_away: bool = False
    statuses: dict[str, Status] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)

    async def person(self, person: str) -> PersonFacts | None:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        if person not in {RITA, ANN, BEN, GUS, BOT, EVE}:
            return None
        name = person.removeprefix("U0").lower()
        email = f"{name}@example.com"
        return PersonFacts(
            person, name, email, is_bot=person == BOT, is_guest=person == GUS, is_deleted=person in self.left
        )

    async def by_email(self, email: str) -> PersonFacts | None:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        return await self.person(f"U0{email.partition('@')[0].upper()}")

    async def by_handle(self, handle: str) -> tuple[PersonFacts, ...]:
        found = [await self.person(each) for each in (RITA, ANN, BEN, GUS, EVE)]
        return tuple(each for each in found if each is not None and handle in {each.name, "everybody"})

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        del requester
        if self.is_away or lookup not in self.stand_for:
            raise CouldNotVerify("unknown")
        return frozenset(self.stand_for[lookup])

    async def is_member(self, channel: str, person: str) -> bool:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        return person in self.members

    async def status_of(self, person: str) -> Status | None:
        if self.is_away:
            raise CouldNotVerify("unreachable")
        return self.statuses.get(person)


@dataclass
class Clock:
    """The real time, moved on by hand where a test wants to be later."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass
class Room:
    store: Store
    runner: Runner
    engine: EmbeddedEngine
    people: People
    clock: Clock

    @property
    def entitlement(self) -> Entitlement:
        return Entitlement(self.people, StandIns(self.store.absences, self.people, now=self.clock.now))

    async def begin(self, action: Action, raw: Any = None, *, key: str | None = None) -> RunRecord:
        started = await self.runner.start(
            action.id, {} if raw is None else raw, requester=RITA, origin=VIA, idempotency_key=key
        )
        assert isinstance(started, Started), started
        return started.run

    async def asked(self, run: RunRecord, number: int = 1) -> Card:
        """The card of the run's pause with this number, once it is there."""
        return await self.eventually(lambda: self.store.card(f"{run.id}.{number}"))

    async def paused(self, action: Action, raw: Any = None) -> Card:
        return await self.asked(await self.begin(action, raw))

    async def ended(self, run: RunRecord, *, epoch: int | None = None) -> RunRecord:
        async def there() -> RunRecord | None:
            now = await self.store.run(run.id)
            return now if now and now.status.ended and epoch in {None, now.epoch} else None

        return await self.eventually(there)

    async def reaches(self, run: RunRecord, status: RunStatus) -> RunRecord:
        async def there() -> RunRecord | None:
            now = await self.store.run(run.id)
            return now if now and now.status is status else None

        return await self.eventually(there)

    async def post(self, card: Card) -> Card:
        """Shows whatever is wanted, as the publisher would: the clock starts."""
        now = self.clock.now()
        until = now + timedelta(minutes=1)
        while copies := await self.store.take_copies(owner="publisher", now=now, lease_until=until):
            for copy in copies:
                await self._show(copy, now)
        return await self.asked(card.run, card.interrupt.number)

    async def _show(self, copy: CopyRecord, now: datetime) -> None:
        if copy.shown_version:
            await self.store.copy_updated(copy.id, owner="publisher", version=copy.wanted_version, now=now)
            return
        ts = f"{next(sources)}.0"
        await self.store.copy_posted(
            copy.id, owner="publisher", channel="C0APP", ts=ts, version=copy.wanted_version, at=now
        )

    async def eventually(self, look: Callable[[], Awaitable[T | None]]) -> T:
        """What a question about the database answers, once it does."""
        async with asyncio.timeout(20):
            while (found := await look()) is None:  # noqa: ASYNC110 - a database does not call back
                await asyncio.sleep(0.005)
        return found


def click(
    card: Card, choice: str, person: str = ANN, *, source: str | None = None, version: int | None = None
) -> Click:
    return Click(
        interrupt_id=card.interrupt.id,
        content_version=card.interrupt.content_version if version is None else version,
        choice_key=choice,
        person=person,
        channel="C0APP",
        message_ts="1.0",
        trigger_id="t",
        response_url=None,
        source=source or f"click:{next(sources)}",
    )


def form(card: Card, choice: str, texts: dict[str, str], person: str = ANN, *, source: str | None = None) -> Submission:
    target = AnswerTarget(card.interrupt.id, card.interrupt.content_version, choice)
    return Submission(target, _state(texts), person, "V1", "t", source or f"view:{next(sources)}")


def start_form(action: Action, texts: dict[str, str], person: str = RITA, *, nonce: str) -> Submission:
    return Submission(StartTarget(action.id, None, nonce), _state(texts), person, "V1", "t", f"view:{next(sources)}")


def order(run: RunRecord, verb: Any, person: str, *, interrupt: str | None = None) -> Order:
    return Order(verb, run.id, run.epoch, interrupt, person, "t", None, "C0APP", f"click:{next(sources)}")


def refused(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.text


def _state(texts: dict[str, str]) -> dict[str, dict[str, dict[str, Any]]]:
    """Slack's state of a form whose inputs are texts, by the path of their values."""
    return {f"field:{path}": {"value": {"type": "plain_text_input", "value": text}} for path, text in texts.items()}


@asynccontextmanager
async def engine_room(
    place: Path,
    *actions: Action,
    people: People | None = None,
    set_ups: Collection[SetUp] = (),
    operators: Collection[str] = (),
    concurrency: int = 32,
    url: str | None = None,
    clock: Clock | None = None,
    on_run_change: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[Room]:
    people, clock, engine = people or People(), clock or Clock(), EmbeddedEngine(concurrency=concurrency)
    async with Database(url or sqlite_in(place)) as database:
        store = Store(database, on_wake=engine.wake, on_run_change=on_run_change)
        runner = Runner(
            store=store,
            registry=Registry(actions, set_ups),
            directory=people,
            engine=engine,
            operators=operators,
            now=clock.now,
        )
        await runner.open()
        try:
            yield Room(store, runner, engine, people, clock)
        finally:
            assert await runner.close(grace=2.0)

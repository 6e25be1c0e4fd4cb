"""Any order of transitions keeps the rules: one decision settles, an end is an end, each end is told once, the audit grows."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus, Wake
from storage.database import Database
from storage.results import AlreadySettled, Answered, Late, Ordered, OrderVerb
from tests.integration.scenes import ANA, BEN, CAI, LATER, MEMBERS, NO, NOW, YES, Scene, lease, new_run, two_of
from tests.postgresql import Cluster
from tests.sqlite import sqlite_in

T = TypeVar("T")
OWNERS = st.sampled_from(["p1", "p2"])
PEOPLE = st.sampled_from([ANA, BEN, CAI])
EXECUTED = {RunStatus.RUNNING, RunStatus.STALLED}
AFTER_AN_ORDER = {RunStatus.FAILED, RunStatus.STALLED}


@contextmanager
def a_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="signoff-life-") as folder:
        yield sqlite_in(Path(folder))


class Life(RuleBasedStateMachine):
    """Two processes, three people and the clock work on two runs."""

    def __init__(self) -> None:
        super().__init__()
        self.place = ExitStack()
        self.runner = self.place.enter_context(asyncio.Runner())
        self.database = Database(self.place.enter_context(self.new_database()))
        self.database.open()
        self.scene = Scene(self.database)
        self.now = NOW
        self.runs: dict[str, RunRecord] = {}
        self.cards: dict[str, Card] = {}
        self.events: Counter[str] = Counter()
        self.ordered: set[str] = set()

    def new_database(self) -> AbstractContextManager[str]:
        return a_file()

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def teardown(self) -> None:
        self.database.close()
        self.place.close()

    @initialize()
    def begin(self) -> None:
        for held in (lease(NOW, "p1"), None):
            started = self.do(self.scene.store.start(new_run(), lease=held, now=NOW))
            self.runs[started.run.id] = started.run

    def one(self, data: st.DataObject) -> RunRecord:
        return self.runs[data.draw(st.sampled_from(list(self.runs)))]

    @rule(minutes=st.sampled_from([0, 1, 61]))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(data=st.data(), owner=OWNERS, stale=st.booleans())
    def claim(self, data: st.DataObject, owner: str, stale: bool) -> None:
        run = self.one(data)
        wake = Wake(run.id, run.epoch - stale)
        claimed = self.do(self.scene.store.claim(wake, lease=lease(self.now, owner), now=self.now))
        assert (claimed is not None) == (run.status is RunStatus.QUEUED and not stale)

    @rule(data=st.data(), owner=OWNERS, quorum=st.booleans(), posted=st.booleans())
    def pause(self, data: st.DataObject, owner: str, quorum: bool, posted: bool) -> None:
        run = self.one(data)
        if run.status not in EXECUTED or run.lease_owner != owner or run.cancel_requested_by:
            return
        policy = two_of(ANA, BEN, CAI) if quorum else MEMBERS
        step = self.scene.posted if posted else self.scene.asked
        self.do(step(run=run, now=self.now, policy=policy))

    @rule(
        data=st.data(), owner=OWNERS, status=st.sampled_from([RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.STALLED])
    )
    def finish(self, data: st.DataObject, owner: str, status: RunStatus) -> None:
        run = self.one(data)
        ended = self.do(self.scene.store.finish(run.id, run.epoch, owner=owner, status=status, now=self.now))
        may = run.status in {RunStatus.RUNNING, RunStatus.STALLED, status} and run.lease_owner == owner
        assert (ended is not None) == may

    @precondition(lambda self: self.cards)
    @rule(data=st.data(), person=PEOPLE, choice=st.sampled_from([YES, NO, LATER]), click=st.integers(1, 2))
    def vote(self, data: st.DataObject, person: str, choice: Any, click: int) -> None:
        before = self.cards[data.draw(st.sampled_from(list(self.cards)))]
        vote = self.scene.vote(before.interrupt.id, person, choice, now=self.now, source=f"{person} {click}")
        result = self.do(vote)
        if before.interrupt.status is not InterruptStatus.PENDING:
            assert not isinstance(result, Answered | Late)
        elif before.interrupt.expires_at is not None and before.interrupt.expires_at <= self.now:
            assert not isinstance(result, Answered | AlreadySettled)

    @rule()
    def expire(self) -> None:
        self.do(self.scene.store.expire_due(now=self.now))

    @rule(idempotent=st.booleans())
    def recover(self, idempotent: bool) -> None:
        self.do(self.scene.store.recover(now=self.now, idempotent=lambda _: idempotent))

    @rule(data=st.data(), person=PEOPLE)
    def cancel(self, data: st.DataObject, person: str) -> None:
        self.do(self.scene.store.cancel(self.one(data).id, person=person, via="slack", now=self.now))

    @rule(data=st.data(), verb=st.sampled_from(["run_again", "it_happened", "it_did_not"]))
    def order(self, data: st.DataObject, verb: OrderVerb) -> None:
        run = self.one(data)
        result = self.do(self.scene.store.order(run.id, run.epoch, verb, person=ANA, via="slack", now=self.now))
        if isinstance(result, Ordered):
            assert run.status in AFTER_AN_ORDER
            self.ordered.add(run.id)

    @rule(owner=OWNERS, refuse=st.booleans())
    def publish(self, owner: str, refuse: bool) -> None:
        for copy in self.do(self.scene.take(self.now, owner)):
            if refuse and copy.kind is CopyKind.CARD:
                store = self.scene.store
                self.do(store.copy_refused(copy.id, owner=owner, error="is_archived", fallbacks=(), now=self.now))
            elif copy.ts is None:
                self.do(self.scene.post(copy, self.now, owner))
            else:
                version = copy.wanted_version
                self.do(self.scene.store.copy_updated(copy.id, owner=owner, version=version, now=self.now))

    @invariant()
    def the_rules_hold(self) -> None:
        for run_id in self.runs:
            self.do(self.check(run_id))
        self.ordered.clear()

    async def check(self, run_id: str) -> None:
        before, run = self.runs[run_id], await self.scene.run(run_id)
        if before.status.ended and before.status is not RunStatus.STALLED and run_id not in self.ordered:
            assert run == before
        assert run.epoch >= before.epoch
        if run.epoch == before.epoch and before.status is not RunStatus.QUEUED:
            assert run.status is not RunStatus.QUEUED
        pending = [card for card in await self.scene.store.pending() if card.run.id == run_id]
        assert len(pending) == (run.status is RunStatus.WAITING)
        await self.check_endings(run)
        await self.check_interrupts(run_id)
        trail = await self.scene.store.trail(run_id)
        assert len(trail) >= self.events[run_id]
        self.events[run_id] = len(trail)
        self.runs[run_id] = run

    async def check_endings(self, run: RunRecord) -> None:
        endings = [copy.ending for copy in await self.scene.copies(run.id, CopyKind.OUTCOME) if copy.ending]
        told = Counter((ending.epoch, ending.status) for ending in endings)
        assert set(told.values()) <= {1}
        assert told[run.epoch, run.status] == run.status.ended
        final = Counter(ending.epoch for ending in endings if ending.status not in AFTER_AN_ORDER)
        assert set(final.values()) <= {1}

    async def check_interrupts(self, run_id: str) -> None:
        for number in range(1, 100):
            card = await self.scene.store.card(f"{run_id}.{number}")
            if card is None:
                return
            before = self.cards.get(card.interrupt.id, card)
            if before.interrupt.status is not InterruptStatus.PENDING:
                assert card.interrupt == before.interrupt
            assert card.decisions[: len(before.decisions)] == before.decisions
            self.cards[card.interrupt.id] = card


class LifeOnPostgresql(Life):
    cluster: ClassVar[Cluster]
    migrated: ClassVar[str]

    def new_database(self) -> AbstractContextManager[str]:
        return self.cluster.database(self.migrated)


@pytest.fixture(scope="class")
def on_postgresql(cluster: Cluster, migrated: str) -> None:
    LifeOnPostgresql.cluster, LifeOnPostgresql.migrated = cluster, migrated


def examples(count: int) -> settings:
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    return settings(max_examples=count, stateful_step_count=25, deadline=None, suppress_health_check=checks)


TestLife = Life.TestCase
TestLife.settings = examples(20)
TestLifeOnPostgresql = pytest.mark.usefixtures("on_postgresql")(LifeOnPostgresql.TestCase)
TestLifeOnPostgresql.settings = examples(6)

"""Several processes on one database: one winner of each race, and nothing acknowledged is lost when one is killed."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from storage.database import Database
from storage.deliveries import NewHook
from tests.integration.scenes import NOW, Scene, new_run
from tests.postgresql import Cluster

ROOT = Path(__file__).parents[2]
# Each begins with a transaction of its own that is undone, to learn the server's version.
ENGINES = 8


class Worker:
    """A process that does one job after the other; starting it takes longer than most jobs."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.integration.storage_worker"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 -- our own

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def said(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0


class Race:
    """Lets several processes go at once."""

    def __init__(self) -> None:
        self._workers: list[Worker] = []

    def __call__(self, url: str, *jobs: Sequence[str]) -> list[Any]:
        """What each job said."""
        self._workers += [Worker() for _ in jobs[len(self._workers) :]]
        workers = self._workers[: len(jobs)]
        for worker, job in zip(workers, jobs, strict=True):
            worker.tell(json.dumps([url, *job]))
        assert [worker.said() for worker in workers] == ["ready"] * len(jobs)
        for worker in workers:
            worker.tell("go")
        return [worker.said() for worker in workers]

    def end(self) -> None:
        for worker in self._workers:
            worker.end()


@pytest.fixture(scope="module")
def race() -> Iterator[Race]:
    race = Race()
    yield race
    race.end()


async def test_clicks_in_several_processes_have_one_winner_each(scene: Scene, database_url: str, race: Race):
    ids = [(await scene.posted()).id for _ in range(6)]
    said = race(database_url, *(("answer", name, *ids) for name in ("A", "B", "C")))
    results = Counter((interrupt, result) for votes in said for interrupt, _, result in votes)
    assert results == {**{(each, "Answered"): 1 for each in ids}, **{(each, "AlreadySettled"): 14 for each in ids}}
    for each in ids:
        card = await scene.card(each)
        assert (card.run.epoch, len(card.decisions)) == (2, 1)


async def test_clicks_and_expiries_in_several_processes_have_one_winner_each(
    scene: Scene, database_url: str, race: Race
):
    ids = [(await scene.posted()).id for _ in range(12)]
    votes, expired, more = race(database_url, ("answer", "A", *ids), ("expire", "B"), ("expire", "C"))
    answered = [interrupt for interrupt, _, result in votes if result == "Answered"]
    assert len(answered) + expired + more == len(ids)
    for each in ids:
        card = await scene.card(each)
        assert card.interrupt.status is (InterruptStatus.ANSWERED if each in answered else InterruptStatus.EXPIRED)
        assert len(await scene.copies(card.run.id, CopyKind.OUTCOME)) == (each not in answered)


async def test_claims_in_several_processes_have_one_winner_each(scene: Scene, database_url: str, race: Race):
    runs = [(await scene.store.start(new_run(), lease=None, now=NOW)).run.id for _ in range(10)]
    said = race(database_url, *(("claim", name, *runs) for name in ("A", "B", "C")))
    assert sorted(run for claimed in said for run in claimed) == sorted(runs)
    assert {(await scene.run(run)).claims for run in runs} == {1}


async def test_recoveries_in_several_processes_requeue_once(scene: Scene, database_url: str, race: Race):
    runs = [(await scene.running()).id for _ in range(5)]
    said = race(database_url, ("recover", "A"), ("recover", "B"))
    assert sorted(run for requeued in said for run in requeued) == sorted(runs)
    assert {(await scene.run(run)).epoch for run in runs} == {2}


async def test_publishers_in_several_processes_never_share_a_place(scene: Scene, database_url: str, race: Race):
    for _ in range(4):
        await scene.asked()
    said = race(database_url, ("take", "A"), ("take", "B"))
    assert sorted(map(len, said)) == [0, 1]


async def test_processes_that_start_at_once_on_a_new_database_all_open_it(empty_database_url: str, race: Race):
    assert race(empty_database_url, *(("recover", name) for name in ("A", "B", "C", "D"))) == [[]] * 4


async def test_the_same_request_to_several_processes_starts_one_run(scene: Scene, database_url: str, race: Race):
    keys = [f"form {number}" for number in range(8)]
    said = race(database_url, *(("start_same", name, *keys) for name in ("A", "B", "C")))
    runs = Counter(run for started in said for run, _ in started)
    assert list(runs.values()) == [3] * len(keys)
    assert sum(created for started in said for _, created in started) == len(keys) == len(await scene.store.runs())


async def test_processes_that_do_everything_to_the_same_runs_never_wait_in_a_circle(
    postgresql_url: str, cluster: Cluster, race: Race
):
    async with Database(postgresql_url) as database:
        scene = Scene(database)
        for number in range(4):
            await scene.store.hooks.add(NewHook(f"hook {number}", "https://example.com/", "secret"), now=NOW)
        runs = [(await scene.posted()).run_id for _ in range(5)]
        answered = race(postgresql_url, *(("churn", name, *runs) for name in ("A", "B", "C")))
    assert cluster.execute("SELECT count(*) FROM decisions", postgresql_url) == [(sum(answered),)]
    name = make_url(postgresql_url).database
    [(deadlocks, undone)] = cluster.execute(
        f"SELECT deadlocks, xact_rollback FROM pg_stat_database WHERE datname = '{name}'"  # noqa: S608 -- our own name
    )
    assert (deadlocks, undone) == (0, ENGINES)
    numbers = "SELECT count(*), max(number) FROM deliveries GROUP BY hook_id, run_id"
    counted = cluster.execute(numbers, postgresql_url)
    assert counted
    assert all(count == last for count, last in counted)


async def test_what_was_acknowledged_before_a_kill_is_there_after_it(database_url: str):
    worker = Worker()
    with worker.process as process:
        assert process.stdout is not None
        worker.tell(json.dumps([database_url, "start_for_ever", "A"]))
        assert worker.said() == "ready"
        worker.tell("go")
        acknowledged = [worker.said() for _ in range(200)]
        process.kill()
        rest = process.stdout.read().splitlines(keepends=True)
    acknowledged += [json.loads(line) for line in rest if line.endswith("\n")]
    async with Database(database_url) as database:
        scene = Scene(database)
        for run in acknowledged:
            assert (await scene.run(run)).status is RunStatus.RUNNING
            assert await scene.events(run) == ["started"]

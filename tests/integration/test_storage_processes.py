"""Several processes on one database: one winner of each race, and nothing acknowledged is lost when one is killed."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from actions.kit.records import CopyKind, InterruptStatus, RunStatus
from storage.database import Database
from tests.integration.scenes import NOW, Scene, new_run

ROOT = Path(__file__).parents[2]


def worker(url: str, role: str, name: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.integration.storage_worker", url, role, name, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 -- our own


def race(url: str, *jobs: Sequence[str]) -> list[Any]:
    """Starts all jobs, lets them go at once, and returns what each said."""
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(url, *job)) for job in jobs]
        for each in workers:
            assert each.stdout is not None
            assert json.loads(each.stdout.readline()) == "ready"
        for each in workers:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        results = [json.loads(each.communicate(timeout=60)[0]) for each in workers]
    assert [each.returncode for each in workers] == [0] * len(jobs)
    return results


async def test_clicks_in_several_processes_have_one_winner_each(scene: Scene, database_url: str):
    ids = [(await scene.posted()).id for _ in range(6)]
    said = race(database_url, *(("answer", name, *ids) for name in ("A", "B", "C")))
    results = Counter((interrupt, result) for votes in said for interrupt, _, result in votes)
    assert results == {**{(each, "Answered"): 1 for each in ids}, **{(each, "AlreadySettled"): 14 for each in ids}}
    for each in ids:
        card = await scene.card(each)
        assert (card.run.epoch, len(card.decisions)) == (2, 1)


async def test_clicks_and_expiries_in_several_processes_have_one_winner_each(scene: Scene, database_url: str):
    ids = [(await scene.posted()).id for _ in range(12)]
    votes, expired, more = race(database_url, ("answer", "A", *ids), ("expire", "B"), ("expire", "C"))
    answered = [interrupt for interrupt, _, result in votes if result == "Answered"]
    assert len(answered) + expired + more == len(ids)
    for each in ids:
        card = await scene.card(each)
        assert card.interrupt.status is (InterruptStatus.ANSWERED if each in answered else InterruptStatus.EXPIRED)
        assert len(await scene.copies(card.run.id, CopyKind.OUTCOME)) == (each not in answered)


async def test_claims_in_several_processes_have_one_winner_each(scene: Scene, database_url: str):
    runs = [(await scene.store.start(new_run(), lease=None, now=NOW)).run.id for _ in range(10)]
    said = race(database_url, *(("claim", name, *runs) for name in ("A", "B", "C")))
    assert sorted(run for claimed in said for run in claimed) == sorted(runs)
    assert {(await scene.run(run)).claims for run in runs} == {1}


async def test_recoveries_in_several_processes_requeue_once(scene: Scene, database_url: str):
    runs = [(await scene.running()).id for _ in range(5)]
    said = race(database_url, ("recover", "A"), ("recover", "B"))
    assert sorted(run for requeued in said for run in requeued) == sorted(runs)
    assert {(await scene.run(run)).epoch for run in runs} == {2}


async def test_publishers_in_several_processes_never_share_a_place(scene: Scene, database_url: str):
    for _ in range(4):
        await scene.asked()
    said = race(database_url, ("take", "A"), ("take", "B"))
    assert sorted(map(len, said)) == [0, 1]


async def test_processes_that_start_at_once_on_a_new_database_all_open_it(database_url: str):
    assert race(database_url, *(("recover", name) for name in ("A", "B", "C", "D"))) == [[]] * 4


async def test_what_was_acknowledged_before_a_kill_is_there_after_it(database_url: str):
    process = worker(database_url, "start_for_ever", "A")
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == "ready"
        process.stdin.write("go\n")
        process.stdin.flush()
        acknowledged = [json.loads(process.stdout.readline()) for _ in range(200)]
        process.kill()
        rest = process.stdout.read().splitlines(keepends=True)
    acknowledged += [json.loads(line) for line in rest if line.endswith("\n")]
    async with Database(database_url) as database:
        scene = Scene(database)
        for run in acknowledged:
            assert (await scene.run(run)).status is RunStatus.RUNNING
            assert await scene.events(run) == ["started"]

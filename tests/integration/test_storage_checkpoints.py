"""What graphs keep in the database: the same as in memory, of the execution that has the run, and no longer than the run."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from actions.kit.graphs.kept import Checkpoints, Kept, KeptCheckpoint, KeptWrite, Line, TakenAwayError
from actions.kit.graphs.memory import MemoryCheckpoints
from actions.kit.records.runs import RunStatus
from storage.checkpoints import GraphCheckpoints
from tests.integration.scenes import Scene
from tests.integration.test_storage_purge import all_of_it, ended


def checkpoint(id_: str, parent: str | None = None, namespace: str = "") -> KeptCheckpoint:
    return KeptCheckpoint(namespace, id_, parent, ("msgpack", f"\0{id_}".encode()))


def write(task: str, index: int, content: str, path: str = "") -> KeptWrite:
    return KeptWrite(task, index, "answers", path, ("msgpack", content.encode()))


def ids(found: Sequence[Kept]) -> list[str]:
    return [each.id for each, _ in found]


async def line_of(scene: Scene) -> Line:
    run = await scene.running()
    return Line(run.id, run.epoch, f"{run.id}:")


async def story(door: Checkpoints, line: Line) -> list[object]:
    """What one door tells of the same few steps."""
    sub = replace(line, namespace="sub:1")
    await door.keep(line, checkpoint("1"))
    await door.keep(line, checkpoint("2", "1"))
    await door.keep(line, replace(checkpoint("2", "1"), content=("msgpack", b"better")))
    await door.keep(sub, checkpoint("3", None, "sub:1"))
    await door.keep_writes(line, "2", [write("b", 0, "first", "~2"), write("b", -3, "asked"), write("a", 0, "z", "~1")])
    await door.keep_writes(line, "2", [write("b", 0, "too late"), write("b", -3, "answered"), write("b", 1, "more")])
    told: list[object] = [await door.find(line, None), await door.find(line, "1"), await door.find(line, "3")]
    told += [await door.history(line, everywhere=False), ids(await door.history(line, everywhere=True))]
    await door.forget(line)
    return [*told, await door.find(line, None), await door.history(line, everywhere=True)]


async def test_the_database_keeps_what_memory_keeps(scene: Scene):
    line = await line_of(scene)
    told = await story(GraphCheckpoints(scene.database), line)
    assert told == await story(MemoryCheckpoints(), line)
    newest, first, none = told[:3]
    assert newest == (
        KeptCheckpoint("", "2", "1", ("msgpack", b"better")),
        [write("b", -3, "answered"), write("b", 1, "more"), write("a", 0, "z", "~1"), write("b", 0, "first", "~2")],
    )
    assert (first, none) == ((checkpoint("1"), []), None)
    assert told[4:] == [["3", "2", "1"], None, []]


async def test_an_execution_that_lost_its_run_keeps_nothing_any_more(scene: Scene):
    line, door = await line_of(scene), GraphCheckpoints(scene.database)
    lost = replace(line, epoch=line.epoch - 1)
    for late in (
        door.keep(lost, checkpoint("1")),
        door.keep_writes(lost, "1", [write("a", 0, "x")]),
        door.forget(lost),
    ):
        with pytest.raises(TakenAwayError, match="is executed by somebody else"):
            await late
    assert await door.history(line, everywhere=True) == []


async def test_checkpoints_go_with_their_run_when_it_is_purged(scene: Scene):
    door = GraphCheckpoints(scene.database)
    run = await scene.store.run(await ended(scene, RunStatus.SUCCEEDED))
    assert run is not None
    line = Line(run.id, run.epoch, "t")
    await door.keep(line, checkpoint("1"))
    await door.keep_writes(line, "1", [write("a", 0, "x")])
    assert (await all_of_it(scene)).runs == 1
    assert await door.find(line, None) is None

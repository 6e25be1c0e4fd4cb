"""What graphs keep of themselves: written by the execution that has the run, and by nobody after it. Nothing is audited."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, delete, insert, select

from actions.kit.graphs.kept import Kept, KeptCheckpoint, KeptWrite, Line
from storage.tables import checkpoint_writes, checkpoints, runs
from storage.transaction import Transaction

HAS_THE_RUN = select(runs.c.id).where(runs.c.id == bindparam("run_id"), runs.c.epoch == bindparam("epoch"))
KEEP = insert(checkpoints)
KEEP_WRITE = insert(checkpoint_writes)


def _of_thread(table: Table) -> tuple[Any, ...]:
    return table.c.run_id == bindparam("run_id"), table.c.thread == bindparam("thread")


def _of_line(table: Table) -> tuple[Any, ...]:
    return (*_of_thread(table), table.c.line == bindparam("line"))


OF_TASK = (
    *_of_line(checkpoint_writes),
    checkpoint_writes.c.checkpoint == bindparam("checkpoint"),
    checkpoint_writes.c.task == bindparam("task"),
)
REPLACE = delete(checkpoints).where(*_of_line(checkpoints), checkpoints.c.id == bindparam("id"))
TAKEN = select(checkpoint_writes.c.position).where(*OF_TASK)
REPLACE_WRITE = delete(checkpoint_writes).where(*OF_TASK, checkpoint_writes.c.position == bindparam("position"))
NEWEST = select(checkpoints).where(*_of_line(checkpoints)).order_by(checkpoints.c.id.desc()).limit(1)
ONE = select(checkpoints).where(*_of_line(checkpoints), checkpoints.c.id == bindparam("id"))
OF_LINE = select(checkpoints).where(*_of_line(checkpoints)).order_by(checkpoints.c.id.desc())
OF_THREAD = select(checkpoints).where(*_of_thread(checkpoints)).order_by(checkpoints.c.id.desc())
BESIDE = select(checkpoint_writes).where(
    *_of_line(checkpoint_writes), checkpoint_writes.c.checkpoint == bindparam("checkpoint")
)
FORGET = tuple(delete(table).where(*_of_thread(table)) for table in (checkpoint_writes, checkpoints))


def keep(transaction: Transaction, line: Line, checkpoint: KeptCheckpoint) -> bool:
    """False: another execution has the run."""
    if not _has_the_run(transaction.connection, line):
        return False
    transaction.connection.execute(REPLACE, _at(line) | {"id": checkpoint.id})
    kind, content = checkpoint.content
    values = {"id": checkpoint.id, "parent": checkpoint.parent, "kind": kind, "content": content}
    transaction.connection.execute(KEEP, _at(line) | values)
    return True


def keep_writes(transaction: Transaction, line: Line, checkpoint: str, writes: Collection[KeptWrite]) -> bool:
    """False: another execution has the run."""
    if not _has_the_run(transaction.connection, line):
        return False
    for task in {each.task for each in writes}:
        _keep_of_task(transaction.connection, line, checkpoint, [each for each in writes if each.task == task])
    return True


def forget(transaction: Transaction, line: Line) -> bool:
    """False: another execution has the run."""
    if not _has_the_run(transaction.connection, line):
        return False
    for each in FORGET:
        transaction.connection.execute(each, _at(line))
    return True


def find(connection: Connection, line: Line, checkpoint: str | None) -> Kept | None:
    """The checkpoint of this id, or the newest one."""
    query, more = (NEWEST, {}) if checkpoint is None else (ONE, {"id": checkpoint})
    return next(iter(_found(connection, line, query, more)), None)


def history(connection: Connection, line: Line, *, everywhere: bool) -> Sequence[Kept]:
    """The newest first."""
    return _found(connection, line, OF_THREAD if everywhere else OF_LINE, {})


def _found(connection: Connection, line: Line, query: Select[Any], more: dict[str, str]) -> list[Kept]:
    rows = connection.execute(query, _at(line) | more).all()
    kept = [KeptCheckpoint(row.line, row.id, row.parent, (row.kind, row.content)) for row in rows]
    return [(each, _beside(connection, line, each)) for each in kept]


def _beside(connection: Connection, line: Line, checkpoint: KeptCheckpoint) -> list[KeptWrite]:
    at = _at(line) | {"line": checkpoint.namespace, "checkpoint": checkpoint.id}
    rows = connection.execute(BESIDE, at)
    found = [KeptWrite(row.task, row.position, row.channel, row.path, (row.kind, row.content)) for row in rows]
    return sorted(found, key=KeptWrite.order)


def _keep_of_task(connection: Connection, line: Line, checkpoint: str, writes: Sequence[KeptWrite]) -> None:
    at = _at(line) | {"checkpoint": checkpoint, "task": writes[0].task}
    taken = set(connection.execute(TAKEN, at).scalars())
    for each in writes:
        if each.index in taken and each.index >= 0:
            continue
        if each.index in taken:
            connection.execute(REPLACE_WRITE, at | {"position": each.index})
        connection.execute(KEEP_WRITE, _at(line) | _write(checkpoint, each))
        taken.add(each.index)


def _has_the_run(connection: Connection, line: Line) -> bool:
    return connection.execute(HAS_THE_RUN, {"run_id": line.run_id, "epoch": line.epoch}).scalar() is not None


def _at(line: Line) -> dict[str, Any]:
    return {"run_id": line.run_id, "thread": line.thread, "line": line.namespace}


def _write(checkpoint: str, write: KeptWrite) -> dict[str, Any]:
    kind, content = write.content
    place = {"checkpoint": checkpoint, "task": write.task, "position": write.index}
    return place | {"channel": write.channel, "path": write.path, "kind": kind, "content": content}

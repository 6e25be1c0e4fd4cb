"""The checkpointer of a graph without one of its own: LangGraph's interface to what is kept with the run."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from actions.kit.graphs.kept import Checkpoints, Kept, KeptCheckpoint, KeptWrite, Line

T = TypeVar("T")


class RunSaver(BaseCheckpointSaver[int]):
    """Of one execution of a run, on the loop on which that executes. The synchronous half is for nodes in threads."""

    def __init__(self, kept: Checkpoints, *, run_id: str, epoch: int, serde: SerializerProtocol) -> None:
        super().__init__(serde=serde)
        self._kept = kept
        self._run_id = run_id
        self._epoch = epoch
        self._loop = asyncio.get_running_loop()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        line = self._line(config)
        found = await self._kept.find(line, get_checkpoint_id(config))
        return None if found is None else self._restored(line, found)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        if config is None:
            raise ValueError("name the thread whose checkpoints are wanted")
        line, wanted = self._line(config), get_checkpoint_id(config)
        until = get_checkpoint_id(before) if before else None
        told = 0
        for kept in await self._kept.history(line, everywhere="checkpoint_ns" not in config["configurable"]):
            found = self._restored(line, kept)
            is_wanted = wanted in {None, kept[0].id} and (until is None or kept[0].id < until)
            if is_wanted and _matches(found.metadata, filter) and (limit is None or told < limit):
                told += 1
                yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - every checkpoint is kept whole
    ) -> RunnableConfig:
        line = self._line(config)
        content = {"checkpoint": checkpoint, "metadata": get_checkpoint_metadata(config, metadata)}
        parent = get_checkpoint_id(config)
        kept = KeptCheckpoint(line.namespace, checkpoint["id"], parent, self.serde.dumps_typed(content))
        await self._kept.keep(line, kept)
        return _config(line, checkpoint["id"])

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        kept = [
            KeptWrite(task_id, WRITES_IDX_MAP.get(channel, index), channel, task_path, self.serde.dumps_typed(value))
            for index, (channel, value) in enumerate(writes)
        ]
        await self._kept.keep_writes(self._line(config), config["configurable"]["checkpoint_id"], kept)

    async def adelete_thread(self, thread_id: str) -> None:
        await self._kept.forget(Line(self._run_id, self._epoch, thread_id))

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return self._wait(self.aget_tuple(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        async def listed() -> Sequence[CheckpointTuple]:
            return [each async for each in self.alist(config, filter=filter, before=before, limit=limit)]

        yield from self._wait(listed())

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return self._wait(self.aput(config, checkpoint, metadata, new_versions))

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self._wait(self.aput_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        self._wait(self.adelete_thread(thread_id))

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return wait_in_thread(work, self._loop)

    def _line(self, config: RunnableConfig) -> Line:
        wanted = config["configurable"]
        return Line(self._run_id, self._epoch, str(wanted["thread_id"]), wanted.get("checkpoint_ns", ""))

    def _restored(self, line: Line, kept: Kept) -> CheckpointTuple:
        checkpoint, writes = kept
        line = replace(line, namespace=checkpoint.namespace)
        content = self.serde.loads_typed(checkpoint.content)
        return CheckpointTuple(
            config=_config(line, checkpoint.id),
            checkpoint=content["checkpoint"],
            metadata=content["metadata"],
            parent_config=None if checkpoint.parent is None else _config(line, checkpoint.parent),
            pending_writes=[(each.task, each.channel, self.serde.loads_typed(each.content)) for each in writes],
        )


def wait_in_thread(work: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop) -> T:
    """What comes of work on the loop, for code in a thread beside it. Raises `RuntimeError` on the loop's own thread."""
    try:
        is_own = asyncio.get_running_loop() is loop
    except RuntimeError:
        is_own = False
    if is_own:
        work.close()
        raise RuntimeError("an async node awaits: call `ainvoke` of a tool or a subgraph there, and not `invoke`")
    return asyncio.run_coroutine_threadsafe(work, loop).result()


def _config(line: Line, checkpoint: str) -> RunnableConfig:
    return {
        "configurable": {"thread_id": line.thread, "checkpoint_ns": line.namespace, "checkpoint_id": checkpoint},
    }


def _matches(metadata: CheckpointMetadata, wanted: dict[str, Any] | None) -> bool:
    there: dict[str, Any] = {**metadata}
    return all(there.get(key) == value for key, value in (wanted or {}).items())

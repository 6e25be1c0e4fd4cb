"""The actions that a graph's tools call in one pass: each is executed outside of the graph, once, and kept in the run's log."""

import asyncio
import hashlib
import json
from collections import Counter
from contextvars import copy_context
from typing import Any

from actions.kit.action import Action
from actions.kit.context import Context
from actions.kit.running.calls import lineage
from actions.kit.shapes.json_text import to_json_text

LONGEST_ID = 60
MARK = "signoff_call"
"""The key of an interrupt that a tool of ours makes: it names the call that waits."""


class Called:
    """One call. `waits` is done as soon as something in it waits for people, `work` when it ended."""

    def __init__(self, place: str, *, asked_before: bool) -> None:
        loop = asyncio.get_running_loop()
        self.mark = {MARK: place}
        self.asked_before = asked_before
        self.waits: asyncio.Future[None] = loop.create_future()
        self.work: asyncio.Task[Any]

    def begin_to_wait(self) -> None:
        if not self.waits.done():
            self.waits.set_result(None)

    async def ends_or_waits(self) -> None:
        await asyncio.wait({self.work, self.waits}, return_when=asyncio.FIRST_COMPLETED)


class Calls:
    """All of a pass. A call is found again by its place, however often its node is executed in the pass."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._outside = copy_context()
        self._of_place: dict[str, Called] = {}
        self._attempts: dict[int, tuple[object, Counter[str]]] = {}

    def of_tool(
        self, action: Action, given: Any, *, task: str, id_: str | None, attempt: Any, for_requester: bool
    ) -> Called:
        """The call that a tool makes in a task of the graph.

        Args:
            action: What it calls.
            given: With what, as JSON.
            task: The namespace of the task, which is the same each time the task is executed.
            id_: What the model named the call, if one did.
            attempt: Belongs to one execution of the task: in it, the same call without an id is another one.
            for_requester: It is refused to a requester who may not start the action themselves.
        """
        said = to_json_text([task, id_, given if id_ is None else None], what="call")
        place = f"{action.id[:LONGEST_ID]} {hashlib.sha256(said.encode()).hexdigest()[:12]}"
        if id_ is None and attempt is not None:
            counts = self._attempts.setdefault(id(attempt), (attempt, Counter()))[1]
            counts[place] += 1
            place = place if counts[place] == 1 else f"{place} {counts[place]}"
        return self._of_place.get(place) or self._begin(place, action, given, for_requester=for_requester)

    def of_mark(self, value: Any) -> Called | None:
        """The call that an interrupt names, where it is one of this run; whatever else an interrupt holds is a question."""
        place = self.place_of_mark(value)
        if place is None or place in self._of_place:
            return None if place is None else self._of_place[place]
        known = self._ctx.call_log.calls[self.path(place)]
        if known.action_id not in self._ctx.actions:
            raise LookupError(f"no action {known.action_id!r} is registered, and the graph waits for a call of it")
        return self._begin(place, self._ctx.actions[known.action_id], json.loads(known.input), for_requester=False)

    def place_of_mark(self, value: Any) -> str | None:
        """The place of the call that an interrupt names, where there is such a call."""
        place = value.get(MARK) if isinstance(value, dict) and len(value) == 1 else None
        is_known = isinstance(place, str) and (place in self._of_place or self.path(place) in self._ctx.call_log.calls)
        return str(place) if is_known else None

    def _begin(self, place: str, action: Action, given: Any, *, for_requester: bool) -> Called:
        path = self.path(place)
        asked_before = any(path in lineage(settled) for settled in self._ctx.call_log.settled)
        called = self._of_place[place] = Called(place, asked_before=asked_before)
        work = self._ctx.nest.call(action, given, place, for_requester=for_requester, on_wait=called.begin_to_wait)
        loop = asyncio.get_running_loop()
        called.work = loop.create_task(work, name=f"tool {place}", context=self._outside.copy())
        called.work.add_done_callback(_retrieve)
        return called

    def path(self, place: str) -> str:
        """Where in the run a place of this graph is."""
        return f"{self._ctx.call_path}/{place}" if self._ctx.call_path else place


def _retrieve(work: "asyncio.Task[Any]") -> None:
    """The tool, which may be gone by now, is who would want to know."""
    if not work.cancelled():
        work.exception()

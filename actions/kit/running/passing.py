"""One pass of a run: which actions execute in it, what they wait for, and when there is nothing more to do.

A question without an answer parks. The pass ends when no call executes and the loop idled: everybody who could get to a
question of theirs has got there, so that they can be counted.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from actions.kit.action import Action
from actions.kit.context import Context, Nests
from actions.kit.interrupt import ActionInterrupt
from actions.kit.records.interrupts import Asker
from actions.kit.records.outcomes import Outcome, Paused, Stopped
from actions.kit.running.calls import CallLog, Journal
from actions.kit.running.pauses import Execution
from actions.kit.running.places import Places

IDLE_TURNS = 10
"""Turns of the loop without a step of ours after which it idled: between two steps stand the callbacks of futures."""
MOST_TURNS = 10_000
"""Turns after which a task that never waits for anything is not waited for any more."""

behind: ContextVar[str] = ContextVar("signoff_behind", default="")
"""The last place that this task has behind it."""


@dataclass(eq=False)
class Parked:
    """A question that waits for its turn, in the task in which it stands; one that was raised stands in none.

    `order` says where in the run it is asked: what comes first there is asked first.
    """

    node: "Node"
    paused: Paused
    order: tuple[int, ...]
    task: "asyncio.Task[Any] | None"

    @property
    def message(self) -> str:
        return self.paused.request.message

    @property
    def tasks(self) -> "set[asyncio.Task[Any]]":
        """The tasks that wait for it, its own and those of the calls in which it stands."""
        found = {self.task} if self.task else set()
        node: Node | None = self.node
        while node is not None:
            found |= {node.caller} if node.caller else set()
            node = node.parent
        return found


class Node:
    """One action that executes in this pass: the one that was started, or a nested call."""

    def __init__(self, of: "Pass", action: Action, input_text: str, context: Context, parent: "Node | None") -> None:
        """In a nested call, the place that `parent` was at last is this one."""
        self.of = of
        self.action = action
        self.input_text = input_text
        self.path = context.call_path
        self.parent = parent
        self.order: tuple[int, ...] = () if parent is None else parent.order_here
        self.context = replace(context, _nest=of.nest(self))
        self.execution = Execution(context.run_id, action.function.__module__, of.resources)
        self.places = Places(self.path)
        self.children: set[Node] = set()
        self.waiting = 0
        self.returned = 0
        self.was_told_no = False
        self.is_unwanted = False
        self.needs_leave = False
        self.held = 0
        self.on_wait: Callable[[], None] = _nothing
        self.questions: list[ActionInterrupt] = []
        self.main: asyncio.Task[Any] | None = None
        self.caller: asyncio.Task[Any] | None = None
        self.carrier: asyncio.Task[None] | None = None
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        of.nodes.append(self)
        if parent is not None:
            parent.children.add(self)

    @property
    def asker(self) -> Asker | None:
        """Who asks, for the store; none where it is the action that was started."""
        return None if self.parent is None else self.as_asker

    @property
    def as_asker(self) -> Asker:
        return Asker(action_id=self.action.id, action_name=self.action.name, input=self.input_text)

    @property
    def order_here(self) -> tuple[int, ...]:
        """Where in the run the newest place of it is."""
        return (*self.order, self.places.count)

    @property
    def is_blocked(self) -> bool:
        """Whether it cannot go on in this pass: something waits in it, and nothing that it called executes."""
        is_waiting = bool(self.waiting or self.children) and not self.held
        return is_waiting and all(child.is_blocked for child in self.children)

    @property
    def is_left_alone(self) -> bool:
        """Whether its caller was told no elsewhere and does not want it any more."""
        return self.is_unwanted or (self.parent is not None and self.parent.is_left_alone)

    def step(self, answers: int) -> str:
        """What tells this step of the action from those before and after it, the same on each pass.

        The action's own task counts what it has behind it; in a task beside it, that depends on who comes first, so there
        it is the last place of that very task.
        """
        here = behind.get()
        if self.returned and here and _current_task() not in {None, self.main}:
            return f"{answers}@{here}"
        return str(answers + self.returned)

    def passed(self, path: str) -> None:
        """A place returned what it has to return."""
        self.returned += 1
        behind.set(path)

    def wait(self) -> None:
        """Something waits here; those who called are told."""
        self.waiting += 1
        node: Node | None = self
        while node is not None:
            node.on_wait()
            node = node.parent
        self.of.look()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """As long as this lasts the action goes on by itself, whatever waits in it: the pass is not over."""
        self.held += 1
        try:
            yield
        finally:
            self.held -= 1
            self.of.look()

    def close(self) -> None:
        """It has ended in this pass; what still waits below it is never asked."""
        self.cut()
        if self.parent is not None:
            self.parent.children.discard(self)
        self.of.forget(self)
        self.of.look()

    def cut(self) -> None:
        """Ends what waits here and below: it goes on in a later pass, or never."""
        if not self.over.done():
            self.over.set_result(None)
        self.cut_children()

    def cut_children(self) -> None:
        for child in self.children:
            child.cut()

    def holds(self, other: "Node | None") -> bool:
        """Whether another executes within this one, or is it."""
        while other is not None:
            if other is self:
                return True
            other = other.parent
        return False


class Pass:
    """What the actions of one pass share."""

    def __init__(
        self, log: CallLog, journal: Journal, resources: tuple[object, ...], nest: "Callable[[Node], Nests]"
    ) -> None:
        self.log = log
        self.journal = journal
        self.resources = resources
        self.nest = nest
        self.nodes: list[Node] = []
        self.parked: list[Parked] = []
        self.verdict: Outcome | None = None
        self.is_stopped = False
        self._lost: Exception | None = None
        self._loop = asyncio.get_running_loop()
        self._changed: asyncio.Future[None] = self._loop.create_future()
        self._is_looking = False

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def is_over(self) -> bool:
        return self.root.over.done()

    def park(self, parked: Parked) -> None:
        """A question waits for its turn."""
        self.parked.append(parked)
        parked.node.wait()

    def unpark(self, parked: Parked) -> None:
        """Its own action does not wait for it any more."""
        if parked in self.parked:
            self.parked.remove(parked)
            parked.node.waiting -= 1

    def break_off(self, verdict: Outcome, node: Node) -> None:
        """This pass cannot go on at that node; the first reason counts. What executes comes to its end."""
        self.verdict = self.verdict or verdict
        node.wait()

    def lose(self, error: Exception, node: Node) -> None:
        """The journal failed at that node."""
        self._lost = self._lost or error
        self.break_off(Stopped(), node)

    def stop(self) -> None:
        """Somebody outside wants the action to end now, whatever executes."""
        self.is_stopped = True
        self.root.cut()

    def within(self, node: Node) -> list[Parked]:
        """What waits in an action and below, and is still wanted."""
        found = [each for each in self.parked if node.holds(each.node) and not each.node.is_left_alone]
        return sorted(found, key=lambda each: each.order)

    def forget(self, node: Node) -> None:
        self.parked = [each for each in self.parked if not node.holds(each.node)]

    def concluded(self, outcome: Outcome | None) -> Outcome:
        """What the pass came to: why it broke off, how its first action ended, or the question whose turn it is.

        Raises what the journal raised.
        """
        if self._lost is not None:
            raise self._lost
        if self.verdict is not None:
            return self.verdict
        waiting = self.within(self.root)
        if outcome is not None or not waiting:
            return outcome or Stopped()
        first = waiting[0].paused
        return replace(first, request=replace(first.request, total=len(waiting)))

    async def calls_end(self, node: Node) -> None:
        """Waits until whatever a node called has ended, or waits for people."""
        while not all(child.is_blocked for child in node.children) and not node.over.done():
            await asyncio.wait({self._changed, node.over}, return_when=asyncio.FIRST_COMPLETED)

    def look(self) -> None:
        """Something changed: the pass may be over."""
        self._changed.set_result(None)
        self._changed = self._loop.create_future()
        if self._has_nothing_to_do() and not self._is_looking:
            self._is_looking = True
            self._loop.call_soon(self._turn, 0, self._steps(), 0)

    def close(self) -> None:
        for node in self.nodes:
            node.execution.close()

    def _turn(self, quiet: int, before: int, turns: int) -> None:
        steps = self._steps()
        quiet = quiet + 1 if steps == before else 0
        if not self._has_nothing_to_do():
            self._is_looking = False
        elif quiet >= IDLE_TURNS or turns >= MOST_TURNS:
            self.root.cut()
        else:
            self._loop.call_soon(self._turn, quiet, steps, turns + 1)

    def _has_nothing_to_do(self) -> bool:
        is_waiting = self.verdict is not None or bool(self.within(self.root))
        return is_waiting and not self.is_over and self.root.is_blocked

    def _steps(self) -> int:
        return sum(node.execution.steps for node in self.nodes)


def _nothing() -> None:
    """Where nobody wants to know."""


def _current_task() -> "asyncio.Task[Any] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None

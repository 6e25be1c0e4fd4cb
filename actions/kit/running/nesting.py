"""What a context asks and calls with: the place of its action in the pass."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from actions.kit.interrupt import ActionInterrupt
from actions.kit.running.asking import ask
from actions.kit.running.calling import call
from actions.kit.running.passing import Node

WITHIN = (
    "a node of a graph does not ask and call through its action's context: use `interrupt()`, and tools of `as_tool`"
)


class Nest:
    """See `actions.kit.context.Nests`."""

    def __init__(self, node: Node) -> None:
        self._node = node

    async def ask(self, pause: Callable[[], ActionInterrupt], name: str | None) -> Any:
        self._refuse_within()
        return await ask(self._node, pause, name)

    async def call(
        self,
        action: Any,
        input: Any,
        name: str | None,
        *,
        for_requester: bool,
        on_wait: Callable[[], None] | None = None,
    ) -> Any:
        if on_wait is None:
            self._refuse_within()
        return await call(self._node, action, input, name, for_requester=for_requester, on_wait=on_wait)

    def hold(self) -> AbstractContextManager[None]:
        return self._node.hold()

    def step(self, answers: int) -> str:
        return self._node.step(answers)

    def _refuse_within(self) -> None:
        """While it is held nothing can park; whoever holds it has other ways."""
        if self._node.held:
            raise RuntimeError(WITHIN)

"""What a context asks and calls with: the place of its action in the pass."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from actions.kit.asking import ask
from actions.kit.calling import call
from actions.kit.interrupt import ActionInterrupt
from actions.kit.passing import Node


class Nest:
    """See `actions.kit.context.Nests`."""

    def __init__(self, node: Node) -> None:
        self._node = node

    async def ask(self, pause: Callable[[], ActionInterrupt], name: str | None) -> Any:
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
        return await call(self._node, action, input, name, for_requester=for_requester, on_wait=on_wait)

    def hold(self) -> AbstractContextManager[None]:
        return self._node.hold()

    def step(self, answers: int) -> str:
        return self._node.step(answers)

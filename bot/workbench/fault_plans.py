"""What can be planned to go wrong: with a call of the Web API, or with what Slack sends."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.slack_errors import SlackError

Where = Callable[[Mapping[str, Any]], bool]
Moment = Literal["before", "after"]
Effect = Literal["lose_acks", "late_acks", "duplicate", "reorder", "slow"]
EVERYTHING = "*"


class ConnectionDropped(Exception):  # noqa: N818 - an event on the line, not a mistake of anybody's
    """The line is cut without an answer."""


@dataclass(slots=True)
class Hold:
    """Keeps calls waiting until the test lets them go on."""

    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _go: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        self._go.set()

    async def wait(self) -> None:
        self.arrived.set()
        await self._go.wait()


@dataclass(slots=True, eq=False)
class Planned:
    """One planned failure of a method: what happens, before or after the call takes effect, and how often."""

    id: int
    words: str
    method: str
    moment: Moment
    times: int
    where: Where | None
    error: SlackError | None = None
    drop: bool = False
    seconds: float = 0.0
    hold: Hold | None = None

    def fits(self, method: str, moment: Moment, arguments: Mapping[str, Any]) -> bool:
        wanted = self.method in (method, EVERYTHING) and self.moment == moment and self.times > 0
        return wanted and (self.where is None or self.where(arguments))


@dataclass(slots=True, eq=False)
class Diverted:
    """One planned failure of what Slack sends: what becomes of the next deliveries of a type, and how often."""

    id: int
    words: str
    effect: Effect
    kind: str
    times: int
    seconds: float = 0.0

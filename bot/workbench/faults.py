"""Lets a test make the local Slack fail in the ways in which Slack fails, on demand and a given number of times."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.slack_errors import SlackError, rate_limited

Where = Callable[[Mapping[str, Any]], bool]
Moment = Literal["before", "after"]


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


@dataclass(slots=True)
class Planned:
    """One planned failure of a method: what happens, before or after the call takes effect, and how often."""

    method: str
    moment: Moment
    times: int
    where: Where | None
    error: SlackError | None = None
    drop: bool = False
    seconds: float = 0.0
    hold: Hold | None = None

    def fits(self, method: str, moment: Moment, arguments: Mapping[str, Any]) -> bool:
        wanted = self.method in (method, "*") and self.moment == moment and self.times > 0
        return wanted and (self.where is None or self.where(arguments))


class Faults:
    """What will go wrong. Each plan counts down as it happens; `where` narrows it by the call's arguments."""

    def __init__(self) -> None:
        self._plans: deque[Planned] = deque()
        self.withheld_acks = 0
        self.duplicates: deque[str] = deque()

    # --- planning: the Web API

    def fail(self, method: str, error: str, *, times: int = 1, where: Where | None = None, **more: Any) -> None:
        """The next `times` calls are refused with this error and change nothing."""
        self._plan(Planned(method, "before", times, where, SlackError(error, **more)))

    def rate_limit(self, method: str, *, retry_after: int = 1, times: int = 1, where: Where | None = None) -> None:
        """HTTP 429 with `Retry-After` in seconds."""
        self._plan(Planned(method, "before", times, where, rate_limited(retry_after)))

    def break_down(
        self, method: str, *, status: int = 500, times: int = 1, after_commit: bool = False, where: Where | None = None
    ) -> None:
        """HTTP 500 (or 502, 503). With `after_commit` the call has taken effect all the same."""
        moment: Moment = "after" if after_commit else "before"
        self._plan(Planned(method, moment, times, where, SlackError("internal_error", status=status)))

    def drop_connection(
        self, method: str, *, times: int = 1, after_commit: bool = True, where: Where | None = None
    ) -> None:
        """The connection breaks; with `after_commit`, after the call has taken effect."""
        self._plan(Planned(method, "after" if after_commit else "before", times, where, drop=True))

    def delay(
        self, method: str, seconds: float, *, times: int = 1, after_commit: bool = False, where: Where | None = None
    ) -> None:
        self._plan(Planned(method, "after" if after_commit else "before", times, where, seconds=seconds))

    def hold(self, method: str, *, times: int = 1, after_commit: bool = True, where: Where | None = None) -> Hold:
        """Calls wait until `release()`; `arrived` is set as soon as one does."""
        hold = Hold()
        self._plan(Planned(method, "after" if after_commit else "before", times, where, hold=hold))
        return hold

    # --- planning: what Slack sends

    def withhold_acks(self, times: int = 1) -> None:
        """The bot's next acks get lost on the way: it has done its work, the person sees an error."""
        self.withheld_acks += times

    def duplicate(self, kind: str = "block_actions", *, times: int = 1) -> None:
        """The next deliveries of this type (or kind) are sent twice, with the same envelope id."""
        self.duplicates.extend([kind] * times)

    def clear(self) -> None:
        """Plan nothing any more; calls that are held go on."""
        for planned in self._plans:
            if planned.hold is not None:
                planned.hold.release()
        self._plans.clear()
        self.duplicates.clear()
        self.withheld_acks = 0

    # --- happening

    async def strike(self, method: str, moment: Moment, arguments: Mapping[str, Any]) -> None:
        """Do what is planned for this call now: wait, raise `SlackError`, or raise `ConnectionDropped`."""
        for planned in [plan for plan in self._plans if plan.fits(method, moment, arguments)]:
            planned.times -= 1
            if planned.hold is not None:
                await planned.hold.wait()
            await asyncio.sleep(planned.seconds)
            if planned.drop:
                raise ConnectionDropped(method)
            if planned.error is not None:
                raise planned.error

    def takes_ack(self) -> bool:
        if not self.withheld_acks:
            return False
        self.withheld_acks -= 1
        return True

    def doubles(self, *kinds: str) -> bool:
        wanted = next((kind for kind in kinds if kind in self.duplicates), None)
        if wanted is None:
            return False
        self.duplicates.remove(wanted)
        return True

    def _plan(self, planned: Planned) -> None:
        self._plans.append(planned)

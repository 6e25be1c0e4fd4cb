"""What is to happen later by the workbench's clock, unless it is called off before."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable


class Schedule:
    """Appointments, each with an id."""

    def __init__(self, wait_until: Callable[[float], Awaitable[None]]) -> None:
        self._wait_until = wait_until
        self._appointments: dict[str, asyncio.Task[None]] = {}
        self._numbers = itertools.count(1)

    def at(self, moment: float, act: Callable[[], object]) -> str:
        """Do this when the clock has come there; the appointment's id."""
        name = f"Q0{next(self._numbers):08d}"
        task = asyncio.get_running_loop().create_task(self._keep(name, moment, act))
        self._appointments[name] = task
        return name

    def cancel(self, name: str) -> bool:
        """Whether there still was such an appointment."""
        task = self._appointments.pop(name, None)
        if task is not None:
            task.cancel()
        return task is not None

    async def close(self) -> None:
        tasks = list(self._appointments.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, name: str, moment: float, act: Callable[[], object]) -> None:
        await self._wait_until(moment)
        del self._appointments[name]
        act()

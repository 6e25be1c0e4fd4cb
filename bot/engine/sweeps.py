"""What happens by the clock, in every process: deadlines and what comes before them, the ends of grants, recovery, absences.

And the publisher's safety net.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.engine.runner import Runner

log = structlog.get_logger(__name__)

EXPIRY_EVERY = 1.0
PACING_EVERY = 1.0
RECOVERY_EVERY = 2.0
REPUBLISH_EVERY = 5.0
FORGETTING_EVERY = 5.0
ABSENCES_EVERY = 5.0
DIGESTS_EVERY = 5.0
GRANTS_EVERY = 5.0


class Sweeps:
    """Short transactions on a schedule. The schedule lives in memory: what is due stands in the database."""

    def __init__(
        self, runner: Runner, *, republish: Callable[[], object], digests: Callable[[], Awaitable[object]]
    ) -> None:
        self._runner = runner
        self._digests = digests
        self._republish = republish
        self._done: dict[str, float] = {}
        self._scheduler = AsyncIOScheduler(
            timezone="UTC", job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1}
        )

    @property
    def age(self) -> float:
        """Seconds since the sweep that was done longest ago; 0 before `start`."""
        return max((time.monotonic() - done for done in self._done.values()), default=0.0)

    def start(self) -> None:
        self._every(EXPIRY_EVERY, "expiry", self._runner.expire)
        self._every(PACING_EVERY, "pacing", self._runner.pace)
        self._every(RECOVERY_EVERY, "recovery", self._runner.recover)
        self._every(FORGETTING_EVERY, "forgetting", self._runner.forget)
        self._every(ABSENCES_EVERY, "absences", self._runner.turn_absences)
        self._every(DIGESTS_EVERY, "digests", self._digests)
        self._every(GRANTS_EVERY, "grants", self._runner.end_grants)
        self._every(REPUBLISH_EVERY, "republishing", self._nudge)
        self._scheduler.start()

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)

    async def _nudge(self) -> None:
        self._republish()

    def _every(self, seconds: float, name: str, sweep: Callable[[], Awaitable[object]]) -> None:
        async def swept() -> None:
            try:
                await sweep()
                self._done[name] = time.monotonic()
            except asyncio.CancelledError:
                log.debug("sweep_cut_short", sweep=name)  # by `stop`: the scheduler would call it an error
            except Exception:
                log.exception("sweep_failed", sweep=name)

        self._done[name] = time.monotonic()
        self._scheduler.add_job(swept, "interval", seconds=seconds, id=name)

"""Whether the process lives (`GET /healthz`), and whether it does its work (`GET /readyz`), with reasons."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog
from aiohttp import web

from bot.clock import now
from bot.engine.runner import Runner
from bot.engine.sweeps import Sweeps
from bot.slack.publisher import Publisher
from storage.database import Database
from storage.errors import DatabaseError
from storage.figures import Figures, examine
from storage.health import BEHIND_FOR

FRESH = 2.0
"""Seconds for which an answer of the database is passed on, so that looking often costs no more than looking once."""
PATIENCE = 2.0
"""Seconds that the database has to answer; whoever probes us waits about as long."""
SWEEP_WITHIN = 30.0
"""Seconds within which each sweep must have been done; the rarest comes every five."""
PUBLISHER_WITHIN = 60.0
"""Seconds within which the publisher must have looked for what is due. With everything in flight it does not look."""
OK = "ok"
UNAVAILABLE = 503

IsConnected = Callable[[], Awaitable[bool]]

log = structlog.get_logger(__name__)


async def over_http() -> bool:
    """Who can ask can come in."""
    return True


async def _not_yet() -> bool:
    return False


class Vitals:
    """What can be seen of the running bot from within.

    `is_connected` tells of the way in from Slack, and is set when that is open.
    """

    def __init__(self, database: Database, runner: Runner, publisher: Publisher, sweeps: Sweeps) -> None:
        self.is_connected: IsConnected = _not_yet
        self._database = database
        self._runner = runner
        self._publisher = publisher
        self._sweeps = sweeps
        self._asking: asyncio.Task[None] | None = None
        self._answer: Figures | None = None
        self._answered = float("-inf")
        self._complaint = ""

    @property
    def sweep_age(self) -> float:
        return self._sweeps.age

    @property
    def publisher_age(self) -> float:
        return self._publisher.age

    @property
    def blocked(self) -> str | None:
        """The action that keeps its thread to itself."""
        return self._runner.blocked()

    async def figures(self) -> Figures | None:
        """What the database says; `None` where it does not answer in time. However many ask, it is asked once."""
        if time.monotonic() - self._answered < FRESH:
            return self._answer
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name="vitals")
        done, _ = await asyncio.wait({self._asking}, timeout=PATIENCE)
        if not done:
            self._complaint = f"no answer within {PATIENCE:g} seconds"
        return self._answer if done else None

    async def checks(self) -> dict[str, str]:
        """Each part that must work, with `ok`, or why it does not."""
        figures = await self.figures()
        return {
            "database": OK if figures else self._complaint,
            "transport": OK if await self.is_connected() else "not connected to Slack",
            "sweep": _within(SWEEP_WITHIN, self.sweep_age, "no sweep"),
            "publisher": self._publishing(figures),
            "actions": f"{self.blocked} blocks its thread" if self.blocked else OK,
        }

    async def close(self) -> None:
        """Waits for a question that is still open, since the database must be there for it."""
        if self._asking is not None:
            await asyncio.wait({self._asking})

    async def _ask(self) -> None:
        self._answer = None
        try:
            self._answer = await examine(self._database, now())
        except DatabaseError as error:
            self._complaint = error.reason
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not ready
            log.warning("database_not_examined", error=type(error).__name__)
            self._complaint = "cannot be asked"
        self._answered = time.monotonic()

    def _publishing(self, figures: Figures | None) -> str:
        alive = _within(PUBLISHER_WITHIN, self.publisher_age, "has not looked for what is due")
        if alive != OK or figures is None:
            return alive
        lag = figures.publisher_lag.total_seconds()
        return _within(BEHIND_FOR.total_seconds(), lag, "a message has been due, and not taken,")


def _within(limit: float, seconds: float, what: str) -> str:
    return OK if seconds <= limit else f"{what} for {seconds:.0f} seconds"


def health_routes(vitals: Vitals) -> list[web.RouteDef]:
    """`/healthz` is for whoever restarts the process; `/readyz` is for whoever sends it requests, or raises an alarm."""

    async def on_alive(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def on_ready(_request: web.Request) -> web.Response:
        checks = await vitals.checks()
        reasons = [f"{part}: {state}" for part, state in checks.items() if state != OK]
        body = {"ready": not reasons, "checks": checks, "reasons": reasons}
        return web.json_response(body, status=UNAVAILABLE if reasons else 200)

    return [web.get("/healthz", on_alive), web.get("/readyz", on_ready)]

"""Calendars of rotas, fetched when they are asked for and kept for a minute; an old one stands in while a feed is down.

An address may hold a secret of its own, so neither a log nor an error says more of it than its host.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar

from bot.clock import now as wall_clock
from bot.directory.calendars import CalendarError, RotaCalendar, Shift
from bot.directory.people_file import MOST_BYTES, calendar_of, read_calendar
from bot.engine.people import CouldNotVerify

FRESH = 60.0
STALE = 3600.0
"""Seconds for which an old calendar stands in for one that cannot be had: shifts are written down ahead of time."""
PATIENCE = 5.0
"""Seconds for one fetch. A click waits less: `budget`, and `SOON` where an old calendar can stand in."""
SOON = 0.5
SLACK = timedelta(minutes=1)
"""By how much the clocks of this machine may differ while a calendar is kept."""
MOST_REDIRECTS = 3
MOST_KEPT = 500

log = structlog.get_logger(__name__)

Key = tuple[str | Path, str | None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """The shifts for as long as they may be used, what they were made from, and when that came: seconds of the clock."""

    shifts: tuple[Shift, ...]
    calendar: RotaCalendar
    text: bytes
    at: float


class Feeds:
    """One fetch of a calendar is under way at a time, however many wait for it. What takes its time runs off the loop."""

    def __init__(
        self, *, budget: float, clock: Callable[[], float] = time.monotonic, now: Callable[[], datetime] = wall_clock
    ) -> None:
        self._budget = budget
        self._clock = clock
        self._now = now
        self._kept: dict[Key, Fetched] = {}
        self._asked: dict[Key, asyncio.Task[Fetched]] = {}
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = ClientSession(
            timeout=ClientTimeout(total=PATIENCE), cookie_jar=DummyCookieJar(), trust_env=True
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def shifts(self, at: str | Path, zone: str | None) -> tuple[Shift, ...]:
        """The coming shifts of the calendar at an address or a path, a minute old at most; an hour, while it cannot be had.

        Raises `CouldNotVerify`.
        """
        key = (at, zone)
        kept = self._kept.get(key)
        age = self._clock() - kept.at if kept else STALE
        if kept and age < FRESH:
            return kept.shifts
        task = self._asked.get(key) or self._begin(key)
        old = kept if kept and age < STALE else None
        done, _ = await asyncio.wait({task}, timeout=SOON if old else self._budget)
        why = "timeout" if not done else "closing" if task.cancelled() else task.exception()
        if why is None:
            return task.result().shifts
        if old is None:
            raise CouldNotVerify(f"the calendar {_spelt(at)} {why}" if isinstance(why, CalendarError) else str(why))
        log.warning("old_calendar_stands_in", calendar=_spelt(at), age_seconds=round(age), why=str(why))
        return old.shifts

    def _begin(self, key: Key) -> asyncio.Task[Fetched]:
        task = asyncio.create_task(self._fetch(*key), name=f"fetch a calendar from {_spelt(key[0])}")
        self._asked[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))
        return task

    def _ended(self, key: Key, task: asyncio.Task[Fetched]) -> None:
        self._asked.pop(key, None)
        if task.cancelled() or task.exception():
            return
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[key] = task.result()

    async def _fetch(self, at: str | Path, zone: str | None) -> Fetched:
        """Raises `CalendarError`."""
        clock, now, kept = self._clock(), self._now(), self._kept.get((at, zone))
        text = await (asyncio.to_thread(read_calendar, at) if isinstance(at, Path) else self._over_http(at))

        def read() -> Fetched:
            calendar = kept.calendar if kept and kept.text == text else calendar_of(text, zone)
            shifts = calendar.shifts(now - SLACK, now + timedelta(seconds=STALE) + SLACK)
            return Fetched(shifts, calendar, text, clock)

        return await asyncio.to_thread(read)

    async def _over_http(self, address: str) -> bytes:
        if self._session is None:
            raise CalendarError("is asked for outside of its time")
        found = bytearray()
        try:
            async with self._session.get(address, max_redirects=MOST_REDIRECTS) as answer:
                if answer.status != HTTPStatus.OK:
                    raise CalendarError(f"was not given: HTTP {answer.status}")
                async for part in answer.content.iter_any():
                    found += part
                    if len(found) > MOST_BYTES:
                        break
        except TimeoutError:
            raise CalendarError(f"did not come within {PATIENCE:g} s") from None
        except (ClientError, OSError, ValueError) as error:
            raise CalendarError(f"could not be reached ({type(error).__name__})") from None
        return bytes(found)


def _spelt(at: str | Path) -> str:
    return at.name if isinstance(at, Path) else f"at {urlsplit(at).hostname}"

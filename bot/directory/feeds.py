"""Calendars of rotas, fetched when they are asked for and kept for a minute; an old one stands in while a feed is down.

An address may hold a secret of its own, so neither a log nor an error says more of it than its host.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import structlog
from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar

from bot.directory.calendars import CalendarError, RotaCalendar
from bot.directory.people_file import MOST_BYTES, calendar_of, read_calendar_file
from bot.engine.people import CouldNotVerify

FRESH = 60.0
STALE = 3600.0
"""Seconds for which an old calendar stands in for one that cannot be had: shifts are written down ahead of time."""
PATIENCE = 5.0
"""Seconds for one fetch. A click waits less: `budget`, and `SOON` where an old calendar can stand in."""
SOON = 0.5
MOST_REDIRECTS = 3
MOST_KEPT = 500

log = structlog.get_logger(__name__)

Key = tuple[str | Path, str | None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A calendar, and when it was fetched: seconds of the clock."""

    calendar: RotaCalendar
    at: float


class Feeds:
    """One fetch of a calendar is under way at a time, however many wait for it."""

    def __init__(self, *, budget: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
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

    async def calendar(self, at: str | Path, zone: str | None) -> RotaCalendar:
        """The calendar at an address or a path, at most a minute old; or an hour, while it cannot be had.

        Raises `CouldNotVerify`.
        """
        key = (at, zone)
        kept = self._kept.get(key)
        age = self._clock() - kept.at if kept else STALE
        if kept and age < FRESH:
            return kept.calendar
        task = self._asked.get(key) or self._begin(key)
        old = kept if kept and age < STALE else None
        done, _ = await asyncio.wait({task}, timeout=SOON if old else self._budget)
        why = "timeout" if not done else "closing" if task.cancelled() else task.exception()
        if why is None:
            return task.result().calendar
        if old is None:
            raise CouldNotVerify(f"the calendar {_spelt(at)} {why}" if isinstance(why, CalendarError) else str(why))
        log.warning("old_calendar_stands_in", calendar=_spelt(at), age_seconds=round(age), why=str(why))
        return old.calendar

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
        """Raises `CalendarError`. What takes its time runs off the loop."""
        now = self._clock()
        if isinstance(at, Path):
            return Fetched(await asyncio.to_thread(read_calendar_file, at, zone), now)
        return Fetched(await asyncio.to_thread(calendar_of, await self._over_http(at), zone), now)

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

"""Business hours: when they are open, and how long something takes that counts only them. Pure: every moment is passed in.

Moments are aware, and those that come back are in UTC. Opening hours are those of the clock on the wall of the zone, also
on a day on which it is set forward or back. Without hours (`None`) every minute counts.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator

from actions.kit.frozen import Frozen

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d|24:00")
A_DAY = timedelta(days=1)
FARTHEST = 3650
"""Days that are looked at one by one; after them every minute counts, so that no sum takes for ever."""


def _clock(text: str) -> str:
    if not CLOCK.fullmatch(text):
        raise ValueError(f"{text!r} is not a time of day, such as '09:00' (24:00 is the end of the day)")
    return text


def _days(text: str) -> str:
    if not all(_weekdays(part) for part in text.lower().split(",")):
        raise ValueError(f"{text!r} names no days of the week, such as 'mon-fri' or 'mon,wed,sat'")
    return text.lower()


def _weekdays(part: str) -> list[int]:
    """The days, Monday being 0, of "mon" or "sun-thu"; none where it cannot be read."""
    first, dash, last = (each.strip() for each in part.partition("-"))
    if first not in DAYS or (dash and last not in DAYS):
        return []
    begin = DAYS.index(first)
    length = (DAYS.index(last) - begin) % 7 if dash else 0
    return [(begin + each) % 7 for each in range(length + 1)]


class Hours(Frozen):
    """When a team works: `Hours("Europe/Berlin", opens="09:00", closes="17:00", days="mon-fri", holidays="DE-BY")`.

    `holidays` are the public ones of a country, or of a part of it, by the codes of ISO 3166; left out, there are none.
    """

    zone: str
    opens: Annotated[str, AfterValidator(_clock)] = "09:00"
    closes: Annotated[str, AfterValidator(_clock)] = "17:00"
    days: Annotated[str, AfterValidator(_days)] = "mon-fri"
    holidays: str | None = None

    def __init__(self, zone: str | None = None, /, **fields: Any) -> None:
        super().__init__(**({} if zone is None else {"zone": zone}), **fields)


def later(start: datetime, by: timedelta, hours: Hours | None) -> datetime:
    """The moment at which so much business time has passed since `start`; by nothing, it is `start` itself."""
    if hours is None or by <= timedelta():
        return start + by
    left = by
    for opens, closes in _open_after(start, hours):
        if left <= closes - opens:
            return opens + left
        left -= closes - opens
    return _horizon(start) + left


def elapsed(start: datetime, end: datetime, hours: Hours | None) -> timedelta:
    """How much business time lies between two moments; none where the second is not after the first."""
    if hours is None or end <= start:
        return max(end - start, timedelta())
    passed = timedelta()
    for opens, closes in _open_after(start, hours):
        if opens >= end:
            return passed
        passed += min(closes, end) - opens
    return passed + max(end - _horizon(start), timedelta())


def _horizon(start: datetime) -> datetime:
    return start.astimezone(UTC) + FARTHEST * A_DAY


def _open_after(start: datetime, hours: Hours) -> Iterator[tuple[datetime, datetime]]:
    """Each stretch of open time from `start` on, in UTC, in order, none empty and none overlapping."""
    zone, weekdays = ZoneInfo(hours.zone), {day for part in hours.days.split(",") for day in _weekdays(part)}
    since = start.astimezone(UTC)
    first = start.astimezone(zone).date() - A_DAY
    for number in range(FARTHEST):
        day = first + number * A_DAY
        if day.weekday() not in weekdays or day in _holidays(hours.holidays, day.year):
            continue
        opens, closes = max(_at(day, hours.opens, zone), since), _at(day, hours.closes, zone)
        if opens < closes:
            yield opens, closes
            since = closes


def _at(day: date, clock: str, zone: ZoneInfo) -> datetime:
    """A time of the wall's clock; one that is skipped is as long after the last before it, one that comes twice the first."""
    if clock == "24:00":
        day, clock = day + A_DAY, "00:00"
    return datetime.combine(day, time.fromisoformat(clock), zone).astimezone(UTC)


@lru_cache(maxsize=256)
def _holidays(of: str | None, year: int) -> frozenset[date]:
    """Those of one year; none of a place that the library does not know, which is told at start-up."""
    if of is None:
        return frozenset()
    from holidays import country_holidays  # noqa: PLC0415 - it takes half a second, and few policies need it

    country, _, part = of.partition("-")
    try:
        return frozenset(country_holidays(country, subdiv=part or None, years=year))
    except NotImplementedError:
        return frozenset()

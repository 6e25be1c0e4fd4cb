"""When somebody's morning is: on weekdays, at an hour of their own time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from storage.results import Morning

SATURDAY = 5


def next_morning(now: datetime, timezone: str, hour: int, *, after: str | None = None) -> Morning:
    """The first to come on a weekday after the day `after`, which is today where nothing was told yet.

    In a zone by its name; one that Slack does not tell, or that nobody here knows, is UTC.
    """
    zone = _zone(timezone)
    day = date.fromisoformat(after) if after else now.astimezone(zone).date()
    day = max(day + timedelta(days=1), now.astimezone(zone).date())
    while day.weekday() >= SATURDAY or _at(day, zone, hour) <= now:
        day += timedelta(days=1)
    return Morning(day.isoformat(), _at(day, zone, hour))


def how_late(now: datetime, day: str, timezone: str, hour: int) -> timedelta:
    """How long the morning of this day is over; less than nothing where it is not."""
    return now - _at(date.fromisoformat(day), _zone(timezone), hour)


def _at(day: date, zone: ZoneInfo, hour: int) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, OSError, ValueError):
        return ZoneInfo("UTC")

"""When somebody's morning is: on weekdays, at an hour of their own time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from storage.results import Morning

SATURDAY = 5


def next_morning(now: datetime, timezone: str, hour: int, *, after: str | None = None) -> Morning:
    """The morning of the first weekday after today, and after the day `after`, in a zone by its name.

    One that Slack does not tell, or that nobody here knows, is UTC.
    """
    zone = _zone(timezone)
    day = max(now.astimezone(zone).date(), date.fromisoformat(after) if after else date.min) + timedelta(days=1)
    while day.weekday() >= SATURDAY:
        day += timedelta(days=1)
    return Morning(day.isoformat(), datetime.combine(day, time(hour), zone).astimezone(UTC))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, OSError, ValueError):
        return ZoneInfo("UTC")

"""Words for days and moments, whatever the locale."""

import re
from datetime import date, datetime

DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?", re.ASCII)

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def day_of(text: str) -> date | None:
    """The day that an ISO date names."""
    try:
        return date.fromisoformat(text) if DATE.fullmatch(text) else None
    except ValueError:
        return None


def moment_in(text: str) -> datetime | None:
    """The moment that an ISO date and time names; naive where it says no zone."""
    try:
        return datetime.fromisoformat(text) if MOMENT.fullmatch(text) else None
    except ValueError:
        return None


def day_words(day: date) -> str:
    """Words such as "30 November 2026"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def moment_words(moment: datetime) -> str:
    """Words such as "30 November 2026, 10:42 UTC", in the zone in which it was written."""
    name = moment.tzname()
    seconds = f":{moment:%S}" if moment.second else ""
    return f"{day_words(moment)}, {moment:%H:%M}{seconds}{f' {name}' if name else ''}"

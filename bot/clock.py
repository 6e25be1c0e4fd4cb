"""The one place that reads the wall clock, so that everything pure can be given its `now`."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)

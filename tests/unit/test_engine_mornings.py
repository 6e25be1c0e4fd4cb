"""When somebody's next morning is."""

from datetime import UTC, datetime

import pytest

from bot.engine.mornings import next_morning

WEDNESDAY = datetime(2026, 12, 2, 23, 30, tzinfo=UTC)
FRIDAY = datetime(2026, 12, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "zone", "hour", "after", "morning"),
    [
        (WEDNESDAY, "UTC", 9, None, ("2026-12-03", "2026-12-03T09:00")),
        (WEDNESDAY, "Europe/Berlin", 9, None, ("2026-12-04", "2026-12-04T08:00")),
        (WEDNESDAY, "America/Los_Angeles", 7, None, ("2026-12-03", "2026-12-03T15:00")),
        (FRIDAY, "UTC", 9, None, ("2026-12-07", "2026-12-07T09:00")),
        (FRIDAY, "America/Los_Angeles", 9, "2026-12-07", ("2026-12-08", "2026-12-08T17:00")),
        (datetime(2026, 3, 27, 12, tzinfo=UTC), "Europe/Berlin", 9, None, ("2026-03-30", "2026-03-30T07:00")),
        (WEDNESDAY, "", 9, None, ("2026-12-03", "2026-12-03T09:00")),
        (WEDNESDAY, "Mars/Olympus", 9, None, ("2026-12-03", "2026-12-03T09:00")),
    ],
    ids=["tomorrow", "where it is tomorrow already", "in the west", "after a weekend", "after the one that was told",
         "after the clocks went forward", "a zone that is not told", "a zone that nobody knows"],
)  # fmt: skip
def test_a_morning_is_that_of_the_next_weekday_in_their_own_time(now, zone, hour, after, morning):
    found = next_morning(now, zone, hour, after=after)
    assert (found.day, f"{found.at:%Y-%m-%dT%H:%M}", found.at.tzinfo) == (*morning, UTC)

"""When somebody's next morning is."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.engine.mornings import how_late, next_morning

WEDNESDAY = datetime(2026, 12, 2, 23, 30, tzinfo=UTC)
FRIDAY = datetime(2026, 12, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("now", "zone", "hour", "after", "morning"),
    [
        (WEDNESDAY, "UTC", 9, None, ("2026-12-03", "2026-12-03T09:00")),
        (WEDNESDAY, "Europe/Berlin", 9, None, ("2026-12-04", "2026-12-04T08:00")),
        (WEDNESDAY, "America/Los_Angeles", 7, None, ("2026-12-03", "2026-12-03T15:00")),
        (FRIDAY, "UTC", 9, None, ("2026-12-07", "2026-12-07T09:00")),
        (FRIDAY, "America/Los_Angeles", 9, "2026-12-07", ("2026-12-08", "2026-12-08T17:00")),
        (WEDNESDAY, "America/Los_Angeles", 16, "2026-12-01", ("2026-12-02", "2026-12-03T00:00")),
        (WEDNESDAY, "America/Los_Angeles", 15, "2026-11-20", ("2026-12-03", "2026-12-03T23:00")),
        (FRIDAY - 4 * HOUR, "UTC", 9, "2026-12-03", ("2026-12-04", "2026-12-04T09:00")),
        (FRIDAY - 4 * HOUR, "UTC", 9, None, ("2026-12-07", "2026-12-07T09:00")),
        (FRIDAY + 24 * HOUR, "UTC", 9, "2026-12-03", ("2026-12-07", "2026-12-07T09:00")),
        (datetime(2026, 12, 31, 12, tzinfo=UTC), "UTC", 9, "2026-12-31", ("2027-01-01", "2027-01-01T09:00")),
        (datetime(2026, 3, 27, 12, tzinfo=UTC), "Europe/Berlin", 9, None, ("2026-03-30", "2026-03-30T07:00")),
        (WEDNESDAY, "", 9, None, ("2026-12-03", "2026-12-03T09:00")),
        (WEDNESDAY, "Mars/Olympus", 9, None, ("2026-12-03", "2026-12-03T09:00")),
    ],
    ids=["tomorrow", "where it is tomorrow already", "in the west", "after a weekend", "after the one that was told",
         "today, where it is still to come", "not where it is over", "right after a night without a bot",
         "never on the day on which one is first asked", "not on a Saturday", "after the last day of a year",
         "after the clocks went forward", "a zone that is not told", "a zone that nobody knows"],
)  # fmt: skip
def test_a_morning_is_that_of_the_next_weekday_in_their_own_time(now, zone, hour, after, morning):
    found = next_morning(now, zone, hour, after=after)
    assert (found.day, f"{found.at:%Y-%m-%dT%H:%M}", found.at.tzinfo) == (*morning, UTC)


def test_how_late_it_is_counts_from_the_morning_itself():
    assert how_late(FRIDAY, "2026-12-04", "UTC", 9) == 3 * HOUR
    assert how_late(FRIDAY, "2026-12-04", "America/Los_Angeles", 9) == -5 * HOUR
    assert how_late(FRIDAY, "2026-12-03", "Europe/Berlin", 9) == 28 * HOUR

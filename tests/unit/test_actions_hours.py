"""Business time: when it is open, how it adds up, and what a zone's clock does to it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from actions import Hours
from actions.kit.policies.hours import FARTHEST, elapsed, later

BERLIN = Hours("Europe/Berlin", holidays="DE")
ZONE = ZoneInfo("Europe/Berlin")
NIGHT = Hours("Europe/Berlin", opens="01:30", closes="03:30", days="sat,sun")
SAMOA = Hours("Pacific/Apia", opens="00:00", closes="24:00", days="mon-sun")
HOUR = timedelta(hours=1)
MOMENT = timedelta(microseconds=1)


def opens_next(at: datetime, hours: Hours | None) -> datetime:
    """The first open moment from `at` on: a microsecond of business time later, less that."""
    return later(at, MOMENT, hours) - MOMENT


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE).astimezone(UTC)


@pytest.mark.parametrize(
    ("start", "hours_of_work", "end"),
    [
        ("2026-12-01 10:00", 2, "2026-12-01 12:00"),
        ("2026-12-01 07:00", 2, "2026-12-01 11:00"),
        ("2026-12-01 16:00", 2, "2026-12-02 10:00"),
        ("2026-12-01 16:00", 1, "2026-12-01 17:00"),
        ("2026-12-01 17:00", 1, "2026-12-02 10:00"),
        ("2026-12-04 16:30", 1, "2026-12-07 09:30"),
        ("2026-12-24 16:00", 2, "2026-12-28 10:00"),
        ("2026-12-01 10:00", 24, "2026-12-04 10:00"),
        ("2026-12-01 03:00", 0, "2026-12-01 03:00"),
    ],
    ids=[
        "within a day",
        "from before it opens",
        "over a night",
        "to the end of a day",
        "from the end of a day",
        "over a weekend",
        "over Christmas",
        "three days",
        "no time at all",
    ],
)
def test_business_time_passes_only_while_it_is_open(start, hours_of_work, end):
    assert later(berlin(start), hours_of_work * HOUR, BERLIN) == berlin(end)


@pytest.mark.parametrize(
    ("at", "opens"),
    [
        ("2026-12-01 10:00", "2026-12-01 10:00"),
        ("2026-12-01 09:00", "2026-12-01 09:00"),
        ("2026-12-01 17:00", "2026-12-02 09:00"),
        ("2026-12-25 12:00", "2026-12-28 09:00"),
    ],
)
def test_it_opens_next(at, opens):
    assert opens_next(berlin(at), BERLIN) == berlin(opens)


@pytest.mark.parametrize(
    ("day", "length"),
    [("2026-03-28", 2), ("2026-03-29", 1), ("2026-10-25", 3)],
    ids=["a night like any other", "the night on which an hour is skipped", "the night that has an hour twice"],
)
def test_a_night_is_as_long_as_it_is(day, length):
    assert elapsed(berlin(f"{day} 00:00"), berlin(f"{day} 23:00"), NIGHT) == length * HOUR


def test_a_part_of_a_country_has_holidays_of_its_own():
    epiphany = berlin("2026-01-06 10:00")
    assert later(epiphany, HOUR, BERLIN) == epiphany + HOUR
    assert later(epiphany, HOUR, BERLIN.model_copy(update={"holidays": "DE-BY"})) == berlin("2026-01-07 10:00")


def test_a_day_that_a_zone_leaves_out_is_not_counted_twice():
    start = datetime(2011, 12, 29, 12, tzinfo=UTC)
    assert later(start, 48 * HOUR, SAMOA) == start + 48 * HOUR


def test_without_hours_every_minute_counts():
    start = berlin("2026-12-05 23:00")
    assert later(start, 5 * HOUR, None) == start + 5 * HOUR
    assert elapsed(start, start + 5 * HOUR, None) == 5 * HOUR


@pytest.mark.parametrize("never", [Hours("UTC", opens="09:00", closes="09:00"), Hours("UTC", holidays="nowhere")])
def test_hours_that_were_stored_and_are_not_known_any_more_still_come_to_an_end(never):
    assert later(berlin("2026-12-01 10:00"), HOUR, never) <= berlin("2026-12-01 10:00") + FARTHEST * timedelta(
        days=1, hours=1
    )


moments = st.integers(0, 4 * 366 * 1440).map(
    lambda minutes: datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
spans = st.timedeltas(timedelta(), timedelta(days=20))
some_hours = st.sampled_from(
    [
        None,
        BERLIN,
        NIGHT,
        SAMOA,
        Hours("America/New_York", opens="22:00", closes="24:00", days="sun-thu", holidays="US"),
    ]
)


@given(moments, spans, spans, some_hours)
def test_two_spans_one_after_the_other_are_their_sum(start, first, second, hours):
    assert later(later(start, first, hours), second, hours) == later(start, first + second, hours)


@given(moments, spans, some_hours)
def test_as_much_passes_as_was_asked_for(start, by, hours):
    end = later(start, by, hours)
    assert end >= start + by
    assert elapsed(start, end, hours) == by


@given(moments, spans, spans, some_hours)
def test_whoever_starts_later_is_not_done_earlier(start, waits, by, hours):
    assert later(start, by, hours) <= later(start + waits, by, hours) or by == timedelta()


@given(moments, some_hours)
def test_no_time_passes_before_it_opens(start, hours):
    opens = opens_next(start, hours)
    assert opens >= start
    assert elapsed(start, opens, hours) == timedelta()
    assert elapsed(opens, opens + timedelta(minutes=1), hours) == timedelta(minutes=1)


@pytest.mark.parametrize(
    "fields",
    [
        {"opens": "9"},
        {"closes": "25:00"},
        {"closes": "24:01"},
        {"days": "mon-someday"},
        {"days": ""},
        {"days": "mon,,"},
    ],
)
def test_hours_are_written_so_that_they_can_be_read(fields):
    with pytest.raises(ValidationError, match=r"is not a time of day|names no days"):
        Hours("UTC", **fields)


def test_hours_are_stored_and_read_again():
    assert Hours.model_validate_json(BERLIN.model_dump_json()) == BERLIN

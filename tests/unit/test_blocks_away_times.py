"""What people type about when they are away: what is understood, and what is refused with words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from actions.kit.policies.absences import LONGEST
from blocks.away_times import NotUnderstoodError, read_away

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
"""A Tuesday, half past ten in Berlin."""


@pytest.mark.parametrize(
    ("when", "starts", "until"),
    [
        ("until friday", None, "2026-12-04 18:00"),
        ("Until Fri", None, "2026-12-04 18:00"),
        ("until tuesday", None, "2026-12-08 18:00"),
        ("until friday 12:00", None, "2026-12-04 12:00"),
        ("until friday at 9:05", None, "2026-12-04 09:05"),
        ("until 15:00", None, "2026-12-01 15:00"),
        ("from monday until 12 Dec", "2026-12-07 00:00", "2026-12-12 18:00"),
        ("from monday until friday", "2026-12-07 00:00", "2026-12-11 18:00"),
        ("from monday until monday", "2026-12-07 00:00", "2026-12-14 18:00"),
        ("from friday until thursday", "2026-12-04 00:00", "2026-12-10 18:00"),
        ("from tomorrow until 15:00", "2026-12-02 00:00", "2026-12-02 15:00"),
        ("from tomorrow until December 12", "2026-12-02 00:00", "2026-12-12 18:00"),
        ("from 5. january until 2027-01-09", "2027-01-05 00:00", "2027-01-09 18:00"),
        ("until 3 march 2027, ", None, None),
        ("until 20 feb 2027", None, "2027-02-20 18:00"),
        ("for 3 days", None, "2026-12-04 10:30"),
        ("for a week", None, "2026-12-08 10:30"),
        ("from tomorrow 12:00 for 5 hours", "2026-12-02 12:00", "2026-12-02 17:00"),
        ("today", None, "2026-12-01 18:00"),
        ("tomorrow", "2026-12-02 00:00", "2026-12-02 18:00"),
    ],
)
def test_days_are_those_of_whoever_types_them(when: str, starts: str | None, until: str | None):
    if until is None:
        with pytest.raises(NotUnderstoodError, match="longer than 90 days"):
            read_away(f"{when}ask @omar", now=NOW, zone=BERLIN)
        return
    found = read_away(f"{when}, ask @omar", now=NOW, zone=BERLIN)
    local = [moment.astimezone(BERLIN).strftime("%Y-%m-%d %H:%M") for moment in (found.starts, found.until)]
    assert local == [starts or "2026-12-01 10:30", until]
    assert (found.whom, found.by_status) == ("@omar", False)


def test_today_in_the_evening_is_until_midnight():
    late = datetime(2026, 12, 1, 19, tzinfo=UTC)
    assert read_away("today ask @omar", now=late, zone=BERLIN).until == datetime(2026, 12, 1, 23, tzinfo=UTC)


@pytest.mark.parametrize(("words", "hours"), [("for 2 hours", 2), ("for 1 day", 23), ("for 1 week", 7 * 24 - 1)])
def test_hours_pass_and_days_keep_the_time_of_day_when_the_clocks_change(words: str, hours: int):
    before = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)
    assert read_away(f"{words}, ask @omar", now=before, zone=BERLIN).until == before + timedelta(hours=hours)


def test_when_the_status_says_so_is_kept_as_long_as_anything():
    found = read_away("when my status says so, ask <@U0OMAR>", now=NOW, zone=BERLIN)
    assert (found.starts, found.until, found.by_status, found.whom) == (NOW, NOW + LONGEST, True, "<@U0OMAR>")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("until friday", "Say who decides meanwhile"),
        ("ask @omar", "Say from when until when"),
        ("until friday, task @omar", "Say who decides meanwhile"),
        ("forever, ask @omar", "Say from when until when"),
        ("until someday, ask @omar", "do not understand"),
        ("until 31 feb, ask @omar", "do not understand"),
        ("until 05/12, ask @omar", "do not understand"),
        ("until 25:00, ask @omar", "do not understand"),
        ("until t, ask @omar", "do not understand"),
        ("until 2026-11-30, ask @omar", "over before it begins"),
        ("from 12 dec until 5 dec, ask @omar", "over before it begins"),
        ("until 9:00, ask @omar", "over before it begins"),
        ("for 0 days, ask @omar", "over before it begins"),
        ("for 91 days, ask @omar", "longer than 90 days"),
        ("for 9999 weeks, ask @omar", "longer than 90 days"),
        ("until 9999-12-31, ask @omar", "longer than 90 days"),
        ("from 9999-12-31 until friday, ask @omar", "longer than 90 days"),
        ("from 9999-12-31 for 3 days, ask @omar", "longer than 90 days"),
        ("from 9999-12-31 23:00 for 2 hours, ask @omar", "longer than 90 days"),
    ],
)
def test_what_is_not_sure_is_refused(text: str, why: str):
    with pytest.raises(NotUnderstoodError, match=why):
        read_away(text, now=NOW, zone=BERLIN)


def test_the_longest_is_taken():
    assert read_away("for 90 days ask x", now=NOW, zone=BERLIN).until == NOW + timedelta(days=90)

"""Who stands in a rota's calendar, as the tools that make them write it."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.directory import calendars
from bot.directory.calendars import CalendarError, OnDuty, RotaCalendar

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday
OMAR, ANN = "omar@example.com", "ann@example.com"
EVERY_OTHER_WEEK = "DTSTART:20261130T090000Z\nDTEND:20261207T090000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2"
TODAY = "DTSTART:20261130T090000Z\nDTEND:20261130T170000Z"


def event(*lines, uid=1):
    return "\n".join(("BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT"))


def calendar(*events, head=()):
    lines = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Acme//On call//EN", *head, *events, "END:VCALENDAR")
    return "\n".join(lines).replace("\n", "\r\n") + "\r\n"


def on_duty(text, at=NOON, *, names=None, zone=None):
    return calendars.on_duty(RotaCalendar(text, zone).shifts(at, at + timedelta(hours=1)), at, names or {})


@pytest.mark.parametrize(
    "lines",
    [
        (f"ATTENDEE;CN=Omar:mailto:{OMAR}", "SUMMARY:On call"),
        ("ATTENDEE:MAILTO:Omar@Example.com", "SUMMARY:ann@example.com asked for it"),
        (f"ATTENDEE;PARTSTAT=DECLINED:mailto:{ANN}", f"ATTENDEE:mailto:{OMAR}", "SUMMARY:On call"),
        (f"SUMMARY:On call: Omar Okafor ({OMAR})",),
        ("SUMMARY:On Call - Omar O. - Payments",),
        ("SUMMARY:OMAR O.",),
    ],
)
def test_a_shift_is_of_its_attendee_or_of_whoever_its_title_names(lines):
    found = on_duty(calendar(event(TODAY, *lines)), names={"Omar O.": OMAR, "Mar": ANN})
    assert (found.people, found.nameless) == ((OMAR,), ())


def test_a_shift_that_names_nobody_known_is_told_by_its_title():
    assert on_duty(calendar(event(TODAY, "SUMMARY:Somebody new")), names={"Omar": OMAR}) == OnDuty(
        (), ("Somebody new",), datetime(2026, 11, 30, 17, tzinfo=UTC)
    )


def test_overlapping_shifts_all_count_and_the_first_that_ends_is_told():
    both = calendar(
        event(TODAY, f"SUMMARY:{OMAR}"), event("DTSTART:20261130T113000Z\nDURATION:PT1H", f"SUMMARY:{ANN}", uid=2)
    )
    found = on_duty(both)
    assert (found.people, found.until) == ((OMAR, ANN), datetime(2026, 11, 30, 12, 30, tzinfo=UTC))


@pytest.mark.parametrize(("after", "people"), [(0, (OMAR,)), (6, (OMAR,)), (7, ()), (13, ()), (14, (OMAR,))])
def test_shifts_that_recur_are_followed_into_the_coming_weeks(after, people):
    found = on_duty(calendar(event(EVERY_OTHER_WEEK, f"SUMMARY:{OMAR}")), NOON + timedelta(days=after))
    assert found.people == people


def test_a_shift_that_somebody_took_over_is_theirs_this_once():
    taken = event(
        "RECURRENCE-ID:20261214T090000Z", "DTSTART:20261214T090000Z", "DTEND:20261221T090000Z", f"SUMMARY:{ANN}"
    )
    text = calendar(event(EVERY_OTHER_WEEK, f"SUMMARY:{OMAR}"), taken)
    assert [on_duty(text, NOON + timedelta(days=days)).people for days in (0, 14, 28)] == [(OMAR,), (ANN,), (OMAR,)]


def test_cancelled_shifts_and_those_without_a_length_do_not_count():
    text = calendar(
        event(TODAY, f"SUMMARY:{OMAR}", "STATUS:CANCELLED"), event("DTSTART:20261130T120000Z", f"SUMMARY:{ANN}", uid=2)
    )
    assert on_duty(text) == OnDuty(())


@pytest.mark.parametrize(
    ("at", "people"),
    [
        (datetime(2026, 11, 30, 8, 59, 59, tzinfo=UTC), ()),
        (datetime(2026, 11, 30, 9, tzinfo=UTC), (OMAR,)),
        (datetime(2026, 11, 30, 16, 59, 59, tzinfo=UTC), (OMAR,)),
        (datetime(2026, 11, 30, 17, tzinfo=UTC), ()),
    ],
)
def test_a_shift_holds_from_its_first_second_until_its_end(at, people):
    assert on_duty(calendar(event(TODAY, f"SUMMARY:{OMAR}")), at).people == people


WHOLE_DAY = "DTSTART;VALUE=DATE:20261130\nDTEND;VALUE=DATE:20261201"
FLOATING = "DTSTART:20261130T000000\nDTEND:20261201T000000"


@pytest.mark.parametrize("when", [WHOLE_DAY, FLOATING])
@pytest.mark.parametrize(
    ("zone", "head"), [("America/New_York", ()), (None, ("X-WR-TIMEZONE:America/New_York",))], ids=["rota", "calendar"]
)
def test_whole_days_and_times_without_a_zone_are_those_of_the_rota_or_of_the_calendar(when, zone, head):
    text = calendar(event(when, f"SUMMARY:{OMAR}"), head=head)
    people = [on_duty(text, datetime(2026, 11, 30, hour, tzinfo=UTC), zone=zone).people for hour in (4, 5)]
    people += [on_duty(text, datetime(2026, 12, 1, hour, tzinfo=UTC), zone=zone).people for hour in (4, 5)]
    assert people == [(), (OMAR,), (OMAR,), ()]


@pytest.mark.parametrize(
    "text", ["", "<html>Sign in</html>", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", "\x00\r\n"]
)
def test_what_is_no_calendar_says_so(text):
    with pytest.raises(CalendarError, match="is no iCalendar of shifts"):
        RotaCalendar(text)


MINUTES = ",".join(map(str, range(60)))


@pytest.mark.parametrize(
    "often",
    [
        "SECONDLY",
        "MINUTELY;INTERVAL=5",
        f"DAILY;BYMINUTE={MINUTES};BYSECOND={MINUTES}",
        f"HOURLY;BYSECOND={MINUTES}\nRRULE:FREQ=MINUTELY",
    ],
)
def test_a_rule_that_takes_minutes_to_follow_is_not_followed(often):
    with pytest.raises(CalendarError, match="recurs every second or minute"):
        RotaCalendar(calendar(event(TODAY, f"RRULE:FREQ={often}")))


@pytest.mark.parametrize("rules", ["FREQ=DAILY;INTERVAL=0", "FREQ=DAILY\nRRULE:FREQ=WEEKLY;INTERVAL=0"])
def test_a_rule_that_never_comes_on_is_not_followed(rules):
    with pytest.raises(CalendarError, match="at an interval of nothing"):
        RotaCalendar(calendar(event(TODAY, f"RRULE:{rules}")))


def test_an_event_beyond_all_time_is_told_as_one_that_cannot_be_read():
    with pytest.raises(CalendarError):
        on_duty(calendar(event("DTSTART:99991231T230000Z", "DURATION:P400D", "RRULE:FREQ=DAILY")))


OF_MARS = "DTSTART;TZID=Mars/Base:20261130T090000\nDTEND;TZID=Mars/Base:20261130T170000"
OF_ROME = OF_MARS.replace("Mars/Base", "W. Europe Standard Time")


def test_a_shift_of_a_zone_that_there_is_not_is_not_taken_for_one_of_another_zone():
    with pytest.raises(CalendarError, match="'Mars/Base' is no time zone"):
        RotaCalendar(calendar(event(OF_MARS, f"SUMMARY:{OMAR}")))
    assert on_duty(calendar(event(OF_ROME, f"SUMMARY:{OMAR}")), NOON - timedelta(hours=4)).people == (OMAR,)


@pytest.mark.parametrize("when", ["DTSTART:soon", "DTSTART:20261130T090000Z\nRRULE:FREQ=SOMETIMES"])
def test_an_event_that_cannot_be_read_leaves_nobody_on_duty_by_a_guess(when):
    with pytest.raises(CalendarError):
        on_duty(calendar(event(when, f"SUMMARY:{OMAR}"), event(TODAY, f"SUMMARY:{ANN}", uid=2)))


def test_a_zone_that_there_is_not_is_told():
    with pytest.raises(CalendarError, match="'Mars/Base' is no time zone"):
        RotaCalendar(calendar(head=("X-WR-TIMEZONE:Mars/Base",)))

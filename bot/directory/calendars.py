"""Who stands in a rota's calendar at a moment: iCalendar as on-call tools export it. Pure: text and a time in, people out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from math import prod
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from actions.kit.policies.deciders import EMAIL

UTC_NAME = "UTC"
TOO_OFTEN = frozenset({"SECONDLY", "MINUTELY"})
"""No shift recurs so often, and following such a rule from its beginning takes minutes."""
WITHIN_A_DAY = ("BYHOUR", "BYMINUTE", "BYSECOND")
MOST_A_DAY = 96
MOMENTS = ("DTSTART", "DTEND", "RECURRENCE-ID")
_EMAIL_WITHIN = re.compile(r"[^@\s<>|()\[\],;:]+@[^@\s<>|()\[\],;:]+\.[^@\s<>|()\[\],;:.]+")


class CalendarError(Exception):
    """A text that is no calendar, or one whose events cannot be read. Its text says why."""


@dataclass(frozen=True, slots=True)
class Shift:
    """An event: from `start` until before `end`, its title, and the e-mails of its attendees who have not declined."""

    start: datetime
    end: datetime
    title: str
    attending: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnDuty:
    """Who is on duty, as the calendar writes them: e-mails and ids; and the titles of shifts that name nobody known."""

    people: tuple[str, ...]
    nameless: tuple[str, ...] = ()
    until: datetime | None = None
    """When the first of their shifts ends."""


class RotaCalendar:
    """A calendar whose events are shifts.

    Floating times and whole days are meant in `zone`; without it in the calendar's own, and where it has none in UTC.
    """

    def __init__(self, text: str, zone: str | None = None) -> None:
        """Takes its time for a large one. Raises `CalendarError`."""
        # Imported only where a rota has a calendar, as they take half a second. The first has no types of its own.
        import recurring_ical_events  # type: ignore[import-untyped]  # noqa: PLC0415 - as above
        from icalendar import Calendar  # noqa: PLC0415 - as above

        try:
            calendar = Calendar.from_ical(text)
            self._zone = _zone(zone or str(calendar.get("X-WR-TIMEZONE", UTC_NAME)))
            _refuse_endless(calendar.walk("VEVENT"))
            _refuse_unknown_zones(calendar.walk("VEVENT"))
            self._events = recurring_ical_events.of(calendar)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
            raise CalendarError(f"is no iCalendar of shifts: {_first_line(error)}") from None

    def shifts(self, since: datetime, until: datetime) -> tuple[Shift, ...]:
        """The shifts that touch a span, without those that are cancelled. It takes its time. Raises `CalendarError`."""
        try:
            events = self._events.between(since.astimezone(self._zone), until.astimezone(self._zone))
            return tuple(self._shift(event) for event in events if not _is_cancelled(event))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise CalendarError(f"has an event that cannot be read: {_first_line(error)}") from None

    def _shift(self, event: Any) -> Shift:
        start, end = self._moment(event.start), self._moment(event.end)
        return Shift(start, end, str(event.get("SUMMARY", "")), tuple(_attending(event)))

    def _moment(self, at: date) -> datetime:
        if not isinstance(at, datetime):
            return datetime.combine(at, time(), self._zone)
        return at if at.tzinfo else at.replace(tzinfo=self._zone)


def on_duty(shifts: Iterable[Shift], now: datetime, names: Mapping[str, str]) -> OnDuty:
    """Whose shifts have begun and not ended, every one of those that overlap.

    A shift is of its attendees; else of the e-mails in its title; else of whomever `names` has for a name that stands in
    its title.
    """
    current = [shift for shift in shifts if shift.start <= now < shift.end]
    return OnDuty(
        people=_once(person for shift in current for person in _people_of(shift, names)),
        nameless=_once(shift.title for shift in current if not _people_of(shift, names)),
        until=min((shift.end for shift in current), default=None),
    )


def _people_of(shift: Shift, names: Mapping[str, str]) -> tuple[str, ...]:
    written = tuple(found.lower() for found in _EMAIL_WITHIN.findall(shift.title))
    return shift.attending or written or tuple(who for name, who in names.items() if _stands_in(name, shift.title))


def _attending(event: Any) -> Iterable[str]:
    for each in _listed(event.get("ATTENDEE", ())):
        address = str(each).strip().lower().removeprefix("mailto:")
        declined = str(each.params.get("PARTSTAT", "")).upper() == "DECLINED"
        if EMAIL.fullmatch(address) and not declined:
            yield address


def _is_cancelled(event: Any) -> bool:
    return str(event.get("STATUS", "")).upper() == "CANCELLED"


def _refuse_endless(events: Iterable[Any]) -> None:
    """Raises `ValueError`."""
    for rule in (rule for event in events for rule in _listed(event.get("RRULE", ()))):
        given = {name: list(_listed(rule.get(name, ()))) for name in ("FREQ", "INTERVAL", *WITHIN_A_DAY)}
        at_once = prod(len(given[name]) or 1 for name in WITHIN_A_DAY)
        if TOO_OFTEN.intersection(str(each).upper() for each in given["FREQ"]) or at_once > MOST_A_DAY:
            raise ValueError("an event recurs every second or minute")
        if any(int(each) < 1 for each in given["INTERVAL"]):
            raise ValueError("an event recurs at an interval of nothing")


def _refuse_unknown_zones(events: Iterable[Any]) -> None:
    """A time of no known zone is another time, and another person's. Raises `ValueError`."""
    for event in events:
        for moment in (event.get(name) for name in MOMENTS):
            zone = getattr(moment, "params", {}).get("TZID")
            if zone and isinstance(moment.dt, datetime) and moment.dt.tzinfo is None:
                raise ValueError(f"{str(zone)[:60]!r} is no time zone")


def _listed(given: Any) -> Iterable[Any]:
    return given if isinstance(given, list | tuple) else (given,)


def _stands_in(name: str, title: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", title, re.IGNORECASE) is not None


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is no time zone") from None


def _once(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:120]

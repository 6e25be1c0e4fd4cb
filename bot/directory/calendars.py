"""Who stands in a rota's calendar at a moment: iCalendar as on-call tools export it. Pure: text and a time in, people out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from actions.kit.deciders import EMAIL

UTC_NAME = "UTC"
LEAST = timedelta(seconds=1)
"""The width of the moment that is asked for: the library takes spans, and an event without a length is no shift."""
_EMAIL_WITHIN = re.compile(r"[^@\s<>|()\[\],;:]+@[^@\s<>|()\[\],;:]+\.[^@\s<>|()\[\],;:.]+")


class CalendarError(Exception):
    """A text that is no calendar, or one whose events cannot be read. Its text says why."""


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
        """Raises `CalendarError`."""
        # Imported only where a rota has a calendar, as they take half a second. The first has no types of its own.
        import recurring_ical_events  # type: ignore[import-untyped]  # noqa: PLC0415 - as above
        from icalendar import Calendar  # noqa: PLC0415 - as above

        try:
            calendar = Calendar.from_ical(text)
            self._zone = _zone(zone or str(calendar.get("X-WR-TIMEZONE", UTC_NAME)))
            self._events = recurring_ical_events.of(calendar)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise CalendarError(f"is no iCalendar: {_first_line(error)}") from None

    def on_duty(self, now: datetime, names: Mapping[str, str]) -> OnDuty:
        """Whose shifts have begun and not ended, every one of those that overlap. Raises `CalendarError`.

        A shift is of its attendees who have not declined; else of the e-mails in its title; else of whomever `names`
        has for a name that stands in its title. Cancelled ones do not count.
        """
        here = now.astimezone(self._zone)
        try:
            events = self._events.between(here, here + LEAST)
            current = [event for event in events if self._holds(event, here)]
            whos = [(event, _people_of(event, names)) for event in current]
            ends = [self._moment(event.end) for event in current]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CalendarError(f"has an event that cannot be read: {_first_line(error)}") from None
        return OnDuty(
            people=_once(person for _, people in whos for person in people),
            nameless=_once(str(event.get("SUMMARY", "")) for event, people in whos if not people),
            until=min(ends, default=None),
        )

    def _holds(self, event: Any, here: datetime) -> bool:
        if str(event.get("STATUS", "")).upper() == "CANCELLED":
            return False
        return self._moment(event.start) <= here < self._moment(event.end)

    def _moment(self, at: date) -> datetime:
        if not isinstance(at, datetime):
            return datetime.combine(at, time(), self._zone)
        return at if at.tzinfo else at.replace(tzinfo=self._zone)


def _people_of(event: Any, names: Mapping[str, str]) -> tuple[str, ...]:
    title = str(event.get("SUMMARY", ""))
    attending = tuple(_attending(event))
    written = tuple(found.lower() for found in _EMAIL_WITHIN.findall(title))
    return attending or written or tuple(who for name, who in names.items() if _stands_in(name, title))


def _attending(event: Any) -> Iterable[str]:
    given = event.get("ATTENDEE", ())
    for each in given if isinstance(given, list | tuple) else (given,):
        address = str(each).strip().lower().removeprefix("mailto:")
        declined = str(each.params.get("PARTSTAT", "")).upper() == "DECLINED"
        if EMAIL.fullmatch(address) and not declined:
            yield address


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

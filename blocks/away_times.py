"""From when until when somebody is away, read strictly from what they typed: what may be meant in two ways is refused."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from actions.kit.policies.absences import LONGEST

EVENING = time(18)
"""When a day ends by which somebody is back, unless they say a time."""
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
AN_HOUR = timedelta(hours=1)
DAYS_IN = {"day": timedelta(days=1), "week": timedelta(weeks=1)}
BY_STATUS = frozenset({"when my status says so", "when my slack status says so"})
ASK = re.compile(r"(?:^|[, ]) ?ask (?P<whom>.+)$", re.IGNORECASE)
SPAN = re.compile(r"(?:from (?P<starts>.+?) )?until (?P<until>.+)")
LENGTH = re.compile(r"(?:from (?P<starts>.+?) )?for (?P<count>an?|\d{1,4}) (?P<unit>hour|day|week)s?")
MOMENT = re.compile(r"(?:(?P<day>.+?) ?)??(?:(?:\bat )?(?P<hour>\d{1,2}):(?P<minute>\d{2}))?")
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
NAMED = re.compile(
    r"(?:(?P<first>\d{1,2})\.? (?P<month>[a-z]{3,9})|(?P<month_first>[a-z]{3,9}) (?P<second>\d{1,2}))(?:,? (?P<year>\d{4}))?"
)
TOO_LONG = f"That is longer than {LONGEST.days} days, after which somebody is asked for anew."
EXAMPLES = "`until friday`, `from monday until 12 Dec`, `for 3 days`, `today` or `when my status says so`"


class NotUnderstoodError(ValueError):
    """Why this says no time or nobody, in mrkdwn of ours."""


@dataclass(frozen=True, slots=True)
class Away:
    """From when until when, in UTC, and whom they name to decide meanwhile, as it was typed."""

    starts: datetime
    until: datetime
    whom: str
    by_status: bool = False


def read_away(text: str, *, now: datetime, zone: ZoneInfo) -> Away:
    """What somebody typed after `away`; days are those of their own zone. Raises `NotUnderstoodError`."""
    text = " ".join(text.split())
    found = ASK.search(text)
    if found is None:
        raise NotUnderstoodError(f"Say who decides meanwhile: {EXAMPLES}, and then `, ask @colleague`.")
    when = text[: found.start()].strip().rstrip(",").strip().lower()
    whom = found["whom"].strip().rstrip(".")
    if when in BY_STATUS:
        return Away(now, now + LONGEST, whom, by_status=True)
    try:
        starts, until = _Reading(now.astimezone(zone)).span(when)
    except OverflowError:
        raise NotUnderstoodError(TOO_LONG) from None
    return Away(*checked(starts, until, now), whom)


def checked(starts: datetime, until: datetime, now: datetime) -> tuple[datetime, datetime]:
    """The two in UTC, none of them before now. Raises `NotUnderstoodError` where nothing lies between, or too much."""
    try:
        starts, until = max(starts.astimezone(UTC), now), until.astimezone(UTC)
    except OverflowError:
        raise NotUnderstoodError(TOO_LONG) from None
    if until <= starts:
        raise NotUnderstoodError("That is over before it begins. Say a later day or time until which you are away.")
    if until - starts > LONGEST:
        raise NotUnderstoodError(TOO_LONG)
    return starts, until


def evening(day: date, now: datetime) -> datetime:
    """When somebody is back who is away until this day, in the zone of `now`; today after that, it is midnight."""
    ends = datetime.combine(day, EVENING, now.tzinfo)
    return ends if ends > now else datetime.combine(day + timedelta(days=1), time(), now.tzinfo)


class _Reading:
    """Reads the words of one person, whose own time it is `now`. Raises `OverflowError` past the end of the calendar."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def span(self, when: str) -> tuple[datetime, datetime]:
        if when in {"today", "tomorrow"}:
            return self._starts(when), self._until(when, self._now.date())
        if found := LENGTH.fullmatch(when):
            starts = self._starts(found["starts"])
            count = 1 if found["count"].startswith("a") else int(found["count"])
            return starts, _after(starts, count, found["unit"])
        if found := SPAN.fullmatch(when):
            starts = self._starts(found["starts"])
            return starts, self._until(found["until"], starts.date())
        raise NotUnderstoodError(f"Say from when until when: {EXAMPLES}.")

    def _starts(self, words: str | None) -> datetime:
        if words is None:
            return self._now
        day, at = self._moment(words, self._now.date())
        return datetime.combine(day, at or time(), self._now.tzinfo)

    def _until(self, words: str, starts: date) -> datetime:
        day, at = self._moment(words, starts)
        return datetime.combine(day, at, self._now.tzinfo) if at else evening(day, self._now)

    def _moment(self, words: str, since: date) -> tuple[date, time | None]:
        """A time without a day is on the day `since` which it is counted."""
        found = MOMENT.fullmatch(words)
        try:
            at = time(int(found["hour"]), int(found["minute"])) if found and found["hour"] else None
            day = self._day(found["day"], since) if found and found["day"] else since if at else None
        except ValueError:
            day = None
        if day is None:
            raise NotUnderstoodError(
                f"There is a day or a time that I do not understand. Write {EXAMPLES}, or a date such as `2026-12-05`."
            )
        return day, at

    def _day(self, words: str, since: date) -> date | None:
        """A day of the week is the next one after `since`. Raises `ValueError` where the calendar has no such day."""
        today = self._now.date()
        if words in {"today", "tomorrow"}:
            return today + timedelta(days=words == "tomorrow")
        if len(words) > 2 and (number := _place(words, DAYS)) is not None:  # noqa: PLR2004 - "tu" and "th" are told apart
            return since + timedelta(days=(number - since.weekday() - 1) % 7 + 1)
        if found := ISO.fullmatch(words):
            return date(*map(int, found.groups()))
        found = NAMED.fullmatch(words)
        month = _place(found["month"] or found["month_first"], MONTHS) if found else None
        if found is None or month is None:
            return None
        number, year = int(found["first"] or found["second"]), int(found["year"] or today.year)
        day = date(year, month + 1, number)
        return day.replace(year=year + 1) if day < today and not found["year"] else day


def _after(starts: datetime, count: int, unit: str) -> datetime:
    """Hours pass as they do; so many days later it is the same time of day, whatever the clocks were changed by between."""
    if unit == "hour":
        return starts.astimezone(UTC) + count * AN_HOUR
    return starts + count * DAYS_IN[unit]


def _place(word: str, words: tuple[str, ...]) -> int | None:
    """Which of these it is, whole or its first letters."""
    return next((number for number, each in enumerate(words) if each == word or (len(word) >= 3 and each.startswith(word))), None)  # fmt: skip  # noqa: PLR2004 - as people shorten them

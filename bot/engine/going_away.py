"""Somebody says that they are away and who decides in their place, or that they are back: looked at, and kept."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from actions.kit.policies.absences import Absence, Path
from actions.kit.policies.deciders import EMAIL, PERSON_ID
from actions.kit.records.people import PersonFacts
from blocks.away_times import Away, NotUnderstoodError, checked, evening, read_away
from blocks.presence import AwayForm, away_words
from blocks.text import clean, escape, mention
from bot.engine.people import CouldNotVerify, Directory
from storage.absences import Absences, InACircle

PATIENCE = 1.5
"""Seconds for all look-ups: a command is acknowledged within three."""
MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
ADDRESS = re.compile(r"<mailto:([^<>|]+)(?:\|[^<>]*)?>")
SHOWN = 60
CANDIDATES = 5
UTC = ZoneInfo("UTC")
NOT_VERIFIED = (
    "Slack did not tell in time who that is, so nothing was changed. Please try again, or write their e-mail address."
)


@dataclass(frozen=True, slots=True)
class NotAway:
    """Why it was not kept, in mrkdwn, and which part of what was said it is about."""

    text: str
    about: Literal["until", "whom"] = "until"


@dataclass(frozen=True, slots=True)
class Gone:
    """It was kept; `text` says in mrkdwn what was understood."""

    absence: Absence
    text: str


class GoingAway:
    """Who is named is looked up anew: a full member, and somebody else. Circles are the store's to refuse."""

    def __init__(self, absences: Absences, directory: Directory, *, now: Callable[[], datetime]) -> None:
        self._absences = absences
        self._directory = directory
        self._now = now

    async def by_words(self, person: str, text: str, *, via: str) -> Gone | NotAway:
        """What was typed after `away`, such as "until friday, ask @omar"."""
        now = self._now()
        try:
            async with asyncio.timeout(PATIENCE):
                zone = await self._zone(person)
                away = read_away(text, now=now, zone=zone)
                stand_in = await self._named(away.whom)
        except NotUnderstoodError as error:
            return NotAway(str(error))
        except (CouldNotVerify, TimeoutError):
            return NotAway(NOT_VERIFIED, "whom")
        return await self._keep(person, away, stand_in, zone, via=via, now=now)

    async def by_form(self, form: AwayForm) -> Gone | NotAway:
        """What was chosen in the Home tab: whole days of the person's own zone."""
        now = self._now()
        try:
            async with asyncio.timeout(PATIENCE):
                zone = await self._zone(form.person)
                local = now.astimezone(zone)
                starts = datetime.combine(form.starts, time(), zone) if form.starts else local
                away = Away(*checked(starts, evening(form.until, local), now), form.whom)
                stand_in = await self._named(form.whom)
        except NotUnderstoodError as error:
            return NotAway(str(error))
        except (CouldNotVerify, TimeoutError):
            return NotAway(NOT_VERIFIED, "whom")
        return await self._keep(form.person, away, stand_in, zone, via="slack", now=now)

    async def back(self, person: str) -> Absence | None:
        """They are back; what this ended, if anything."""
        return await self._absences.end(person, now=self._now())

    async def _keep(
        self, person: str, away: Away, stand_in: PersonFacts | NotAway, zone: ZoneInfo, *, via: str, now: datetime
    ) -> Gone | NotAway:
        if isinstance(stand_in, NotAway):
            return stand_in
        if refused := _may_not(person, stand_in):
            return NotAway(refused, "whom")
        absence = Absence(person, stand_in.id, away.starts, away.until, via, now, by_status=away.by_status)
        match await self._absences.set(absence):
            case InACircle(way):
                return NotAway(_circle_words(way), "whom")
            case Absence():
                return Gone(absence, away_words(absence, zone))

    async def _zone(self, person: str) -> ZoneInfo:
        """The zone of somebody's own Slack; UTC where it has none that is known here, and the words say which it is."""
        facts = await self._directory.person(person)
        try:
            return ZoneInfo(facts.timezone) if facts and facts.timezone else UTC
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return UTC

    async def _named(self, whom: str) -> PersonFacts | NotAway:
        """Whom somebody names: by a mention, an id, an e-mail address, or as they are called."""
        if found := MENTION.fullmatch(whom):
            return await self._of_id(found[1])
        if PERSON_ID.fullmatch(whom):
            return await self._of_id(whom)
        address = found[1] if (found := ADDRESS.fullmatch(whom)) else whom
        if EMAIL.fullmatch(address):
            return await self._directory.by_email(address) or _nobody(address)
        called = await self._directory.by_handle(whom.removeprefix("@"))
        if len(called) == 1:
            return called[0]
        return NotAway(_several(whom, called), "whom") if called else _nobody(whom)

    async def _of_id(self, person: str) -> PersonFacts | NotAway:
        return await self._directory.person(person) or _nobody(person)


def _may_not(person: str, stand_in: PersonFacts) -> str | None:
    if stand_in.id == person:
        return "You cannot decide in your own place while you are away. Name somebody else."
    if stand_in.is_bot or stand_in.is_deleted:
        what = "That is a bot" if stand_in.is_bot else "They have left Slack"
        return f"{what}, so nobody would decide in your place. Name a colleague."
    return (
        "They are a guest, and only a full member decides in somebody's place. Name a full member."
        if stand_in.is_guest
        else None
    )


def _nobody(whom: str) -> NotAway:
    said = f"Slack knows nobody called “{_shown(whom)}”. Choose them from the list that Slack offers after `@`, or write their e-mail address."
    return NotAway(said, "whom")


def _several(whom: str, called: tuple[PersonFacts, ...]) -> str:
    named = ", ".join(f"{mention(each.id)} ({escape(clean(each.email or each.id))})" for each in called[:CANDIDATES])
    rest = f" and {len(called) - CANDIDATES} more" if len(called) > CANDIDATES else ""
    return f"Several people are called “{_shown(whom)}”: {named}{rest}. Write the e-mail address of the one you mean."


def _circle_words(way: Path) -> str:
    """Without mentions, which a form does not show."""
    own, *others = way
    is_direct = others[0].stand_in == own.person
    asked = "asked you to decide in their place" if is_direct else "whoever decides in their place asked you in turn"
    return f"They are away at that time too, and {asked}: you would stand in for yourself. Name somebody else."


def _shown(whom: str) -> str:
    return escape(clean(whom)[:SHOWN])

"""The digests: every weekday morning, in a decider's own time, a message that says what waits for them, if anything does.

Whose mornings there are, and which come next, stands in the database: a morning is moved on in the transaction that wants
its message, so that each is told once, whatever restarts and however many processes there are.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog

from actions.kit.policies.deciders import Lookup, ManagerOf, Requester
from actions.kit.policies.policy import lookups_in, people_in, those
from blocks.digest import DigestClick, switched_words
from blocks.home_clicks import Looking
from bot import clock
from bot.engine.expanding import expanded
from bot.engine.mornings import how_late, next_morning
from bot.engine.people import CouldNotVerify, Directory
from bot.slack.home_drawing import HomeDrawing
from storage.results import Digest, Morning
from storage.store import Store

AT_ONCE = 5
"""Digests that one sweep tells."""
MET_AT_ONCE = 20
"""People whose first morning one sweep looks up."""
MEETS_EVERY = timedelta(minutes=1)
MOST_LOOKUPS = 50
"""Once a sweep has so many to make, it leaves further questions to the next one."""
CROWD = 50
"""Of more members than this nobody gets a digest for being one: their card stands in a channel, and in their Home tabs."""
WITHIN = 5.0
"""Seconds for one look-up."""
LATEST = timedelta(hours=12)
"""A digest that is later than this is left out: it would come in the night. One of no day was never planned."""
PUT_OFF = timedelta(minutes=5)

log = structlog.get_logger(__name__)


class Digests:
    """Sweeps are cheap where nothing is due. `hour` is that of their own time; `None`: nobody gets any."""

    def __init__(
        self,
        store: Store,
        directory: Directory,
        drawing: HomeDrawing,
        *,
        hour: int | None,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        self._store = store
        self._directory = directory
        self._drawing = drawing
        self._hour = hour
        self._now = now
        self._meets_at = datetime.min.replace(tzinfo=UTC)
        self._met_up_to = ""

    async def sweep(self) -> None:
        """Tells what is due, and learns whom there is to tell."""
        if self._hour is None:
            return
        for digest in await self._store.digests.due(self._now(), limit=AT_ONCE):
            await self._told(digest, self._hour)
        if self._now() >= self._meets_at:
            self._meets_at = self._now() + MEETS_EVERY
            await self._meet(self._hour)

    async def switch(self, click: DigestClick, command: str = "/signoff") -> str:
        """A person wants digests, or none; what to tell them, in mrkdwn."""
        if self._hour is None:
            return "Digests are switched off for everybody by whoever runs this app."
        await self._store.digests.switch(click.person, on=click.on, now=self._now())
        return switched_words(command, on=click.on)

    async def _told(self, digest: Digest, hour: int) -> None:
        """One that fails keeps no other back."""
        try:
            await self._tell(digest, hour)
        except Exception:
            log.exception("digest_failed", person=digest.person)
            await self._store.digests.put_off(digest, until=self._now() + PUT_OFF)

    async def _tell(self, digest: Digest, hour: int) -> None:
        now = self._now()
        home = await self._drawing.look(digest.person, Looking(show="waiting"))
        zone = await self._zone(digest.person)
        if home.unsure is None or zone is None:
            log.info("digest_put_off", person=digest.person)
            await self._store.digests.put_off(digest, until=now + PUT_OFF)
            return
        morning = next_morning(now, zone, hour, after=digest.day)
        is_meant = digest.day is not None and how_late(now, digest.day, zone, hour) < LATEST
        run_id = home.waiting[0].run.id if home.waiting and is_meant else None
        await self._store.digests.move_on(digest, morning, run_id=run_id, now=now)

    async def _meet(self, hour: int) -> None:
        """Those for whom something waits, and who have no morning yet, get one; from sweep to sweep, all of them."""
        people, met_up_to = await self._whom(self._met_up_to)
        strangers = await self._store.digests.strangers(people)
        if len(strangers) <= MET_AT_ONCE:
            self._met_up_to = met_up_to
        strangers = strangers[:MET_AT_ONCE]
        mornings = await asyncio.gather(*(self._first_morning(person, hour) for person in strangers))
        found = {person: each for person, each in zip(strangers, mornings, strict=True) if each is not None}
        if found:
            await self._store.digests.meet(found)

    async def _first_morning(self, person: str, hour: int) -> Morning | None:
        zone = await self._zone(person)
        return None if zone is None else next_morning(self._now(), zone, hour)

    async def _zone(self, person: str) -> str | None:
        """The name of their zone, empty where Slack tells none; `None` where it does not tell now."""
        try:
            facts = await self._directory.person(person)
        except CouldNotVerify:
            return None
        return (facts and facts.timezone) or ""

    async def _whom(self, after: str) -> tuple[set[str], str]:
        """Whom open questions after this one are put to, and the last question that was looked at; none, to begin anew."""
        people: set[str] = set()
        wanted: dict[tuple[Lookup, str], None] = {}
        last = ""
        for question, policy, requester in await self._store.digests.asked(after=after):
            last = question
            told = policy.notify or those(policy.deciders)  # where a policy says whom to notify, it is those
            people |= {each.id for each in people_in(told) if each.id}
            people |= {requester for each in told if isinstance(each, Requester)}
            wanted |= {(each, requester if isinstance(each, ManagerOf) else ""): None for each in lookups_in(told)}
            if len(wanted) >= MOST_LOOKUPS:
                break
        found = await asyncio.gather(*(self._members(*each) for each in wanted))
        asked = people.union(*found)
        absences = await self._store.absences.open(self._now())
        return asked | {each.stand_in for each in absences if each.person in asked}, last

    async def _members(self, lookup: Lookup, requester: str) -> frozenset[str]:
        known = await expanded(self._directory, [lookup], requester=requester, within=WITHIN)
        people = known.get(lookup, frozenset())
        return people if len(people) <= CROWD else frozenset()

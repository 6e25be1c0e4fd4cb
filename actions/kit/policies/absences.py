"""Who is away, until when, and who decides in their place: frozen values, and which of them lead to whom."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

LONGEST = timedelta(days=90)
"""How long anybody may be away at a time, or have their status say so: whoever decides in their place is asked for anew."""
CHAIN = 3
"""How far it is followed where whoever stands in is away too."""


@dataclass(frozen=True, slots=True)
class Absence:
    """One person is away from `starts` until `until`, and `stand_in` decides in their place.

    `by_status`: within that time, only while their Slack status says so. `via` is the way in by which they said it, at
    `at`; `ended_at` is when they ended it, before its time.
    """

    person: str
    stand_in: str
    starts: datetime
    until: datetime
    via: str
    at: datetime
    by_status: bool = False
    ended_at: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it is so now, as far as the dates say."""
        return self.ended_at is None and self.starts <= now < self.until


Path = tuple[Absence, ...]
"""From somebody who is away to whoever decides in their place: each absence names the person of the next one."""


def behind(person: str, absences: Iterable[Absence], now: datetime) -> tuple[Path, ...]:
    """The ways that lead to this person, the shortest first: in the place of each way's first person they decide.

    Each of a way's absences must hold; of those by status, that is still to be looked up.
    """
    holding = [each for each in absences if each.holds(now)]
    found: list[Path] = []
    ways: list[Path] = [(each,) for each in holding if each.stand_in == person and each.person != person]
    while ways:
        found += ways
        ways = [
            (each, *way)
            for way in ways
            for each in holding
            if len(way) < CHAIN and each.stand_in == way[0].person and each.person not in {person, *people_on(way)}
        ]
    return tuple(found)


def people_on(way: Path) -> tuple[str, ...]:
    return tuple(each.person for each in way)


def between(way: Path) -> tuple[str, ...]:
    """Over whom it leads: each was chosen to decide, and chose who does so for them."""
    return people_on(way)[1:]


def ahead(person: str, absences: Iterable[Absence], now: datetime) -> Path:
    """The way that leads on from this person, as far as it is followed; empty where they are not away."""
    holding = {each.person: each for each in absences if each.holds(now)}
    way: list[Absence] = []
    while (each := holding.get(person)) and len(way) < CHAIN and each.stand_in not in {person, *people_on(tuple(way))}:
        way.append(each)
        person = each.stand_in
    return tuple(way)


def comes_back(new: Absence, absences: Iterable[Absence]) -> Path | None:
    """The way by which one would stand in for themselves, were this so too: through absences of the same time."""
    of = {each.person: each for each in absences if each.ended_at is None and each.person != new.person}
    way, starts, until = [new], new.starts, new.until
    while (each := of.pop(way[-1].stand_in, None)) is not None:
        starts, until = max(starts, each.starts), min(until, each.until)
        if starts >= until:
            return None
        way.append(each)
        if each.stand_in == new.person:
            return tuple(way)
    return None

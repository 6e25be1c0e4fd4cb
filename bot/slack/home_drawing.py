"""What the Home tab of one person shows, drawn from the rows and from what Slack tells of people and channels.

The stored policy says whom a question concerns. What Slack does not tell in time counts as no: less is shown, never more,
and the tab says so and is drawn again a little later.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from actions.kit.policies.absences import Absence, Path, between
from actions.kit.policies.deciders import ChannelMembers, Group, Lookup, ManagerOf, OnCall
from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.policy import Allowed, lookups, verdict
from actions.kit.policies.stand_ins import stands_in
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.people import PersonFacts
from blocks.digest import DigestState
from blocks.home import IN_BRIEF, PAGE, Home
from blocks.home_clicks import Looking
from blocks.home_items import OwnRun
from blocks.presence import Presence
from bot import clock
from bot.engine.expanding import Expansion, expanded_for
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.stand_ins import StandIns
from storage.home_records import Question
from storage.store import Store

T = TypeVar("T")

MOST_LOOKUPS = 50
"""Channels, groups and so on that are looked up for one Home tab; of the rest it is not known for whom they stand."""
Asked = tuple[Lookup, str]
"""What is looked up, and for the question of which requester: empty where that makes no difference."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What Slack told: who the person is (`None`: nothing), which look-ups stand for them, and of which it did not tell."""

    facts: PersonFacts | None
    found: Mapping[Asked, frozenset[str]]
    unsure: tuple[str, ...] = ()
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class _Mine:
    """What concerns one person, by the policies and by what Slack told."""

    person: str
    open: tuple[Question, ...]
    recent: tuple[Question, ...]
    is_cut: bool
    places: Mapping[str, str]
    presence: Presence

    def of_action(self, action_id: str | None) -> tuple[Question, ...]:
        return tuple(each for each in self.open if action_id in {None, each.action_id})

    @property
    def actions(self) -> tuple[tuple[str, str], ...]:
        """The ids and names of the actions of what is open, by name."""
        names = {each.action_id: each.action_name for each in self.open}
        return tuple(sorted(names.items(), key=lambda each: each[1].casefold()))


class HomeDrawing:
    """Reads the rows anew each time; the look-ups come between two reads, in no transaction.

    `digest_hour` is when digests are sent; without it there are none.
    """

    def __init__(
        self, store: Store, directory: Directory, stand_ins: StandIns, *, digest_hour: int | None = None
    ) -> None:
        self._homes = store.homes
        self._digests = store.digests
        self._digest_hour = digest_hour
        self._grants = store.grants
        self._directory = directory
        self._stand_ins = stand_ins

    async def look(self, person: str, looking: Looking) -> Home:
        """What to show a person who looks at this; a page after the last one is the last one."""
        concern = await self._homes.concern(person)
        known = await self._look_up(person, [*concern.open, *concern.recent])
        presence = await self._stand_ins.presence(person)
        places = await self._places(concern.open, known, presence.places)
        open_ones = tuple(each for each in concern.open if _may_decide(each, known) or each.interrupt_id in places)
        waiting = {each.interrupt_id for each in open_ones}
        recent = tuple(
            each for each in concern.recent if each.interrupt_id not in waiting and _may_see(each, person, known)
        )
        mine = _Mine(person, open_ones, recent, is_cut=concern.is_cut, places=places, presence=presence)
        return await self._home(mine, looking, known)

    async def in_place_of(self, absence: Absence) -> int:
        """How many questions wait for whoever decides in the place of somebody who is away, were it so now."""
        concern = await self._homes.concern(absence.stand_in)
        known = await self._look_up(absence.stand_in, concern.open)
        return len(await self._places(concern.open, known, ((absence,),)))

    async def _places(self, questions: Sequence[Question], known: _Known, ways: Sequence[Path]) -> Mapping[str, str]:
        """In whose place a person may decide which of these questions, by the question; not what they decide themselves."""
        if known.facts is None or not ways:
            return {}
        others = [each for each in questions if not _may_decide(each, known)]
        found = await asyncio.gather(*(self._in_a_place(others, known, way) for way in reversed(ways)))
        return {interrupt_id: person for each in found for interrupt_id, person in each.items()}

    async def _in_a_place(self, questions: Sequence[Question], known: _Known, way: Path) -> Mapping[str, str]:
        principal, over = way[0].person, between(way)
        theirs = {each.interrupt_id: each for each in (await self._homes.concern(principal)).open}
        of_them = await self._look_up(principal, theirs.values())
        both = [(each, theirs[each.interrupt_id]) for each in questions if each.interrupt_id in theirs]
        return {own.interrupt_id: principal for own, other in both if _may_stand_in(own, known, other, of_them, over)}

    async def _home(self, mine: _Mine, looking: Looking, known: _Known) -> Home:
        chosen = mine.of_action(looking.action)
        looking = _within(looking, {"waiting": len(chosen), "decided": len(mine.recent)})
        waiting, decided = _page("waiting", chosen, looking), _page("decided", mine.recent, looking)
        size, skip = _size(looking), _first("asked", looking)
        ids = [each.interrupt_id for each in (*waiting, *decided)]
        shown = await self._homes.shown(mine.person, cards=ids, skip=skip, limit=size + 1)
        if skip and not shown.asked:
            return await self._home(mine, looking.model_copy(update={"page": 0}), known)
        cards = {card.interrupt.id: card for card in shown.cards}
        return Home(
            looking,
            waiting=tuple(
                replace(card, answering_for=mine.places.get(card.interrupt.id))
                for card in _cards(waiting, cards)
                if card.interrupt.status is InterruptStatus.PENDING
            ),
            waiting_total=len(chosen),
            asked=tuple(
                OwnRun(each.run, each.card, mine.person in each.run.withdrawn, each.nudged_at)
                for each in shown.asked[:size]
            ),
            asked_open=shown.asked_open,
            grants=await self._grants_of(mine.person),
            more_asked=len(shown.asked) > size,
            decided=tuple(_cards(decided, cards)),
            more_decided=len(mine.recent) > _first("decided", looking) + len(decided),
            actions=mine.actions,
            unsure=known.unsure if known.is_told else None,
            is_cut=mine.is_cut,
            presence=mine.presence,
            digest=await self._digest(mine.person),
        )

    async def _digest(self, person: str) -> DigestState | None:
        if self._digest_hour is None:
            return None
        return DigestState(not await self._digests.is_off(person), self._digest_hour)

    async def _grants_of(self, person: str) -> tuple[GrantRecord, ...]:
        live = await self._grants.live(now=clock.now())
        return tuple(each for each in live if person in {each.holder, *each.approved_by})

    async def _look_up(self, person: str, questions: Iterable[Question]) -> _Known:
        try:
            facts = await self._directory.person(person)
        except CouldNotVerify:
            return _Known(None, {}, is_told=False)
        if facts is None:
            return _Known(None, {})
        named = list(dict.fromkeys(asked for each in questions for asked in _asked(each)))
        told = await asyncio.gather(*(self._expand(asked, person) for asked in named[:MOST_LOOKUPS]))
        found = {asked: people for asked, people in zip(named, told, strict=False) if people is not None}
        unsure = tuple(dict.fromkeys(_spelt(lookup) for lookup, _ in named if (lookup, _) not in found))
        return _Known(facts, found, unsure)

    async def _expand(self, asked: Asked, person: str) -> frozenset[str] | None:
        lookup, requester = asked
        return (await expanded_for(self._directory, [lookup], person, requester=requester)).get(lookup)


def _asked(question: Question) -> Iterator[Asked]:
    for lookup in lookups(question.policy):
        yield lookup, question.requester if isinstance(lookup, ManagerOf) else ""


def _spelt(lookup: Lookup) -> str:
    match lookup:
        case ChannelMembers():
            return lookup.channel
        case Group():
            return f"@{lookup.group}"
        case OnCall():
            return f"the rota {lookup.rota}"
        case ManagerOf():
            return "the managers"


def _expansion(question: Question, known: _Known) -> Expansion:
    found = {asked[0]: known.found.get(asked) for asked in _asked(question)}
    return {lookup: people for lookup, people in found.items() if people is not None}


def _may_decide(question: Question, known: _Known) -> bool:
    if known.facts is None:
        return False
    requester, approval = question.requester, question.approval
    expanded = _expansion(question, known)
    found = verdict(question.policy, known.facts, requester=requester, approval=approval, expanded=expanded)
    return isinstance(found, Allowed)


def _may_stand_in(own: Question, known: _Known, other: Question, of_principal: _Known, over: Sequence[str]) -> bool:
    """Of one question, as it concerns who stands in, and as it concerns the other, over those between them."""
    if known.facts is None or of_principal.facts is None:
        return False
    found = stands_in(
        own.policy,
        known.facts,
        of_principal.facts,
        over=over,
        requesters=(own.requester, other.requester),
        approval=other.approval,
        expanded=_expansion(own, known),
        of_principal=_expansion(other, of_principal),
    )
    return isinstance(found, Allowed)


def _may_see(question: Question, person: str, known: _Known) -> bool:
    """What one answered, or could have answered; what one asked for is told of elsewhere."""
    if question.is_answered:
        return True
    if known.facts is None or question.requester == person:
        return False
    expanded = _expansion(question, known)
    found = verdict(question.policy, known.facts, requester="", approval=False, expanded=expanded)
    return isinstance(found, Allowed)


def _within(looking: Looking, totals: Mapping[str, int]) -> Looking:
    if looking.show not in totals:
        return looking
    last = max(0, totals[looking.show] - 1) // PAGE
    return looking.model_copy(update={"page": min(looking.page, last)})


def _size(looking: Looking) -> int:
    return IN_BRIEF if looking.show == "all" else PAGE


def _first(section: str, looking: Looking) -> int:
    return looking.page * PAGE if looking.show == section else 0


def _cards(questions: Iterable[Question], cards: Mapping[str, Card]) -> Iterator[Card]:
    """What is purged by now is left out."""
    return (cards[each.interrupt_id] for each in questions if each.interrupt_id in cards)


def _page(section: str, found: Sequence[T], looking: Looking) -> Sequence[T]:
    """What is shown of a section; nothing where another one is shown alone."""
    if looking.show not in {"all", section}:
        return ()
    first = _first(section, looking)
    return found[first : first + _size(looking)]

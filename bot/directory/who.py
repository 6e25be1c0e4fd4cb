"""Who would decide a request, stage by stage, and why: what is looked up when somebody asks instead of clicking."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from actions.kit.policies.deciders import Decider, Lookup, Person, Policy, Requester
from actions.kit.policies.policy import Allowed, Refused, Unverified, Verdict, lookups, those, verdict
from actions.kit.policies.quorum import needed
from actions.kit.policies.stages import begun, entered
from actions.kit.records.people import PersonFacts
from blocks.deciding import decider_said, skipped_said, terms_said
from blocks.pacing import pacing_said
from blocks.presence import away_said
from blocks.said import in_plain
from bot.directory.directory import Directory
from bot.directory.found import Found
from bot.engine.addresses import Addresses
from bot.engine.people import CouldNotVerify, UnknownName
from bot.engine.stand_ins import StandIns

MOST_SHOWN = 50
"""People of one stage who are looked up one by one; of a large channel the rest are counted."""

Sources = Mapping[Lookup, Found]


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person whom a stage is about: from where they come, and why they may not decide, if so.

    `away` says, where they are away now, how, and who decides in their place.
    """

    id: str
    name: str
    sources: tuple[str, ...]
    refused: str | None = None
    away: str | None = None


@dataclass(frozen=True, slots=True)
class StageWho:
    """One stage as it would be asked now. `notes` are what to look at: names of nobody, what could not be verified."""

    number: int
    says: str
    needed: int
    people: tuple[Somebody, ...]
    more: int
    notes: tuple[str, ...]

    @property
    def able(self) -> tuple[Somebody, ...]:
        return tuple(person for person in self.people if person.refused is None)


@dataclass(frozen=True, slots=True)
class Who:
    """The stages that apply to an input, in order, in words those that do not, and what happens while nobody decides."""

    stages: tuple[StageWho, ...]
    skipped: str
    pacing: tuple[str, ...]


async def who_decides(
    directory: Directory,
    policy: Policy,
    value: Any,
    *,
    requester: str,
    approval: bool,
    stand_ins: StandIns | None = None,
) -> Who:
    """Of a policy and an input (parsed JSON). What cannot be looked up is a note, never an error.

    Without `stand_ins` nothing is said of who is away.
    """
    resolved, _ = await Addresses(directory).of(policy, requester)
    asked = begun(resolved, value, None)
    numbers = range(1, len(asked.stages) + 1) if asked.stages else range(1)
    look = _Looking(directory, requester, approval=approval, stand_ins=stand_ins)
    stages = [await look.at(number, entered(asked, number) if number else asked) for number in numbers]
    pacing = tuple(in_plain(part) for part in pacing_said(asked, requester))
    return Who(tuple(stages), in_plain(skipped_said(asked, requester)), pacing)


async def stage_now(directory: Directory, policy: Policy, *, requester: str, approval: bool) -> StageWho:
    """Of a stored policy, the stage that is asked now."""
    return await _Looking(directory, requester, approval=approval).at(policy.stage, policy)


class _Looking:
    """Looks at one stage after the other, for one requester."""

    def __init__(
        self, directory: Directory, requester: str, *, approval: bool, stand_ins: StandIns | None = None
    ) -> None:
        self._directory = directory
        self._requester = requester
        self._approval = approval
        self._stand_ins = stand_ins

    async def at(self, number: int, policy: Policy) -> StageWho:
        sources, notes = await self._sources(lookups(policy))
        ids, unknown = self._everybody(policy, sources)
        facts = await asyncio.gather(*map(self._facts, ids[:MOST_SHOWN]))
        people = [
            await self._somebody(policy, each, sources)
            if isinstance(each, PersonFacts)
            else Somebody(person, person, (), each)
            for person, each in zip(ids, facts, strict=False)
        ]
        separate = bool(number) and policy.stages[number - 1].separate
        return StageWho(
            number=number,
            says=in_plain(terms_said(policy, self._requester)),
            needed=needed(policy),
            people=tuple(people),
            more=max(0, len(ids) - MOST_SHOWN),
            notes=(*notes, *unknown, *(["not whoever decided an earlier stage"] if separate else [])),
        )

    async def _sources(self, wanted: Sequence[Lookup]) -> tuple[Sources, list[str]]:
        found: dict[Lookup, Found] = {}
        notes: list[str] = []
        for lookup in wanted:
            said = in_plain(decider_said(lookup, self._requester))
            try:
                found[lookup] = await self._directory.found(lookup, requester=self._requester)
            except UnknownName as unknown:
                notes.append(f"{said}: {unknown.what}. {unknown.advice}")
                continue
            except CouldNotVerify as error:
                notes.append(f"{said}: could not be verified now ({error}), so nobody passes as one of them")
                continue
            if not found[lookup].people:
                notes.append(f"{said}: nobody now; {found[lookup].source}")
            notes += [f"{said}: {each} is nobody in Slack" for each in found[lookup].strangers]
        return found, notes

    def _everybody(self, policy: Policy, sources: Sources) -> tuple[list[str], list[str]]:
        """The ids of all whom a stage is about, and of those who are named a note where Slack does not know them."""
        ids: list[str] = []
        unknown: list[str] = []
        for decider in those(policy.deciders):
            match decider:
                case Requester():
                    ids.append(self._requester)
                case Person(id=str(person)):
                    ids.append(person)
                case Person(email=email):
                    unknown.append(f"{email} is nobody in Slack")
                case _:
                    ids += sorted(sources[decider].people) if decider in sources else ()
        return list(dict.fromkeys(ids)), unknown

    async def _facts(self, person: str) -> PersonFacts | str:
        try:
            return await self._directory.person(person) or "nobody in Slack"
        except CouldNotVerify as error:
            return f"could not be looked up: {error}"

    async def _somebody(self, policy: Policy, facts: PersonFacts, sources: Sources) -> Somebody:
        expanded = {lookup: found.people for lookup, found in sources.items()}
        judged = verdict(policy, facts, requester=self._requester, approval=self._approval, expanded=expanded)
        by = tuple(self._by(those(policy.deciders), facts, sources))
        return Somebody(facts.id, facts.name, by, _refusal(judged, facts), await self._away(policy, facts.id))

    async def _away(self, policy: Policy, person: str) -> str | None:
        way = () if self._stand_ins is None else await self._stand_ins.ahead(person)
        return in_plain(away_said(way, policy.stand_ins)) if way else None

    def _by(self, deciders: Iterable[Decider], facts: PersonFacts, sources: Sources) -> Iterable[str]:
        for decider in deciders:
            match decider:
                case Person():
                    if decider.id == facts.id:
                        yield "named in the policy"
                case Requester():
                    if facts.id == self._requester:
                        yield "asks for it"
                case _:
                    if decider in sources and facts.id in sources[decider].people:
                        yield f"{in_plain(decider_said(decider, self._requester))}: {sources[decider].source}"


def _refusal(judged: Verdict, facts: PersonFacts) -> str | None:
    match judged:
        case Allowed():
            return None
        case Unverified():
            return "hangs on what could not be verified"
        case Refused(reason):
            words = {
                "requester": "asks for it, and nobody approves their own request",
                "guest": "a guest decides only by name",
                "bot": "is a bot",
                "excluded": "is left out by the policy",
            }
            return words.get(reason, "has left Slack" if facts.is_deleted else "is none of those who decide")
        case never:
            assert_never(never)

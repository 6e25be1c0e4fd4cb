"""Who decides and when it is settled, as docs/policies.md and docs/people.md say it: plain Python that calls none of the project's code.

A term is an id of a person, or a name that has to be looked up. Times are whole minutes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

Term = str
Says = Literal["yes", "outsider", "barred", "unknown"]
"""Whether somebody decides: an outsider may still do so in the place of another, whoever is barred never."""
Choice = Literal["approve", "reject"]
End = Literal["open", "approved", "declined", "expired", "cancelled", "failed"]

CHAIN = 3
TIME = 60
"""Minutes that a stage may wait."""
LIMIT = 5_000


@dataclass(frozen=True)
class Need:
    count: int
    of: tuple[Term, ...]


@dataclass(frozen=True)
class Step:
    """A stage: `above_limit` is its condition, of the input's amount."""

    needs: tuple[Need, ...]
    declines_at: int = 1
    exclude: tuple[Term, ...] = ()
    above_limit: bool = False
    separate: bool = False

    @property
    def deciders(self) -> tuple[Term, ...]:
        return tuple(term for need in self.needs for term in need.of)


@dataclass(frozen=True)
class Rules:
    steps: tuple[Step, ...]
    stand_ins: bool = True

    def asked_of(self, amount: int) -> "Rules":
        return replace(self, steps=tuple(each for each in self.steps if amount > LIMIT or not each.above_limit))


@dataclass
class World:
    """What is true now, and what of it can be found out."""

    guests: frozenset[str]
    bots: frozenset[str]
    stand_for: dict[Term, set[str]]
    minute: int = 0
    is_down: bool = False
    unknown: set[Term] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    away: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Who decides in whose place, and before which minute."""

    def is_one_of(self, terms: Iterable[Term], person: str) -> bool | None:
        """`None`: it cannot be told."""
        terms = tuple(terms)
        known = [each for each in terms if each in self.stand_for and each not in self.unknown]
        if person in terms or any(person in self.stand_for[each] for each in known):
            return True
        return None if self.unknown.intersection(terms) else False

    def principals(self, person: str, requesters: Iterable[str]) -> set[str]:
        """In whose place somebody decides, over so many people who are away at the most, and over no requester."""
        found, reached = set[str](), {person}
        for _ in range(CHAIN):
            reached = {each for each, (other, until) in self.away.items() if other in reached and self.minute < until}
            found |= reached
            reached = reached.difference(requesters)
        return found - {person}


@dataclass(frozen=True)
class Vote:
    """`fills` are the needs of each stage that it could count for, stage by stage."""

    stage: int
    person: str
    principal: str | None
    choice: Choice
    fills: tuple[frozenset[int], ...]

    @property
    def voices(self) -> frozenset[str]:
        return frozenset({self.person} | ({self.principal} if self.principal else set()))


@dataclass
class Request:
    """One run that waits for an approval, and all that may become of it."""

    world: World
    requesters: list[str]
    amount: int
    rules: Rules
    skipped_above_limit: bool
    at_expiry: End
    stage: int = 0
    votes: list[Vote] = field(default_factory=list)
    asked_at: int = 0
    end: End = "open"

    @classmethod
    def of(cls, world: World, requester: str, amount: int, rules: Rules, at_expiry: End) -> "Request":
        request = cls(world, [requester], amount, rules, skipped_above_limit=False, at_expiry=at_expiry)
        request.ask(amount, rules)
        return request

    def ask(self, amount: int, rules: Rules) -> None:
        """The question is asked from its first stage on, under the rules of today."""
        self.amount, self.rules, self.stage, self.votes = amount, rules.asked_of(amount), 0, []
        self.skipped_above_limit = len(self.rules.steps) < len(rules.steps)
        self.asked_at = self.world.minute

    @property
    def is_over(self) -> bool:
        return self.world.minute - self.asked_at >= TIME

    def time_passes(self) -> None:
        """What a sweep does, or whoever comes late."""
        if self.end == "open" and self.is_over:
            self.end = self.at_expiry

    def may_decide(self, person: str, today: Rules) -> bool:
        """Whether they are one of those who decide, for themselves or in a place, whether or not they have answered."""
        own = self._judged(person, person, today)
        return own == "yes" or (own == "outsider" and bool(self._places(person, today)))

    def may_answer_for(self, person: str, today: Rules) -> set[str | None]:
        """For whom this person may answer now: `None` is for themselves. Empty: it must be refused."""
        heard = {voice for vote in self.counted() for voice in vote.voices}
        if self.end != "open" or self.is_over or person in heard:
            return set()
        own = self._judged(person, person, today)
        may: set[str | None] = {None} if own == "yes" else set()
        if own == "outsider":
            may |= self._places(person, today) - heard
        return {each for each in may if self._fills(each or person, today)[self.stage]}

    def answer(self, person: str, principal: str | None, choice: Choice, today: Rules) -> None:
        fills = self._fills(principal or person, today, barred=person)
        self.votes.append(Vote(self.stage, person, principal, choice, fills))
        while self.end == "open":
            step, counted = self.rules.steps[self.stage], self.counted()
            if sum(each.choice == "reject" for each in counted) >= step.declines_at:
                self.end = "declined"
            elif not self._is_filled(step, [each for each in counted if each.choice == "approve"]):
                return
            elif self.stage + 1 == len(self.rules.steps):
                self.end = "approved"
            else:
                self.stage, self.asked_at = self.stage + 1, self.world.minute

    def counted(self) -> list[Vote]:
        """The answers of this stage, and those who agreed before and decide in it too."""
        own = [each for each in self.votes if each.stage == self.stage]
        taken = {voice for each in own for voice in each.voices}
        if self.rules.steps[self.stage].separate:
            return own
        for each in self.votes:
            agrees = each.stage < self.stage and each.choice == "approve" and each.fills[self.stage]
            if agrees and taken.isdisjoint(each.voices):
                own.append(each)
                taken |= each.voices
        return own

    def _is_filled(self, step: Step, agreeing: Sequence[Vote]) -> bool:
        """Whether there is a way to give each place to another person; few enough to try all."""
        counts = [need.count for need in step.needs]
        if len(counts) == 1:
            return len(agreeing) >= counts[0]
        ways = product(*(each.fills[self.stage] for each in agreeing))
        return any(all(way.count(need) >= count for need, count in enumerate(counts)) for way in ways)

    def _judged(self, person: str, principal: str, today: Rules) -> Says:
        """By the rules of then, which those of today only narrow."""
        step = self._apart(self.rules.steps[self.stage])
        then = self._by(self.rules, step, person, principal)
        if then != "yes":
            return then
        now = [self._by(today, each, person, principal) for each in self._counterparts(today, self.stage)]
        return "yes" if "yes" in now else "unknown" if "unknown" in now else "outsider"

    def _apart(self, step: Step) -> Step:
        before = {voice for vote in self.votes if vote.stage < self.stage for voice in vote.voices}
        return replace(step, exclude=(*step.exclude, *sorted(before))) if step.separate else step

    def _counterparts(self, today: Rules, stage: int) -> tuple[Step, ...]:
        asked = tuple(each for each in today.steps if not (each.above_limit and self.skipped_above_limit))
        return (asked[stage],) if len(asked) == len(self.rules.steps) else today.steps

    def _places(self, person: str, today: Rules) -> set[str]:
        return {
            each
            for each in self.world.principals(person, self.requesters)
            if self._judged(person, each, today) == "yes"
        }

    def _by(self, rules: Rules, step: Step, person: str, principal: str) -> Says:
        """Whether one set of rules lets a person decide in the place of a principal, who may be themselves."""
        own = self._own(step.deciders, step.exclude, principal)
        if person == principal or own != "yes":
            return own
        world = self.world
        if not rules.stand_ins or person in {*world.bots, *world.guests, *world.left, *self.requesters}:
            return "barred"
        left_out = world.is_one_of(step.exclude, person)
        return "yes" if left_out is False else "unknown" if left_out is None else "barred"

    def _own(self, deciders: tuple[Term, ...], exclude: tuple[Term, ...], person: str) -> Says:
        world = self.world
        if world.is_down:
            return "unknown"
        if person in world.left:
            return "outsider"
        left_out, decides = world.is_one_of(exclude, person), world.is_one_of(deciders, person)
        if person in world.bots or person in self.requesters or left_out:
            return "barred"
        if not decides:
            return "outsider" if decides is False else "unknown"
        if person in world.guests and person not in deciders:
            return "barred"
        return "unknown" if left_out is None else "yes"

    def _fills(self, principal: str, today: Rules, *, barred: str | None = None) -> tuple[frozenset[int], ...]:
        """Stage by stage, for what their answer counts; for nothing where `barred`, who gives it, is left out."""
        return tuple(
            frozenset() if barred and self.world.is_one_of(step.exclude, barred) is not False else found
            for number, step in enumerate(self.rules.steps)
            for found in [self._needs(step, self._counterparts(today, number), principal)]
        )

    def _needs(self, step: Step, now: tuple[Step, ...], person: str) -> frozenset[int]:
        own = self._filled_of(step, person)
        if len(now) == 1 and len(now[0].needs) == len(step.needs):
            return own & self._filled_of(now[0], person)
        return own if any(self._filled_of(each, person) for each in now) else frozenset()

    def _filled_of(self, step: Step, person: str) -> frozenset[int]:
        found = [self._own(need.of, step.exclude, person) for need in step.needs]
        return frozenset(number for number, says in enumerate(found) if says == "yes")

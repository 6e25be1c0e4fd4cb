"""One run that waits for an approval, as the model has it: who decides, what counts, and when it is settled."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from tests.integration.deciding.clock import Clock
from tests.integration.deciding.rules import Choice, End, Rules, Step, Term
from tests.integration.deciding.world import World

Says = Literal["yes", "outsider", "barred", "unknown"]
"""Whether somebody decides: an outsider may still do so in the place of another, whoever is barred never."""
QUESTIONS = 3
"""That may wait for a reply at once."""


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
    at_expiry: End
    lasts: int
    asked_under: Rules
    amount: int
    rules: Rules = field(init=False)
    skipped_above_limit: bool = field(init=False)
    clock: Clock = field(init=False)
    stage: int = field(init=False)
    votes: list[Vote] = field(init=False)
    unanswered: int = field(init=False)
    taken: tuple[str, int] | None = field(init=False)
    version: int = 0
    """Of what is asked of whom."""
    end: End = "open"

    def __post_init__(self) -> None:
        self.ask(self.amount, self.asked_under)

    def ask(self, amount: int, rules: Rules) -> None:
        """The question is asked from its first stage on, under the rules of today."""
        self.amount, self.asked_under, self.rules, self.votes = amount, rules, rules.asked_of(amount), []
        self.skipped_above_limit, self.unanswered = len(self.rules.steps) < len(rules.steps), 0
        self._enter(0)

    def _enter(self, stage: int) -> None:
        """Its clock starts anew, and nobody is on it."""
        self.stage, self.taken, self.version = stage, None, self.version + 1
        self.clock = Clock.started(self.rules, self.world.minute, self.lasts)

    def copied(self) -> "Request":
        """One that may go another way, in the same world."""
        other = Request(self.world, list(self.requesters), self.at_expiry, self.lasts, self.asked_under, self.amount)
        other.rules, other.clock, other.stage, other.votes = self.rules, self.clock.copied(), self.stage, [*self.votes]
        other.unanswered, other.taken = self.unanswered, self.taken
        other.version, other.end = self.version, self.end
        return other

    @property
    def is_over(self) -> bool:
        return self.clock.is_over(self.world.minute)

    @property
    def is_open(self) -> bool:
        return self.end == "open" and not self.is_over

    def time_passes(self, minute: float | None = None) -> None:
        """What a sweep does, or whoever comes late."""
        if self.end == "open" and self.clock.is_over(self.world.minute if minute is None else minute):
            self.end = self.at_expiry

    def escalate(self, number: int) -> None:
        """More people decide in the stage that is asked."""
        step = self.rules.steps[self.stage].with_more(self.rules.later[number - 1].to)
        self.rules = replace(
            self.rules, steps=(*self.rules.steps[: self.stage], step, *self.rules.steps[self.stage + 1 :])
        )
        self.clock.escalate(number)

    @property
    def holder(self) -> str | None:
        """Who is on it."""
        return self.taken[0] if self.taken and self.world.minute < self.taken[1] else None

    def take(self, person: str) -> bool:
        """Somebody who may decide says that they are on it."""
        if self.rules.claim_for is None or self.holder not in {None, person}:
            return False
        self.taken = person, self.world.minute + self.rules.claim_for
        return True

    def let_go(self, person: str) -> bool:
        if self.rules.claim_for is None or self.holder not in {None, person}:
            return False
        self.taken = None
        return True

    def question(self) -> bool:
        """Somebody who may decide asks for more."""
        if not self.rules.may_ask or self.unanswered == QUESTIONS:
            return False
        self.unanswered += 1
        self.clock.stand(self.world.minute)
        return True

    def reply(self, person: str) -> bool:
        if not self.is_open or not self.unanswered or person not in self.requesters:
            return False
        self.unanswered = 0
        self.clock.go_on(self.world.minute)
        return True

    def more_time(self) -> bool:
        if not self.clock.may_be_extended:
            return False
        self.clock.extend(self.world.minute)
        return True

    def may_decide(self, person: str, today: Rules) -> bool:
        """Whether they are one of those who decide, for themselves or in a place, whether or not they have answered."""
        own = self._judged(person, person, today)
        return own == "yes" or (own == "outsider" and bool(self._places(person, today)))

    def may_answer_for(self, person: str, today: Rules) -> set[str | None]:
        """For whom this person may answer now: `None` is for themselves. Empty: it must be refused."""
        heard = {voice for vote in self.counted() for voice in vote.voices}
        if not self.is_open or person in heard:
            return set()
        own = self._judged(person, person, today)
        may: set[str | None] = {None} if own == "yes" else set()
        if own == "outsider":
            may |= self._places(person, today) - heard
        return {each for each in may if self._fills(each or person, today)[self.stage]}

    def answer(self, person: str, principal: str | None, choice: Choice, today: Rules) -> None:
        fills = self._fills(principal or person, today, barred=person)
        self.votes.append(Vote(self.stage, person, principal, choice, fills))
        self._settle()

    def vote_again(self, vote: Vote) -> None:
        """What a vote of before does by these rules and in this world: nothing, where its person has no part in its stage."""
        before = {voice for each in self.votes if each.stage < vote.stage for voice in each.voices}
        if vote.principal is not None or vote.stage >= len(self.rules.steps):
            return
        fills = self._fills(vote.person, self.rules)
        is_apart = self.rules.steps[vote.stage].separate and vote.person in before
        if fills[vote.stage] and not is_apart:
            self.votes.append(replace(vote, fills=fills))
            self._settle()

    def _settle(self) -> None:
        while self.end == "open":
            step, counted = self.rules.steps[self.stage], self.counted()
            if sum(each.choice == "reject" for each in counted) >= step.declines_at:
                self.end = "declined"
            elif not self._is_filled(step, [each for each in counted if each.choice == "approve"]):
                return
            elif self.stage + 1 == len(self.rules.steps):
                self.end = "approved"
            else:
                self._enter(self.stage + 1)

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
        """The stages of today that narrow this one, with those whom they escalate to by now as well."""
        asked = tuple(each for each in today.steps if not (each.above_limit and self.skipped_above_limit))
        narrowing = (asked[stage],) if len(asked) == len(self.rules.steps) else today.steps
        came = sorted(self.clock.escalated) if stage == self.stage else []
        added = tuple(term for number in came for later in today.later[number - 1 : number] for term in later.to)
        return tuple(each.with_more(added) for each in narrowing)

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

"""What is true of people, as the model has it, and what of it can be found out."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.integration.deciding.rules import Term

CHAIN = 3


@dataclass
class World:
    """What is true now."""

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

    def reached(self, terms: Iterable[Term], exclude: Iterable[Term]) -> set[str]:
        """Those of these, without who is left out, who can be told of anything without a doubt."""
        if self.is_down:
            return set()
        found = {each for term in terms if term not in self.unknown for each in self.stand_for.get(term, {term})}
        told = found - self.left - self.bots - self.guests
        return {each for each in told if self.is_one_of(exclude, each) is False}

    def principals(self, person: str, requesters: Iterable[str]) -> set[str]:
        """In whose place somebody decides, over so many people who are away at the most, and over no requester."""
        found, reached = set[str](), {person}
        for _ in range(CHAIN):
            reached = {each for each, (other, until) in self.away.items() if other in reached and self.minute < until}
            found |= reached
            reached = reached.difference(requesters)
        return found - {person}

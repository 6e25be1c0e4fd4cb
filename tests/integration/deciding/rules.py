"""What a policy says, as the model has it. A term is an id of a person, or a name that has to be looked up; times are minutes."""

from dataclasses import dataclass, replace
from typing import Literal

Term = str
Choice = Literal["approve", "reject"]
End = Literal["open", "approved", "declined", "expired", "cancelled", "failed"]

TIME = 60
"""Minutes that a stage may wait."""
DAY = 24 * 60
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

    def with_more(self, added: tuple[Term, ...]) -> "Step":
        """Those count for each of its needs."""
        return replace(self, needs=tuple(replace(each, of=(*each.of, *added)) for each in self.needs))


@dataclass(frozen=True)
class Later:
    """Who decides as well after so many minutes."""

    wait: int
    to: tuple[Term, ...]


@dataclass(frozen=True)
class Warned:
    """When so much of the time has passed; from then on there is more, so many times."""

    at: float
    more: int
    at_most: int = 1


@dataclass(frozen=True)
class Offer:
    """The most that one standing grant may be; `by_amount`: the amount may narrow it."""

    lasts: int
    times: int
    by_amount: bool = True


@dataclass(frozen=True)
class Rules:
    steps: tuple[Step, ...]
    stand_ins: bool = True
    later: tuple[Later, ...] = ()
    warned: Warned | None = None
    claim_for: int | None = None
    may_ask: bool = False
    """Where they may, the time stands still until there is a reply."""
    offer: Offer | None = None

    def asked_of(self, amount: int) -> "Rules":
        return replace(self, steps=tuple(each for each in self.steps if amount > LIMIT or not each.above_limit))

    def in_advance(self) -> "Rules":
        """Who decides about a grant: every stage, whatever its condition."""
        return replace(self, steps=tuple(replace(each, above_limit=False) for each in self.steps), offer=None)

    def deciders_alone(self) -> "Rules":
        """Without what changes nothing of who decides."""
        return Rules(self.in_advance().steps, self.stand_ins, self.later)

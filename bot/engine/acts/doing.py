"""What each act is to the rest: who may, what it asks for, and how it is done."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from actions.kit.records.interrupts import Card
from actions.kit.shapes.answers import MISSING
from blocks.acts import ActForm
from bot.engine.facts import Budget
from bot.engine.open_cards import Attempt
from bot.engine.results import ActDone, Refusal

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Done:
    """An act on its way to the store: `value` is what its form came to, `MISSING` where it asks for nothing.

    `source` stays the same when Slack delivers it again.
    """

    card: Card
    person: str
    source: str
    value: Any = MISSING


class AtOnce:
    """What an act that asks for nothing has to say to its form."""

    def form(self, card: Card) -> ActForm | None:
        del card
        return None

    def given(self, card: Card) -> Mapping[str, Any]:
        del card
        return NOTHING

    def validate(self, card: Card, value: Any) -> Any:
        del card
        return value


class Doing(Protocol):
    """One thing that people may do with an open card. Whatever a button carries, each method looks up anew what it needs."""

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        """The card, if this person may do this with it now; what was done before under this very source is told again."""

    def form(self, card: Card) -> ActForm | None:
        """What it asks for before it is done; `None`: it is done at once. Its schema is the same for the same card."""

    def given(self, card: Card) -> Mapping[str, Any]:
        """What the fields of its form hold at first, by their names."""

    def validate(self, card: Card, value: Any) -> Any:
        """What the form came to, as `do` takes it. It runs off the bot's loop. Raises `AnswerError`."""

    async def do(self, done: Done) -> ActDone | Refusal:
        """Does it, in one transition of the store, which asks once more whether it still may be done."""

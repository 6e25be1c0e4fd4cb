"""More time for a question whose deadline is near, from those who may decide it, and from operators."""

from collections.abc import Callable, Collection
from datetime import datetime

from actions.kit.records.interrupts import Card
from blocks.people import deadline_words
from bot.engine import refusals
from bot.engine.acts.doing import AtOnce, Done
from bot.engine.facts import Budget
from bot.engine.open_cards import Attempt, OpenCards, settled
from bot.engine.results import ActDone, Refusal, Why
from storage import results as stored
from storage.store import Store


class Extending(AtOnce):
    """`operators` are ids. Whoever asked for it does not give it more time, unless they are one of them."""

    def __init__(
        self, *, store: Store, open_cards: OpenCards, operators: Collection[str], now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._open_cards = open_cards
        self._operators = frozenset(operators)
        self._now = now

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        if attempt.person in self._operators:
            return await self._open_cards.open(attempt)
        return await self._open_cards.for_decider(attempt, budget)

    async def do(self, done: Done) -> ActDone | Refusal:
        interrupt = done.card.interrupt
        asked = stored.Extension(interrupt.id, interrupt.content_version, done.person, done.source, "slack")
        match await self._store.steps.extend(asked, now=self._now()):
            case stored.Extended(card):
                return ActDone(card, f"It {deadline_words(card)} now.")
            case stored.NoMoreTime(card):
                return Refusal(refusals.NO_MORE_TIME, card)
            case stored.Stale(card):
                return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
            case stored.AlreadySettled(card):
                return settled(card)
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)

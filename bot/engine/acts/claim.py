"""*I take it*: somebody takes a card on for a while, or lets it go. Others see it, and may still decide."""

from collections.abc import Callable
from datetime import datetime

from actions.kit.records.interrupts import Card
from blocks.text import date_token
from bot.engine import refusals
from bot.engine.acts.doing import AtOnce, Done
from bot.engine.facts import Budget
from bot.engine.open_cards import Attempt, OpenCards, settled
from bot.engine.results import ActDone, Refusal, Why
from storage import results as stored
from storage.store import Store


class Claiming(AtOnce):
    """Of those who may decide. With `lets_go` it is the other way round."""

    def __init__(
        self, *, store: Store, open_cards: OpenCards, now: Callable[[], datetime], lets_go: bool = False
    ) -> None:
        self._store = store
        self._open_cards = open_cards
        self._now = now
        self._lets_go = lets_go

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        card = await self._open_cards.for_decider(attempt, budget)
        if isinstance(card, Card) and card.interrupt.policy.claim_for is None:
            return Refusal(refusals.NOT_OFFERED, card)
        return card

    async def do(self, done: Done) -> ActDone | Refusal:
        interrupt = done.card.interrupt
        asked = stored.Claim(interrupt.id, interrupt.content_version, done.person, done.source, "slack", self._lets_go)
        match await self._store.steps.claim(asked, now=self._now()):
            case stored.Taken(card):
                return ActDone(card, _told(card, done.person) if not self._lets_go else "")
            case stored.HeldByOther(card):
                return Refusal(refusals.held_by(card), card)
            case stored.NotHeld(card):
                return Refusal(refusals.NOT_TAKEN_ON, card)
            case stored.Stale(card):
                return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
            case stored.AlreadySettled(card):
                return settled(card)
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)


def _told(card: Card, person: str) -> str:
    """Nothing, where a click is delivered again that something else came after."""
    interrupt = card.interrupt
    if interrupt.claimed_by != person or interrupt.claimed_until is None:
        return ""
    return f"It is yours until {date_token(interrupt.claimed_until)}. Others may still decide it."

"""Which cards can be answered now, and by whom; or what stands in the way, the plainest reason first."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from actions.kit.action import Action
from actions.kit.policies.policy import Allowed, Policy, Refused
from actions.kit.policies.tally import has_answered
from actions.kit.records.interrupts import Card, Choice, InterruptStatus
from actions.kit.registry import Registry
from actions.kit.request import knows
from blocks.clicks import AnswerTarget
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.questions import asker_of
from bot.engine.results import Counted, Refusal, Settled, Why
from storage.store import Store


@dataclass(frozen=True, slots=True)
class Attempt:
    """Who wants to answer what; `content_version` is what they saw, `None` where they need not say."""

    interrupt_id: str
    content_version: int | None
    person: str
    source: str

    @classmethod
    def at(cls, target: AnswerTarget, person: str, source: str) -> "Attempt":
        return cls(target.interrupt_id, target.content_version, person, source)


class OpenCards:
    """Looks everything up anew: what a button or a form carries is no authority."""

    def __init__(
        self, *, store: Store, registry: Registry, entitlement: Entitlement, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._registry = registry
        self._entitlement = entitlement
        self._now = now

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | Settled | Counted | Refusal:
        """The card that may be answered by this person, in whosever place; an answer that was counted is told again."""
        card = await self.standing(attempt)
        if not isinstance(card, Card):
            return card
        entitled = await self._entitled(card, attempt.person, budget)
        if isinstance(entitled, Refusal):
            return entitled
        voices = attempt.person, entitled.answering_for
        return voted_before(card, *voices) if has_answered(card, *voices) else entitled

    async def for_decider(self, attempt: Attempt, budget: Budget) -> Card | Refusal:
        """The card, for an act of somebody who may decide it, whether or not they have answered."""
        card = await self.open(attempt)
        if isinstance(card, Refusal):
            return card
        entitled = await self._entitled(card, attempt.person, budget)
        return entitled if isinstance(entitled, Refusal) else self.held(card) or entitled

    async def for_requester(self, attempt: Attempt) -> Card | Refusal:
        """The card, for an act of somebody who asked for it, however they saw it."""
        card = await self.open(replace(attempt, content_version=None))
        if isinstance(card, Refusal) or attempt.person in card.run.requesters:
            return card
        return Refusal(refusals.NOT_ASKED_BY_YOU, card)

    async def standing(self, attempt: Attempt) -> Card | Settled | Counted | Refusal:
        """The card that may be answered as it was seen, whoever may do so."""
        card = await self._store.card(attempt.interrupt_id)
        if card is None:
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        if any(decision.source == attempt.source for decision in card.decisions):
            return Counted(card) if card.interrupt.status is InterruptStatus.PENDING else Settled(card)
        return await self._as_it_stands(card, attempt)

    async def open(self, attempt: Attempt) -> Card | Refusal:
        """The card as it was seen, if its question is open, whoever asks."""
        card = await self._store.card(attempt.interrupt_id)
        return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN) if card is None else await self._as_it_stands(card, attempt)

    async def _as_it_stands(self, card: Card, attempt: Attempt) -> Card | Refusal:
        """The card, unless it is settled, too late, or another one than was seen."""
        if card.interrupt.status is not InterruptStatus.PENDING:
            return settled(card)
        if card.interrupt.is_over(self._now()):
            return await self._expired(card)
        if attempt.content_version not in {None, card.interrupt.content_version}:
            return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
        return card

    def choice(self, card: Card, key: str) -> Choice | Refusal:
        """The choice of this key, if the running code can take it."""
        choice = card.interrupt.shape.choice(key)
        return no_such_choice(card) if choice is None else self.held(card) or choice

    def held(self, card: Card) -> Refusal | None:
        return None if self.action_of(card) else on_hold(card)

    def action_of(self, card: Card) -> Action | None:
        action = asker_of(self._registry, card.run, card.interrupt)
        return action if action and knows(action, card.interrupt) else None

    async def _entitled(self, card: Card, person: str, budget: Budget) -> Card | Refusal:
        """The card as this person may decide it: for themselves, or in somebody's place."""
        match await self._entitlement.to_answer(card, person, budget, today=self.policy_of_today(card)):
            case NotVerified() as not_verified:
                return not_verified.refusal(card)
            case Refused() as refused:
                return Refusal(refusals.not_allowed(refused, card.interrupt.policy, card.run.requester), card)
            case Allowed(standing_for):
                return replace(card, answering_for=standing_for)

    def policy_of_today(self, card: Card) -> Policy | None:
        """The policy of the action, where the question follows it and the input does not say it."""
        action = self.action_of(card) if card.interrupt.policy.follows else None
        return None if action is None or action.policy_from else action.policy

    async def _expired(self, card: Card) -> Refusal:
        """The deadline has passed and no sweep has seen it yet: whoever comes late performs the expiry."""
        await self._store.expire_due(now=self._now())
        today = await self._store.card(card.interrupt.id) or card
        is_open = today.interrupt.status is InterruptStatus.PENDING
        return Refusal(refusals.expired(today), today, Why.EXPIRED) if is_open else settled(today)


def settled(card: Card) -> Refusal:
    is_expired = card.interrupt.status is InterruptStatus.EXPIRED
    return Refusal(refusals.settled(card), card, Why.EXPIRED if is_expired else Why.SETTLED)


def voted_before(card: Card, person: str, standing_for: str | None = None) -> Refusal:
    return Refusal(refusals.already_voted(card, person, standing_for), card, Why.ALREADY_VOTED)


def no_such_choice(card: Card) -> Refusal:
    return Refusal(refusals.UNKNOWN_CHOICE, card, Why.NO_SUCH_CHOICE)


def on_hold(card: Card) -> Refusal:
    return Refusal(refusals.held(card), card, Why.HELD)

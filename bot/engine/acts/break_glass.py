"""*Break glass*: in an emergency somebody approves alone, with a reason. Everybody is told, and others review it afterwards."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, assert_never

from actions.kit.errors import AnswerError, Problem
from actions.kit.policies.emergencies import way_through
from actions.kit.policies.glass_review import GLASS_REVIEW, NAME
from actions.kit.policies.policy import Allowed, BreakGlass, Refused
from actions.kit.records.interrupts import Card, Choice
from actions.kit.records.runs import Origin
from actions.kit.request import resume_of
from actions.kit.shapes.answers import MISSING
from blocks.acts import ActForm
from blocks.people import duration_words
from blocks.text import date_token
from bot.engine import refusals
from bot.engine.acts.doing import NOTHING, Done
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.open_cards import Attempt, OpenCards, settled
from bot.engine.results import ActDone, Refusal, Why
from storage import results as stored
from storage.store import Store

SHORTEST, LONGEST = 10, 500
"""Characters of a reason."""
NO_REASON = Problem(("reason",), f"Say in {SHORTEST} characters or more why this cannot wait for those who decide.")


class BreakingGlass:
    """Those whom the policy names for it, in nobody's place, and never somebody who asked for it or is left out of it."""

    def __init__(
        self, *, store: Store, open_cards: OpenCards, entitlement: Entitlement, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._open_cards = open_cards
        self._entitlement = entitlement
        self._now = now

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        """The card, if this person may. What is delivered again is told again."""
        known = await self._store.card(attempt.interrupt_id)
        if known and known.was_broken_by(attempt.person, attempt.source):
            return ActDone(known, _told(known))
        card = await self._open_cards.open(attempt)
        if isinstance(card, Refusal):
            return card
        if way_through(card.interrupt) is None:
            return Refusal(refusals.NOT_OFFERED, card)
        today = self._open_cards.policy_of_today(card)
        match await self._entitlement.to_break_glass(card, attempt.person, budget, today=today):
            case NotVerified() as not_verified:
                return not_verified.refusal(card)
            case Refused() as refused:
                return Refusal(refusals.may_not_break_glass(refused, card), card)
            case Allowed():
                return self._open_cards.held(card) or card

    def form(self, card: Card) -> ActForm | None:
        """The reason, below what it will lead to."""
        reason = {
            "type": "string",
            "title": "Why this cannot wait",
            "description": "Everybody whom it concerns reads this.",
            "minLength": SHORTEST,
            "maxLength": LONGEST,
        }
        schema = {
            "type": "object",
            "properties": {"reason": reason},
            "required": ["reason"],
            "additionalProperties": False,
        }
        return ActForm("Break glass", "Approve alone", schema, _explained(card.interrupt.policy.break_glass))

    def given(self, card: Card) -> Mapping[str, Any]:
        del card
        return NOTHING

    def validate(self, card: Card, value: Any) -> str:
        """The reason. Raises `AnswerError` where there is hardly one."""
        del card
        reason = " ".join(str(value.get("reason", "")).split())
        if len(reason) < SHORTEST:
            raise AnswerError([NO_REASON])
        return reason

    async def do(self, done: Done) -> ActDone | Refusal:
        card, now = done.card, self._now()
        choice, glass = way_through(card.interrupt), card.interrupt.policy.break_glass
        if choice is None or glass is None:
            return Refusal(refusals.NOT_OFFERED, card)
        new = stored.NewBreak(
            interrupt_id=card.interrupt.id,
            content_version=card.interrupt.content_version,
            person=done.person,
            choice=choice,
            value=self._value(card, choice),
            reason=str(done.value),
            source=done.source,
            via="slack",
        )
        match await self._store.emergencies.break_glass(new, _review(new, card, glass, now), now=now):
            case stored.Broke(card):
                return ActDone(card, _told(card))
            case stored.AlreadySettled(card):
                return settled(card)
            case stored.Stale(card):
                return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
            case stored.OwnRequest(card):
                return Refusal(refusals.OWN_REQUEST, card)
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
            case never:
                assert_never(never)

    def _value(self, card: Card, choice: Choice) -> str:
        """What the action gets, as JSON text; `for_person` gave a card of an action that is there."""
        action = self._open_cards.action_of(card)
        if action is None:
            raise LookupError(card.run.action_id)
        return resume_of(action, card.interrupt).validate(choice.key, MISSING)


def _review(new: stored.NewBreak, card: Card, glass: BreakGlass, now: datetime) -> stored.NewRun:
    """The run that reviews it, asked for by whoever broke it, so that they hear how it ends."""
    breach = {
        "run": card.run.id,
        "action": card.asker_name,
        "question": card.interrupt.message,
        "broken_by": new.person,
        "at": now.isoformat(),
        "reason": new.reason,
        "asked_by": list(card.run.requesters),
        "glass": glass.model_dump(mode="json"),
    }
    text = json.dumps(breach, ensure_ascii=False)
    return stored.NewRun(GLASS_REVIEW, NAME, new.person, Origin(via="bot"), text, None)


def _explained(glass: BreakGlass | None) -> str:
    if glass is None:
        return ""
    return (
        "You approve this alone, without those who decide. They, and whoever asked for it, are told at once with your name "
        f"and your reason, and others will review it within {duration_words(glass.review_in)}."
    )


def _told(card: Card) -> str:
    at = f" {date_token(card.interrupt.settled_at)}" if card.interrupt.settled_at else ""
    return f"You broke the glass and approved it alone{at}. Everybody is told, and it will be reviewed."

"""*Ask for more*, and the reply to it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from actions.kit.errors import AnswerError, Problem
from actions.kit.policies.remarks import LONGEST, RemarkKind, kept
from actions.kit.records.interrupts import Card, InterruptStatus
from blocks.acts import ActForm
from bot.engine import refusals
from bot.engine.acts.doing import NOTHING, Done
from bot.engine.facts import Budget
from bot.engine.open_cards import Attempt, OpenCards, settled
from bot.engine.results import ActDone, Refusal, Why
from storage import results as stored
from storage.store import Store

ASK = "Whoever asked for this gets it by direct message. The card shows your question, and the reply."
REPLY = "Those who asked get it by direct message, and the card shows it."
PAUSES = " Its time stands still until there is one."
NO_WORDS = Problem(("text",), "Write something: these are spaces alone.")


class Talking:
    """What is said: a question of somebody who may decide, or the reply of somebody who asked for it."""

    def __init__(self, kind: RemarkKind, *, store: Store, open_cards: OpenCards, now: Callable[[], datetime]) -> None:
        self._kind = kind
        self._store = store
        self._open_cards = open_cards
        self._now = now

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        """A reply may be given to what was asked, however the card was seen. What is delivered again is told again."""
        known = await self._store.card(attempt.interrupt_id)
        if known and any((each.person, each.source) == (attempt.person, attempt.source) for each in known.remarks):
            return ActDone(known)
        if self._kind is RemarkKind.REPLY:
            return await self._to_reply(attempt)
        card = await self._open_cards.for_decider(attempt, budget)
        if isinstance(card, Card) and not card.interrupt.policy.may_ask:
            return Refusal(refusals.NOT_OFFERED, card)
        return card

    async def _to_reply(self, attempt: Attempt) -> Card | ActDone | Refusal:
        """Where it was asked anew since, what was asked waits there."""
        seen = await self._store.card(attempt.interrupt_id)
        if seen and seen.interrupt.status is InterruptStatus.SUPERSEDED:
            now = await self._store.latest_card(seen.run.id) or seen
            attempt = replace(attempt, interrupt_id=now.interrupt.id)
        card = await self._open_cards.for_requester(attempt)
        if isinstance(card, Refusal) or card.unanswered:
            return card
        return Refusal(refusals.NOTHING_ASKED, card)

    def form(self, card: Card) -> ActForm | None:
        """One field; a reply shows above it what was asked."""
        if self._kind is RemarkKind.QUESTION:
            pauses = PAUSES if card.interrupt.policy.may_ask is not True else ""
            return ActForm("Ask for more", "Ask", _text("Question"), ASK + pauses)
        asked = "\n".join(f"“{each.text}”" for each in card.unanswered)
        return ActForm("Reply", "Reply", _text("Reply"), f"{asked}\n{REPLY}")

    def given(self, card: Card) -> Mapping[str, Any]:
        del card
        return NOTHING

    def validate(self, card: Card, value: Any) -> str:
        """The words. Raises `AnswerError` where there are none but spaces."""
        del card
        text = kept(value.get("text", ""))
        if not text:
            raise AnswerError([NO_WORDS])
        return text

    async def do(self, done: Done) -> ActDone | Refusal:
        interrupt = done.card.interrupt
        seen = interrupt.content_version if self._kind is RemarkKind.QUESTION else None
        new = stored.NewRemark(
            interrupt.id, self._kind, done.person, str(done.value), done.source, "slack", content_version=seen
        )
        match await self._store.remark(new, now=self._now()):
            case stored.Remarked(card):
                return ActDone(card)
            case stored.TooManyRemarks(card):
                return Refusal(refusals.too_much_said(card.run, self._kind), card)
            case stored.NothingAsked(card):
                return Refusal(refusals.NOTHING_ASKED, card)
            case stored.Stale(card):
                return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
            case stored.AlreadySettled(card):
                return settled(card)
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)


def _text(title: str) -> dict[str, Any]:
    field = {"type": "string", "title": title, "minLength": 1, "maxLength": LONGEST}
    return {"type": "object", "properties": {"text": field}, "required": ["text"], "additionalProperties": False}

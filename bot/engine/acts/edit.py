"""*Edit, then approve*: a decider changes fields that the action marks as editable, and all of them are asked anew."""

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, assert_never

from actions.kit.action import Action
from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Card
from blocks.acts import ActForm
from blocks.edits import edited_line, edited_words
from bot.engine import refusals
from bot.engine.acts.doing import Done
from bot.engine.facts import Budget
from bot.engine.open_cards import Attempt, OpenCards, settled
from bot.engine.results import ActDone, Refusal, Why
from storage import results as stored
from storage.store import Store

EXPLAINED = "Everybody who decides this is asked again, with what you make of it: answers so far do not count then."
UNCHANGED = Problem((), "Nothing was changed yet: this is what was asked for. Change something, or close this window.")


class Editing:
    """Whoever may decide may edit, whether or not they have answered already; whoever asked for it never."""

    def __init__(self, *, store: Store, open_cards: OpenCards, now: Callable[[], datetime]) -> None:
        self._store = store
        self._open_cards = open_cards
        self._now = now

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        """The card, while nothing rests on its input yet. An edit that is delivered again is told again."""
        known = await self._store.card(attempt.interrupt_id)
        edit = known.edited_away if known else None
        if known and edit and (edit.person, edit.source) == (attempt.person, attempt.source):
            return ActDone(known, edited_words(known))
        card = await self._open_cards.for_decider(attempt, budget)
        if not isinstance(card, Card):
            return card
        if attempt.person in card.run.requesters:
            return Refusal(refusals.OWN_EDIT, card)
        return card if self._names(card) else Refusal(refusals.NOT_EDITABLE, card)

    def form(self, card: Card) -> ActForm | None:
        """The editable fields alone, as the form for a new run has them."""
        return ActForm("Edit", "Edit", self._action(card).edit_schema(self._names(card)), EXPLAINED)

    def given(self, card: Card) -> Mapping[str, Any]:
        return {name: value for name, value in json.loads(card.run.input).items() if name in self._names(card)}

    def validate(self, card: Card, value: Any) -> str:
        """The whole input as JSON text, with the other fields as they are."""
        text = self._action(card).edit_input(card.run.input, self._names(card), value)
        if text == card.run.input:
            raise AnswerError([UNCHANGED])
        return text

    async def do(self, done: Done) -> ActDone | Refusal:
        """What is told of a large input is drawn off the loop."""
        card, text = done.card, str(done.value)
        described = self._action(card).shown_input
        said = await asyncio.to_thread(edited_line, card.run.input, text, described)
        new = stored.NewEdit(
            interrupt_id=card.interrupt.id,
            content_version=card.interrupt.content_version,
            person=done.person,
            before=card.run.input,
            input=text,
            described=described,
            said=said,
            source=done.source,
            via="slack",
            standing_for=card.answering_for,
        )
        return await asyncio.to_thread(_told, await self._store.edit(new, now=self._now()))

    def _names(self, card: Card) -> tuple[str, ...]:
        """What was editable when it was asked, and is so today."""
        action = self._open_cards.action_of(card)
        today = action.editable if action else ()
        return tuple(name for name in card.interrupt.editable if name in today)

    def _action(self, card: Card) -> Action:
        """Of a card that `for_person` gave, which are none without."""
        action = self._open_cards.action_of(card)
        if action is None:
            raise LookupError(card.run.action_id)
        return action


def _told(result: stored.EditResult) -> ActDone | Refusal:
    match result:
        case stored.Edited(card):
            return ActDone(card, edited_words(card))
        case stored.AlreadySettled(card) | stored.Late(card):
            return settled(card)
        case stored.Stale(card):
            return Refusal(refusals.OLDER_CARD, card, Why.OUTDATED)
        case stored.OwnRequest(card):
            return Refusal(refusals.OWN_EDIT, card)
        case stored.NotEditable(card):
            return Refusal(refusals.NOT_EDITABLE, card)
        case stored.Unknown():
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
    assert_never(result)

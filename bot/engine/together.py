"""Several questions answered by one press: each takes the way of a click of its own, and only what is of low risk may."""

from dataclasses import dataclass, replace

from actions.kit.records.interrupts import Card, Choice
from blocks.clicks import Click
from blocks.together import MOST, Ticked, Together
from bot.engine import refusals
from bot.engine.answers import Answers
from bot.engine.onlookers import Onlookers
from bot.engine.open_cards import OpenCards
from bot.engine.results import Checking, Counted, FieldErrors, OpenChooser, OpenForm, Refusal, Settled, Why
from storage.store import Store

NOT_LOW_RISK = "Its policy does not let it be answered together with others. Please answer it on its own."
ASKS_FOR_MORE = "This choice asks for more than a press. Please answer it on its own."

End = Settled | Counted | Refusal


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of one of them, and the question as it was when it was answered, for those who may see it."""

    card: Card | None
    end: End


class AnsweringTogether:
    """One after the other: what is refused stops none of the others, and what is done is on disk when it is told."""

    def __init__(self, *, store: Store, open_cards: OpenCards, answers: Answers, onlookers: Onlookers) -> None:
        self._store = store
        self._open_cards = open_cards
        self._answers = answers
        self._onlookers = onlookers

    async def answer(self, together: Together) -> tuple[Ended, ...]:
        """What became of each, in their order. A redelivery says again what the first did, and answers nothing twice."""
        ticked = {each.interrupt: each for each in together.ticked[:MOST]}
        return tuple([await self._one(each, together) for each in ticked.values()])

    async def _one(self, ticked: Ticked, together: Together) -> Ended:
        card = await self._store.card(ticked.interrupt)
        if card is None:
            return Ended(None, Refusal(refusals.UNKNOWN, why=Why.UNKNOWN))
        end = await self._clicked(card, ticked, together)
        if isinstance(end, Refusal) and await self._onlookers.refusal(card, together.person):
            return Ended(None, replace(end, card=None))
        return Ended(card, end)

    def _not_together(self, card: Card, choice: Choice) -> Refusal | None:
        """The stored policy says so, and that of today may only narrow it."""
        today = self._open_cards.policy_of_today(card)
        if not card.interrupt.policy.low_risk or (today is not None and not today.low_risk):
            return Refusal(NOT_LOW_RISK, card)
        return None if choice.is_bare else Refusal(ASKS_FOR_MORE, card)

    async def _clicked(self, card: Card, ticked: Ticked, together: Together) -> End:
        click = Click(
            interrupt_id=ticked.interrupt,
            content_version=ticked.version,
            choice_key=together.choice_key,
            person=together.person,
            channel=None,
            message_ts=None,
            trigger_id=together.trigger_id,
            response_url=together.response_url,
            source=f"{together.source}:{ticked.interrupt}",
        )
        end = await self._answers.click(click, besides=self._not_together)
        match await end.later if isinstance(end, Checking) else end:
            case Settled() | Counted() | Refusal() as told:
                return told
            case FieldErrors(problems):
                return Refusal(refusals.of_problems(problems), card)
            case OpenForm() | OpenChooser():
                return Refusal(ASKS_FOR_MORE, card)

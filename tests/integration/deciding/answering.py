"""Stories of answers: of anybody, whether or not they may, in every way, in their own place and in that of others."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from actions.kit.policies.absences import Absence
from actions.kit.records.interrupts import Card
from actions.kit.shapes.answers import MISSING
from bot.engine import answers
from bot.engine.results import Counted, FieldErrors, Refusal, Settled
from tests.integration.deciding.rules import Choice
from tests.integration.deciding.stories import LUCK, Followed, Stories
from tests.integration.deciding.town import EVERYBODY, FULL, at_first
from tests.integration.engine_room import Room, click, form, sources

AWAY = 45
"""Minutes that somebody is."""
WAYS = ("click", "form", "http")
CHOICES: tuple[Choice, ...] = ("approve", "approve", "approve", "reject")


class Answering(Stories):
    """Each answer is refused or counted as the model says."""

    @rule(luck=LUCK)
    def anybody_answers(self, luck: Random) -> None:
        followed = self.one(luck)
        for person in luck.choices(EVERYBODY, k=luck.randint(1, 4)):
            choice, way = luck.choice(CHOICES), luck.choice(WAYS)
            self.do(self.answered(followed, person, choice, way, again=luck.choice([True, False])))

    @rule(luck=LUCK)
    def those_who_may_answer(self, luck: Random) -> None:
        followed, way = self.one(luck), luck.choice(WAYS)
        may = self.able(followed)
        if may:
            self.do(self.answered(followed, luck.choice(may), luck.choice(CHOICES), way))
            those = [*followed.request.requesters, *may]
            self.do(self.answered(followed, luck.choice(those), "approve", way))

    @rule(luck=LUCK, way=st.sampled_from(WAYS), stand_in=st.sampled_from(FULL))
    def somebody_answers_in_the_place_of_another(self, luck: Random, way: str, stand_in: str) -> None:
        """Whether or not they may, of whom the other has just said that they do; and the other comes back, and tries too."""
        self.all_is_well_again()
        followed = self.one(luck)
        person = luck.choice(self.able(followed) or EVERYBODY)
        self.goes_away(person, stand_in)
        self.do(self.answered(followed, stand_in, luck.choice(CHOICES), way))
        self.do(self.answered(followed, person, "approve", way))

    @rule(luck=LUCK, person=st.sampled_from(EVERYBODY))
    def answer_an_older_card(self, luck: Random, person: str) -> None:
        followed = self.one(luck)

        async def answered() -> None:
            card = await self.card(followed)
            older = click(card, "approve", person, version=card.interrupt.content_version - 1)
            assert isinstance(await self.room.runner.click(older), Refusal)
            await self.settle_after(followed)

        self.do(answered())

    def all_is_well_again(self) -> None:
        """Else most of a story would be told in a town where nobody may do anything any more."""
        self.world.is_down, self.world.unknown, self.world.left = False, set(), set()
        self.world.stand_for.update(at_first())
        self.people.tell(self.world)

    def able(self, followed: Followed) -> list[str]:
        today = self.today(followed)
        return [each for each in EVERYBODY if followed.request.may_answer_for(each, today)]

    def goes_away(self, person: str, stand_in: str) -> None:
        now = self.clock.now()
        absence = Absence(person, stand_in, now, now + timedelta(minutes=AWAY), "slack", now)
        if person != stand_in and self.do(self.room.store.absences.set(absence)) == absence:
            self.world.away[person] = (stand_in, self.world.minute + AWAY)

    async def answered(self, followed: Followed, person: str, choice: Choice, way: str, *, again: bool = False) -> None:
        card, request, today = await self.card(followed), followed.request, self.today(followed)
        may = request.may_answer_for(person, today)
        before = len(card.decisions)
        given = Given(person, choice, way, f"{way}:{next(sources)}")
        for _ in range(1 + again):
            result = await sent(self.room, card, given)
            assert isinstance(result, Counted | Settled) if may else isinstance(result, Refusal | FieldErrors), (
                result,
                may,
            )
        if may:
            decision = (await self.card(followed)).decisions[before]
            assert (decision.person, decision.choice) == (person, choice)
            assert decision.standing_for in may
            request.answer(person, decision.standing_for, choice, today)
        await self.settle_after(followed)
        assert len((await self.card(followed)).decisions) == before + bool(may)


@dataclass(frozen=True)
class Given:
    """What somebody answers, and in which way; the same `source` is the same click, delivered again."""

    person: str
    choice: Choice
    way: str
    source: str


async def sent(room: Room, card: Card, given: Given) -> Any:
    """A rejection needs a reason, so a button for it opens a form."""
    runner, person, choice = room.runner, given.person, given.choice
    reason = {"reason": "No."} if choice == "reject" else {}
    if given.way == "http":
        return await runner.answer(answers.Given(card.interrupt.id, choice, reason or MISSING, person, given.source))
    if given.way == "form" or reason:
        filled = {f"/{name}": text for name, text in reason.items()}
        return await runner.submit_answer(form(card, choice, filled, person, source=given.source))
    return await runner.click(click(card, choice, person, source=given.source))

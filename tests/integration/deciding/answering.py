"""Stories of answers: of anybody, whether or not they may, in every way, in their own place and in that of others."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from actions.kit.policies.absences import Absence
from actions.kit.records.interrupts import Card
from actions.kit.shapes.answers import MISSING
from bot.engine import answers
from bot.engine.results import Counted, FieldErrors, Refusal, Settled
from tests.integration.deciding.rules import Choice
from tests.integration.deciding.stories import Followed, Stories
from tests.integration.deciding.town import EVERYBODY, FULL, at_first
from tests.integration.engine_room import Room, click, form, sources

AWAY = 45
"""Minutes that somebody is."""
WAYS = st.sampled_from(["click", "form", "http"])
CHOICES: st.SearchStrategy[Choice] = st.sampled_from(["approve", "approve", "approve", "reject"])


class Answering(Stories):
    """Each answer is refused or counted as the model says."""

    @rule(data=st.data(), those=st.lists(st.tuples(st.sampled_from(EVERYBODY), WAYS), min_size=1, max_size=4))
    def people_answer(self, data: st.DataObject, those: list[tuple[str, str]]) -> None:
        followed = self.one(data)
        for person, way in those:
            self.do(self.answered(followed, person, data.draw(CHOICES), way, again=data.draw(st.booleans())))

    @rule(data=st.data())
    def those_who_may_answer(self, data: st.DataObject) -> None:
        followed, way = self.one(data), data.draw(WAYS)
        may = self.able(followed)
        if may:
            self.do(self.answered(followed, data.draw(st.sampled_from(may)), data.draw(CHOICES), way))
            those = [*followed.request.requesters, *may]
            self.do(self.answered(followed, data.draw(st.sampled_from(those)), "approve", way))

    @rule(data=st.data(), way=WAYS, stand_in=st.sampled_from(FULL))
    def somebody_answers_in_the_place_of_another(self, data: st.DataObject, way: str, stand_in: str) -> None:
        """Whether or not they may, of whom the other has just said that they do; and the other comes back, and tries too."""
        self.all_is_well_again()
        followed = self.one(data)
        person = data.draw(st.sampled_from(self.able(followed) or EVERYBODY))
        self.goes_away(person, stand_in)
        self.do(self.answered(followed, stand_in, data.draw(CHOICES), way))
        self.do(self.answered(followed, person, "approve", way))

    @rule(data=st.data(), person=st.sampled_from(EVERYBODY))
    def answer_an_older_card(self, data: st.DataObject, person: str) -> None:
        followed = self.one(data)

        async def answered() -> None:
            card = await self.card(followed)
            older = click(card, "approve", person, version=card.interrupt.content_version - 1)
            assert isinstance(await self.room.runner.click(older), Refusal)
            await self.settle_after(followed)

        self.do(answered())

    @precondition(lambda self: bool(self.world.is_down or self.world.unknown or self.world.left))
    @rule()
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

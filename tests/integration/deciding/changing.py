"""Stories of what changes while questions wait: the time, the people, the policies, the input, and who asks for it."""

from datetime import timedelta
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import rule

from blocks.clicks import ActTarget, Submission
from bot.engine.results import ActDone, CancelDone, FieldErrors, OpenAct, Refusal
from tests.integration.deciding.answering import Answering
from tests.integration.deciding.policies import VERSIONS
from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import DAY, TIME
from tests.integration.deciding.stories import ACTIONS, AMOUNTS, EDITABLE, LUCK, RUNS, Followed
from tests.integration.deciding.town import EVERYBODY, FULL, LOOKUPS
from tests.integration.engine_room import sources

AMOUNT = st.sampled_from(AMOUNTS)


class Changing(Answering):
    """Whoever might have answered before may not be one who may now."""

    @rule(person=st.sampled_from(EVERYBODY), action=ACTIONS, amount=AMOUNT)
    def start(self, person: str, action: str, amount: int) -> None:
        if len(self.runs) < RUNS:
            self.do(self.begun(person, action, amount))

    @rule(luck=LUCK, person=st.sampled_from(EVERYBODY))
    def ask_for_the_same(self, luck: Random, person: str) -> None:
        followed = self.one(luck)
        if followed.wish is None:
            self.do(self.ask(person, followed.action, followed.name, followed.request.amount))

    @rule(luck=LUCK, person=st.sampled_from(EVERYBODY), amount=AMOUNT)
    def edit(self, luck: Random, person: str, amount: int) -> None:
        self.do(self.edited(self.one(luck), person, amount))

    async def edited(self, followed: Followed, person: str, amount: int) -> None:
        card, request, today = await self.card(followed), followed.request, self.today(followed)
        result = await self.room.runner.submit_act(
            edit_form(card.interrupt.id, card.interrupt.content_version, person, amount)
        )
        may = request.is_open and followed.action == EDITABLE and followed.wish is None
        if not (may and request.may_decide(person, today)):
            assert isinstance(result, Refusal), result
        elif amount == request.amount:
            assert isinstance(result, FieldErrors | OpenAct), result
        else:
            assert isinstance(result, ActDone), result
            request.ask(amount, today)
            followed.number += 1
        await self.settle_after(followed)

    @rule(luck=LUCK, person=st.sampled_from(FULL))
    def take_it_back(self, luck: Random, person: str) -> None:
        self.do(self.taken_back(self.one(luck), person))

    async def taken_back(self, followed: Followed, person: str) -> None:
        result = await self.room.runner.cancel(followed.run_id, person)
        if person in followed.asking and followed.request.end == "open":
            assert isinstance(result, CancelDone)
            if followed.asking == [person]:
                followed.request.end = "cancelled"
            else:
                followed.asking.remove(person)
        await self.settle_down(followed)

    @rule(minutes=st.sampled_from([10, 25, 25, 25, 70, 3 * DAY]), swept=st.sampled_from([True, True, False]))
    def time_passes(self, minutes: int, swept: bool) -> None:
        """Days, where somebody waits for a reply."""
        stands = any(self.runs[each].request.clock.stands_since is not None for each in self.still())
        minutes = minutes if stands else min(minutes, TIME + 10)
        self.it_is(self.world.minute + minutes)
        if swept:
            self.do(self.sweep())

    def it_is(self, minute: int) -> None:
        self.world.minute, self.clock.ahead = minute, timedelta(minutes=minute)

    async def sweep(self) -> None:
        """First what is over; then what happens by itself, until nothing is due any more."""
        await self.room.runner.expire()
        await self.settle_all()
        while await self.room.runner.pace():
            pass
        for number in self.still():
            await self.paced(self.runs[number])

    async def paced(self, followed: Followed) -> None:
        """An escalation may wait for those whom it cannot tell of it."""
        request = followed.request
        escalated = (await self.card(followed)).interrupt.policy.escalated
        for number in request.clock.sweep(self.world.minute):
            assert number in escalated or not self.is_reached(request, number), (number, followed)
            if number in escalated:
                request.escalate(number)
            else:
                request.clock.put_off(number, self.world.minute)
        await self.settle_down(followed)

    def is_reached(self, request: Request, number: int) -> bool:
        """Whether somebody whom it adds can be told, without a doubt."""
        to, step = request.rules.later[number - 1].to, request.rules.steps[request.stage]
        return any(each not in request.requesters for each in self.world.reached(to, step.exclude))

    @rule(luck=LUCK, what=st.sampled_from(["meant", "look-up", "down", "left", "away", "away", "well", "well"]))
    def the_world_changes(self, luck: Random, what: str) -> None:
        person, term = luck.choice(EVERYBODY), luck.choice(list(LOOKUPS))
        world = self.world
        match what:
            case "meant":
                world.stand_for[term] = set(luck.sample(EVERYBODY, luck.randint(1, 4)))
            case "look-up":
                world.unknown ^= {term}
            case "down":
                world.is_down = not world.is_down
            case "left":
                world.left ^= {person}
            case "away":
                self.goes_away(person, luck.choice(EVERYBODY))
            case _:
                self.all_is_well_again()
        self.people.tell(world)

    @rule(luck=LUCK, version=st.integers(0, 3))
    def a_policy_is_edited(self, luck: Random, version: int) -> None:
        """And somebody tries who might have answered before it was. What was asked for in advance is taken back before."""
        followed = self.one(luck)
        for each in [self.runs[number] for number in self.still()]:
            if each.wish and each.action == followed.action:
                self.do(self.taken_back(each, each.asking[0]))
        those = self.able(followed)
        self.deployed[followed.action] = version % len(VERSIONS[followed.action])
        self.do(self.opened.aclose())
        self.do(self.open())
        person = luck.choice(those or EVERYBODY)
        self.do(self.answered(followed, person, "approve", "click"))


def edit_form(interrupt_id: str, version: int, person: str, amount: int) -> Submission:
    state = {"field:/amount": {"value": {"type": "plain_text_input", "value": str(amount)}}}
    return Submission(ActTarget("edit", interrupt_id, version), state, person, "V", "t", f"v:{next(sources)}")

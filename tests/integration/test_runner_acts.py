"""What people do with an open card besides answering: who may, what it asks for, and that each is done once."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from actions import ActionInterrupt, Context, Person, Policy
from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Card
from actions.kit.registry import Registry
from blocks.acts import ActForm, ActVerb
from blocks.clicks import Act, ActTarget, Submission
from blocks.form import act_view
from blocks.validate import validate_view
from bot.engine.acts.acts import Acts
from bot.engine.acts.doing import Done
from bot.engine.facts import Budget
from bot.engine.forms import Forms
from bot.engine.offloop import Validation
from bot.engine.open_cards import Attempt, OpenCards
from bot.engine.results import ActDone, FieldErrors, OpenAct, Refusal
from bot.engine.tasks import OwnedTasks
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, EVE, RITA, Room, click, engine_room, refused, sources

ASK = ActForm(
    "Ask for more", "Ask", {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
)


class Asking:
    """An act that asks for a text, and keeps what was done."""

    def __init__(self, cards: OpenCards, form: ActForm | None) -> None:
        self._cards, self._form = cards, form
        self.done: list[Done] = []

    async def for_person(self, attempt: Attempt, budget: Budget) -> Card | ActDone | Refusal:
        return await self._cards.for_decider(attempt, budget)

    def form(self, card: Card) -> ActForm | None:
        return self._form

    def given(self, card: Card) -> Mapping[str, Any]:
        return {"text": "Why?"}

    def validate(self, card: Card, value: Any) -> Any:
        if value["text"] == "wrong":
            raise AnswerError([Problem(("text",), "It is wrong.")])
        return value

    async def do(self, done: Done) -> ActDone | Refusal:
        self.done.append(done)
        return ActDone(done.card, "Asked.")


async def pausing(ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Send it?")


TWO = executing(pausing, policy=Policy(deciders=(Person(ANN), Person(BEN)), quorum=2))


def acting(room: Room, *, form: ActForm | None = ASK, verb: ActVerb = "ask") -> tuple[Acts, Asking]:
    tasks = OwnedTasks()
    cards = OpenCards(store=room.store, registry=Registry([TWO]), entitlement=room.entitlement, now=room.clock.now)
    doing = Asking(cards, form)
    forms = Forms(drafts=room.store.drafts, tasks=tasks, now=room.clock.now)
    return Acts({verb: doing}, forms=forms, validation=Validation(), tasks=tasks), doing


def pressed(card: Card, person: str = ANN) -> Act:
    interrupt = card.interrupt
    return Act("ask", interrupt.id, interrupt.content_version, person, "t", None, f"click:{next(sources)}")


def sent(card: Card, text: str, person: str = ANN) -> Submission:
    target = ActTarget("ask", card.interrupt.id, card.interrupt.content_version)
    values = {"field:/text": {"value": {"type": "plain_text_input", "value": text}}}
    return Submission(target, values, person, "V1", "t", f"view:{next(sources)}")


async def test_an_act_opens_its_form_and_is_done_with_what_was_filled_in(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        acts, doing = acting(room)
        opened = await acts.press(pressed(card))
        assert isinstance(opened, OpenAct)
        view = act_view(opened.card, opened.target, opened.form, opened.shown.draft)
        validate_view(view)
        assert "Why?" in str(view)
        done = await acts.submit(sent(card, "How much is it?"))
        assert isinstance(done, ActDone)
        assert [(each.person, each.value) for each in doing.done] == [(ANN, {"text": "How much is it?"})]


async def test_what_does_not_fit_is_told_at_its_field_and_nothing_is_done(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        acts, doing = acting(room)
        result = await acts.submit(sent(card, "wrong"))
        assert isinstance(result, FieldErrors)
        assert [problem.path for problem in result.problems] == [("text",)]
        assert not doing.done


async def test_an_act_that_asks_for_nothing_is_done_at_once(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        acts, doing = acting(room, form=None)
        assert isinstance(await acts.press(pressed(card)), ActDone)
        assert [each.person for each in doing.done] == [ANN]


async def test_whoever_has_voted_may_still_act_and_whoever_may_not_decide_may_not(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        acts, _ = acting(room)
        await room.runner.click(click(card, "approve", ANN))
        assert isinstance(await acts.press(pressed(card, ANN)), OpenAct)
        assert "You asked for this" in refused(await acts.press(pressed(card, RITA)))
        assert "not one of those" in refused(await acts.press(pressed(card, EVE)))
        room.people.is_away = True
        assert "did not tell" in refused(await acts.submit(sent(card, "Why?", BEN)))


async def test_nothing_is_done_with_a_card_that_is_settled_unknown_or_too_late(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        acts, doing = acting(room)
        unknown = Act("ask", "I-nobody", 1, ANN, "t", None, "click:x")
        assert "not known" in refused(await acts.press(unknown))
        assert "not known" in refused(await acts.press(replace(pressed(card), verb="edit")))
        assert "redrawn" in refused(await acts.press(replace(pressed(card), content_version=99)))
        await room.runner.click(click(card, "approve", ANN))
        await room.runner.click(click(card, "approve", BEN))
        assert "Already approved" in refused(await acts.press(pressed(card)))
        assert not doing.done


async def test_an_act_of_requesters_is_theirs_alone(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO))
        cards = OpenCards(store=room.store, registry=Registry([TWO]), entitlement=room.entitlement, now=room.clock.now)
        seen_before = Attempt(card.interrupt.id, 99, RITA, "click:x")
        assert isinstance(await cards.for_requester(seen_before), Card)
        assert "who asked" in refused(await cards.for_requester(replace(seen_before, person=ANN)))

"""Edit, then approve: who may, what they are told, and that what was edited is asked anew and never executed unasked."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, model_validator

from actions import ActionInterrupt, Context, Person, Policy, Stage, field
from actions.kit.policies.remarks import RemarkKind
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.clicks import Act, ActTarget, Submission
from bot.engine.results import ActDone, Counted, FieldErrors, OpenAct, Settled
from storage.results import NewRemark, Remarked, Started
from tests.authors import declare
from tests.integration.engine_room import ANN, BEN, EVE, RITA, VIA, Room, click, engine_room, refused, sources
from tests.integration.engine_room import order as settling


class Order(BaseModel):
    amount: Decimal = Field(gt=0)
    limit: Decimal = Decimal(9_000)
    what: str = "Laptops"

    @model_validator(mode="after")
    def is_within(self) -> "Order":
        if self.amount > self.limit:
            raise ValueError("It is more than the limit.")
        return self


async def order(input: Order, ctx: Context) -> str:
    """Asks nothing of what costs little: no action with editable fields should be so."""
    if ctx.resumption is None and input.amount > 100:
        raise ActionInterrupt(f"Order {input.what} for {input.amount}?")
    return f"{input.amount} {[(each.before, each.after, each.person) for each in ctx.edits]}"


STAGES = Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=Person(BEN), when=field("amount") > 5_000)))
STAGED = declare(order, policy=STAGES, editable=("amount", "what"))
TWO = declare(
    order, id="two", policy=Policy(deciders=(Person(ANN), Person(BEN)), quorum=2), editable=("amount",), joins=True
)
ASKED = {"amount": "4000"}


def pressed(card: Card, person: str = ANN) -> Act:
    interrupt = card.interrupt
    return Act("edit", interrupt.id, interrupt.content_version, person, "t", None, f"click:{next(sources)}")


def sent(card: Card, amount: str, person: str = ANN, *, source: str | None = None, **texts: str) -> Submission:
    target = ActTarget("edit", card.interrupt.id, card.interrupt.content_version)
    values: dict[str, Any] = {
        f"field:/{name}": {"value": {"type": "plain_text_input", "value": text}}
        for name, text in {"amount": amount, **texts}.items()
    }
    return Submission(target, values, person, "V1", "t", source or f"view:{next(sources)}")


async def edited(room: Room, card: Card, amount: str, person: str = ANN) -> Card:
    """The question that is asked after an edit."""
    assert isinstance(await room.runner.submit_act(sent(card, amount, person, what="Laptops")), ActDone)
    return await room.post(await room.asked(card.run, card.interrupt.number + 1))


async def test_the_form_has_the_editable_fields_with_what_they_say(tmp_path: Path):
    async with engine_room(tmp_path, STAGED) as room:
        card = await room.post(await room.paused(STAGED, ASKED))
        opened = await room.runner.press(pressed(card))
        assert isinstance(opened, OpenAct)
        assert list(opened.form.schema["properties"]) == ["amount", "what"]
        assert "4000" in str(opened.shown.draft)


async def test_what_was_edited_is_judged_anew_stage_by_stage(tmp_path: Path):
    async with engine_room(tmp_path, STAGED) as room:
        card = await room.post(await room.paused(STAGED, ASKED))
        assert len(card.interrupt.policy.stages) == 1
        larger = await edited(room, card, "6000")
        assert larger.interrupt.message == "Order Laptops for 6000?"
        assert len(larger.interrupt.policy.stages) == 2
        assert isinstance(await room.runner.click(click(larger, "approve", ANN)), Counted)
        again = await room.post(await room.asked(card.run, 2))
        assert isinstance(await room.runner.click(click(again, "approve", BEN)), Settled)
        run = await room.reaches(card.run, RunStatus.SUCCEEDED)
        assert run.output == "\"6000 [('4000', '6000', 'U0ANN')]\""


async def test_votes_from_before_an_edit_do_not_count_and_whoever_voted_may_edit(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO, ASKED))
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
        asked = await edited(room, card, "3000")
        assert asked.decisions == ()
        assert "edited this" in refused(await room.runner.click(click(card, "approve", BEN)))
        assert isinstance(await room.runner.click(click(asked, "approve", BEN)), Counted)
        assert isinstance(await room.runner.click(click(asked, "approve", ANN)), Settled)


@pytest.mark.parametrize(
    ("amount", "path", "words"),
    [
        ("-1", ("amount",), "more than 0"),
        ("9500", (), "more than the limit"),
        ("4000.00", (), "Nothing was changed"),
    ],
)
async def test_what_does_not_fit_or_changes_nothing_is_told_in_the_form(
    tmp_path: Path, amount: str, path: tuple[str, ...], words: str
):
    async with engine_room(tmp_path, STAGED) as room:
        card = await room.post(await room.paused(STAGED, ASKED))
        result = await room.runner.submit_act(sent(card, amount, what="Laptops"))
        assert isinstance(result, FieldErrors)
        [problem] = result.problems
        assert problem.path == path
        assert words in problem.message
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING


async def test_nobody_edits_who_may_not_decide_and_nobody_who_asked_for_it(tmp_path: Path):
    async with engine_room(tmp_path, TWO) as room:
        card = await room.post(await room.paused(TWO, ASKED))
        assert "You asked for this" in refused(await room.runner.press(pressed(card, RITA)))
        assert "not one of those" in refused(await room.runner.submit_act(sent(card, "5000", EVE)))
        room.people.is_away = True
        assert "did not tell" in refused(await room.runner.press(pressed(card, BEN)))
        room.people.is_away = False
        joined = await room.runner.start("two", ASKED, requester=EVE, origin=VIA)
        assert isinstance(joined, Started)
        assert joined.joined
        assert "You asked for this" in refused(await room.runner.press(pressed(card, EVE)))


async def test_an_edit_that_is_delivered_again_is_told_again_and_done_once(tmp_path: Path):
    async with engine_room(tmp_path, STAGED) as room:
        card = await room.post(await room.paused(STAGED, ASKED))
        submission = sent(card, "6000", what="Phones", source="view:once")
        told = [await room.runner.submit_act(submission) for _ in range(2)]
        assert all(
            isinstance(each, ActDone) and "Amount 4000 → 6000; What Laptops → Phones" in each.text for each in told
        )
        assert len((await room.asked(card.run, 2)).run.edits) == 1


async def test_what_an_edit_made_of_a_run_never_counts_as_done_without_an_approval(tmp_path: Path):
    async with engine_room(tmp_path, STAGED) as room:
        card = await room.post(await room.paused(STAGED, ASKED))
        assert isinstance(await room.runner.submit_act(sent(card, "50", what="Laptops")), ActDone)
        run = await room.reaches(card.run, RunStatus.STALLED)
        assert run.failure is not None
        assert run.failure.kind == "edited_unasked"
        for person in (RITA, ANN):
            assert "operators" in refused(await room.runner.order(settling(run, "it_happened", person)))
        fresh = await room.begin(STAGED, {"amount": "50"})
        await room.reaches(fresh, RunStatus.SUCCEEDED)


async def test_after_an_answer_nothing_is_edited_any_more(tmp_path: Path):
    async def twice(input: Order, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt("First?")
        if ctx.occurrence == 2:
            raise ActionInterrupt("Second?")
        return "done"

    action = declare(twice, policy=STAGES, editable=("amount",))
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action, ASKED))
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)
        second = await room.post(await room.asked(card.run, 2))
        assert second.interrupt.editable == ()
        assert "cannot be edited" in refused(await room.runner.press(pressed(second)))


async def test_a_reply_that_is_begun_at_the_card_from_before_goes_to_the_new_one(tmp_path: Path):
    asking = declare(
        order, policy=Policy(deciders=(Person(ANN), Person(BEN)), may_ask=True), editable=("amount", "what")
    )
    async with engine_room(tmp_path, asking) as room:
        card = await room.post(await room.paused(asking, ASKED))
        new = NewRemark(card.interrupt.id, RemarkKind.QUESTION, BEN, "Why?", "1", "slack")
        assert isinstance(await room.store.remark(new, now=room.clock.now()), Remarked)
        reply = Act("reply", card.interrupt.id, 1, RITA, "t", None, f"click:{next(sources)}")
        again = await edited(room, card, "3000")
        opened = await room.runner.press(reply)
        assert isinstance(opened, OpenAct)
        assert opened.card.interrupt.id == again.interrupt.id

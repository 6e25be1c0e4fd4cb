"""Break glass: who may, what it asks for, what they are told, and that its review is nobody's to start or take back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from actions import ActionInterrupt, BreakGlass, Context, Group, Person, Policy, Stage
from actions.kit.action import Action
from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.clicks import Act, ActTarget, Submission
from bot.engine.results import ActDone, FieldErrors, OpenAct
from storage.results import RunFilters
from tests.authors import executing
from tests.integration.engine_room import (
    ANN,
    BEN,
    BOT,
    EVE,
    GUS,
    RITA,
    People,
    Room,
    click,
    engine_room,
    order,
    refused,
    sources,
)

REASON = "Nobody of them answers the phone."
LEADS = Group("leads")
GLASS = BreakGlass(LEADS, review=(Person(ANN), Person(BEN)), review_in=timedelta(hours=2))
TWO = Policy(deciders=(Person(ANN), Person(BEN)), quorum=2, break_glass=GLASS)


async def pausing(ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt("Send it?")
    return f"{ctx.resumption.cause} by {ctx.resumption.broken_by}: {ctx.resumption.reason}"


def sending(policy: Policy = TWO, **options: Any) -> Action:
    return executing(pausing, policy=policy, **options)


@asynccontextmanager
async def a_room(place: Path, action: Action | None = None, **people: Any) -> AsyncIterator[Room]:
    """Of the leads there are Eve, Ann, Rita, a guest and a bot."""
    known = People(stand_for={LEADS: {EVE, ANN, RITA, GUS, BOT}}, **people)
    async with engine_room(place, action or sending(), people=known) as room:
        yield room


def pressed(card: Card, person: str = EVE) -> Act:
    interrupt = card.interrupt
    return Act("break_glass", interrupt.id, interrupt.content_version, person, "t", None, f"click:{next(sources)}")


def sent(card: Card, reason: str = REASON, person: str = EVE, *, source: str | None = None) -> Submission:
    target = ActTarget("break_glass", card.interrupt.id, card.interrupt.content_version)
    values = {"field:/reason": {"value": {"type": "plain_text_input", "value": reason}}}
    return Submission(target, values, person, "V1", "t", source or f"view:{next(sources)}")


async def the_review(room: Room) -> RunRecord:
    [review] = await room.store.runs(RunFilters(action_id="glass_review"), limit=9)
    return review


async def test_a_lead_approves_alone_and_the_action_runs_and_knows_it(tmp_path: Path):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
        opened = await room.runner.press(pressed(card))
        assert isinstance(opened, OpenAct)
        assert "others will review it within 2 hours" in opened.form.explained
        assert isinstance(await room.runner.submit_act(sent(card)), ActDone)
        ended = await room.ended(card.run)
        assert ended.output == f'"break_glass by {EVE}: {REASON}"'


async def test_a_reason_of_a_few_letters_and_spaces_is_none(tmp_path: Path):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
        result = await room.runner.submit_act(sent(card, "down          !"))
        assert isinstance(result, FieldErrors)
        assert [each.path for each in result.problems] == [("reason",)]
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING


@pytest.mark.parametrize(
    ("person", "words"),
    [
        (RITA, "You asked for this"),
        (BEN, "not one of those who may break the glass: members of @leads"),
        (GUS, "Guests"),
        (BOT, "Only people"),
        ("U0NOBODY", "knows nobody"),
    ],
)
async def test_nobody_else_opens_it_nor_sends_it(tmp_path: Path, person: str, words: str):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
        assert words in refused(await room.runner.press(pressed(card, person)))
        assert words in refused(await room.runner.submit_act(sent(card, person=person)))
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING


async def test_whoever_joined_asked_for_it_too(tmp_path: Path):
    joined = sending(joins=True)
    async with a_room(tmp_path, joined) as room:
        card = await room.post(await room.paused(joined))
        await room.runner.start(joined.id, {}, requester=EVE, origin=card.run.origin)
        assert "You asked for this" in refused(await room.runner.submit_act(sent(card)))


async def test_whom_the_question_leaves_out_does_not_decide_it_in_an_emergency_either(tmp_path: Path):
    without = sending(TWO.model_copy(update={"exclude": (Person(EVE),)}))
    apart = sending(
        Policy(
            stages=(Stage(deciders=Person(EVE)), Stage(deciders=Person(BEN), separate=True)),
            break_glass=GLASS,
        ),
        id="apart",
    )
    known = People(stand_for={LEADS: {EVE}})
    async with engine_room(tmp_path, without, apart, people=known) as room:
        card = await room.post(await room.paused(without))
        assert "left out of this decision" in refused(await room.runner.submit_act(sent(card)))
        second = await room.post(await room.paused(apart))
        await room.runner.click(click(second, "approve", EVE))
        second = await room.asked(second.run)
        assert second.interrupt.policy.stage == 2
        assert "left out of this decision" in refused(await room.runner.submit_act(sent(second)))


async def test_what_cannot_be_looked_up_is_refused(tmp_path: Path):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
        opened = await room.runner.press(pressed(card))
        assert isinstance(opened, OpenAct)
        room.people.stand_for.clear()
        assert "did not tell" in refused(await room.runner.submit_act(sent(card)))
        room.people.stand_for[LEADS] = {ANN}
        assert "not one of those" in refused(await room.runner.submit_act(sent(card)))


@pytest.mark.parametrize("today", [None, BreakGlass(Person(ANN), review=Person(BEN))])
async def test_the_policy_of_today_takes_it_away_from_who_may_not_any_more(tmp_path: Path, today: BreakGlass | None):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
    async with a_room(tmp_path, sending(TWO.model_copy(update={"break_glass": today}))) as room:
        assert "may not decide this any more" in refused(await room.runner.submit_act(sent(card)))


async def test_a_policy_of_today_that_allows_it_gives_it_to_no_card_of_before(tmp_path: Path):
    before = TWO.model_copy(update={"break_glass": None})
    async with a_room(tmp_path, sending(before)) as room:
        card = await room.post(await room.paused(sending(before)))
    async with a_room(tmp_path) as room:
        assert "does not offer that" in refused(await room.runner.submit_act(sent(card)))


async def test_a_card_that_is_settled_or_older_is_not_broken_and_a_redelivery_is_told_again(tmp_path: Path):
    async with a_room(tmp_path) as room:
        card = await room.post(await room.paused(sending()))
        assert "redrawn" in refused(await room.runner.press(replace(pressed(card), content_version=99)))
        assert isinstance(await room.runner.submit_act(sent(card, source="view:one")), ActDone)
        assert isinstance(await room.runner.submit_act(sent(card, source="view:one")), ActDone)
        assert "who broke the glass" in refused(await room.runner.submit_act(sent(card, source="view:two")))
        assert "who broke the glass" in refused(await room.runner.click(click(card, "approve", BEN)))
        await the_review(room)


async def test_the_review_asks_nobody_who_broke_it_or_asked_for_it_and_is_not_to_be_taken_back(tmp_path: Path):
    glass = GLASS.model_copy(update={"review": (LEADS, Person(BEN))})
    action = sending(TWO.model_copy(update={"break_glass": glass}))
    async with a_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        await room.runner.submit_act(sent(card))
        review = await room.post(await room.asked(await the_review(room)))
        assert review.interrupt.expires_in == timedelta(hours=2)
        for person, words in ((EVE, "You asked for this"), (RITA, "left out")):
            assert words in refused(await room.runner.click(click(review, "right", person)))
        assert "not yours to take back" in refused(await room.runner.order(order(review.run, "cancel", EVE)))
        await room.runner.click(click(review, "right", BEN))
        assert (await room.reaches(review.run, RunStatus.SUCCEEDED)).output == '"It was right."'
        assert "no action" in refused(await room.runner.order(order(review.run, "ask_again", EVE)))

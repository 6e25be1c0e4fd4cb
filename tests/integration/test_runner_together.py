"""Several questions answered by one press: each alone, through the checks of its own button, and never twice."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from actions import Action, ActionInterrupt, Context, Person, Policy
from actions.kit.action import ActionError
from actions.kit.records.audit import ANSWER_REFUSED
from actions.kit.records.interrupts import Card, InterruptStatus
from blocks.together import Ticked, Together
from bot.engine.results import Counted, Refusal, Settled
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, EVE, RITA, Room, click, engine_room
from tests.waiting import until

numbers = count()


def asking(id: str, **policy: Any) -> Action:
    async def body(ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Shall {id}?")

    return executing(body, id=id, policy=Policy(**{"deciders": (Person(ANN), Person(BEN)), "low_risk": True, **policy}))


async def nothing(ctx: Context) -> None:
    """Asks nobody."""


LOW = asking("low")
TWO = asking("two", quorum=2)
HIGH = asking("high", low_risk=False)
THEIRS = asking("theirs", deciders=(Person(RITA), Person(BEN)))


def all_of(*cards: Card, choice: str = "approve", person: str = ANN, version: int | None = None) -> Together:
    ticked = tuple(
        Ticked(interrupt=each.interrupt.id, version=version or each.interrupt.content_version) for each in cards
    )
    return Together(choice, ticked, person, "t", None, f"click:together{next(numbers)}")


async def ends(room: Room, together: Together) -> list[Settled | Counted | Refusal]:
    return [each.end for each in await room.runner.answer_together(together)]


def words(end: object) -> str:
    assert isinstance(end, Refusal)
    return end.text


async def test_each_is_answered_counted_or_refused_alone(tmp_path: Path):
    async with engine_room(tmp_path, LOW, TWO, HIGH) as room:
        fine, counted, high = [await room.paused(each) for each in (LOW, TWO, HIGH)]
        gone = Ticked(interrupt="nothing.1", version=1)
        together = all_of(fine, counted, high)
        together = Together(together.choice_key, (gone, *together.ticked), ANN, "t", None, together.source)
        first, second, third, fourth = await ends(room, together)
        assert "not known" in words(first)
        assert isinstance(second, Settled)
        assert isinstance(third, Counted)
        assert "answer it on its own" in words(fourth)
        left = await room.store.card(high.interrupt.id)
        assert left is not None
        assert (left.interrupt.status, left.decisions) == (InterruptStatus.PENDING, ())


async def test_a_redelivery_answers_nothing_twice_and_says_the_same(tmp_path: Path):
    async with engine_room(tmp_path, LOW, TWO) as room:
        together = all_of(await room.paused(LOW), await room.paused(TWO))
        first, second = await ends(room, together)
        again, counted = await ends(room, together)
        assert isinstance(first, Settled)
        assert isinstance(again, Settled)
        assert isinstance(second, Counted)
        assert isinstance(counted, Counted)
        assert len(counted.card.decisions) == 1


async def test_what_is_outdated_settled_or_their_own_is_refused_and_stops_none_of_the_others(tmp_path: Path):
    async with engine_room(tmp_path, LOW, THEIRS) as room:
        outdated, settled, own, fine = [await room.paused(each) for each in (LOW, LOW, THEIRS, THEIRS)]
        await room.runner.click(click(settled, "approve", ANN))
        assert "redrawn" in words((await ends(room, all_of(outdated, version=99)))[0])
        first, second = await ends(room, all_of(settled, outdated))
        assert "Already approved" in words(first)
        assert isinstance(second, Settled)
        assert "You asked for this" in words((await ends(room, all_of(own, person=RITA)))[0])
        assert "not one of those" in words((await ends(room, all_of(own, person=EVE)))[0])
        room.people.is_away = True
        assert "did not tell" in words((await ends(room, all_of(fine, person=BEN)))[0])


@pytest.mark.parametrize("choice", ["reject", "nonsense"])
async def test_a_choice_with_a_form_or_of_another_name_is_never_made_so(tmp_path: Path, choice):
    async with engine_room(tmp_path, LOW) as room:
        card = await room.paused(LOW)
        [end] = await ends(room, all_of(card, choice=choice))
        assert isinstance(end, Refusal)
        today = await room.store.card(card.interrupt.id)
        assert today is not None
        assert today.decisions == ()


async def test_an_action_that_is_no_longer_of_low_risk_is_not_answered_so_any_more(tmp_path: Path):
    async with engine_room(tmp_path, LOW) as room:
        card = await room.paused(LOW)
    async with engine_room(tmp_path, asking("low", low_risk=False)) as room:
        assert "answer it on its own" in words((await ends(room, all_of(card)))[0])


async def test_who_may_not_answer_is_told_that_first_and_what_is_refused_is_noted(tmp_path: Path):
    async with engine_room(tmp_path, HIGH) as room:
        card = await room.paused(HIGH)
        assert "not one of those" in words((await ends(room, all_of(card, person=EVE)))[0])
        assert "answer it on its own" in words((await ends(room, all_of(card)))[0])
        assert "not one of the answers" in words((await ends(room, all_of(card, choice="nonsense")))[0])

        async def noted() -> bool:
            trail = await room.store.trail(card.run.id)
            found = [(each.person, each.details["why"]) for each in trail if each.event == ANSWER_REFUSED]
            return sorted(found) == [(ANN, "no_such_choice"), (ANN, "not_allowed"), (EVE, "not_allowed")]

        await until(noted, "three notes")


def test_low_risk_that_is_destructive_or_has_no_choice_for_several_is_told_at_start_up():
    policy = Policy(deciders=Person(ANN), low_risk=True)
    with pytest.raises(ActionError, match="give resume a choice without, or leave low_risk out"):
        executing(nothing, resume=int, policy=policy)
    with pytest.raises(ActionError, match="leave one of them out"):
        executing(nothing, destructive=True, policy=policy)
    assert executing(nothing, policy=policy).policy.low_risk


async def test_of_a_question_that_does_not_concern_somebody_they_are_not_told_what_it_asks(tmp_path: Path):
    async with engine_room(tmp_path, LOW) as room:
        card = await room.post(await room.paused(LOW))
        [theirs] = await room.runner.answer_together(all_of(card, person=EVE))
        [own] = await room.runner.answer_together(all_of(card, person=RITA))
        assert isinstance(theirs.end, Refusal)
        assert (theirs.card, theirs.end.card) == (None, None)
        assert own.card is not None

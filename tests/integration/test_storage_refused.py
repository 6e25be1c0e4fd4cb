"""An answer that did not count leaves a short note in the trail, and nothing else changes."""

from datetime import timedelta

import pytest

from actions.kit.records.audit import ANSWER_REFUSED
from storage.results import RefusedAnswer
from storage.transitions.refusals import OF_PERSON, OF_QUESTION
from tests.integration.scenes import ANA, BEN, NOW, Scene


def refused(interrupt_id: str, person: str = ANA) -> RefusedAnswer:
    return RefusedAnswer(interrupt_id, person, "http", "invalid", "no", {"reson": "text"}, ("/reason",))


async def test_it_says_who_when_and_how_it_was_shaped(scene: Scene):
    interrupt = await scene.posted()
    assert await scene.store.answer_refused(refused(interrupt.id), now=NOW)
    noted = (await scene.store.trail(interrupt.run_id))[-1]
    assert (noted.event, noted.person, noted.via, noted.at) == (ANSWER_REFUSED, ANA, "http", NOW)
    assert noted.details == {"why": "invalid", "choice": "no", "shape": {"reson": "text"}, "places": ["/reason"]}
    assert (await scene.card(interrupt.id)).decisions == ()


async def test_of_one_person_and_of_one_question_only_the_first_are_noted(scene: Scene):
    interrupt = await scene.posted()
    noted = [await scene.store.answer_refused(refused(interrupt.id), now=NOW) for _ in range(OF_PERSON + 2)]
    assert noted == [True] * OF_PERSON + [False] * 2
    for number in range(OF_QUESTION):
        await scene.store.answer_refused(refused(interrupt.id, f"U0{number}"), now=NOW)
    assert (await scene.events(interrupt.run_id)).count(ANSWER_REFUSED) == OF_QUESTION


async def test_a_question_that_is_settled_or_unknown_notes_nothing(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, BEN)
    assert not await scene.store.answer_refused(refused(interrupt.id), now=NOW)
    assert not await scene.store.answer_refused(refused(f"{interrupt.run_id}.9"), now=NOW)


@pytest.mark.parametrize("later", [timedelta(minutes=5)])
async def test_what_is_stuck_is_so_since_it_stopped_and_not_since_somebody_tried(scene: Scene, later: timedelta):
    interrupt = await scene.asked()
    await scene.store.answer_refused(refused(interrupt.id), now=NOW + later)
    (stuck,) = (await scene.store.stuck(now=NOW + later)).found
    assert stuck.since == NOW

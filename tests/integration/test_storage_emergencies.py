"""The glass is broken once, with all that follows from it in the same step, and only while the question is open."""

import asyncio
import json
from typing import Any

import pytest

from actions.kit.policies.deciders import Channel, DirectMessage, Person
from actions.kit.policies.glass_review import GLASS_REVIEW
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Cause, InterruptRecord, InterruptStatus
from actions.kit.records.runs import Origin, RunStatus
from storage.results import (
    AlreadySettled,
    Answered,
    BreakResult,
    Broke,
    Edited,
    NewBreak,
    OwnRequest,
    RunFilters,
    Stale,
    Unknown,
)
from tests.integration.scenes import ANA, BEN, CAI, HOUR, NOW, REQUESTER, SECOND, YES, Scene, new_run, two_of
from tests.integration.test_storage_edits import edit_of

LATER = NOW + SECOND
REASON = "Nobody else is awake."


async def breaks(scene: Scene, interrupt: InterruptRecord, person: str = CAI, **values: Any) -> BreakResult:
    given = {
        "content_version": 1,
        "choice": YES,
        "value": '"yes"',
        "reason": REASON,
        "source": f"s-{person}",
        "via": "slack",
    }
    now = values.pop("now", LATER)
    new = NewBreak(**{"interrupt_id": interrupt.id, "person": person, **given, **values})
    about = json.dumps({"run": interrupt.run_id, "asked_by": []})
    review = new_run(about, action_id=GLASS_REVIEW, requester=person, origin=Origin(via="bot"), idempotency_key=None)
    return await scene.store.emergencies.break_glass(new, review, now=now)


async def reviews(scene: Scene) -> list[str]:
    return [each.id for each in await scene.store.runs(RunFilters(actions=frozenset({GLASS_REVIEW})), limit=9)]


async def test_it_settles_alone_tells_everybody_and_starts_the_review_in_one_step(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id, ANA)
    assert isinstance(await breaks(scene, interrupt), Broke)
    card = await scene.card(interrupt.id)
    assert (card.interrupt.status, card.interrupt.cause) == (InterruptStatus.ANSWERED, Cause.BREAK_GLASS)
    assert (card.interrupt.settled_by, card.interrupt.answer) == (CAI, '"yes"')
    assert [each.person for each in card.decisions] == [ANA]
    assert card.run.status is RunStatus.QUEUED
    told = {each.place for each in await scene.copies(interrupt.run_id, CopyKind.GLASS)}
    assert told == {Channel("#approvals"), DirectMessage(Person(REQUESTER)), DirectMessage(Person(ANA))}
    [review] = await reviews(scene)
    assert card.interrupt.broken is not None
    assert (card.interrupt.broken.review, card.interrupt.broken.reason) == (review, REASON)
    started = await scene.run(review)
    assert (started.requester, started.status) == (CAI, RunStatus.QUEUED)
    assert json.loads(started.input)["asked_by"] == [REQUESTER]
    [entry] = [each for each in await scene.store.trail(interrupt.run_id) if each.event == "glass broken"]
    assert (entry.person, entry.details) == (CAI, {"reason": REASON, "review": review})


async def test_a_redelivery_is_told_again_and_starts_no_second_review(scene: Scene):
    interrupt = await scene.posted()
    assert isinstance(await breaks(scene, interrupt), Broke)
    assert isinstance(await breaks(scene, interrupt), Broke)
    assert isinstance(await breaks(scene, interrupt, BEN), AlreadySettled)
    assert len(await reviews(scene)) == 1


@pytest.mark.parametrize(
    ("how", "result"),
    [
        ({"person": REQUESTER}, OwnRequest),
        ({"content_version": 2}, Stale),
        ({"now": NOW + 25 * HOUR}, AlreadySettled),
        ({"interrupt_id": "r-nobody.1"}, Unknown),
    ],
)
async def test_what_is_refused_starts_no_review(scene: Scene, how: dict[str, Any], result: type):
    interrupt = await scene.posted()
    assert isinstance(await breaks(scene, interrupt, **how), result)
    assert await reviews(scene) == []
    assert await scene.copies(interrupt.run_id, CopyKind.GLASS) == []


async def test_of_it_an_answer_and_an_edit_in_the_same_moment_one_counts(scene: Scene):
    interrupt = await scene.posted(editable=("to",))
    results = await asyncio.gather(
        scene.vote(interrupt.id, ANA, now=LATER),
        breaks(scene, interrupt),
        scene.store.edit(edit_of(interrupt, BEN), now=LATER),
    )
    assert sum(isinstance(each, Answered | Broke | Edited) for each in results) == 1
    broke = any(isinstance(each, Broke) for each in results)
    assert len(await reviews(scene)) == broke


async def test_what_came_of_the_review_is_told_once_and_by_whoever_executes_it_alone(scene: Scene):
    interrupt = await scene.posted()
    await breaks(scene, interrupt)
    [review] = await reviews(scene)
    run = await scene.run(review)
    for epoch in (run.epoch, run.epoch + 1):
        await scene.store.emergencies.reviewed(review, epoch, was_right=True, now=LATER)
    assert "glass reviewed" not in await scene.events(interrupt.run_id)
    claimed = await scene.claimed(LATER)
    assert claimed.run.id == review
    for _ in range(2):
        await scene.store.emergencies.reviewed(review, claimed.run.epoch, was_right=False, now=LATER)
    assert (await scene.events(interrupt.run_id)).count("glass reviewed") == 1
    lines = [each.text for each in await scene.copies(interrupt.run_id, CopyKind.LINE)]
    assert lines.count("The review found that it was not right to break the glass.") == 1

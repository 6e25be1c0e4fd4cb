"""Who is away and who stands in for them, as the database keeps it; and that one voice counts once, whoever spoke."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from actions.kit.policies.absences import Absence
from actions.kit.records.copies import CopyKind
from storage.absences import InACircle
from storage.results import AlreadyVoted, Answered, OwnRequest, Started, Voted
from storage.store import Store
from tests.integration.scenes import ANA, BEN, CAI, HOUR, NOW, REQUESTER, Scene, lease, new_run, two_of

DAY = timedelta(days=1)


def away(person: str, stand_in: str, **fields) -> Absence:
    return Absence(
        **{
            "person": person,
            "stand_in": stand_in,
            "starts": NOW,
            "until": NOW + DAY,
            "via": "slack",
            "at": NOW,
            **fields,
        }
    )


async def test_an_absence_is_kept_replaced_ended_and_over(scene: Scene):
    absences = scene.store.absences
    first = away(ANA, BEN)
    assert await absences.set(first) == first
    assert await absences.open(NOW) == (first,)
    second = away(ANA, CAI, by_status=True, at=NOW + HOUR)
    await absences.set(second)
    assert await absences.open(NOW + HOUR) == (second,)
    assert await absences.open(second.until) == ()
    ended = await absences.end(ANA, now=NOW + 2 * HOUR)
    assert ended == replace(second, ended_at=NOW + 2 * HOUR)
    assert await absences.open(NOW) == ()
    assert await absences.end(ANA, now=NOW + 2 * HOUR) is None


async def test_one_that_is_over_is_not_ended_and_stands_in_nobodys_way(scene: Scene):
    absences = scene.store.absences
    await absences.set(away(ANA, BEN))
    assert isinstance(await absences.set(away(BEN, ANA, at=NOW + DAY, starts=NOW + DAY, until=NOW + 2 * DAY)), Absence)
    assert await absences.end(ANA, now=NOW + DAY) is None


async def test_one_that_begins_or_is_over_by_itself_has_home_tabs_drawn_again(scene: Scene):
    turned = scene.store.absences.turned
    await scene.store.absences.set(away(ANA, BEN, starts=NOW + HOUR))
    assert [await turned(NOW + each * HOUR, NOW + (each + 1) * HOUR) for each in (-1, 0, 1, 23, 24)] == [
        False,
        True,
        False,
        True,
        False,
    ]
    await scene.store.absences.end(ANA, now=NOW)
    assert not await turned(NOW, NOW + HOUR)


async def test_nobody_stands_in_for_themselves_by_a_circle_of_others(scene: Scene):
    absences = scene.store.absences
    await absences.set(away(ANA, BEN))
    await absences.set(away(BEN, CAI))
    refused = await absences.set(away(CAI, ANA))
    assert isinstance(refused, InACircle)
    assert [each.person for each in refused.way] == [CAI, ANA, BEN]
    assert len(await absences.open(NOW)) == 2


async def test_two_who_close_a_circle_at_once_do_not(scene: Scene):
    found = await asyncio.gather(scene.store.absences.set(away(ANA, BEN)), scene.store.absences.set(away(BEN, ANA)))
    assert [isinstance(each, InACircle) for each in found].count(True) == 1


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({"person": BEN, "standing_for": ANA}, {"person": ANA}),
        ({"person": ANA}, {"person": BEN, "standing_for": ANA}),
        ({"person": BEN, "standing_for": ANA}, {"person": CAI, "standing_for": ANA}),
        ({"person": BEN, "standing_for": ANA}, {"person": BEN, "standing_for": CAI}),
        ({"person": BEN}, {"person": BEN, "standing_for": ANA}),
    ],
)
async def test_one_voice_counts_once_whoever_spoke(scene: Scene, first: dict[str, Any], then: dict[str, Any]):
    interrupt = await scene.posted(policy=two_of(ANA, BEN, CAI))
    assert isinstance(await scene.vote(interrupt.id, **first), Voted)
    assert isinstance(await scene.vote(interrupt.id, source="a second click", **then), AlreadyVoted)
    (decision,) = (await scene.card(interrupt.id)).decisions
    assert (decision.person, decision.standing_for) == (first["person"], first.get("standing_for"))
    (voted,) = [each for each in await scene.store.trail(interrupt.run_id) if each.event == "voted"]
    assert voted.details.get("for") == first.get("standing_for")


async def test_two_in_the_places_of_two_are_two(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    assert isinstance(await scene.vote(interrupt.id, CAI, standing_for=ANA), Voted)
    assert isinstance(await scene.vote(interrupt.id, BEN), Answered)
    lines = {copy.person: copy.text for copy in await scene.copies(interrupt.run_id, CopyKind.LINE)}
    assert lines == {CAI: "voted “Approve” in the place of somebody who is away", BEN: "decided “Approve”"}


@pytest.mark.parametrize("joins", [ANA, BEN])
async def test_who_joins_a_request_meanwhile_takes_no_part_in_its_decision(scene: Scene, joins: str):
    run = (await scene.store.start(new_run(join_key="same"), lease=lease(), now=NOW)).run
    interrupt = await scene.posted(run=run, policy=two_of(ANA, CAI))
    await _asks_too(scene.store, joins)
    assert isinstance(await scene.vote(interrupt.id, BEN, standing_for=ANA), OwnRequest)


async def test_in_whose_place_it_was_decided_cannot_have_asked_for_it_as_well(scene: Scene):
    run = (await scene.store.start(new_run(join_key="same"), lease=lease(), now=NOW)).run
    interrupt = await scene.posted(run=run, policy=two_of(ANA, CAI))
    await scene.vote(interrupt.id, BEN, standing_for=ANA)
    for person in (ANA, BEN):
        assert (await _asks_too(scene.store, person)).run.id != run.id
    assert run.requester == REQUESTER


async def _asks_too(store: Store, person: str) -> Started:
    return await store.start(new_run(requester=person, join_key="same"), lease=None, now=NOW)

"""Each person has one morning at a time, and it is told once, by whichever process moves it on."""

import asyncio
from datetime import timedelta

from actions.kit.records.copies import CopyKind
from storage.results import Digest, Morning
from tests.integration.scenes import ANA, BEN, MEMBERS, NOW, SECOND, Scene

DAY = timedelta(days=1)
FIRST = Morning("2026-01-05", NOW)
NEXT = Morning("2026-01-06", NOW + DAY)
DUE = Digest(ANA, FIRST.day, FIRST.at)


async def known(scene: Scene) -> str:
    """Ana has a morning; the run of a question that waits for her."""
    interrupt = await scene.posted()
    await scene.store.digests.meet({ANA: FIRST})
    return interrupt.run_id


async def told(scene: Scene, run_id: str) -> list[str | None]:
    return [copy.person for copy in await scene.copies(run_id, CopyKind.DIGEST)]


async def test_people_are_met_once(scene: Scene):
    assert await scene.store.digests.strangers({ANA, BEN}) == (ANA, BEN)
    assert await scene.store.digests.meet({ANA: FIRST}) == 1
    assert await scene.store.digests.strangers({ANA, BEN}) == (BEN,)
    assert await scene.store.digests.meet({ANA: NEXT, BEN: NEXT}) == 1
    assert await scene.store.digests.due(NOW, limit=5) == (DUE,)
    assert [each.person for each in await scene.store.digests.due(NOW + DAY, limit=5)] == [ANA, BEN]
    assert await scene.store.digests.due(NOW - SECOND, limit=5) == ()


async def test_a_morning_that_many_tell_at_once_is_told_once(scene: Scene):
    run_id = await known(scene)
    digests = scene.store.digests
    moved = await asyncio.gather(*(digests.move_on(DUE, NEXT, run_id=run_id, now=NOW) for _ in range(5)))
    assert moved.count(True) == 1
    assert await told(scene, run_id) == [ANA]
    assert await digests.due(NOW, limit=5) == ()
    assert await digests.due(NOW + DAY, limit=5) == (Digest(ANA, NEXT.day, NEXT.at),)


async def test_a_morning_on_which_nothing_waits_passes_without_a_word(scene: Scene):
    run_id = await known(scene)
    assert await scene.store.digests.move_on(DUE, NEXT, run_id=None, now=NOW)
    assert await told(scene, run_id) == []


async def test_a_digest_is_one_message_that_is_never_drawn_again(scene: Scene):
    run_id = await known(scene)
    await scene.store.digests.move_on(DUE, NEXT, run_id=run_id, now=NOW)
    [copy] = await scene.take(NOW)
    await scene.post(copy, NOW)
    await scene.vote(copy.interrupt_id or (await scene.copies(run_id, CopyKind.CARD))[0].interrupt_id or "")
    assert CopyKind.DIGEST not in {each.kind for each in await scene.take(NOW + SECOND)}


async def test_what_is_typed_below_a_digest_is_no_comment_on_the_run_at_which_it_hangs(scene: Scene):
    run_id = await known(scene)
    await scene.store.digests.move_on(DUE, NEXT, run_id=run_id, now=NOW)
    [copy] = await scene.take(NOW)
    await scene.post(copy, NOW)
    [posted] = await scene.copies(run_id, CopyKind.DIGEST)
    assert await scene.store.question_below(posted.channel or "", posted.ts or "") is None


async def test_whoever_switched_theirs_off_gets_none_until_they_switch_it_on(scene: Scene):
    run_id = await known(scene)
    digests = scene.store.digests
    await digests.switch(ANA, on=False, now=NOW)
    assert await digests.is_off(ANA)
    assert await digests.due(NOW + DAY, limit=5) == ()
    assert not await digests.move_on(DUE, NEXT, run_id=run_id, now=NOW)
    await digests.switch(ANA, on=True, now=NOW)
    assert not await digests.is_off(ANA)
    assert await digests.due(NOW, limit=5) == (DUE,)


async def test_whoever_is_not_known_yet_may_switch_theirs_off(scene: Scene):
    await scene.store.digests.switch(BEN, on=False, now=NOW)
    assert await scene.store.digests.strangers({BEN}) == ()
    assert await scene.store.digests.is_off(BEN)
    await scene.store.digests.switch(BEN, on=True, now=NOW)
    assert await scene.store.digests.due(NOW, limit=5) == (Digest(BEN, None, NOW),)


async def test_a_digest_that_is_put_off_stays_that_of_its_day(scene: Scene):
    await known(scene)
    assert await scene.store.digests.put_off(DUE, until=NOW + SECOND)
    assert await scene.store.digests.due(NOW, limit=5) == ()
    assert await scene.store.digests.due(NOW + SECOND, limit=5) == (Digest(ANA, FIRST.day, NOW + SECOND),)


async def test_the_clock_control_brings_mornings_forward(scene: Scene):
    await scene.store.digests.meet({ANA: NEXT})
    await scene.store.bring_deadlines_forward(DAY, now=NOW)
    assert await scene.store.digests.due(NOW, limit=5) == (Digest(ANA, NEXT.day, NOW),)


async def test_what_waits_is_told_in_order_with_its_policy_and_who_asks(scene: Scene):
    assert await scene.store.digests.asked() == ()
    first, second = sorted([await scene.posted(), await scene.posted()], key=lambda each: each.id)
    requester = (await scene.card(first.id)).run.requester
    asked = [(each.id, MEMBERS, requester) for each in (first, second)]
    assert await scene.store.digests.asked() == tuple(asked)
    assert await scene.store.digests.asked(after=first.id) == tuple(asked[1:])
    await scene.vote(first.id)
    assert await scene.store.digests.asked() == tuple(asked[1:])

"""The clock of a question: it counts business hours, and it can be paused."""

from datetime import UTC, datetime, timedelta

from actions import Hours, every
from actions.kit.records.copies import CopyKind, NewCopy
from storage.results import Answered, Late
from storage.transitions.deadlines import pause_clock, resume_clock
from tests.integration.scenes import ANA, APPROVALS, HOUR, ME, MEMBERS, NOW, Scene

THEN = NOW + timedelta(days=9)
FRIDAY = datetime(2026, 12, 4, 15, 30, tzinfo=UTC)
MONDAY = datetime(2026, 12, 7, 8, tzinfo=UTC)
AT_WORK = MEMBERS.model_copy(update={"hours": Hours("Europe/Berlin")})


async def paused(scene: Scene, interrupt_id: str, now: datetime) -> bool:
    card = await scene.card(interrupt_id)
    return await scene.database.write(card.run.id, lambda writing: pause_clock(writing, card, now, via="slack"))


async def resumed(scene: Scene, interrupt_id: str, now: datetime) -> bool:
    card = await scene.card(interrupt_id)
    return await scene.database.write(card.run.id, lambda writing: resume_clock(writing, card, now, via="slack"))


async def test_a_deadline_counts_only_while_the_team_works(scene: Scene):
    interrupt = await scene.posted(now=FRIDAY, policy=AT_WORK)
    assert interrupt.expires_at == MONDAY + HOUR / 2
    assert await scene.store.expire_due(now=MONDAY) == 0
    assert await scene.store.expire_due(now=MONDAY + HOUR / 2) == 1


async def test_a_paused_clock_never_runs_out_and_goes_on_with_what_was_left(scene: Scene):
    interrupt = await scene.posted()
    assert await paused(scene, interrupt.id, NOW + HOUR / 4)
    assert await scene.store.expire_due(now=THEN) == 0
    assert (await scene.card(interrupt.id)).interrupt.time_left == HOUR * 3 / 4
    assert await resumed(scene, interrupt.id, THEN)
    assert (await scene.card(interrupt.id)).interrupt.expires_at == THEN + HOUR * 3 / 4
    assert await scene.store.expire_due(now=THEN + HOUR / 2) == 0
    assert await scene.store.expire_due(now=THEN + HOUR) == 1
    assert [each for each in await scene.events(interrupt.run_id) if each.startswith("clock")] == [
        "clock paused",
        "clock resumed",
    ]


async def test_an_answer_while_the_clock_is_paused_is_not_late(scene: Scene):
    interrupt = await scene.posted()
    await paused(scene, interrupt.id, NOW)
    assert isinstance(await scene.vote(interrupt.id, now=THEN), Answered)


async def test_what_is_left_is_business_time_on_both_sides_of_a_pause(scene: Scene):
    interrupt = await scene.posted(now=FRIDAY, policy=AT_WORK)
    await paused(scene, interrupt.id, FRIDAY + HOUR / 4)
    await resumed(scene, interrupt.id, FRIDAY + HOUR)
    assert (await scene.card(interrupt.id)).interrupt.expires_at == MONDAY + HOUR * 3 / 4


async def test_a_card_that_comes_to_stand_during_a_pause_has_all_of_its_time(scene: Scene):
    interrupt = await scene.asked()
    await paused(scene, interrupt.id, NOW)
    for copy in await scene.take(NOW + HOUR):
        await scene.post(copy, NOW + HOUR)
    await resumed(scene, interrupt.id, THEN)
    assert (await scene.card(interrupt.id)).interrupt.expires_at == THEN + HOUR


async def test_what_is_to_happen_by_itself_counts_from_the_post_as_well(scene: Scene):
    interrupt = await scene.asked(policy=MEMBERS.model_copy(update={"remind": every(minutes=30)}))
    await paused(scene, interrupt.id, NOW)
    for copy in await scene.take(NOW + HOUR):
        await scene.post(copy, NOW + HOUR)
    await resumed(scene, interrupt.id, THEN)
    assert await scene.store.steps.due(now=THEN + HOUR / 2 - timedelta(seconds=1), limit=5) == ()
    assert len(await scene.store.steps.due(now=THEN + HOUR / 2, limit=5)) == 1


async def test_a_card_that_was_undeliverable_before_the_pause_keeps_the_time_that_was_left(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await scene.store.copy_refused(copy.id, owner=ME, error="channel_not_found", fallbacks=(), now=NOW)
    await paused(scene, interrupt.id, NOW + HOUR / 4)
    again = [NewCopy(CopyKind.CARD, APPROVALS)]
    await scene.store.deliver_again(interrupt.id, copies=again, person=ANA, via="slack", now=NOW + HOUR / 2)
    for copy in await scene.take(NOW + HOUR / 2):
        await scene.post(copy, NOW + HOUR / 2)
    await resumed(scene, interrupt.id, THEN)
    assert (await scene.card(interrupt.id)).interrupt.expires_at == THEN + HOUR * 3 / 4


async def test_a_clock_is_paused_once_and_not_too_late(scene: Scene):
    interrupt = await scene.posted()
    assert not await resumed(scene, interrupt.id, NOW)
    assert await paused(scene, interrupt.id, NOW)
    assert not await paused(scene, interrupt.id, NOW + HOUR / 2)
    assert await resumed(scene, interrupt.id, NOW + HOUR / 2)
    assert not await paused(scene, interrupt.id, NOW + 2 * HOUR)
    assert isinstance(await scene.vote(interrupt.id, now=NOW + 2 * HOUR), Late)
    assert not await resumed(scene, interrupt.id, THEN)


async def test_a_card_is_drawn_anew_when_its_clock_is_paused(scene: Scene):
    interrupt = await scene.posted()
    assert await scene.take() == ()
    await paused(scene, interrupt.id, NOW)
    assert [copy.interrupt_id for copy in await scene.take()] == [interrupt.id]


async def test_the_clock_control_moves_no_clock_that_stands(scene: Scene):
    interrupt = await scene.posted()
    await paused(scene, interrupt.id, NOW)
    assert await scene.store.bring_deadlines_forward(2 * HOUR, now=NOW) == 0
    assert (await scene.card(interrupt.id)).interrupt.expires_at == NOW + HOUR

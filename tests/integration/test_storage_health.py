"""What is stuck is found, by what keeps it, and nothing that goes on by itself is."""

from datetime import timedelta

import pytest

from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Cause, InterruptRecord
from actions.kit.records.runs import Failure, Hindrance, RunRecord, RunStatus
from storage.results import StuckPage
from tests.integration.scenes import BEN, ME, NOW, SECOND, Scene, lease, new_run, question

MINUTE = timedelta(minutes=1)
LATER = NOW + 5 * MINUTE
BOOM = Failure(kind="ValueError", message="boom")


async def found(scene: Scene, at: object = LATER) -> list[tuple[str, Hindrance]]:
    page = await scene.store.stuck(now=at)  # type: ignore[arg-type]
    assert page.total == len(page.found)
    return [(stuck.run.id, stuck.why) for stuck in page.found]


async def failed(scene: Scene, status: RunStatus = RunStatus.FAILED) -> RunRecord:
    run = await scene.running()
    ended = await scene.store.finish(run.id, run.epoch, owner=ME, status=status, failure=BOOM, now=NOW)
    assert ended is not None
    return ended


async def undeliverable(scene: Scene) -> InterruptRecord:
    interrupt = await scene.asked()
    (copy,) = [copy for copy in await scene.take() if copy.run_id == interrupt.run_id]
    await scene.store.copy_refused(copy.id, owner=ME, error="not_in_channel", fallbacks=(), now=NOW)
    return interrupt


async def test_what_goes_on_by_itself_or_is_over_is_not_stuck(scene: Scene):
    await scene.posted()
    await scene.asked(now=LATER - SECOND)
    await scene.store.start(new_run(), lease=None, now=LATER - SECOND)
    await scene.running(now=LATER - SECOND)
    run = await scene.running()
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="null", now=NOW)
    assert await scene.store.stuck(now=LATER) == StuckPage((), 0)
    assert (await scene.store.backlog(now=LATER)).stuck == {}


async def test_a_run_that_nobody_takes_up_is_stuck_after_a_minute(scene: Scene):
    run = (await scene.store.start(new_run(), lease=None, now=NOW)).run
    assert await found(scene, NOW + 59 * SECOND) == []
    (stuck,) = (await scene.store.stuck(now=LATER)).found
    assert (stuck.run.id, stuck.why, stuck.since) == (run.id, Hindrance.LATE, NOW)


async def test_a_run_whose_lease_lapsed_is_stuck_once_any_running_bot_would_have_taken_it_over(scene: Scene):
    run = await scene.running()
    assert await found(scene, NOW + 50 * SECOND) == []
    (stuck,) = (await scene.store.stuck(now=LATER)).found
    assert (stuck.run.id, stuck.why, stuck.since) == (run.id, Hindrance.LOST, run.lease_until)


async def test_an_action_that_blocks_is_stuck_and_says_where(scene: Scene):
    run = (await scene.store.start(new_run(), lease=lease(LATER), now=LATER)).run
    await scene.store.blocked(run.id, "deploys.py:12", "It blocks.", now=LATER)
    (stuck,) = (await scene.store.stuck(now=LATER)).found
    assert (stuck.why, stuck.detail) == (Hindrance.BLOCKED, "deploys.py:12")


async def test_it_stays_so_when_the_line_that_says_so_is_posted(scene: Scene):
    run = (await scene.answered(now=LATER)).run
    await scene.store.blocked(run.id, "deploys.py:12", "It blocks.", now=LATER)
    for copy in await scene.take(LATER):
        if copy.kind is CopyKind.LINE:
            await scene.post(copy, LATER)
    assert (await scene.events(run.id))[-2:] == ["blocked", "posted"]
    (stuck,) = (await scene.store.stuck(now=LATER)).found
    assert (stuck.why, stuck.detail) == (Hindrance.BLOCKED, "deploys.py:12")


async def test_an_undeliverable_card_is_stuck_with_slacks_reason(scene: Scene):
    interrupt = await undeliverable(scene)
    (stuck,) = (await scene.store.stuck(now=NOW)).found
    assert stuck.question == question().message
    assert (stuck.why, stuck.detail, stuck.interrupt_id) == (Hindrance.UNDELIVERABLE, "not_in_channel", interrupt.id)


async def test_a_card_that_does_not_stand_after_a_minute_is_stuck(scene: Scene):
    interrupt = await scene.asked()
    assert await found(scene, NOW + 59 * SECOND) == []
    assert await found(scene) == [(interrupt.run_id, Hindrance.UNSEEN)]


async def test_a_card_that_is_delivered_again_gets_another_minute(scene: Scene):
    interrupt = await undeliverable(scene)
    await scene.store.deliver_again(interrupt.id, copies=(), person=BEN, via="slack", cause=Cause.ADMIN, now=LATER)
    assert await found(scene, LATER) == []
    assert await found(scene, LATER + 2 * MINUTE) == [(interrupt.run_id, Hindrance.UNSEEN)]
    assert (await scene.store.trail(interrupt.run_id))[-1].details["cause"] == "admin"


async def test_what_failed_after_an_answer_says_what_it_had_asked_and_waits_for_no_answer(scene: Scene):
    claimed = await scene.answered(message="Shall it?")
    run = claimed.run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.STALLED, failure=BOOM, now=NOW)
    (stuck,) = (await scene.store.stuck(now=NOW)).found
    assert (stuck.why, stuck.question, stuck.interrupt_id, stuck.detail) == (
        Hindrance.STALLED,
        "Shall it?",
        None,
        None,
    )


async def test_a_failure_is_shown_for_a_day(scene: Scene):
    run = await failed(scene)
    assert await found(scene, NOW + timedelta(hours=23)) == [(run.id, Hindrance.FAILED)]
    assert await found(scene, NOW + timedelta(hours=25)) == []


async def test_what_needs_a_person_most_comes_first_and_of_one_kind_the_newest(scene: Scene):
    late = (await scene.store.start(new_run(), lease=None, now=NOW)).run
    older, newer = await failed(scene), await failed(scene)
    stalled = await failed(scene, RunStatus.STALLED)
    lost = (await undeliverable(scene)).run_id
    failures = sorted([older.id, newer.id], reverse=True)
    everything = [stalled.id, lost, late.id, *failures]
    assert [run_id for run_id, _ in await found(scene)] == everything
    pages = [await scene.store.stuck(now=LATER, limit=2, skip=skip) for skip in (0, 2, 4, 6)]
    assert [[stuck.run.id for stuck in page.found] for page in pages] == [
        everything[:2],
        everything[2:4],
        everything[4:],
        [],
    ]
    assert {page.total for page in pages} == {5}
    counted = (await scene.store.backlog(now=LATER)).stuck
    assert [(why, count) for why, (count, _) in counted.items()] == [
        (Hindrance.STALLED, 1),
        (Hindrance.UNDELIVERABLE, 1),
        (Hindrance.LATE, 1),
        (Hindrance.FAILED, 2),
    ]


async def test_a_held_run_is_stuck(scene: Scene):
    run = await scene.running()
    await scene.store.hold(run.id, run.epoch, owner=ME, failure=BOOM, now=NOW)
    assert await found(scene) == [(run.id, Hindrance.HELD)]


async def test_messages_that_are_behind_for_minutes_are_counted_by_slacks_error(scene: Scene):
    await scene.asked()
    assert (await scene.store.backlog(now=NOW + MINUTE)).behind == ()
    (behind,) = (await scene.store.backlog(now=LATER)).behind
    assert (behind.error, behind.count, behind.since) == (None, 1, NOW)


async def test_a_message_that_fails_again_and_again_is_behind_however_soon_it_is_tried_next(scene: Scene):
    await scene.asked()
    at = NOW
    for _ in range(6):
        (copy,) = await scene.take(at)
        at += SECOND
        await scene.store.copy_retry(copy.id, owner=ME, error="token_revoked", next_at=at)
    (behind,) = (await scene.store.backlog(now=at)).behind
    assert (behind.error, behind.count) == ("token_revoked", 1)


@pytest.mark.parametrize("verb", ["run_again", "it_happened", "it_did_not"])
async def test_an_order_is_noted_with_its_cause(scene: Scene, verb: str):
    run = await failed(scene, RunStatus.STALLED)
    await scene.store.order(
        run.id, run.epoch, verb, person=BEN, via="slack", cause=Cause.ADMIN, now=NOW  # type: ignore[arg-type]
    )  # fmt: skip
    (entry,) = [entry for entry in await scene.store.trail(run.id) if entry.person == BEN]
    assert (entry.via, entry.details["cause"]) == ("slack", "admin")
    assert await scene.copies(run.id, CopyKind.OUTCOME)

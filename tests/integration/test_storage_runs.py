"""Runs: started, claimed, renewed, ended, held, recovered, and ordered by people."""

import asyncio

import pytest

from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import Failure, RunStatus, Wake
from storage.results import (
    AlreadyEnded,
    Cancelled,
    CancelRequested,
    Ordered,
    OutOfOrder,
    Recovered,
    Renewal,
    RunFilters,
    Unknown,
)
from storage.transitions.recovery import WAKE_PATIENCE
from tests.integration.scenes import ANA, APPROVALS, BEN, ME, NOW, REQUESTER, SECOND, Scene, lease, new_run, question

FAULT = Failure(kind="ValueError", message="no such host")
LATE = NOW + 31 * SECOND


def never(_: str) -> bool:
    return False


def always(_: str) -> bool:
    return True


async def test_a_run_without_a_lease_is_queued_and_wakes_somebody(scene: Scene):
    started = await scene.store.start(new_run(), lease=None, now=NOW)
    await asyncio.sleep(0)
    assert (started.created, started.run.status, started.run.epoch) == (True, RunStatus.QUEUED, 1)
    assert scene.wakes == [Wake(started.run.id, 1)]


async def test_a_run_with_a_lease_is_started_and_claimed_in_one_commit(scene: Scene):
    before = scene.database.commits
    run = await scene.running()
    assert scene.database.commits == before + 1
    assert (run.status, run.claims, run.lease_owner) == (RunStatus.RUNNING, 1, ME)
    assert await scene.run(run.id) == run
    assert scene.wakes == []


async def test_the_same_request_finds_its_run_even_when_it_has_ended(scene: Scene):
    first = await scene.store.start(new_run(idempotency_key="form 1"), lease=lease(), now=NOW)
    await scene.store.finish(first.run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    again = await scene.store.start(new_run(idempotency_key="form 1"), lease=lease(), now=NOW)
    other = await scene.store.start(new_run(idempotency_key="form 1", requester=ANA), lease=None, now=NOW)
    assert (again.created, again.run.id, again.run.status) == (False, first.run.id, RunStatus.SUCCEEDED)
    assert other.created


async def test_racing_starts_of_one_request_make_one_run(scene: Scene):
    starts = (scene.store.start(new_run(idempotency_key="form 1"), lease=None, now=NOW) for _ in range(12))
    results = await asyncio.gather(*starts)
    assert len({started.run.id for started in results}) == 1
    assert sum(started.created for started in results) == 1


async def test_a_requester_who_could_not_be_told_the_end_is_refused_before_anything_is_stored(scene: Scene):
    with pytest.raises(ValueError, match="neither the id of a person"):
        await scene.store.start(new_run(requester="somebody"), lease=None, now=NOW)
    assert await scene.store.runs() == ()


async def test_of_many_claims_one_wins(scene: Scene):
    await scene.store.start(new_run(), lease=None, now=NOW)
    wake = scene.wakes[0]
    claims = [scene.store.claim(wake, lease=lease(owner=f"p{n}"), now=NOW) for n in range(10)]
    won = [claimed for claimed in await asyncio.gather(*claims) if claimed]
    assert len(won) == 1
    assert (await scene.run(wake.run_id)).lease_owner == won[0].run.lease_owner


async def test_even_one_owner_claims_an_epoch_once(scene: Scene):
    await scene.store.start(new_run(), lease=None, now=NOW)
    claims = [scene.store.claim(scene.wakes[0], lease=lease(), now=NOW) for _ in range(5)]
    assert sum(claimed is not None for claimed in await asyncio.gather(*claims)) == 1


async def test_a_stale_wake_does_nothing(scene: Scene):
    run = (await scene.store.start(new_run(), lease=None, now=NOW)).run
    assert await scene.store.claim(Wake(run.id, 7), lease=lease(), now=NOW) is None
    assert await scene.store.claim(Wake("nothing", 1), lease=lease(), now=NOW) is None


async def test_a_claim_hands_over_the_latest_answer_with_its_decisions(scene: Scene):
    claimed = await scene.answered(state='{"draft": 1}')
    [(interrupt, decisions)] = claimed.resumptions
    assert (interrupt.status, interrupt.choice, interrupt.state) == (InterruptStatus.ANSWERED, "yes", '{"draft": 1}')
    assert [decision.person for decision in decisions] == [ANA]
    second = await scene.asked(claimed.run, occurrence=2)
    await scene.vote(second.id, BEN)
    [(latest, _)] = (await scene.claimed()).resumptions
    assert latest.id == second.id


async def test_a_claim_hands_over_one_answer_for_each_call_path(scene: Scene):
    claimed = await scene.answered(call_path="a")
    second = await scene.asked(claimed.run, call_path="b")
    await scene.vote(second.id, BEN)
    paths = [interrupt.call_path for interrupt, _ in (await scene.claimed()).resumptions]
    assert paths == ["a", "b"]


async def test_a_lease_is_renewed_by_its_owner_alone(scene: Scene):
    run = await scene.running()
    assert await scene.store.renew(run.id, 1, lease=lease(LATE)) == Renewal(held=True, cancel_requested=False)
    assert not (await scene.store.renew(run.id, 1, lease=lease(owner="other"))).held
    assert not (await scene.store.renew(run.id, 2, lease=lease())).held
    assert (await scene.run(run.id)).lease_until == lease(LATE).until


async def test_every_end_tells_the_requester_once(scene: Scene):
    run = await scene.running()
    finished = await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.FAILED, failure=FAULT, now=NOW)
    again = await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.FAILED, failure=FAULT, now=NOW)
    other = await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    assert finished == again == await scene.run(run.id)
    assert other is None
    [outcome] = await scene.copies(run.id, CopyKind.OUTCOME)
    assert outcome.ending is not None
    assert (outcome.ending.status, outcome.ending.epoch, outcome.ending.failure) == (RunStatus.FAILED, 1, FAULT)
    assert outcome.place is not None
    assert REQUESTER in outcome.place.model_dump_json()


async def test_a_fenced_owner_changes_nothing(scene: Scene):
    run = await scene.running()
    await scene.store.recover(now=LATE, idempotent=never)
    assert await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=LATE) is None
    assert await scene.store.finish(run.id, 2, owner="other", status=RunStatus.SUCCEEDED, now=LATE) is None
    assert (await scene.run(run.id)).status is RunStatus.QUEUED


async def test_a_crash_before_any_answer_is_tried_three_times(scene: Scene):
    run = await scene.running()
    for attempt in (1, 2):
        now = NOW + attempt * 60 * SECOND
        assert (await scene.store.recover(now=now, idempotent=never)).requeued == (run.id,)
        await scene.claimed(now)
    assert (await scene.store.recover(now=NOW + 600 * SECOND, idempotent=never)).failed == (run.id,)
    failed = await scene.run(run.id)
    assert (failed.status, failed.failure and failed.failure.kind) == (RunStatus.FAILED, "crashed")
    assert len(await scene.copies(run.id, CopyKind.OUTCOME)) == 1


async def test_a_crash_after_an_answer_stalls_and_is_never_executed_again_silently(scene: Scene):
    claimed = await scene.answered()
    assert (await scene.store.recover(now=LATE, idempotent=never)).stalled == (claimed.run.id,)
    stalled = await scene.run(claimed.run.id)
    assert (stalled.status, stalled.epoch) == (RunStatus.STALLED, claimed.run.epoch)
    assert await scene.store.recover(now=LATE, idempotent=never) == Recovered()


async def test_an_idempotent_action_is_executed_again_after_an_answer(scene: Scene):
    claimed = await scene.answered()
    assert (await scene.store.recover(now=LATE, idempotent=always)).requeued == (claimed.run.id,)
    assert [interrupt.choice for interrupt, _ in (await scene.claimed(LATE)).resumptions] == ["yes"]


async def test_an_answer_starts_the_count_of_crashes_anew(scene: Scene):
    run = await scene.running()
    await scene.store.recover(now=LATE, idempotent=never)
    interrupt = await scene.asked((await scene.claimed(LATE)).run)
    assert (await scene.run(run.id)).claims == 2
    await scene.vote(interrupt.id)
    assert (await scene.claimed()).run.claims == 1


async def test_a_living_lease_is_not_taken(scene: Scene):
    await scene.running()
    assert await scene.store.recover(now=NOW + 29 * SECOND, idempotent=never) == Recovered()


async def test_a_lost_wake_is_repaired_and_a_doubled_one_is_harmless(scene: Scene):
    run = (await scene.store.start(new_run(), lease=None, now=NOW)).run
    assert await scene.store.recover(now=NOW + SECOND, idempotent=never) == Recovered()
    assert (await scene.store.recover(now=NOW + WAKE_PATIENCE, idempotent=never)).woken == (run.id,)
    await asyncio.sleep(0)
    first, second = scene.wakes
    assert await scene.store.claim(first, lease=lease(), now=NOW)
    assert await scene.store.claim(second, lease=lease(), now=NOW) is None


async def test_a_late_original_settles_its_stalled_run(scene: Scene):
    claimed = await scene.answered()
    await scene.store.recover(now=LATE, idempotent=never)
    epoch = claimed.run.epoch
    done = await scene.store.finish(
        claimed.run.id, epoch, owner=ME, status=RunStatus.SUCCEEDED, output='"ok"', now=LATE
    )
    assert done is not None
    assert (done.status, done.output, done.failure) == (RunStatus.SUCCEEDED, '"ok"', None)
    told = [copy.ending.status for copy in await scene.copies(done.id, CopyKind.OUTCOME) if copy.ending]
    assert told == [RunStatus.STALLED, RunStatus.SUCCEEDED]


async def test_a_late_original_may_ask_again_in_its_stalled_run(scene: Scene):
    claimed = await scene.answered()
    await scene.store.recover(now=LATE, idempotent=never)
    await scene.asked(claimed.run, occurrence=2, now=LATE)
    waiting = await scene.run(claimed.run.id)
    assert (waiting.status, waiting.ended_at, waiting.failure) == (RunStatus.WAITING, None, None)


async def test_a_late_original_is_fenced_once_somebody_ordered_another_run(scene: Scene):
    claimed = await scene.answered()
    await scene.store.recover(now=LATE, idempotent=never)
    epoch = claimed.run.epoch
    assert isinstance(
        await scene.store.order(claimed.run.id, epoch, "run_again", person=ANA, via="slack", now=LATE), Ordered
    )
    assert await scene.store.finish(claimed.run.id, epoch, owner=ME, status=RunStatus.SUCCEEDED, now=LATE) is None


async def test_cancelling_what_waits_settles_its_interrupt_at_once(scene: Scene):
    interrupt = await scene.posted()
    result = await scene.store.cancel(interrupt.run_id, person=BEN, via="slack", now=NOW)
    assert isinstance(result, Cancelled)
    card = await scene.card(interrupt.id)
    assert (card.run.status, card.run.ended_by) == (RunStatus.CANCELLED, BEN)
    assert (card.interrupt.status, card.interrupt.settled_by) == (InterruptStatus.CANCELLED, BEN)
    again = await scene.store.cancel(interrupt.run_id, person=ANA, via="slack", now=NOW)
    assert isinstance(again, AlreadyEnded)
    assert again.run.ended_by == BEN


async def test_cancelling_what_runs_asks_it_to_stop(scene: Scene):
    run = await scene.running()
    result = await scene.store.cancel(run.id, person=BEN, via="slack", now=NOW)
    assert isinstance(result, CancelRequested)
    assert result.run.cancel_requested_by == BEN
    assert (await scene.store.renew(run.id, 1, lease=lease())).cancel_requested
    ended = await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.CANCELLED, now=NOW)
    assert ended is not None
    assert ended.ended_by == BEN


async def test_a_run_that_pauses_after_somebody_cancelled_it_is_cancelled(scene: Scene):
    run = await scene.running()
    await scene.store.cancel(run.id, person=BEN, via="slack", now=NOW)
    assert await scene.store.pause(run.id, 1, owner=ME, request=question(), copies=(), now=NOW) is None
    assert (await scene.run(run.id)).status is RunStatus.CANCELLED
    assert await scene.store.pending() == ()


async def test_a_crash_of_a_run_that_is_to_be_cancelled_is_cancelled_before_an_answer_and_stalled_after(scene: Scene):
    answered, fresh = (await scene.answered()).run, await scene.running()
    for run in (answered, fresh):
        await scene.store.cancel(run.id, person=BEN, via="slack", now=NOW)
    recovered = await scene.store.recover(now=LATE, idempotent=always)
    assert (recovered.cancelled, recovered.stalled) == ((fresh.id,), (answered.id,))


async def test_cancelling_nothing_says_so(scene: Scene):
    assert await scene.store.cancel("nothing", person=BEN, via="slack", now=NOW) == Unknown()
    assert await scene.store.order("nothing", 1, "run_again", person=BEN, via="slack", now=NOW) == Unknown()


async def test_a_failed_run_is_run_again_with_its_answer_by_one_of_two_people(scene: Scene):
    claimed = await scene.answered()
    run = claimed.run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.FAILED, failure=FAULT, now=NOW)
    orders = (
        scene.store.order(run.id, run.epoch, "run_again", person=person, via="slack", now=NOW) for person in (ANA, BEN)
    )
    assert {type(result) for result in await asyncio.gather(*orders)} == {Ordered, OutOfOrder}
    again = await scene.claimed()
    assert (again.run.epoch, again.run.failure, again.run.ended_at) == (run.epoch + 1, None, None)
    assert [interrupt.choice for interrupt, _ in again.resumptions] == ["yes"]


@pytest.mark.parametrize(("verb", "status"), [("it_happened", RunStatus.SUCCEEDED), ("it_did_not", RunStatus.FAILED)])
async def test_a_person_settles_what_is_stalled(scene: Scene, verb, status):
    run = (await scene.answered()).run
    await scene.store.recover(now=LATE, idempotent=never)
    result = await scene.store.order(run.id, run.epoch, verb, person=BEN, via="slack", now=LATE)
    assert isinstance(result, Ordered)
    assert (result.run.status, result.run.marked_by, result.run.output) == (status, BEN, None)
    told = [copy.ending.status for copy in await scene.copies(run.id, CopyKind.OUTCOME) if copy.ending]
    assert told == [RunStatus.STALLED, status]
    if status is RunStatus.SUCCEEDED:
        late = await scene.store.order(run.id, run.epoch, "run_again", person=ANA, via="slack", now=LATE)
        assert isinstance(late, OutOfOrder)


async def test_what_succeeded_cannot_be_settled_or_run_again(scene: Scene):
    run = await scene.running()
    await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    for verb in ("run_again", "it_happened", "it_did_not"):
        result = await scene.store.order(run.id, 1, verb, person=BEN, via="slack", now=NOW)
        assert isinstance(result, OutOfOrder)


async def test_a_held_run_is_released_when_the_code_is_back(scene: Scene):
    run = (await scene.answered()).run
    unknown = Failure(kind="unknown_action", message="send_message is not registered")
    held = await scene.store.hold(run.id, run.epoch, owner=ME, failure=unknown, now=NOW)
    assert held is not None
    assert (held.status, held.failure) == (RunStatus.HELD, unknown)
    assert await scene.store.runs(RunFilters(statuses=frozenset({RunStatus.HELD}))) == (held,)
    assert await scene.store.recover(now=LATE, idempotent=never) == Recovered()
    released = await scene.store.release(run.id, now=NOW)
    assert released is not None
    assert (released.status, released.failure) == (RunStatus.QUEUED, None)
    assert (await scene.claimed()).run.claims == 1
    assert await scene.store.release(run.id, now=NOW) is None


async def test_runs_are_listed_from_the_newest_on_and_page_by_page(scene: Scene):
    ids = [(await scene.running(now=NOW + n * SECOND)).id for n in range(5)]
    first = await scene.store.runs(limit=2)
    second = await scene.store.runs(limit=10, before=first[-1].id)
    assert [run.id for run in first + second] == ids[::-1]
    assert await scene.store.runs(RunFilters(action_id="other")) == ()
    assert len(await scene.store.runs(RunFilters(requester=REQUESTER), limit=3)) == 3


async def test_the_trail_tells_who_did_what_in_order(scene: Scene):
    run = (await scene.answered()).run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    events = await scene.events(run.id)
    assert events == ["started", "paused", "posted", "voted", "interrupt answered", "claimed", "succeeded"]
    trail = await scene.store.trail(run.id)
    assert [(record.person, record.via) for record in trail if record.event == "voted"] == [(ANA, "slack")]
    assert trail[0].person == REQUESTER


async def test_the_rest_of_the_house_sees_what_people_wait_for(scene: Scene):
    one, two = await scene.posted(), await scene.asked(places=[APPROVALS])
    await scene.vote(one.id)
    assert [card.interrupt.id for card in await scene.store.pending()] == [two.id]
    latest = await scene.store.latest_card(two.run_id)
    assert latest is not None
    assert latest.interrupt.id == two.id
    assert await scene.store.latest_card("nothing") is None
    assert await scene.store.card("nothing") is None

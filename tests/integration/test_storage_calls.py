"""The log of nested calls: only who executes a run writes in it, and what a crash leaves there decides what happens next."""

from typing import Any

import pytest

from actions.kit.records.interrupts import Asker, InterruptStatus
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from actions.kit.running.calls import CallEnding, CallRecord, CallStatus
from storage.results import Purge
from tests.integration.scenes import ANA, HOUR, ME, NO, NOW, Scene, lease, vote

PAY = Asker(action_id="pay", action_name="Pay", input='{"sum":1}')
DONE = CallEnding(CallStatus.FINISHED, output='"paid"')
LATER = NOW + HOUR


async def begin(scene: Scene, run: RunRecord, path: str = "pay", **changes: Any) -> bool:
    about: dict[str, Any] = {
        "run_id": run.id,
        "epoch": run.epoch,
        "owner": ME,
        "path": path,
        "asker": PAY,
        "now": NOW,
    } | changes
    return await scene.store.calls.begin(**about)


async def end(scene: Scene, run: RunRecord, path: str = "pay", ending: CallEnding = DONE, **changes: Any) -> bool:
    about: dict[str, Any] = {
        "run_id": run.id,
        "epoch": run.epoch,
        "owner": ME,
        "path": path,
        "ending": ending,
        "now": NOW,
    } | changes
    return await scene.store.calls.end(**about)


async def calls(scene: Scene, run: RunRecord) -> dict[str, CallRecord]:
    return {call.path: call for call in await scene.store.calls.of_run(run.id)}


async def recover(scene: Scene, *idempotent: str) -> None:
    await scene.store.recover(now=LATER, idempotent=lambda id_: id_ in idempotent)


async def test_a_call_is_kept_from_its_mark_to_its_end_as_it_was(scene: Scene):
    run = await scene.running()
    assert await begin(scene, run)
    assert (await calls(scene, run))["pay"].status is CallStatus.EXECUTING
    assert await end(scene, run)
    kept = (await calls(scene, run))["pay"]
    assert (kept.status, kept.input, kept.output, kept.executions) == (CallStatus.FINISHED, PAY.input, '"paid"', 1)
    assert [event for event in await scene.events(run.id) if "call" in event] == ["call executing", "call finished"]


@pytest.mark.parametrize("changes", [{"owner": "another process"}, {"epoch": 2}, {"run_id": "0" * 18}], ids=str)
async def test_nobody_else_begins_or_ends_a_call(scene: Scene, changes: dict[str, Any]):
    run = await scene.running()
    assert not await begin(scene, run, **changes)
    assert await begin(scene, run)
    assert not await end(scene, run, **changes)
    assert (await calls(scene, run))["pay"].status is CallStatus.EXECUTING


async def test_a_call_that_ended_is_never_begun_again(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    await end(scene, run)
    assert not await begin(scene, run)


async def test_a_pause_says_of_what_had_begun_that_it_waits(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    await scene.asked(run, call_path="pay/ask", asker=PAY, total=2)
    assert (await calls(scene, run))["pay"].status is CallStatus.PAUSED


async def test_a_declined_pause_of_a_call_ends_that_call_and_the_run_goes_on(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    interrupt = await scene.asked(run, call_path="pay", asker=PAY)
    await scene.store.answer(vote(interrupt.id, ANA, NO, value='{"reason":"No"}'), now=NOW)
    assert (await calls(scene, run))["pay"].status is CallStatus.DECLINED
    assert (await scene.run(run.id)).status is RunStatus.QUEUED
    claimed = await scene.claimed()
    assert [each.interrupt.status for each in claimed.resumptions] == [InterruptStatus.DECLINED]
    assert [call.status for call in claimed.calls] == [CallStatus.DECLINED]


async def test_turns_count_on_while_others_wait_and_begin_anew_after_the_last(scene: Scene):
    run = await scene.running()
    turns: list[tuple[int, int]] = []
    for waiting in (2, 1, 1):
        interrupt = await scene.asked(run, call_path=f"ask {len(turns)}", total=waiting)
        turns.append((interrupt.position, interrupt.total))
        await scene.vote(interrupt.id)
        run = (await scene.claimed()).run
    assert turns == [(1, 2), (2, 2), (1, 1)]


async def test_a_run_that_is_lost_within_a_call_stalls_at_the_deepest_that_must_not_happen_twice(scene: Scene):
    run = await scene.running()
    for path in ("outer", "outer/pay", "outer/pay/look up"):
        asker = PAY if "look" not in path else Asker(action_id="look_up", action_name="Look up", input="{}")
        await begin(scene, run, path, asker=asker)
    await recover(scene, "look_up")
    stalled = await scene.run(run.id)
    assert stalled.failure is not None
    assert (stalled.status, stalled.failure.call) == (RunStatus.STALLED, "outer/pay")
    statuses = {path: call.status for path, call in (await calls(scene, run)).items()}
    again, doubt = CallStatus.AGAIN, CallStatus.EXECUTING
    assert statuses == {"outer": again, "outer/pay": doubt, "outer/pay/look up": again}


async def test_a_run_that_is_lost_within_an_idempotent_call_simply_goes_on(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    await recover(scene, "pay")
    assert (await scene.run(run.id)).status is RunStatus.QUEUED
    again = (await scene.store.claim(scene.wakes[-1], lease=lease(LATER), now=LATER)) or pytest.fail("not claimed")
    assert await begin(scene, again.run)
    assert (await calls(scene, run))["pay"].executions == 2


async def test_a_late_original_is_heard_and_begins_nothing_more(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    await recover(scene)
    assert await end(scene, run)
    assert not await begin(scene, run, "ship")
    stalled = await scene.run(run.id)
    await scene.store.order(run.id, stalled.epoch, "it_did_not", person=ANA, via="slack", now=LATER)
    assert (await calls(scene, run))["pay"].status is CallStatus.FINISHED
    assert (await scene.run(run.id)).status is RunStatus.QUEUED


async def test_of_several_calls_in_doubt_one_is_asked_about_after_another(scene: Scene):
    run = await scene.running()
    await begin(scene, run, "first")
    await begin(scene, run, "second")
    await recover(scene)
    said = []
    for _ in range(2):
        stalled = await scene.run(run.id)
        assert stalled.failure is not None
        said.append((stalled.status, stalled.failure.call))
        await scene.store.order(run.id, stalled.epoch, "it_happened", person=ANA, via="slack", now=LATER)
    assert said == [(RunStatus.STALLED, "first"), (RunStatus.STALLED, "second")]
    assert (await scene.run(run.id)).status is RunStatus.QUEUED
    assert {call.marked_by for call in (await calls(scene, run)).values()} == {ANA}


async def test_a_purge_takes_the_calls_of_its_runs(scene: Scene):
    run = await scene.running()
    await begin(scene, run)
    failed = CallEnding(CallStatus.FAILED, failure=Failure(kind="LookupError", message="no such account"))
    await end(scene, run, ending=failed)
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    for copy in await scene.take():
        await scene.post(copy)
    gone = await scene.store.purge(Purge("p1", LATER, "command line"), now=LATER)
    assert gone is not None
    assert (gone.runs, await calls(scene, run)) == (1, {})


async def test_what_a_call_said_of_itself_when_it_began_counts_also_where_nobody_registered_its_action(scene: Scene):
    run = await scene.running()
    await begin(scene, run, "turn 1", idempotent=True)
    await recover(scene)
    assert (await scene.run(run.id)).status is RunStatus.QUEUED
    run = await scene.running()
    await begin(scene, run, "pay", idempotent=False)
    await recover(scene, "pay")
    assert (await scene.run(run.id)).status is RunStatus.STALLED

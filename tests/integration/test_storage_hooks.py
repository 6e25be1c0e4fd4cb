"""What webhooks are told: written with what it tells, handed out in order, and kept on record."""

import asyncio
import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from actions.kit.records.interrupts import Answer, Decline
from actions.kit.records.runs import Failure, RunStatus
from storage.database import Transaction
from storage.deliveries import DeliveryStatus, HookDisabled, HookEvent, InFlight, NewHook, Parcel, RunHook, SentAgain
from storage.transitions import hooks, runs
from storage.transitions.deliveries import PER_HOOK
from tests.integration.scenes import ANA, BEN, HOUR, ME, NO, NOW, SECOND, Scene, new_run, two_of

SECRET = "whsec_for_nobody"
URL = "https://example.com/hook"
LEASE = 15 * SECOND


async def hooked(scene: Scene, **values: Any) -> str:
    return await scene.store.hooks.add(NewHook(**{"name": "ci", "url": URL, "secret": SECRET, **values}), now=NOW)


async def take(scene: Scene, now: datetime = NOW, owner: str = ME, limit: int = 100) -> tuple[Parcel, ...]:
    return await scene.store.hooks.take(owner=owner, now=now, lease_until=now + LEASE, limit=limit)


async def delivered(scene: Scene, parcel: Parcel, now: datetime = NOW) -> bool:
    return await scene.store.hooks.delivered(parcel.delivery.id, response_status=200, now=now)


async def put_off(scene: Scene, parcel: Parcel, next_at: datetime, owner: str = ME) -> bool:
    return await scene.store.hooks.retry(
        parcel.delivery.id, owner=owner, error="it answered 500", response_status=500, next_at=next_at
    )


async def heard(scene: Scene, now: datetime = NOW) -> list[dict[str, Any]]:
    """Everything that is wanted, taken and delivered one by one."""
    bodies = []
    while parcels := await take(scene, now):
        for parcel in parcels:
            bodies.append(json.loads(parcel.body))
            await delivered(scene, parcel, now)
    return bodies


async def approved(scene: Scene, **values: Any) -> str:
    claimed = await scene.answered(**values)
    run = claimed.run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output='{"sum": 1.10}', now=NOW)
    return run.id


async def test_a_run_is_told_from_its_start_to_its_end_in_order(scene: Scene):
    await hooked(scene)
    run_id = await approved(scene)
    bodies = await heard(scene)
    assert [(body["sequence"], body["event"], body["run"]["status"]) for body in bodies] == [
        (1, "started", "running"),
        (2, "waiting", "waiting"),
        (3, "decided", "queued"),
        (4, "ended", "succeeded"),
    ]
    _, waiting, decided, ended = bodies
    assert {body["run"]["id"] for body in bodies} == {run_id}
    assert waiting["interrupt"] == {
        "id": f"{run_id}.1",
        "call_path": "",
        "position": 1,
        "total": 1,
        "message": "Approve sending this message?",
        "choices": [
            {"key": "yes", "title": "Approve"},
            {"key": "no", "title": "Reject"},
            {"key": "later", "title": "Later"},
        ],
    }
    assert decided["decision"] == {
        "interrupt": f"{run_id}.1",
        "choice": "yes",
        "value": {},
        "cause": "human",
        "grant": None,
        "broken_glass": None,
        "by": [{"person": ANA, "standing_for": None, "choice": "yes", "at": NOW.isoformat()}],
    }
    assert ended["outcome"] == {"output": {"sum": 1.1}, "failure": None, "by": None}


async def test_a_body_says_neither_input_nor_data_nor_state(scene: Scene):
    await hooked(scene)
    await approved(
        scene,
        data='"hidden data"',
        shown='"hidden shown"',
        state='"hidden state"',
        run=await scene.running(text='"hidden input"'),
    )
    told = json.dumps(await heard(scene))
    assert "hidden" not in told
    assert SECRET not in told


async def test_an_output_stands_in_the_body_as_it_was_returned(scene: Scene):
    await hooked(scene, events=(HookEvent.ENDED,))
    run = await scene.running()
    output = '{"b": 1.10, "a": 1e400, "z": -0.0}'
    await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output=output, now=NOW)
    [parcel] = await take(scene)
    assert f'"output": {output},' in parcel.body


async def test_a_quorum_is_decided_once_with_everybody_who_agreed(scene: Scene):
    await hooked(scene, events=(HookEvent.DECIDED,))
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id, ANA)
    assert await heard(scene) == []
    await scene.vote(interrupt.id, BEN)
    [decided] = await heard(scene)
    assert [each["person"] for each in decided["decision"]["by"]] == [ANA, BEN]


async def test_what_declines_is_decided_and_ended(scene: Scene):
    await hooked(scene, events=(HookEvent.DECIDED, HookEvent.ENDED))
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, choice=NO, value='{"reason": "too soon"}')
    decided, ended = await heard(scene)
    assert (decided["event"], decided["run"]["status"], decided["decision"]["value"]) == (
        "decided",
        "declined",
        {"reason": "too soon"},
    )
    assert (ended["event"], ended["run"]["status"], ended["outcome"]["by"]) == ("ended", "declined", ANA)


@pytest.mark.parametrize(
    ("on_expiry", "told"),
    [
        (None, [("ended", "expired", None)]),
        (Decline(), [("decided", "declined", None), ("ended", "declined", None)]),
        (Answer(choice="yes", value={}), [("decided", "queued", "yes")]),
    ],
)
async def test_a_deadline_decides_only_where_it_answers_or_declines(scene: Scene, on_expiry, told):
    await hooked(scene, events=(HookEvent.DECIDED, HookEvent.ENDED))
    await scene.posted(on_expiry=on_expiry)
    await scene.store.expire_due(now=NOW + 2 * HOUR)
    bodies = await heard(scene, NOW + 2 * HOUR)
    assert [(b["event"], b["run"]["status"], b.get("decision", {}).get("choice")) for b in bodies] == told
    assert {b["decision"]["cause"] for b in bodies if "decision" in b} <= {"expired"}


async def test_a_failure_is_told_by_its_kind_and_message(scene: Scene):
    await hooked(scene, events=(HookEvent.ENDED,))
    run = await scene.running()
    failure = Failure(kind="ValueError", message="no such place", advice="Look into the log.")
    await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.FAILED, failure=failure, now=NOW)
    [ended] = await heard(scene)
    assert ended["outcome"]["failure"] == {"kind": "ValueError", "message": "no such place"}


async def test_a_run_that_asks_again_or_is_run_again_is_told_further(scene: Scene):
    await hooked(scene)
    claimed = await scene.answered()
    await scene.asked(claimed.run, occurrence=2)
    await scene.store.cancel(claimed.run.id, person=BEN, via="slack", now=NOW)
    bodies = await heard(scene)
    assert [body["event"] for body in bodies] == ["started", "waiting", "decided", "waiting", "ended"]
    assert bodies[-1]["outcome"]["by"] == BEN


async def test_a_webhook_hears_only_what_it_asked_for(scene: Scene):
    await hooked(scene, actions=("send_message",), events=(HookEvent.ENDED,))
    other = await hooked(scene, actions=("something_else",))
    await approved(scene)
    assert [body["event"] for body in await heard(scene)] == ["ended"]
    assert await scene.store.hooks.deliveries(hook_id=other) == ()


async def test_a_webhook_of_one_run_hears_of_no_other(scene: Scene):
    started = await scene.store.start(new_run(webhook=RunHook(URL, SECRET)), lease=None, now=NOW)
    await scene.store.start(new_run(), lease=None, now=NOW)
    [parcel] = await take(scene)
    assert (parcel.delivery.run_id, parcel.url, parcel.secret) == (started.run.id, URL, SECRET)
    assert await scene.store.hooks.registered() == ()


async def test_a_second_request_with_the_same_key_adds_no_second_webhook(scene: Scene):
    new = new_run(webhook=RunHook(URL, SECRET), idempotency_key="one")
    for _ in range(2):
        await scene.store.start(new, lease=None, now=NOW)
    assert len(await heard(scene)) == 1


async def test_what_is_told_is_of_one_commit_with_what_happened(scene: Scene):
    """A neighbour in the batch that fails undoes both, and the second try tells once."""
    await hooked(scene)

    def fail(_: Transaction) -> None:
        raise LookupError("on purpose")

    start = asyncio.gather(scene.running(), scene.database.write("", fail), scene.running(), return_exceptions=True)
    await start
    assert [body["event"] for body in await heard(scene)] == ["started", "started"]


async def test_a_transition_that_was_committed_unseen_tells_nothing_twice(scene: Scene):
    await hooked(scene)
    record = runs.new_record(new_run(), NOW)

    def start_again(transaction: Transaction) -> None:
        again = replace(transaction, again=True)
        runs.start(again, record, None, None)
        transaction.occurrences.extend(again.occurrences)

    await scene.database.write("", lambda done: runs.start(done, record, None, None))
    await scene.database.write("", start_again)
    assert len(await heard(scene)) == 1


async def test_a_webhook_that_was_added_unseen_is_added_once(scene: Scene):
    new = NewHook("ci", URL, SECRET)
    await scene.database.write("", lambda done: hooks.add(done, "hook_1", new, NOW))
    await scene.database.write("", lambda done: hooks.add(replace(done, again=True), "hook_1", new, NOW))
    assert [hook.id for hook in await scene.store.hooks.registered()] == ["hook_1"]


async def test_of_one_run_only_the_next_is_taken(scene: Scene):
    await hooked(scene)
    await scene.asked()
    await scene.asked()
    first = await take(scene)
    assert [parcel.delivery.event for parcel in first] == ["started", "started"]
    assert await take(scene, owner="other") == ()
    await delivered(scene, first[0])
    [second] = await take(scene, owner="other")
    assert (second.delivery.run_id, second.delivery.event) == (first[0].delivery.run_id, "waiting")


async def test_two_webhooks_of_one_run_do_not_wait_for_each_other(scene: Scene):
    await hooked(scene)
    await hooked(scene, url="https://example.org/")
    await scene.asked()
    slow, quick = await take(scene)
    await delivered(scene, quick)
    [next_one] = await take(scene)
    assert (next_one.url, next_one.delivery.event) == (quick.url, "waiting")
    assert slow.url != quick.url


async def test_what_follows_waits_while_one_is_put_off_and_goes_when_it_is_given_up(scene: Scene):
    await hooked(scene)
    await scene.asked()
    [started] = await take(scene)
    later = NOW + 30 * SECOND
    assert await put_off(scene, started, later)
    assert await take(scene, later - SECOND) == ()
    [again] = await take(scene, later)
    assert (again.delivery.id, again.delivery.attempts, again.body) == (started.delivery.id, 2, started.body)
    assert await scene.store.hooks.give_up(
        again.delivery.id, owner=ME, error="it answered 500", response_status=500, now=later
    )
    [waiting] = await take(scene, later)
    assert waiting.delivery.event == "waiting"


async def test_a_lease_that_ended_is_taken_over_and_its_first_owner_has_no_say_but_of_success(scene: Scene):
    await hooked(scene)
    await scene.running()
    [first] = await take(scene, owner="dead")
    assert await take(scene, NOW + LEASE - SECOND) == ()
    [second] = await take(scene, NOW + LEASE)
    assert (second.delivery.id, second.delivery.attempts) == (first.delivery.id, 2)
    assert not await put_off(scene, first, NOW, owner="dead")
    assert await delivered(scene, first)
    assert not await delivered(scene, second)
    assert not await put_off(scene, second, NOW)


async def test_racing_senders_take_each_delivery_once(scene: Scene):
    await hooked(scene)
    for _ in range(5):
        await scene.running()
    taken = await asyncio.gather(*(take(scene, owner=f"sender {n}") for n in range(6)))
    assert sorted(len(parcels) for parcels in taken) == [0, 0, 0, 0, 0, 5]


async def test_a_webhook_that_hangs_leaves_room_for_others(scene: Scene):
    await hooked(scene, name="slow")
    for _ in range(PER_HOOK + 3):
        await scene.running()
    assert len(await take(scene)) == PER_HOOK
    await hooked(scene, name="quick", url="https://example.org/")
    await scene.running()
    assert [parcel.url for parcel in await take(scene)] == ["https://example.org/"]


async def test_a_disabled_webhook_is_told_nothing_more_and_what_waited_fails(scene: Scene):
    hook_id = await hooked(scene)
    await scene.asked()
    await scene.asked()
    first, second = await take(scene)
    reason = "it answered 410 Gone"
    await scene.store.hooks.give_up(
        first.delivery.id, owner=ME, error=reason, response_status=410, disables=reason, now=NOW
    )
    assert await put_off(scene, second, NOW)
    await scene.running()
    assert await take(scene) == ()
    told = await scene.store.hooks.deliveries()
    assert [each.status for each in told] == [DeliveryStatus.FAILED] * 4
    assert {each.error for each in told[1:]} == {f"the webhook is disabled: {reason}"}
    hook = await scene.store.hooks.hook(hook_id)
    assert hook is not None
    assert (hook.disabled_reason, hook.removed_at) == (reason, None)
    assert isinstance(await scene.store.hooks.send_again(first.delivery.id, via="command line", now=NOW), HookDisabled)


async def test_a_removed_webhook_leaves_its_record_and_forgets_its_secret(scene: Scene):
    hook_id = await hooked(scene)
    await scene.running()
    removed = await scene.store.hooks.remove(hook_id, now=NOW)
    assert removed is not None
    assert removed.removed_at == NOW
    assert await scene.store.hooks.remove(hook_id, now=NOW) is None
    assert await scene.store.hooks.remove("hook_nothing", now=NOW) is None
    assert await scene.store.hooks.registered() == ()
    [failed] = await scene.store.hooks.deliveries()
    assert (failed.status, failed.error) == (DeliveryStatus.FAILED, "the webhook is disabled: it was removed")
    secrets = await scene.database.read(lambda c: c.exec_driver_sql("SELECT secret FROM hooks").scalars().all())
    assert list(secrets) == [""]


async def test_a_delivery_is_sent_again_under_its_own_id_before_what_waits_behind_it(scene: Scene):
    await hooked(scene)
    interrupt = await scene.asked()
    started, waiting = [await _taken_and_delivered(scene) for _ in range(2)]
    await scene.store.cancel(interrupt.run_id, person=BEN, via="slack", now=NOW)
    result = await scene.store.hooks.send_again(started.delivery.id, via="command line", now=NOW + SECOND)
    assert isinstance(result, SentAgain)
    assert (result.delivery.attempts, result.delivery.since) == (0, NOW + SECOND)
    bodies = await heard(scene, NOW + SECOND)
    assert bodies[0]["id"] == started.delivery.id
    assert [body["event"] for body in bodies] == ["started", "ended"]
    assert (await scene.events(interrupt.run_id))[-1] == "sent again"
    assert waiting.delivery.id not in {body["id"] for body in bodies}


async def _taken_and_delivered(scene: Scene) -> Parcel:
    [parcel] = await take(scene)
    await delivered(scene, parcel)
    return parcel


async def test_what_is_on_its_way_or_unknown_is_not_sent_again(scene: Scene):
    await hooked(scene)
    await scene.running()
    [parcel] = await take(scene)
    again = scene.store.hooks.send_again
    assert isinstance(await again(parcel.delivery.id, via="command line", now=NOW), InFlight)
    assert await again("nothing.d1", via="command line", now=NOW) is None
    await put_off(scene, parcel, NOW + HOUR)
    assert isinstance(await again(parcel.delivery.id, via="command line", now=NOW), SentAgain)
    assert [each.delivery.id for each in await take(scene)] == [parcel.delivery.id]


async def test_one_that_is_sent_again_waits_for_what_is_on_its_way(scene: Scene):
    await hooked(scene)
    await scene.asked()
    started = await _taken_and_delivered(scene)
    [waiting] = await take(scene)
    await scene.store.hooks.send_again(started.delivery.id, via="command line", now=NOW)
    assert await take(scene) == ()
    await delivered(scene, waiting)
    assert [each.delivery.id for each in await take(scene)] == [started.delivery.id]


async def test_the_sender_is_woken_by_what_was_told(scene: Scene):
    woken: list[None] = []
    scene.store._on_delivery = lambda: woken.append(None)
    await scene.running()
    assert woken == []
    await hooked(scene)
    await scene.running()
    await asyncio.sleep(0)
    assert len(woken) == 1


def test_a_secret_is_in_no_representation():
    for each in (RunHook(URL, SECRET), NewHook("ci", URL, SECRET), new_run(webhook=RunHook(URL, SECRET))):
        assert SECRET not in repr(each)


async def test_deliveries_are_listed_by_run_hook_and_status(scene: Scene):
    hook_id = await hooked(scene)
    run_id = await approved(scene)
    await scene.running()
    parcels = await take(scene)
    await scene.store.hooks.give_up(
        parcels[1].delivery.id, owner=ME, error="it answered 404", response_status=404, now=NOW
    )
    listed = scene.store.hooks.deliveries
    assert [each.number for each in await listed(run_id=run_id)] == [1, 2, 3, 4]
    assert [each.number for each in await listed(run_id=run_id, limit=2)] == [3, 4]
    assert len(await listed(hook_id=hook_id)) == 5
    [failed] = await listed(status=DeliveryStatus.FAILED)
    assert (failed.response_status, failed.error, failed.ended_at) == (404, "it answered 404", NOW)

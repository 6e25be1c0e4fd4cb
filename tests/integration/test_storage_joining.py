"""Equal requests share a run while it is open: who joins, who withdraws, and who hears how it ends."""

import asyncio
from typing import Any

from actions.kit.policies.deciders import DirectMessage
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from storage.database import Database
from storage.deliveries import RunHook
from storage.results import Cancelled, OwnRequest, RunFilters, Started, Withdrew
from storage.store import Store
from tests.integration.scenes import (
    ANA,
    BEN,
    CAI,
    LATER,
    ME,
    NO,
    NOW,
    REQUESTER,
    SECOND,
    Scene,
    lease,
    new_run,
    question,
    two_of,
)

KEY = "send_message, the same"


async def start(scene: Scene, requester: str = BEN, **values: Any) -> Started:
    return await scene.store.start(new_run(requester=requester, join_key=KEY, **values), lease=None, now=NOW + SECOND)


async def told(scene: Scene, run_id: str) -> list[str | None]:
    """Whom the messages about its end go to."""
    places = [copy.place for copy in await scene.copies(run_id, CopyKind.OUTCOME)]
    return [place.person.id for place in places if isinstance(place, DirectMessage) and place.person]


async def waiting(scene: Scene, **values: Any) -> tuple[str, str]:
    """An open run of the requester, and its question."""
    run = (await scene.store.start(new_run(join_key=KEY), lease=lease(), now=NOW)).run
    interrupt = await scene.posted(run=run, **values)
    return run.id, interrupt.id


async def test_a_second_equal_request_joins_and_both_hear_of_the_end_once(scene: Scene):
    run_id, interrupt = await waiting(scene)
    joined = await start(scene)
    assert (joined.run.id, joined.created, joined.joined) == (run_id, False, True)
    assert (await scene.run(run_id)).requesters == (REQUESTER, BEN)
    await scene.vote(interrupt, choice=NO)
    assert await told(scene, run_id) == [REQUESTER, BEN]
    assert (await scene.run(run_id)).status is RunStatus.DECLINED
    lines = [copy.text for copy in await scene.copies(run_id, CopyKind.LINE) if copy.person == BEN]
    assert lines == ["asked for the same, and joined this request"]


async def test_one_that_executes_before_its_answer_is_joined_and_tells_everybody(scene: Scene):
    run = (await scene.store.start(new_run(join_key=KEY), lease=lease(), now=NOW)).run
    assert (await start(scene)).joined
    await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    assert await told(scene, run.id) == [REQUESTER, BEN]


async def test_one_that_has_ended_or_carries_out_its_answer_blocks_nothing(scene: Scene):
    run_id, interrupt = await waiting(scene)
    await scene.vote(interrupt)
    second = await start(scene)
    assert (second.created, second.joined) == (True, False)
    await scene.store.cancel(second.run.id, person=BEN, via="slack", now=NOW)
    third = await start(scene)
    assert third.created
    assert len({run_id, second.run.id, third.run.id}) == 3


async def test_requests_that_race_make_one_run(scene: Scene):
    people = [f"U0P{number}" for number in range(12)]
    started = await asyncio.gather(*(start(scene, person) for person in people))
    assert len({each.run.id for each in started}) == 1
    assert sum(each.created for each in started) == 1
    assert set((await scene.run(started[0].run.id)).requesters) == set(people)


async def test_a_key_finds_the_run_that_it_joined_even_when_that_has_ended(scene: Scene):
    run_id, interrupt = await waiting(scene)
    first = await start(scene, idempotency_key="k", request="one")
    await scene.vote(interrupt)
    again = await start(scene, idempotency_key="k", request="two")
    assert (first.run.id, again.run.id, again.created, again.joined) == (run_id, run_id, False, True)
    assert again.request == "one"
    found = await scene.store.requests_of_key(BEN, "k")
    assert [(each.run.id, each.request, each.joined) for each in found] == [(run_id, "one", True)]


async def test_a_key_of_ones_own_run_wins_over_joining(scene: Scene):
    first = await start(scene, idempotency_key="k")
    again = await start(scene, idempotency_key="k")
    assert first.created
    assert (again.run.id, again.created, again.joined) == (first.run.id, False, False)


async def test_the_first_requester_asking_again_is_not_counted_twice(scene: Scene):
    run_id, _ = await waiting(scene)
    assert (await start(scene, REQUESTER)).joined
    assert (await start(scene)).joined
    assert (await start(scene)).joined
    assert (await scene.run(run_id)).requesters == (REQUESTER, BEN)


async def test_whoever_decided_in_it_gets_a_run_of_their_own(scene: Scene):
    run_id, interrupt = await waiting(scene, policy=two_of(ANA, CAI))
    await scene.vote(interrupt, ANA)
    own = await start(scene, ANA)
    assert own.created
    assert own.run.id != run_id


async def test_a_vote_of_somebody_who_joined_after_they_were_let_through_does_not_count(scene: Scene):
    run_id, interrupt = await waiting(scene)
    await start(scene, ANA)
    assert isinstance(await scene.vote(interrupt, ANA), OwnRequest)
    assert (await scene.card(interrupt)).decisions == ()
    assert (await scene.run(run_id)).status is RunStatus.WAITING


async def test_a_vote_and_a_request_of_one_person_that_race_never_both_count(scene: Scene):
    for number in range(6):
        key = f"race {number}"
        run = (await scene.store.start(new_run(join_key=key), lease=lease(), now=NOW)).run
        interrupt = await scene.posted(run=run, policy=two_of(ANA, CAI))
        joining = scene.store.start(new_run(requester=ANA, join_key=key), lease=None, now=NOW)
        await asyncio.gather(scene.vote(interrupt.id, ANA), joining)
        voted = {each.person for each in (await scene.card(interrupt.id)).decisions}
        assert not voted & set((await scene.run(run.id)).requesters)


async def test_who_withdraws_leaves_the_others_and_the_last_one_ends_it(scene: Scene):
    run_id, interrupt = await waiting(scene)
    await start(scene)
    left = await scene.store.cancel(run_id, person=REQUESTER, via="slack", now=NOW, alone=True)
    assert isinstance(left, Withdrew)
    assert (left.run.status, left.run.asking) == (RunStatus.WAITING, (BEN,))
    again = await scene.store.cancel(run_id, person=REQUESTER, via="slack", now=NOW, alone=True)
    assert isinstance(again, Withdrew)
    assert (await scene.events(run_id)).count("withdrawn") == 1
    ended = await scene.store.cancel(run_id, person=BEN, via="slack", now=NOW, alone=True)
    assert isinstance(ended, Cancelled)
    assert ended.run.ended_by == BEN
    assert (await scene.card(interrupt)).interrupt.status is InterruptStatus.CANCELLED
    assert await told(scene, run_id) == [REQUESTER, BEN]


async def test_who_withdrew_may_ask_for_it_again_and_an_operator_cancels_for_all(scene: Scene):
    run_id, _ = await waiting(scene)
    await start(scene)
    await scene.store.cancel(run_id, person=BEN, via="slack", now=NOW, alone=True)
    assert (await scene.run(run_id)).asking == (REQUESTER,)
    assert (await start(scene)).joined
    assert (await scene.run(run_id)).asking == (REQUESTER, BEN)
    assert isinstance(await scene.store.cancel(run_id, person=CAI, via="slack", now=NOW), Cancelled)


async def test_what_was_asked_to_stop_is_not_joined(scene: Scene):
    run = (await scene.store.start(new_run(join_key=KEY), lease=lease(), now=NOW)).run
    await scene.store.cancel(run.id, person=REQUESTER, via="slack", now=NOW, alone=True)
    assert (await start(scene)).created


async def test_a_further_question_is_joined_too(scene: Scene):
    run_id, interrupt = await waiting(scene)
    await scene.vote(interrupt, choice=LATER)
    claimed = await scene.claimed()
    assert (await start(scene)).created
    await scene.store.pause(run_id, claimed.run.epoch, owner=ME, request=question(), copies=(), now=NOW)
    assert (await start(scene, CAI)).run.id == run_id


async def test_home_and_lists_show_what_somebody_joined_as_theirs(scene: Scene):
    run_id, _ = await waiting(scene)
    await start(scene)
    shown = await scene.store.homes.shown(BEN, cards=(), skip=0, limit=5)
    assert ([each.run.id for each in shown.asked], shown.asked_open) == ([run_id], 1)
    assert [run.id for run in await scene.store.runs(RunFilters(requester=BEN))] == [run_id]
    concern = await scene.store.homes.concern(BEN)
    assert [(each.requester, each.approval) for each in concern.open] == [(BEN, True)]
    await scene.store.cancel(run_id, person=CAI, via="slack", now=NOW)
    shown = await scene.store.homes.shown(BEN, cards=(), skip=0, limit=5)
    assert ([each.run.id for each in shown.asked], shown.asked_open) == ([run_id], 0)


async def test_a_webhook_of_a_request_that_joins_is_told_of_the_end(scene: Scene):
    run_id, interrupt = await waiting(scene)
    joined = await start(scene, idempotency_key="k", webhook=RunHook("https://ben.example.com/hook", "s" * 32))
    assert joined.is_new
    await scene.vote(interrupt, choice=NO)
    sent = await scene.store.hooks.take(owner=ME, now=NOW + 5 * SECOND, lease_until=NOW + 60 * SECOND, limit=9)
    assert run_id in {each.delivery.run_id for each in sent}


async def test_requests_of_two_processes_make_one_run(scene: Scene, database_url: str):
    async with Database(database_url) as other:
        stores = (scene.store, Store(other))
        asked = [
            stores[number % 2].start(new_run(requester=f"U0P{number}", join_key=KEY), lease=None, now=NOW)
            for number in range(10)
        ]
        started = await asyncio.gather(*asked)
    assert len({each.run.id for each in started}) == 1
    assert len((await scene.run(started[0].run.id)).requesters) == 10

"""Home tabs in the store: who has one, what stirs it, how it is handed out, and that it costs the same however much there is."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, event

from actions.kit.policies.deciders import Person, Policy, Requester, Stage
from actions.kit.policies.stages import begun
from actions.kit.records.interrupts import InterruptStatus, Shape
from actions.kit.records.runs import RunStatus
from storage.database import Database
from storage.home_records import HomeRecord
from storage.results import Purge
from storage.transitions.homes import REST, SOON
from tests.integration.scenes import ANA, BEN, CAI, ME, NOW, REQUESTER, SECOND, YES, Scene, lease, new_run, two_of

LATER = NOW + timedelta(minutes=10)
ONE = Policy(deciders=Person(id=ANA))
YES_ONLY = Shape(choices=(YES,))


async def opened(scene: Scene, *people: str, now: Any = NOW) -> None:
    """These people have their Home tab open, and it shows what there is."""
    for person in people:
        await scene.store.homes.open(person, view="{}", now=now)
    for home in await take(scene, now):
        await published(scene, home, now=now)


async def take(scene: Scene, now: Any = LATER, owner: str = ME) -> tuple[HomeRecord, ...]:
    return await scene.store.homes.take(owner=owner, now=now, lease_until=now + 30 * SECOND, limit=20)


async def published(scene: Scene, home: HomeRecord, *, owner: str = ME, now: Any = NOW, **values: Any) -> bool:
    return await scene.store.homes.published(
        home, owner=owner, digest=f"digest {home.wanted_version}", view_hash="h", now=now, **values
    )


async def stirred(scene: Scene) -> list[str]:
    homes = await take(scene)
    for home in homes:
        await published(scene, home)
    return sorted(home.person for home in homes)


async def test_a_home_tab_that_is_opened_is_due_at_once_and_knows_what_it_shows(scene: Scene):
    await scene.store.homes.open(ANA, view='{"show":"all"}', now=NOW)
    assert await scene.store.homes.next_due(NOW) == NOW
    (home,) = await take(scene, NOW)
    assert home == HomeRecord(ANA, '{"show":"all"}', wanted_version=1, attempts=1)
    assert await published(scene, home)
    assert await scene.store.homes.next_due(NOW) is None


async def test_opening_it_again_keeps_what_its_person_looked_at(scene: Scene):
    await opened(scene, ANA)
    await scene.store.homes.show(ANA, view='{"page":2}', now=NOW)
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    (home,) = await take(scene, NOW)
    assert (home.view, home.shown_digest, home.shown_hash) == ('{"page":2}', "digest 1", "h")


async def test_one_of_which_slack_shows_nothing_is_published_whatever_was_shown_before(scene: Scene):
    await opened(scene, ANA)
    await scene.store.homes.open(ANA, view="{}", now=NOW, anew=True)
    (home,) = await take(scene, NOW)
    assert (home.shown_digest, home.shown_hash) == (None, None)


async def test_what_happens_to_a_run_concerns_its_requester_and_its_named_deciders_alone(scene: Scene):
    await opened(scene, ANA, BEN, CAI, REQUESTER)
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    assert await stirred(scene) == [ANA, BEN, REQUESTER]
    await scene.vote(interrupt.id, ANA)
    assert await stirred(scene) == [ANA, BEN, REQUESTER]
    await scene.vote(interrupt.id, BEN)
    assert await stirred(scene) == [ANA, BEN, REQUESTER]


async def test_where_members_of_a_channel_decide_it_may_concern_everybody(scene: Scene):
    await opened(scene, ANA, BEN, CAI, REQUESTER)
    await scene.asked()
    assert await stirred(scene) == [ANA, BEN, CAI, REQUESTER]


async def test_a_decider_who_is_known_by_address_alone_may_be_anybody(scene: Scene):
    await opened(scene, CAI)
    await scene.asked(policy=Policy(deciders=Person(email="ana@example.com")))
    assert await stirred(scene) == [CAI]


async def test_a_question_to_the_requester_concerns_nobody_else(scene: Scene):
    await opened(scene, ANA, REQUESTER)
    await scene.asked(policy=Policy(deciders=Requester()))
    assert await stirred(scene) == [REQUESTER]


async def test_each_transition_of_a_run_stirs(scene: Scene):
    await opened(scene, REQUESTER)
    run = await scene.running()
    assert await stirred(scene) == [REQUESTER]
    interrupt = await scene.asked(run, policy=ONE)
    assert await stirred(scene) == [REQUESTER]
    await scene.vote(interrupt.id)
    assert await stirred(scene) == [REQUESTER]
    claimed = (await scene.claimed()).run
    assert await stirred(scene) == [REQUESTER]
    await scene.store.finish(claimed.id, claimed.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="null", now=NOW)
    assert await stirred(scene) == [REQUESTER]


async def test_what_expires_or_is_cancelled_stirs(scene: Scene):
    await opened(scene, ANA)
    first, second = await scene.posted(policy=ONE), await scene.posted(policy=ONE)
    assert await stirred(scene) == [ANA]
    await scene.store.cancel(first.run_id, person=REQUESTER, via="slack", now=NOW)
    assert await stirred(scene) == [ANA]
    await scene.store.expire_due(now=NOW + timedelta(hours=2))
    assert (await scene.card(second.id)).interrupt.status is InterruptStatus.EXPIRED
    later = NOW + timedelta(hours=3)
    assert [home.person for home in await take(scene, later)] == [ANA]


async def test_changes_in_quick_succession_are_one_publication_and_the_next_waits_a_moment(scene: Scene):
    await opened(scene, REQUESTER)
    run = await scene.running()
    await scene.asked(run)
    assert await take(scene, NOW + SOON - timedelta(milliseconds=1)) == ()
    (home,) = await take(scene, NOW + REST)
    assert home.wanted_version == 2
    await published(scene, home, now=NOW + REST)
    assert await take(scene, NOW + REST) == ()


async def test_what_happens_while_it_is_drawn_is_drawn_after_it(scene: Scene):
    await opened(scene, REQUESTER)
    await scene.store.homes.look_again(REQUESTER, now=NOW)
    (home,) = await take(scene, NOW)
    await scene.running()
    assert await published(scene, home)
    assert await stirred(scene) == [REQUESTER]


async def test_one_home_tab_is_drawn_by_one_process_until_its_lease_ends(scene: Scene):
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    (mine,) = await take(scene, NOW)
    assert await take(scene, NOW, owner="another process") == ()
    late = NOW + 31 * SECOND
    (theirs,) = await take(scene, late, owner="another process")
    assert theirs.attempts == 2
    assert await published(scene, theirs, owner="another process", now=late)
    assert not await published(scene, mine, now=late)
    (again,) = await take(scene, late)
    assert again.shown_digest is None


async def test_what_could_not_be_told_is_looked_up_again_even_if_nothing_happens(scene: Scene):
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    (home,) = await take(scene, NOW)
    await published(scene, home, again_at=NOW + 30 * SECOND)
    assert await take(scene, NOW + 29 * SECOND) == ()
    assert [home.person for home in await take(scene, NOW + 30 * SECOND)] == [ANA]


async def test_one_that_slack_does_not_take_now_is_tried_later_unless_its_person_comes_back(scene: Scene):
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    (home,) = await take(scene, NOW)
    assert await scene.store.homes.put_off(ANA, owner=ME, error="ratelimited", until=NOW + 60 * SECOND)
    await scene.running(requester=ANA)
    assert await take(scene, NOW + 59 * SECOND) == ()
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    (again,) = await take(scene, NOW)
    assert (home.attempts, again.attempts) == (1, 1)


async def test_one_that_slack_never_takes_is_forgotten_until_it_is_opened(scene: Scene):
    await scene.store.homes.open(ANA, view="{}", now=NOW)
    await take(scene, NOW)
    assert not await scene.store.homes.drop(ANA, owner="another process")
    assert await scene.store.homes.drop(ANA, owner=ME)
    await scene.store.homes.look_again(ANA, now=NOW)
    assert await take(scene) == ()
    await scene.store.homes.show(ANA, view='{"page":1}', now=NOW)
    assert [home.view for home in await take(scene)] == ['{"page":1}']


async def test_what_nobody_opened_for_long_is_forgotten(scene: Scene):
    await opened(scene, ANA, now=NOW - SECOND)
    await opened(scene, BEN)
    assert await scene.store.homes.forget(NOW) == 1
    await scene.asked()
    assert await stirred(scene) == [BEN]


async def test_after_a_restart_all_are_drawn_again(scene: Scene):
    await opened(scene, ANA, BEN)
    await scene.store.homes.look_again_all(now=NOW)
    assert await stirred(scene) == [ANA, BEN]


async def test_purged_runs_leave_the_home_tabs(scene: Scene):
    run = await scene.running()
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="null", now=NOW)
    for copy in await scene.take():
        await scene.post(copy)
    await opened(scene, REQUESTER)
    purged = await scene.store.purge(Purge("p", LATER, "command line"), now=LATER)
    assert purged is not None
    assert purged.runs == 1
    late = LATER + timedelta(minutes=1)
    assert [home.person for home in await take(scene, late)] == [REQUESTER]


# What is shown


async def test_open_questions_come_with_the_soonest_deadline_first_and_without_those_that_one_has_answered(
    scene: Scene,
):
    last = await scene.asked(policy=two_of(ANA, BEN), expires_in=None)
    late = await scene.posted(policy=two_of(ANA, BEN), expires_in=timedelta(hours=2))
    soon = await scene.posted(policy=two_of(ANA, BEN))
    done = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(done.id, ANA)
    found = await scene.store.homes.concern(ANA)
    assert [each.interrupt_id for each in found.open] == [soon.id, late.id, last.id]
    assert [(each.interrupt_id, each.is_answered) for each in found.recent] == [(done.id, True)]
    assert not found.is_cut


async def test_who_answered_an_earlier_stage_still_has_a_later_one_to_answer_unless_their_answer_counts_in_it(
    scene: Scene,
):
    stages = (Stage(deciders=Person(id=ANA)), Stage(deciders=(Person(id=ANA), Person(id=BEN)), quorum=2))
    policy = begun(Policy(stages=stages), {}, None)
    counted, again = await scene.posted(policy=policy), await scene.posted(policy=policy)
    await scene.vote(counted.id, ANA, fits=((0,), (0,)))
    await scene.vote(again.id, ANA, fits=((0,), ()))
    found = await scene.store.homes.concern(ANA)
    assert [each.interrupt_id for each in found.open] == [again.id]
    assert {each.interrupt_id for each in found.recent} == {counted.id, again.id}
    await scene.vote(again.id, ANA, content_version=2, source="again", fits=((0,), (0,)))
    assert (await scene.store.homes.concern(ANA)).open == ()
    assert len((await scene.store.homes.concern(ANA)).recent) == 2


async def test_only_of_what_one_asked_for_oneself_is_it_told_apart_whether_it_is_an_approval(scene: Scene):
    await scene.asked()
    (own,) = (await scene.store.homes.concern(REQUESTER)).open
    assert (own.requester, own.approval) == (REQUESTER, True)
    run = await scene.running()
    await scene.asked(run, shape=YES_ONLY)
    (question,) = [each for each in (await scene.store.homes.concern(REQUESTER)).open if not each.approval]
    assert question.interrupt_id.startswith(run.id)


async def test_recent_questions_are_what_was_settled_and_what_one_answered_the_latest_first(scene: Scene):
    first, second = await scene.posted(), await scene.posted()
    more = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(second.id, now=NOW + SECOND)
    await scene.vote(more.id, BEN, now=NOW + 2 * SECOND)
    await scene.vote(first.id, BEN, now=NOW + 3 * SECOND)
    told = (await scene.store.homes.concern(BEN)).recent
    assert [(each.interrupt_id, each.is_answered) for each in told] == [
        (first.id, True),
        (more.id, True),
        (second.id, False),
    ]


async def test_ones_own_runs_are_the_open_ones_then_those_that_ended_page_by_page(scene: Scene):
    runs = [await scene.running(now=NOW + n * SECOND) for n in range(4)]
    await scene.running(requester=ANA)
    for run in runs[:2]:
        await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="null", now=LATER)
    interrupt = await scene.asked(runs[3])
    ids = [run.id for run in runs]
    everything = [ids[3], ids[2], ids[1], ids[0]]
    pages = [await scene.store.homes.shown(REQUESTER, cards=[], skip=skip, limit=3) for skip in (0, 1, 3, 4)]
    assert [[each.run.id for each in page.asked] for page in pages] == [
        everything[:3],
        everything[1:],
        everything[3:],
        [],
    ]
    assert {page.asked_open for page in pages} == {2}
    (newest, *_) = pages[0].asked
    assert newest.card is not None
    assert newest.card.interrupt.id == interrupt.id


async def test_cards_come_in_the_order_in_which_they_were_asked_for_with_their_decisions(scene: Scene):
    first, second = await scene.posted(policy=two_of(ANA, BEN)), await scene.posted()
    await scene.vote(first.id, ANA)
    shown = await scene.store.homes.shown(CAI, cards=[second.id, "gone.1", first.id], skip=0, limit=5)
    assert [card.interrupt.id for card in shown.cards] == [second.id, first.id]
    assert [decision.choice for decision in shown.cards[1].decisions] == [YES.key]
    assert shown.cards[1].run.id == first.run_id


@contextmanager
def statements() -> Iterator[list[str]]:
    said: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        said.append(statement)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", count)


async def test_five_hundred_pending_questions_cost_no_more_statements_than_three(scene: Scene):
    told = []
    for number in (3, 497):
        for _ in range(number):
            await scene.asked(policy=ONE)
        with statements() as said:
            found = await scene.store.homes.concern(ANA)
            await scene.store.homes.shown(
                REQUESTER, cards=[each.interrupt_id for each in found.open[:10]], skip=0, limit=10
            )
        told.append(len([each for each in said if each.startswith("SELECT") and "FROM" in each]))
    assert len(found.open) == 500
    assert max(told) <= 11


async def test_a_commit_asks_once_where_nobody_has_a_home_tab_and_little_more_where_a_hundred_have(scene: Scene):
    async def cost() -> int:
        with statements() as said:
            await scene.running()
        return sum("homes" in each for each in said)

    assert await cost() <= 2
    await opened(scene, *(f"U0P{number:03d}" for number in range(100)))
    assert await cost() <= 3


async def test_two_processes_that_change_runs_and_home_tabs_at_once_never_wait_in_a_circle(database_url: str):
    async with Database(database_url) as one, Database(database_url) as other:
        scenes = [Scene(one), Scene(other)]
        people = [f"U0P{number}" for number in range(5)]

        async def busy(scene: Scene, owner: str, number: int) -> None:
            person = people[number % len(people)]
            await scene.store.homes.open(person, view="{}", now=NOW)
            new = new_run(requester=person, idempotency_key=f"key {number % 7}")
            started = await scene.store.start(new, lease=lease(owner=owner), now=NOW)
            if started.created:
                await scene.asked(started.run)
            for home in await take(scene, owner=owner):
                await published(scene, home, owner=owner)

        async with asyncio.timeout(60):
            await asyncio.gather(
                *(busy(scene, f"process {each}", number) for number in range(60) for each, scene in enumerate(scenes))
            )
        # Whatever happened in the end, no Home tab is left showing less than is wanted and not due.
        due = await take(scenes[0], NOW + timedelta(hours=1))
        for home in due:
            assert await published(scenes[0], home, now=NOW + timedelta(hours=1))
        assert await scenes[0].store.homes.next_due(NOW) is None

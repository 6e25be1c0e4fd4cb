"""Standing grants in the store: given once, used no more often than they may be, and not after they are revoked."""

import asyncio
from dataclasses import replace
from typing import Any

from sqlalchemy import func, select

from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.policies.standing_grant import STANDING_GRANT
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from storage.database import Database
from storage.results import Allowing, Purge
from storage.store import Store
from storage.tables import grant_uses, grants
from tests.integration.scenes import ANA, APPROVALS, BEN, HOUR, ME, NOW, REQUESTER, SECOND, YES, Scene, question
from tests.integration.test_storage_purge import all_of_it, shown

TERMS = GrantTerms(action_id="send_message", action_name="Send message", where={"to": "a*"}, lasts=HOUR, times=2)


async def given(scene: Scene, terms: GrantTerms = TERMS) -> GrantRecord:
    claimed = await scene.answered(run=await scene.running(action_id=STANDING_GRANT))
    grant = await scene.store.grants.give(claimed.run.id, claimed.run.epoch, terms, now=NOW)
    assert grant is not None
    await scene.store.finish(claimed.run.id, claimed.run.epoch, owner=ME, status=RunStatus.SUCCEEDED, now=NOW)
    return grant


def allowing(grant: GrantRecord, **values: Any) -> Allowing:
    bounds = Allowing(grant.id, grant.terms.times, grant.until, YES, "{}")
    return replace(bounds, **values)


async def paused(store: Store, run: RunRecord, *allowed: Allowing, owner: str = ME, now: Any = NOW) -> InterruptRecord:
    copies = [NewCopy(CopyKind.CARD, APPROVALS)]
    interrupt = await store.pause(
        run.id, run.epoch, owner=owner, request=question(), copies=copies, now=now, allowing=allowed
    )
    assert interrupt is not None
    return interrupt


async def count(scene: Scene, table: Any) -> int:
    return int(
        await scene.database.read(lambda reading: reading.execute(select(func.count()).select_from(table)).scalar_one())
    )


async def test_a_grant_is_given_once_to_the_execution_that_people_approved(scene: Scene):
    claimed = await scene.answered(run=await scene.running(action_id=STANDING_GRANT))
    run = claimed.run
    first = await scene.store.grants.give(run.id, run.epoch, TERMS, now=NOW)
    assert first == await scene.store.grants.give(run.id, run.epoch, TERMS, now=NOW + SECOND)
    assert first is not None
    assert (first.holder, first.approved_by, first.until) == (REQUESTER, (ANA,), NOW + HOUR)
    assert await count(scene, grants) == 1


async def test_none_is_given_without_approval_or_to_another_action(scene: Scene):
    unapproved = await scene.running(action_id=STANDING_GRANT)
    other = (await scene.answered()).run
    late = (await scene.answered(run=await scene.running(action_id=STANDING_GRANT))).run
    for run, epoch in ((unapproved, unapproved.epoch), (other, other.epoch), (late, late.epoch - 1)):
        assert await scene.store.grants.give(run.id, epoch, TERMS, now=NOW) is None
    assert await count(scene, grants) == 0


async def test_a_pause_that_is_allowed_is_settled_with_its_card_and_goes_on(scene: Scene):
    grant = await given(scene)
    run = await scene.running()
    interrupt = await paused(scene.store, run, allowing(grant))
    stored = await scene.card(interrupt.id)
    assert (stored.interrupt.status, stored.run.status) == (InterruptStatus.ANSWERED, RunStatus.QUEUED)
    assert stored.interrupt.granted == interrupt.granted
    assert scene.wakes[-1].run_id == run.id
    [card] = await scene.copies(run.id, CopyKind.CARD)
    assert card.status == "wanted"
    claimed = await scene.claimed(NOW)
    assert claimed.resumptions[-1].interrupt.granted == interrupt.granted


async def test_no_more_uses_are_taken_than_there_are_however_many_processes_ask_at_once(
    scene: Scene, database_url: str
):
    grant = await given(scene)
    started = [await scene.running() for _ in range(8)]
    async with Database(database_url) as other:
        stores = (scene.store, Store(other))
        asked = [paused(stores[number % 2], run, allowing(grant)) for number, run in enumerate(started)]
        found = await asyncio.gather(*asked)
    used = sorted(each.granted.used for each in found if each.granted)
    assert used == [1, 2]
    assert sum(each.status is InterruptStatus.PENDING for each in found) == 6
    assert await count(scene, grant_uses) == 2


async def test_a_grant_that_is_over_allows_nothing(scene: Scene):
    revoked, narrowed, other = [await given(scene) for _ in range(3)]
    await scene.store.grants.revoke(revoked.id, person=BEN, via="slack", now=NOW)
    for allowed in (allowing(revoked), allowing(narrowed, at_most=0), allowing(narrowed, until=NOW)):
        assert (await paused(scene.store, await scene.running(), allowed)).status is InterruptStatus.PENDING
    late = NOW + HOUR
    assert (await paused(scene.store, await scene.running(now=late), allowing(other), now=late)).granted is None
    stranger = await scene.running(requester=BEN)
    assert (await paused(scene.store, stranger, allowing(other))).granted is None


async def test_whoever_joined_a_run_is_not_covered_by_the_grant_of_the_first(scene: Scene):
    grant = await given(scene)
    run = await scene.running(join_key="same")
    await scene.running(join_key="same", requester=BEN)
    interrupt = await paused(scene.store, run, allowing(grant))
    assert interrupt.status is InterruptStatus.PENDING


async def test_holder_and_approver_are_told_once_that_a_grant_is_revoked(scene: Scene):
    grant = await given(scene)
    for person in (BEN, ANA):
        found = await scene.store.grants.revoke(grant.id, person=person, via="slack", now=NOW)
        assert found is not None
        assert found.revoked_by == BEN
    told = [each for each in await scene.copies(grant.id, CopyKind.LINE) if each.place is not None]
    assert [each.place for each in told] == [DirectMessage(Person(REQUESTER)), DirectMessage(Person(ANA))]
    assert [each.event for each in await scene.store.trail(grant.id)].count("grant revoked") == 1
    assert await scene.store.grants.live(now=NOW) == ()
    assert await scene.store.grants.revoke("none", person=BEN, via="slack", now=NOW) is None


async def told(scene: Scene, run_id: str) -> list[tuple[object, str | None]]:
    return [(each.place, each.text) for each in await scene.copies(run_id, CopyKind.LINE) if each.place]


async def test_the_holder_is_told_once_when_the_last_use_is_taken(scene: Scene):
    grant = await given(scene)
    first, last, more = [(await paused(scene.store, await scene.running(), allowing(grant))).run_id for _ in range(3)]
    assert await told(scene, first) == await told(scene, more) == []
    [(place, text)] = await told(scene, last)
    assert place == DirectMessage(Person(REQUESTER))
    assert text is not None
    assert "is used up: it was used 2 of 2 times." in text
    assert await scene.store.grants.live(now=NOW) == ()
    assert await scene.store.grants.end_past(now=grant.until) == 0


async def test_the_holder_is_told_once_that_the_time_has_passed_by_whichever_process(scene: Scene, database_url: str):
    grant, other = await given(scene), await given(scene, TERMS.model_copy(update={"lasts": 2 * HOUR}))
    await paused(scene.store, await scene.running(), allowing(grant))
    assert await scene.store.grants.end_past(now=grant.until - SECOND) == 0
    async with Database(database_url) as again:
        ended = await asyncio.gather(*(each.grants.end_past(now=grant.until) for each in (scene.store, Store(again))))
        assert sum(ended) == 1
    [(place, text)] = await told(scene, grant.id)
    assert place == DirectMessage(Person(REQUESTER))
    assert text is not None
    assert "is over, as its time has passed: it was used 1 of 2 times." in text
    assert "grant over" in await scene.events(grant.id)
    assert await told(scene, other.id) == []
    assert await scene.store.grants.revoke(grant.id, person=BEN, via="slack", now=NOW) == await scene.store.grants.get(
        grant.id
    )
    assert await told(scene, grant.id) == [(place, text)]


async def test_nobody_is_told_that_the_time_of_a_revoked_grant_has_passed(scene: Scene):
    grant = await given(scene)
    await scene.store.grants.revoke(grant.id, person=REQUESTER, via="slack", now=NOW)
    assert await scene.store.grants.end_past(now=grant.until) == 0
    assert REQUESTER not in str(await told(scene, grant.id))


async def test_the_clock_control_brings_the_end_of_a_grant_forward(scene: Scene):
    grant = await given(scene)
    await scene.store.bring_deadlines_forward(HOUR, now=NOW)
    assert (await paused(scene.store, await scene.running(), allowing(grant))).granted is None
    assert await scene.store.grants.end_past(now=NOW) == 1


async def test_a_grant_is_purged_with_its_run_once_its_own_time_is_over_too(scene: Scene):
    grant = await given(scene)
    await paused(scene.store, await scene.running(), allowing(grant))
    claimed = await scene.claimed(NOW)
    await scene.store.finish(
        claimed.run.id, claimed.run.epoch, owner=ME, status=RunStatus.SUCCEEDED, now=NOW + 2 * HOUR
    )
    await shown(scene)
    for before, left in ((grant.until, 1), (grant.until + SECOND, 0)):
        request = Purge(f"p{left}", before, "test")
        await all_of_it(scene, request)
        assert (await count(scene, grants), await count(scene, grant_uses)) == (left, left)
    assert (await scene.run(claimed.run.id)).status is RunStatus.SUCCEEDED

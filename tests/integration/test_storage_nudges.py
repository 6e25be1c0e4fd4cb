"""Nudges: one row and one message in four hours for each question, over restarts and however many ask at once."""

import asyncio

from sqlalchemy import func, select

from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.records.copies import CopyKind
from storage.database import Database
from storage.results import NUDGED_EVERY, AlreadySettled, NotStanding, Nudge, Nudged, Purge, TooSoon
from storage.store import Store
from storage.tables import joins, nudges
from tests.integration.scenes import ANA, BEN, HOUR, ME, NO, NOW, REQUESTER, SECOND, Scene, lease, new_run, two_of

LATER = NOW + NUDGED_EVERY


def nudge(interrupt_id: str, source: str = "click 1") -> Nudge:
    return Nudge(interrupt_id, REQUESTER, source, "slack")


async def rows(scene: Scene) -> int:
    counted = select(func.count()).select_from(nudges)
    return int(await scene.database.read(lambda connection: connection.execute(counted).scalar_one()))


async def test_a_nudge_is_one_row_and_one_reply_to_the_card(scene: Scene):
    interrupt = await scene.posted()
    assert isinstance(await scene.store.nudge(nudge(interrupt.id), now=NOW), Nudged)
    (card,) = await scene.copies(interrupt.run_id, CopyKind.CARD)
    (reply,) = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert (reply.channel, reply.thread_ts, reply.person) == (card.channel, card.ts, REQUESTER)
    assert await rows(scene) == 1
    assert "nudged" in await scene.events(interrupt.run_id)
    shown = await scene.store.homes.shown(REQUESTER, cards=(), skip=0, limit=5)
    assert [each.nudged_at for each in shown.asked] == [NOW]


async def test_the_same_click_again_is_told_the_same_and_the_next_one_has_to_wait(scene: Scene):
    interrupt = await scene.posted(expires_in=9 * HOUR)
    await scene.store.nudge(nudge(interrupt.id), now=NOW)
    assert isinstance(await scene.store.nudge(nudge(interrupt.id), now=NOW + SECOND), Nudged)
    early = await scene.store.nudge(nudge(interrupt.id, "click 2"), now=LATER - SECOND)
    assert isinstance(early, TooSoon)
    assert early.again_at == LATER
    assert await rows(scene) == 1
    assert isinstance(await scene.store.nudge(nudge(interrupt.id, "click 3"), now=LATER), Nudged)
    assert len(await scene.copies(interrupt.run_id, CopyKind.NUDGE)) == 2


async def test_nudges_of_two_processes_at_once_are_one(scene: Scene, database_url: str):
    interrupt = await scene.posted()
    async with Database(database_url) as other:
        stores = (scene.store, Store(other))
        asked = [stores[each % 2].nudge(nudge(interrupt.id, f"click {each}"), now=NOW) for each in range(8)]
        results = await asyncio.gather(*asked)
    assert sum(isinstance(each, Nudged) for each in results) == 1
    assert await rows(scene) == len(await scene.copies(interrupt.run_id, CopyKind.NUDGE)) == 1


async def test_what_does_not_stand_or_is_settled_is_not_nudged(scene: Scene):
    unposted = await scene.asked()
    assert isinstance(await scene.store.nudge(nudge(unposted.id), now=NOW), NotStanding)
    interrupt = await scene.posted()
    await scene.vote(interrupt.id)
    assert isinstance(await scene.store.nudge(nudge(interrupt.id), now=NOW), AlreadySettled)
    overdue = await scene.posted()
    assert isinstance(await scene.store.nudge(nudge(overdue.id), now=NOW + 2 * HOUR), AlreadySettled)
    assert await rows(scene) == 0


async def test_whoever_answered_in_their_direct_messages_is_left_alone(scene: Scene):
    places = (DirectMessage(person=Person(ANA)), DirectMessage(person=Person(BEN)))
    interrupt = await scene.posted(places=places, policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id, ANA)
    await scene.store.nudge(nudge(interrupt.id), now=NOW)
    (reply,) = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert reply.place == places[1]


async def test_a_nudge_that_is_not_posted_before_the_answer_is_dropped(scene: Scene):
    interrupt = await scene.posted()
    await scene.store.nudge(nudge(interrupt.id), now=NOW)
    await scene.vote(interrupt.id)
    (reply,) = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert reply.status == "gone"


async def test_a_nudge_that_stands_is_not_edited_by_what_happens_later(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    await scene.store.nudge(nudge(interrupt.id), now=NOW)
    (reply,) = [each for each in await scene.take(NOW + 5 * SECOND) if each.kind is CopyKind.NUDGE]
    await scene.post(reply, NOW + 5 * SECOND)
    await scene.vote(interrupt.id, ANA)
    (reply,) = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert reply.shown_version == reply.wanted_version == 1


async def test_a_purge_takes_nudges_and_joins_along(scene: Scene):
    run = (await scene.store.start(new_run(join_key="k"), lease=lease(), now=NOW)).run
    interrupt = await scene.posted(run=run)
    await scene.store.nudge(nudge(interrupt.id), now=NOW)
    await scene.store.start(new_run(join_key="k", requester=BEN), lease=None, now=NOW)
    await scene.vote(interrupt.id, choice=NO)
    at = NOW
    while (due := await scene.store.next_copy(at)) is not None:
        at = due
        for copy in await scene.take(at):
            if copy.shown_version:
                await scene.store.copy_updated(copy.id, owner=ME, version=copy.wanted_version, now=at)
            else:
                await scene.post(copy, at)
    purged = await scene.store.purge(Purge("p", NOW + HOUR, "command line"), now=LATER)
    assert purged is not None
    assert purged.runs == 1
    left = select(func.count()).select_from(joins)
    assert await scene.database.read(lambda connection: connection.execute(left).scalar_one()) == 0
    assert await rows(scene) == 0

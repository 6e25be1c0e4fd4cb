"""Drafts of forms: whose they are, that no change is lost, how large they may be, and when they go."""

import asyncio
from typing import Any

from sqlalchemy import NullPool, create_engine, update

from actions.kit.records import Draft
from storage.database import Database
from storage.drafts import KEPT_FOR, MAX_DRAFT, Keeping
from storage.tables import drafts
from tests.integration.scenes import ANA, BEN, NOW, SECOND, Scene
from tests.integration.test_storage_database import driver_url


def holding(text: Any, **more: Any) -> Draft:
    return Draft(values={"field:/note": {"value": {"type": "plain_text_input", "value": text}}}, **more)


async def made(scene: Scene, draft: Draft, *, age: int = 0) -> str:
    draft_id = await scene.store.drafts.make(draft, person=ANA, now=NOW - age * SECOND)
    assert draft_id is not None
    return draft_id


async def test_a_draft_comes_back_as_it_was_kept(scene: Scene):
    draft = holding("Grüße 🎉 \x00 \ud83c ", step=2, rows={"/items": 3}, turn=4)
    assert await scene.store.drafts.find(await made(scene, draft), person=ANA) == draft


async def test_a_draft_of_somebody_else_is_not_there_and_cannot_be_changed(scene: Scene):
    before, after = holding("mine"), holding("not mine")
    draft_id = await made(scene, before)
    assert await scene.store.drafts.find(draft_id, person=BEN) is None
    kept = await scene.store.drafts.keep(draft_id, person=BEN, before=before, after=after, now=NOW)
    assert kept is Keeping.GONE
    assert await scene.store.drafts.find(draft_id, person=ANA) == before


async def test_of_two_changes_at_once_one_is_told_to_look_again(scene: Scene):
    before = holding("a")
    draft_id = await made(scene, before)
    changes = [holding("b"), holding("c")]
    ends = await asyncio.gather(
        *(scene.store.drafts.keep(draft_id, person=ANA, before=before, after=each, now=NOW) for each in changes)
    )
    assert sorted(ends) == [Keeping.CHANGED, Keeping.KEPT]
    assert await scene.store.drafts.find(draft_id, person=ANA) == changes[ends.index(Keeping.KEPT)]


async def test_a_change_that_is_there_already_is_kept(scene: Scene):
    before, after = holding("a"), holding("b")
    draft_id = await made(scene, before)
    for _ in range(2):
        kept = await scene.store.drafts.keep(draft_id, person=ANA, before=before, after=after, now=NOW)
        assert kept is Keeping.KEPT


async def test_what_is_too_large_is_refused_and_what_was_kept_before_stays(scene: Scene):
    before, large = holding("a"), holding("ä" * (MAX_DRAFT // 2))
    draft_id = await made(scene, before)
    kept = await scene.store.drafts.keep(draft_id, person=ANA, before=before, after=large, now=NOW)
    assert kept is Keeping.TOO_LARGE
    assert await scene.store.drafts.find(draft_id, person=ANA) == before
    assert await scene.store.drafts.make(large, person=ANA, now=NOW) is None
    assert await scene.store.drafts.make(holding("ä" * (MAX_DRAFT // 2 - 200)), person=ANA, now=NOW)


async def test_drafts_go_a_day_after_their_last_change_and_in_chunks(scene: Scene):
    old = [await made(scene, holding(number), age=86_401 + number) for number in range(5)]
    young = await made(scene, holding("young"), age=86_399)
    again = await made(scene, holding("again"), age=90_000)
    kept = await scene.store.drafts.keep(again, person=ANA, before=holding("again"), after=holding("changed"), now=NOW)
    assert kept is Keeping.KEPT
    assert [await scene.store.drafts.forget(now=NOW, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert [await scene.store.drafts.find(each, person=ANA) for each in old] == [None] * 5
    assert await scene.store.drafts.find(young, person=ANA)
    assert await scene.store.drafts.find(again, person=ANA)
    kept = await scene.store.drafts.keep(old[0], person=ANA, before=holding(0), after=holding(1), now=NOW)
    assert kept is Keeping.GONE
    assert await scene.store.drafts.forget(now=NOW + KEPT_FOR + SECOND) == 2


async def test_what_another_process_changes_at_this_moment_is_left_to_the_next_sweep(postgresql_url: str):
    async with Database(postgresql_url) as database:
        scene = Scene(database)
        old, other = [await made(scene, holding(number), age=90_000 + number) for number in (1, 2)]
        with create_engine(driver_url(postgresql_url), poolclass=NullPool).begin() as connection:
            connection.execute(update(drafts).where(drafts.c.id == old).values(kept_at=NOW))
            assert await scene.store.drafts.forget(now=NOW) == 1
        assert await scene.store.drafts.find(old, person=ANA)
        assert await scene.store.drafts.find(other, person=ANA) is None

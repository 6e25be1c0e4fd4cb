"""Drafts of forms: whose they are, that no change is lost, how large they may be, and when they go."""

import asyncio
import json
from datetime import datetime
from typing import Any

from sqlalchemy import NullPool, create_engine, update

from actions.kit.records.interrupts import Draft
from storage.database import Database
from storage.drafts import KEPT_FOR, MAX_DRAFT, Keeping, KeptDraft
from storage.tables import drafts
from tests.integration.scenes import ANA, BEN, NOW, SECOND, Scene
from tests.integration.test_storage_database import driver_url


def holding(text: Any, **more: Any) -> Draft:
    return Draft(values={"field:/note": {"value": {"type": "plain_text_input", "value": text}}}, **more)


async def made(scene: Scene, draft: Draft, *, age: int = 0) -> str:
    then = NOW - age * SECOND
    draft_id = await scene.store.drafts.begin(Draft(), person=ANA, now=then)
    assert await kept(scene, await read(scene, draft_id), draft_id, draft, now=then) is Keeping.KEPT
    return draft_id


async def read(scene: Scene, draft_id: str) -> KeptDraft:
    found = await scene.store.drafts.find(draft_id, person=ANA)
    assert found is not None
    return found


async def kept(
    scene: Scene, before: KeptDraft, draft_id: str, after: Draft, *, person: str = ANA, now: datetime = NOW
) -> Keeping:
    return await scene.store.drafts.keep(draft_id, person=person, before=before, after=after, now=now)


async def test_a_draft_comes_back_as_it_was_kept(scene: Scene):
    draft = holding("Grüße 🎉 \x00 \ud83c ", step=2, rows={"/items": 3}, turn=4, clicks=("click:1",))
    assert (await read(scene, await made(scene, draft))).draft == draft


async def test_a_draft_of_somebody_else_is_not_there_and_cannot_be_changed(scene: Scene):
    draft_id = await made(scene, holding("mine"))
    before = await read(scene, draft_id)
    assert await scene.store.drafts.find(draft_id, person=BEN) is None
    assert await kept(scene, before, draft_id, holding("not mine"), person=BEN) is Keeping.GONE
    assert await read(scene, draft_id) == before


async def test_of_two_changes_at_once_one_is_told_to_look_again(scene: Scene):
    draft_id = await made(scene, holding("a"))
    before, changes = await read(scene, draft_id), [holding("b"), holding("c")]
    ends = await asyncio.gather(*(kept(scene, before, draft_id, each) for each in changes))
    assert sorted(ends) == [Keeping.CHANGED, Keeping.KEPT]
    assert (await read(scene, draft_id)).draft == changes[ends.index(Keeping.KEPT)]


async def test_a_change_that_is_there_already_is_kept(scene: Scene):
    draft_id = await made(scene, holding("a"))
    before = await read(scene, draft_id)
    assert [await kept(scene, before, draft_id, holding("b")) for _ in range(2)] == [Keeping.KEPT] * 2


async def written(scene: Scene, draft_id: str, content: dict[str, Any]) -> None:
    """What another version of the program put there."""
    other = update(drafts).where(drafts.c.id == draft_id).values(content=json.dumps(content))
    await scene.database.write("", lambda writing: writing.connection.execute(other).rowcount)


async def test_a_draft_that_a_newer_version_wrote_is_as_good_as_gone(scene: Scene):
    draft_id = await made(scene, holding("a"))
    await written(scene, draft_id, {"values": {}, "step": "the second"})
    assert await scene.store.drafts.find(draft_id, person=ANA) is None


async def test_a_draft_that_an_older_version_wrote_can_be_changed(scene: Scene):
    draft_id = await made(scene, holding("a"))
    await written(scene, draft_id, {"values": {}, "step": 1})
    before = await read(scene, draft_id)
    assert before.draft == Draft(step=1)
    assert await kept(scene, before, draft_id, holding("b")) is Keeping.KEPT


async def test_what_is_too_large_is_refused_and_what_was_kept_before_stays(scene: Scene):
    draft_id = await made(scene, holding("a"))
    before = await read(scene, draft_id)
    assert await kept(scene, before, draft_id, holding("ä" * (MAX_DRAFT // 2))) is Keeping.TOO_LARGE
    assert await read(scene, draft_id) == before
    assert await kept(scene, before, draft_id, holding("ä" * (MAX_DRAFT // 2 - 200))) is Keeping.KEPT


async def test_drafts_go_a_day_after_their_last_change_and_in_chunks(scene: Scene):
    old = [await made(scene, holding(number), age=86_401 + number) for number in range(5)]
    before = await read(scene, old[0])
    young = await made(scene, holding("young"), age=86_399)
    again = await made(scene, holding("again"), age=90_000)
    assert await kept(scene, await read(scene, again), again, holding("changed")) is Keeping.KEPT
    assert [await scene.store.drafts.forget(now=NOW, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert [await scene.store.drafts.find(each, person=ANA) for each in old] == [None] * 5
    assert [(await read(scene, each)).draft for each in (young, again)] == [holding("young"), holding("changed")]
    assert await kept(scene, before, old[0], holding(1)) is Keeping.GONE
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

"""Tokens and requests: what the HTTP interface keeps, on each kind of database."""

import asyncio
from datetime import timedelta
from typing import Any

from storage.results import Token
from tests.integration.scenes import ANA, BEN, NOW, SECOND, Scene, lease, new_run

HASH = "ab" * 32


def a_token(token_id: str = "t1", **values: Any) -> Token:
    made: dict[str, Any] = {
        "id": token_id,
        "name": "deploys",
        "person": ANA,
        "secret_hash": HASH,
        "scopes": frozenset({"read", "start"}),
        "actions": frozenset({"ask"}),
        "created_at": NOW,
        **values,
    }
    return Token(**made)


async def test_a_token_comes_back_as_it_was_made(scene: Scene):
    token = a_token(expires_at=NOW + timedelta(days=90))
    await scene.store.create_token(token)
    assert await scene.store.token("t1") == token
    assert await scene.store.token("t2") is None


async def test_tokens_are_listed_from_the_oldest_on(scene: Scene):
    for token in (a_token("b", created_at=NOW + SECOND), a_token("a")):
        await scene.store.create_token(token)
    assert [token.id for token in await scene.store.tokens()] == ["a", "b"]


async def test_a_revoked_token_stays_revoked_since_the_first_time(scene: Scene):
    await scene.store.create_token(a_token())
    revoked = await scene.store.revoke_token("t1", now=NOW)
    again = await scene.store.revoke_token("t1", now=NOW + SECOND)
    assert revoked is not None
    assert revoked.revoked_at == NOW
    assert again == revoked == await scene.store.token("t1")
    assert not revoked.is_valid(NOW)
    assert await scene.store.revoke_token("t2", now=NOW) is None


async def test_a_use_is_noted_at_most_once_a_minute(scene: Scene):
    await scene.store.create_token(a_token())
    moments = [NOW, NOW + 59 * SECOND, NOW + 60 * SECOND]
    assert [await scene.store.token_used("t1", now=moment) for moment in moments] == [True, False, True]
    assert (await scene.store.tokens())[0].last_used_at == moments[-1]


async def test_a_token_ends_at_the_very_moment_that_it_names(scene: Scene):
    token = a_token(expires_at=NOW)
    assert token.is_valid(NOW - SECOND)
    assert not token.is_valid(NOW)


async def test_no_list_of_tokens_and_no_log_shows_the_hash():
    assert HASH not in repr(a_token())


async def test_a_run_keeps_what_it_was_asked_for_with(scene: Scene):
    first = await scene.store.start(new_run(idempotency_key="k", request="one"), lease=None, now=NOW)
    again = await scene.store.start(new_run(idempotency_key="k", request="two"), lease=None, now=NOW)
    other = await scene.store.start(new_run(idempotency_key="k", action_id="other"), lease=None, now=NOW)
    assert (again.created, again.run.request) == (False, "one")
    found = await scene.store.requests_of_key(first.run.requester, "k")
    assert {each.run.id for each in found} == {first.run.id, other.run.id}
    assert await scene.store.requests_of_key(BEN, "k") == ()


async def test_pending_cards_come_page_by_page_and_the_cards_of_a_run_in_order(scene: Scene):
    asked = sorted([(await scene.asked()).id for _ in range(3)])
    first = await scene.store.pending_after(None, limit=2)
    rest = await scene.store.pending_after(first[-1].interrupt.id, limit=2)
    assert [card.interrupt.id for card in (*first, *rest)] == asked
    (only,) = await scene.store.cards(asked[0].partition(".")[0])
    assert only.interrupt.id == asked[0]


async def test_whoever_watches_runs_hears_of_each_that_something_happened_to(scene: Scene):
    changed: list[str] = []
    scene.store._on_run_change = changed.append
    started = await scene.store.start(new_run(), lease=lease(), now=NOW)
    await scene.asked(started.run)
    await asyncio.sleep(0)
    assert changed == [started.run.id, started.run.id]

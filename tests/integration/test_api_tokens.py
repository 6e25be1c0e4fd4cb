"""Who comes in: tokens that are wrong, revoked, expired, for something else, or of somebody who is no longer there."""

import asyncio
import io
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from actions.ask import ask
from actions.kit.records.people import PersonFacts
from bot.api import limits
from bot.api.tokens import Scope
from tests.integration.api_room import RITA, Api, Client, api_room
from tests.integration.engine_room import ANN, People

QUESTION = {"message": "Ship it?", "deciders": ["#approvals"]}
NOWHERE = f"/v1/runs/{'0' * 18}"


class Leaving(People):
    """A workspace that Rita has left."""

    async def person(self, person: str) -> PersonFacts | None:
        facts = await super().person(person)
        return PersonFacts(RITA, "rita", is_deleted=True) if person == RITA else facts


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_room(tmp_path, ask) as opened:
        yield opened


async def test_without_a_token_nothing_is_told(api: Api):
    for path in ("/v1/runs", "/v1/actions", "/v1/interrupts", NOWHERE):
        refused = await Client(api.session, "").get(path)
        assert (refused.status, refused.headers["WWW-Authenticate"]) == (401, "Bearer")


async def test_a_token_that_is_not_quite_right_opens_nothing(api: Api):
    token = (await api.token(RITA)).shown
    prefix, token_id, secret = token.split("_", 2)
    other = (await api.token(ANN)).shown.split("_", 2)
    wrong = [
        f"{prefix}_{token_id}_{secret[:-1]}",
        f"{prefix}_{token_id}_{secret}x",
        f"{prefix}_{token_id}_{other[2]}",
        f"{prefix}_{other[1]}_{secret}",
        f"{prefix}_{token_id}_",
        f"{prefix}_{token_id}",
        f"{prefix}__{secret}",
        secret,
        "signoff_ü_x",
    ]
    for each in wrong:
        assert (await Client(api.session, each).get("/v1/runs")).status == 401, each
    refused = await Client(api.session, "").get("/v1/runs", headers={"Authorization": f"Basic {token}"})
    assert refused.status == 401


async def test_a_revoked_token_is_refused_from_the_next_request_on(api: Api):
    made = await api.token(RITA)
    client = Client(api.session, made.shown)
    assert (await client.get("/v1/runs")).status == 200
    await api.room.store.revoke_token(made.stored.id, now=api.room.clock.now())
    refused = await client.get("/v1/runs")
    assert (refused.status, refused.body["detail"]) == (401, "This token was revoked.")


async def test_a_token_ends_when_it_said_it_would(api: Api):
    client = await api.client(expires_at=api.room.clock.now() + timedelta(days=1))
    assert (await client.get("/v1/runs")).status == 200
    api.room.clock.ahead = timedelta(days=1)
    refused = await client.get("/v1/runs")
    assert (refused.status, refused.body["detail"]) == (401, "This token has expired.")


async def test_each_scope_opens_its_own_operations_alone(api: Api):
    asks = {
        Scope.READ: ("GET", "/v1/runs"),
        Scope.START: ("POST", "/v1/runs"),
        Scope.CANCEL: ("POST", f"{NOWHERE}/cancel"),
        Scope.ANSWER: ("POST", f"/v1/interrupts/{'0' * 18}.1/answer"),
    }
    for scope in Scope:
        client = await api.client(scopes=frozenset({scope}))
        refused = {each for each, (method, path) in asks.items() if (await client.ask(method, path)).status == 403}
        assert refused == set(Scope) - {scope}


async def test_a_token_for_one_action_neither_starts_nor_sees_another(api: Api):
    everywhere, elsewhere = await api.client(), await api.client(actions=frozenset({"send_message"}))
    interrupt_id = await api.asked(everywhere, "ask", QUESTION)
    refused = await elsewhere.start("ask", QUESTION)
    assert (refused.status, "it is for: send_message" in refused.body["detail"]) == (403, True)
    assert (await elsewhere.get(f"/v1/runs/{interrupt_id.partition('.')[0]}")).status == 404
    assert (await elsewhere.get("/v1/runs")).body["runs"] == []
    assert (await elsewhere.get("/v1/interrupts")).body["interrupts"] == []
    assert (await elsewhere.get("/v1/actions")).body["actions"] == []
    assert (await elsewhere.get("/v1/runs?action=ask")).status == 403
    assert (await elsewhere.answer(interrupt_id, choice="approve")).status == 404


async def test_the_token_of_somebody_who_left_opens_nothing(tmp_path: Path):
    async with api_room(tmp_path, ask, people=Leaving()) as api:
        refused = await (await api.client(RITA)).get("/v1/runs")
        assert (refused.status, refused.body["type"]) == (403, "urn:signoff:problem:no-such-person")


async def test_a_use_is_noted(api: Api):
    made = await api.token(RITA)
    await Client(api.session, made.shown).get("/v1/runs")
    token = await api.room.store.token(made.stored.id)
    assert token
    assert token.last_used_at is not None


async def test_a_token_has_so_many_requests_a_minute_and_no_other_is_held_up(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "PER_MINUTE", 3)
    client, other = await api.client(), await api.client()
    statuses = [(await client.get("/v1/actions")).status for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    refused = await client.get("/v1/actions")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert (await other.get("/v1/actions")).status == 200


async def test_a_token_has_so_many_waits_at_a_time(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "WAITS", 0)
    client = await api.client()
    run_id = (await api.asked(client, "ask", QUESTION)).partition(".")[0]
    refused = await client.get(f"/v1/runs/{run_id}?wait=5")
    assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
    assert (await client.get(f"/v1/runs/{run_id}")).status == 200


@pytest.mark.parametrize("is_chunked", [False, True])
async def test_a_body_has_a_largest_size(api: Api, is_chunked):
    async def in_chunks() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 64 * 1024

    body = in_chunks() if is_chunked else io.BytesIO(b" " * (limits.MOST_BYTES + 1))
    client = await api.client()
    refused = await client.ask("POST", "/v1/runs", data=body, headers={"Content-Type": "application/json"})
    assert (refused.status, refused.body["type"]) == (413, "urn:signoff:problem:too-large")


async def test_a_body_that_does_not_come_is_not_waited_for(api: Api, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.05)

    answered = asyncio.Event()

    async def begun() -> AsyncIterator[bytes]:
        yield b"{"
        await answered.wait()

    client = await api.client()
    try:
        refused = await client.ask("POST", "/v1/runs", data=begun(), headers={"Content-Type": "application/json"})
        assert refused.status == 408
    finally:
        answered.set()

"""Programs start runs, wait for them, list and cancel them, over real sockets and on each kind of database."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from actions import ActionInterrupt, Context
from actions.ask import ask
from actions.kit.records.runs import RunStatus
from tests.authors import declare
from tests.integration.api_room import ANN, RITA, Api, api_room
from tests.integration.engine_room import BEN, BOT, EVE, GUS, click, engine_room

QUESTION = {"message": "Ship it?", "data": {"build": 7}, "deciders": ["#approvals"]}
WITHIN = 1.0


class Spend(BaseModel):
    amount: int = Field(le=500)
    asked_at: datetime = Field(default_factory=datetime.now)


async def _spend(input: Spend, ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt("Spend it?", state={"card number": "4111"})
    return "spent"


spend = declare(_spend, id="spend")


@pytest.fixture
async def api(tmp_path: Path, database_url: str) -> AsyncIterator[Api]:
    async with api_room(tmp_path, ask, spend, url=database_url, operators=(EVE,)) as opened:
        yield opened


async def test_a_run_is_created_with_its_location_and_read_there(api: Api):
    client = await api.client()
    started = await client.start("spend", {"amount": 5})
    assert (started.status, started.body["requester"], started.body["via"]) == (201, RITA, "http")
    read = await client.get(started.headers["Location"])
    assert (read.status, read.body["id"]) == (200, started.body["id"])
    assert read.body["input"]["amount"] == 5


async def test_the_question_is_part_of_its_run_and_the_state_is_not(api: Api):
    client = await api.client()
    interrupt_id = await api.asked(client, "spend", {"amount": 5})
    read = await client.get(f"/v1/runs/{interrupt_id.partition('.')[0]}")
    (question,) = read.body["interrupts"]
    assert (question["message"], question["data"]["amount"]) == ("Spend it?", 5)
    assert [choice["key"] for choice in question["choices"]] == ["approve", "reject"]
    assert [question[name] for name in ("call_path", "position", "total")] == ["", 1, 1]
    assert question["asked_by"] == question["action"]
    assert "4111" not in str(read.body)


async def test_the_same_key_and_body_find_their_run_though_its_input_has_a_time_in_it(api: Api):
    client, key = await api.client(), {"Idempotency-Key": "order 17"}
    first = await client.start("spend", {"amount": 5}, headers=key)
    again = await client.start("spend", {"amount": 5}, headers=key)
    assert (first.status, again.status) == (201, 200)
    assert first.body["id"] == again.body["id"]


async def test_the_same_key_with_another_body_or_action_is_refused(api: Api):
    client, key = await api.client(), {"Idempotency-Key": "order 17"}
    await client.start("spend", {"amount": 5}, headers=key)
    for action, given in (("spend", {"amount": 6}), ("ask", QUESTION)):
        refused = await client.start(action, given, headers=key)
        assert (refused.status, refused.body["type"]) == (409, "urn:signoff:problem:key-reused")


async def test_racing_starts_of_one_key_make_one_run(api: Api):
    client, key = await api.client(), {"Idempotency-Key": "order 17"}
    replies = await asyncio.gather(*(client.start("spend", {"amount": 5}, headers=key) for _ in range(8)))
    assert sorted(reply.status for reply in replies) == [200] * 7 + [201]
    assert len({reply.body["id"] for reply in replies}) == 1


@pytest.mark.parametrize("key", ["", " ", "k" * 201, "schlüssel"])
async def test_a_key_that_cannot_be_kept_is_refused_by_its_name(api: Api, key):
    refused = await (await api.client()).start("spend", {"amount": 5}, headers={"Idempotency-Key": key})
    assert (refused.status, list(refused.errors)) == (400, ["Idempotency-Key"])


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"action": "spend", "input": {"amount": 501}}, {"/input/amount": "must be at most 500"}),
        ({"action": "spend", "input": {}}, {"/input/amount": "is required"}),
        ({"action": "spend", "input": {"amount": 5, "a/b": 1}}, {"/input/a~1b": "is not known here"}),
        ({"action": "spend", "input": 5}, {"/input": "must be an object with named fields"}),
        ({"action": "spend", "inputs": {"amount": 5}}, {"/input": "is required", "/inputs": "is not known here"}),
        ({"action": "spent", "input": {}}, {"/action": "is no action here"}),
        ({"input": {}}, {"/action": "is required"}),
        ({}, {"/action": "is required", "/input": "is required"}),
        ([], {"": "must be an object with named fields"}),
        (
            {"action": "ask", "input": {**QUESTION, "deciders": ["#approvals", "ann"]}},
            {
                "/input/deciders/1": "must be a person (a Slack id such as U012ABCDEF, or an e-mail) or a channel such as "
                "#approvals, or 'requester'"
            },
        ),
        (
            {"action": "ask", "input": {**QUESTION, "deciders": ["U0NOBODY", "no@example.com"]}},
            {"/input/deciders": "Slack knows nobody by 'U0NOBODY'"},
        ),
        (
            {"action": "ask", "input": {**QUESTION, "answer": {"type": "strin"}}},
            {"/input/answer": "cannot be asked for: type is not JSON Schema"},
        ),
    ],
)
async def test_what_does_not_fit_is_named_and_starts_nothing(api: Api, body, wrong):
    refused = await (await api.client()).post("/v1/runs", body)
    assert refused.status == 422
    assert refused.errors.keys() == wrong.keys()
    for place, message in wrong.items():
        assert message.split(": 'strin'")[0] in refused.errors[place] or refused.errors[place].startswith("Slack knows")
    assert await api.room.store.runs() == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"action": "spend", "action": "ask", "input": {}}',
        "{",
        "",
        '{"action": NaN}',
        "\ufeff{}",
        "[" * 100000,
        '{"action": "spend", "input": ' + "1" * 5000 + "}",
    ],
)
async def test_what_is_no_json_is_malformed(api: Api, text):
    client = await api.client()
    headers = {"Content-Type": "application/json"}
    refused = await client.ask("POST", "/v1/runs", data=text.encode(), headers=headers)
    assert (refused.status, refused.body["type"]) == (400, "urn:signoff:problem:malformed")


async def test_a_body_of_another_type_is_refused(api: Api):
    refused = await (await api.client()).ask("POST", "/v1/runs", data=b"action=spend")
    assert refused.status == 415


async def test_half_of_a_surrogate_pair_is_refused_where_it_stands(api: Api):
    client = await api.client()
    text = '{"action": "ask", "input": {"message": "\\ud800", "deciders": ["#approvals"]}}'
    refused = await client.ask("POST", "/v1/runs", data=text, headers={"Content-Type": "application/json"})
    assert (refused.status, list(refused.errors)) == (422, ["/input/message"])


async def test_a_wait_ends_within_a_second_of_the_decision(api: Api):
    client = await api.client()
    interrupt_id = await api.asked(client, "ask", QUESTION)
    card = await api.room.store.card(interrupt_id)
    assert card
    waiting = asyncio.create_task(client.get(f"/v1/runs/{card.run.id}?wait=30"))
    await _somebody_waits(api, card.run.id)
    await api.room.runner.click(click(card, "approve"))
    decided = time.monotonic()
    assert (await waiting).body["interrupts"][0]["status"] == "answered"
    assert time.monotonic() - decided < WITHIN


async def test_a_wait_ends_within_about_a_second_of_what_another_replica_did(tmp_path: Path, database_url: str):
    async with (
        api_room(tmp_path, ask, url=database_url) as api,
        engine_room(tmp_path, ask, url=database_url) as elsewhere,
    ):
        client = await api.client()
        interrupt_id = await api.asked(client, "ask", QUESTION)
        card = await elsewhere.store.card(interrupt_id)
        assert card
        waiting = asyncio.create_task(client.get(f"/v1/runs/{card.run.id}?wait=30"))
        await _somebody_waits(api, card.run.id)
        await elsewhere.runner.click(click(card, "approve"))
        decided = time.monotonic()
        assert (await waiting).body["interrupts"][0]["status"] == "answered"
        assert time.monotonic() - decided < 2 * WITHIN
        await elsewhere.ended(card.run)


async def test_whoever_knows_the_newest_state_is_told_of_no_other(api: Api):
    client = await api.client()
    run_id = (await api.asked(client, "ask", QUESTION)).partition(".")[0]
    known = (await client.get(f"/v1/runs/{run_id}")).headers["ETag"]
    same = await client.get(f"/v1/runs/{run_id}?wait=1", headers={"If-None-Match": known})
    assert (same.status, same.headers["ETag"]) == (304, known)
    started = time.monotonic()
    other = await client.get(f"/v1/runs/{run_id}?wait=30", headers={"If-None-Match": '"older"'})
    assert (other.status, time.monotonic() - started < WITHIN) == (200, True)


async def test_nobody_waits_for_a_run_that_has_ended(api: Api):
    client = await api.client()
    run_id = (await api.asked(client, "ask", QUESTION)).partition(".")[0]
    assert (await client.post(f"/v1/runs/{run_id}/cancel")).body["status"] == "cancelled"
    started = time.monotonic()
    assert (await client.get(f"/v1/runs/{run_id}?wait=30")).body["status"] == "cancelled"
    assert time.monotonic() - started < WITHIN


async def test_whoever_waits_when_the_bot_stops_is_answered_at_once(api: Api):
    client = await api.client()
    run_id = (await api.asked(client, "ask", QUESTION)).partition(".")[0]
    waiting = asyncio.create_task(client.get(f"/v1/runs/{run_id}?wait=60"))
    await _somebody_waits(api, run_id)
    await api.application.shutdown()
    async with asyncio.timeout(5):
        assert (await waiting).body["status"] == "waiting"


async def test_a_second_cancel_says_how_it_ended(api: Api):
    client = await api.client()
    run_id = (await api.asked(client, "ask", QUESTION)).partition(".")[0]
    await client.post(f"/v1/runs/{run_id}/cancel")
    refused = await client.post(f"/v1/runs/{run_id}/cancel")
    assert (refused.status, refused.body["type"]) == (409, "urn:signoff:problem:ended")
    assert "Cancelled by U0RITA" in refused.body["detail"]


async def test_a_run_is_seen_by_its_requester_by_deciders_and_by_operators_alone(api: Api):
    run_id = (await api.asked(await api.client(), "ask", {**QUESTION, "deciders": ["U0ANN"]})).partition(".")[0]
    seen = {
        person: (await (await api.client(person)).get(f"/v1/runs/{run_id}")).status for person in (RITA, ANN, BEN, EVE)
    }
    assert seen == {RITA: 200, ANN: 200, BEN: 404, EVE: 200}
    assert (await (await api.client(BEN)).post(f"/v1/runs/{run_id}/cancel")).status == 404
    assert (await (await api.client(ANN)).post(f"/v1/runs/{run_id}/cancel")).status == 403
    assert (await (await api.client(EVE)).post(f"/v1/runs/{run_id}/cancel")).status == 200


async def test_what_cannot_be_verified_is_not_let_pass(api: Api):
    run_id = (await api.asked(await api.client(), "ask", QUESTION)).partition(".")[0]
    ann, rita = await api.client(ANN), await api.client()
    api.room.people.is_away = True
    assert (await rita.get(f"/v1/runs/{run_id}")).status == 200
    for refused in (
        await ann.get(f"/v1/runs/{run_id}"),
        await rita.start("ask", QUESTION),
        await ann.answer(f"{run_id}.1", choice="approve"),
    ):
        assert (refused.status, refused.headers["Retry-After"]) == (503, "5")


async def test_runs_are_listed_page_by_page_and_filtered(api: Api):
    client = await api.client()
    ids = [(await api.asked(client, "spend", {"amount": amount})).partition(".")[0] for amount in range(3)]
    await api.asked(client, "ask", QUESTION)
    await client.post(f"/v1/runs/{ids[0]}/cancel")
    first = (await client.get("/v1/runs?action=spend&limit=2")).body
    second = (await client.get(f"/v1/runs?action=spend&limit=2&cursor={first['next']}")).body
    assert {run["id"] for run in (*first["runs"], *second["runs"])} == set(ids)
    assert (len(first["runs"]), second["next"]) == (2, None)
    waiting = (await client.get("/v1/runs?status=waiting&status=queued&action=spend")).body["runs"]
    assert {run["id"] for run in waiting} == set(ids[1:])


async def test_only_operators_list_the_runs_of_others(api: Api):
    await api.asked(await api.client(), "ask", QUESTION)
    ann, eve = await api.client(ANN), await api.client(EVE)
    assert (await ann.get("/v1/runs")).body["runs"] == []
    assert (await ann.get(f"/v1/runs?requester={RITA}")).status == 403
    assert len((await eve.get("/v1/runs")).body["runs"]) == 1
    assert len((await eve.get(f"/v1/runs?requester={RITA}")).body["runs"]) == 1
    assert (await eve.get(f"/v1/runs?requester={ANN}")).body["runs"] == []


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("status=done", "status"),
        ("cursor=%00", "cursor"),
        ("requester=rita", "requester"),
        ("action=%00", "action"),
        ("limit=1&limit=2", "limit"),
        ("staus=waiting", "staus"),
    ],
)
async def test_a_query_that_does_not_fit_is_named(api: Api, query, wrong):
    refused = await (await api.client()).get(f"/v1/runs?{query}")
    assert (refused.status, list(refused.errors)) == (422, [wrong])


@pytest.mark.parametrize("wait", ["61", "-1", "long"])
async def test_a_wait_has_bounds(api: Api, wait):
    refused = await (await api.client()).get(f"/v1/runs/{'0' * 18}?wait={wait}")
    assert (refused.status, list(refused.errors)) == (422, ["wait"])


@pytest.mark.parametrize(
    "path", ["/v1/runs/%00", "/v1/runs/x", f"/v1/runs/{'0' * 18}", f"/v1/runs/{'0' * 18}%0a", "/v1/nothing"]
)
async def test_what_is_not_there_is_not_found(api: Api, path):
    assert (await (await api.client()).get(path)).status == 404


async def test_a_method_that_is_not_there_is_told_with_those_that_are(api: Api):
    refused = await (await api.client()).ask("DELETE", "/v1/runs")
    assert (refused.status, set(refused.headers["Allow"].split(","))) == (405, {"GET", "POST"})


async def test_guests_bots_and_strangers_start_nothing(api: Api):
    refused = {person: await (await api.client(person)).start("ask", QUESTION) for person in (GUS, BOT, "U0GONE")}
    assert {person: reply.status for person, reply in refused.items()} == {GUS: 403, BOT: 403, "U0GONE": 403}
    assert refused[GUS].body["detail"] == "Guests cannot start “Ask”."


async def test_nobody_answers_the_question_that_only_they_could(api: Api):
    refused = await (await api.client(ANN)).start("ask", {**QUESTION, "deciders": [ANN]})
    assert (refused.status, list(refused.errors)) == (422, ["/input/deciders"])


async def test_what_is_asked_is_found_again_after_a_restart(tmp_path: Path, database_url: str):
    schema = {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}, "required": ["day"]}
    async with api_room(tmp_path, ask, url=database_url) as api:
        interrupt_id = await api.asked(await api.client(), "ask", {**QUESTION, "answer": schema})
    async with api_room(tmp_path, ask, url=database_url) as api:
        ann = await api.client(ANN)
        assert (await ann.answer(interrupt_id, choice="answer", value={"day": "soon"})).status == 422
        assert (await ann.answer(interrupt_id, choice="answer", value={"day": "2026-12-01"})).status == 200
        card = await api.room.store.card(interrupt_id)
        assert card
        run = await api.room.ended(card.run)
        assert run.status is RunStatus.SUCCEEDED
        output = (await (await api.client()).get(f"/v1/runs/{run.id}")).body["output"]
    assert output == {"choice": "answer", "value": {"day": "2026-12-01"}, "decided_by": [ANN]}


async def _somebody_waits(api: Api, run_id: str) -> None:
    async with asyncio.timeout(10):
        while run_id not in api.changes._waiting:  # noqa: ASYNC110 - nothing else tells that a request has arrived
            await asyncio.sleep(0.01)

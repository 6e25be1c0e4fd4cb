"""Programs see the questions that wait for their person, and answer them in that person's name, as a click would."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from actions import ActionInterrupt, Context, Person, Policy
from actions.ask import ask
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from bot.api import interrupts
from tests.authors import executing
from tests.integration.api_room import ANN, RITA, Api, api_room
from tests.integration.engine_room import BEN, EVE, GUS, People, click
from tests.unit.test_api_words import NO_MARKS

QUESTION = {"message": "Ship it?", "deciders": ["#approvals"]}


@pytest.fixture
async def api(tmp_path: Path, database_url: str) -> AsyncIterator[Api]:
    async with api_room(tmp_path, ask, url=database_url) as opened:
        yield opened


async def asked(api: Api, **more: Any) -> str:
    return await api.asked(await api.client(), "ask", {**QUESTION, **more})


async def output(api: Api, interrupt_id: str) -> Any:
    """What the run of a question returned."""
    card = await api.room.store.card(interrupt_id)
    assert card
    await api.room.ended(card.run)
    return (await (await api.client()).get(f"/v1/runs/{card.run.id}")).body["output"]


async def test_an_approval_settles_the_question_and_the_run_goes_on(api: Api):
    interrupt_id = await asked(api)
    answered = await (await api.client(ANN)).answer(interrupt_id, choice="approve")
    assert (answered.status, answered.body["status"], answered.body["settled_by"]) == (200, "answered", ANN)
    assert await output(api, interrupt_id) == {"choice": "approve", "value": {}, "decided_by": [ANN]}
    assert [entry.via for entry in await api.room.store.trail(answered.body["run"]) if entry.event == "voted"] == [
        "http"
    ]


async def test_a_rejection_has_its_reason_and_the_run_is_declined(api: Api):
    interrupt_id = await asked(api)
    ann = await api.client(ANN)
    assert (await ann.answer(interrupt_id, choice="reject")).errors == {"/value/reason": "is required"}
    short = await ann.answer(interrupt_id, choice="reject", value={"reason": "no"})
    assert short.errors == {"/value/reason": "must have at least 3 characters"}
    answered = await ann.answer(interrupt_id, choice="reject", value={"reason": "Not on a Friday"})
    assert (answered.body["status"], answered.body["decisions"][0]["note"]) == ("declined", "Not on a Friday")
    run = (await (await api.client()).get(f"/v1/runs/{answered.body['run']}")).body
    assert (run["status"], run["output"]) == ("declined", None)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"/choice": "is required"}),
        ({"choice": ""}, {"/choice": "must be one of: approve, reject"}),
        ({"choice": "aprove"}, {"/choice": "must be one of: approve, reject"}),
        ({"choice": "Approve"}, {"/choice": "must be one of: approve, reject"}),
        ({"choice": None}, {"/choice": "must be text"}),
        ({"choice": ["approve"]}, {"/choice": "must be text"}),
        ({"chioce": "approve"}, {"/choice": "is required", "/chioce": "is not known here"}),
        ({"choice": "approve", "note": "fine"}, {"/note": "is not known here"}),
        (
            {"choice": "approve", "value": {"reason": "x"}},
            {"/value": "Approve has no form; its value is {}, or left out"},
        ),
        ({"choice": "approve", "value": None}, {"/value": "Approve has no form; its value is {}, or left out"}),
        ({"choice": "reject", "value": {"reason": "long", "by": 1}}, {"/value/by": "is not known here"}),
        ({"choice": "reject", "value": {}}, {"/value/reason": "is required"}),
        ({"choice": "reject", "value": None}, {"/value": "must be an object with named fields"}),
        ({"choice": "approve", "content_version": "1"}, {"/content_version": "must be a whole number"}),
        ([], {"": "must be an object with named fields"}),
    ],
)
async def test_an_answer_that_does_not_fit_is_refused_by_name_and_the_question_stays_open(api: Api, body, wrong):
    interrupt_id = await asked(api)
    refused = await (await api.client(ANN)).post(f"/v1/interrupts/{interrupt_id}/answer", body)
    assert (refused.status, refused.errors) == (422, wrong)
    card = await api.room.store.card(interrupt_id)
    assert card
    assert (card.interrupt.status, card.decisions) == (InterruptStatus.PENDING, ())


@pytest.mark.parametrize(
    ("schema", "choice", "value"),
    [
        ({"type": "boolean"}, "no", False),
        ({"type": "integer"}, "answer", 0),
        ({"type": "string"}, "answer", ""),
        ({"type": "array", "items": {"type": "string"}}, "answer", []),
        ({"type": "object"}, "answer", {}),
        ({"type": ["integer", "null"]}, "answer", None),
        ({"enum": ["", "x"]}, None, ""),
    ],
)
async def test_a_falsy_answer_counts_and_comes_back_unchanged(api: Api, schema, choice, value):
    interrupt_id = await asked(api, answer=schema)
    card = await api.room.store.card(interrupt_id)
    assert card
    key = choice or card.interrupt.shape.choices[0].key
    answered = await (await api.client(ANN)).answer(interrupt_id, choice=key, value=value)
    assert answered.status == 200, answered
    given = (await output(api, interrupt_id))["value"]
    assert (type(given), given) == (type(value), value)


async def test_left_out_is_not_null(api: Api):
    interrupt_id = await asked(api, answer={"type": ["integer", "null"]})
    refused = await (await api.client(ANN)).answer(interrupt_id, choice="answer")
    assert refused.errors == {"/value": "is required"}


async def test_the_requester_is_refused_with_the_reason_even_where_nothing_can_be_declined(api: Api):
    for more in ({}, {"answer": {"enum": ["approve", "reject"]}}, {"deciders": ["#approvals", RITA]}):
        refused = await (await api.client(RITA)).answer(await asked(api, **more), choice="approve")
        assert (refused.status, refused.body["type"]) == (403, "urn:signoff:problem:not-allowed")
        assert refused.body["detail"] == "You asked for this, and nobody approves their own request."


async def test_a_question_to_the_requester_is_answered_by_them(api: Api):
    interrupt_id = await asked(api, deciders=["requester"], answer={"type": "integer"})
    answered = await (await api.client(RITA)).answer(interrupt_id, choice="answer", value=3)
    assert answered.status == 200


async def test_who_may_not_answer_is_told_why(api: Api):
    interrupt_id = await asked(api, deciders=["#approvals"])
    api.room.people.members -= {BEN}
    refused = {person: await (await api.client(person)).answer(interrupt_id, choice="approve") for person in (BEN, GUS)}
    assert {person: reply.status for person, reply in refused.items()} == {BEN: 403, GUS: 403}
    assert refused[BEN].body["detail"].startswith("You are not one of those who may answer this: members of #approvals")
    assert refused[GUS].body["detail"] == "Guests cannot answer this."


async def test_of_many_answers_one_decides_and_the_others_are_told_who_and_when(api: Api):
    interrupt_id = await asked(api)
    clients = [await api.client(person) for person in (ANN, BEN) for _ in range(4)]
    replies = await asyncio.gather(*(client.answer(interrupt_id, choice="approve") for client in clients))
    assert sorted(reply.status for reply in replies) == [200] + [409] * 7
    won = next(reply.body for reply in replies if reply.status == 200)
    late = [reply.body for reply in replies if reply.status == 409]
    assert {body["type"] for body in late} <= {
        f"urn:signoff:problem:{kind}" for kind in ("already-decided", "already-answered")
    }
    told = next(body for body in late if "decision" in body)
    assert (told["decision"]["by"], told["decision"]["choice"]) == ([won["settled_by"]], "approve")
    assert told["detail"].startswith(f"Already approved by {won['settled_by']} ")
    assert NO_MARKS.fullmatch(told["detail"])


async def test_a_click_and_a_program_are_refused_alike_once_it_is_decided(api: Api):
    interrupt_id = await asked(api)
    card = await api.room.store.card(interrupt_id)
    assert card
    await api.room.runner.click(click(card, "approve", ANN))
    late = await (await api.client(BEN)).answer(interrupt_id, choice="reject", value={"reason": "too late"})
    assert (late.status, late.body["decision"]["by"]) == (409, [ANN])


async def test_how_it_was_decided_is_not_told_to_strangers(api: Api):
    interrupt_id = await asked(api, deciders=[ANN])
    await (await api.client(ANN)).answer(interrupt_id, choice="approve")
    assert (await (await api.client(BEN)).answer(interrupt_id, choice="approve")).status == 404


async def test_the_same_key_finds_the_answer_that_it_gave(api: Api):
    interrupt_id = await asked(api)
    ann, key = await api.client(ANN), {"Idempotency-Key": "k"}
    path, body = f"/v1/interrupts/{interrupt_id}/answer", {"choice": "approve"}
    first, again, other = [
        await ann.post(path, body, headers=headers) for headers in (key, key, {"Idempotency-Key": "other"})
    ]
    assert (first.status, again.status, other.status) == (200, 200, 409)


async def test_an_answer_to_older_content_is_refused(api: Api):
    interrupt_id = await asked(api)
    ann = await api.client(ANN)
    refused = await ann.answer(interrupt_id, choice="approve", content_version=7)
    assert (refused.status, refused.body["type"]) == (409, "urn:signoff:problem:outdated")
    assert (await ann.answer(interrupt_id, choice="approve", content_version=1)).status == 200


async def test_an_answer_after_the_deadline_is_gone_and_is_what_expires_it(api: Api):
    interrupt_id = await asked(api, expires_in=60)
    card = await api.room.store.card(interrupt_id)
    assert card
    await api.room.post(card)
    api.room.clock.ahead = timedelta(minutes=2)
    late = await (await api.client(ANN)).answer(interrupt_id, choice="approve")
    assert (late.status, late.body["type"], late.body["decision"]["status"]) == (
        410,
        "urn:signoff:problem:expired",
        "expired",
    )
    assert (await api.room.ended(card.run)).status is RunStatus.EXPIRED


async def test_with_a_quorum_the_first_answer_counts_and_the_second_decides(api: Api):
    interrupt_id = await asked(api, quorum=2)
    ann, ben = await api.client(ANN), await api.client(BEN)
    first = await ann.answer(interrupt_id, choice="approve")
    assert (first.status, first.body["status"], len(first.body["decisions"])) == (200, "pending", 1)
    assert (await ann.answer(interrupt_id, choice="approve")).body["type"] == "urn:signoff:problem:already-answered"
    assert (await ben.answer(interrupt_id, choice="approve")).body["status"] == "answered"
    assert (await output(api, interrupt_id))["decided_by"] == [ANN, BEN]


async def test_questions_are_listed_for_those_who_may_see_them_with_whether_they_may_answer(api: Api):
    ids = [await asked(api), await asked(api, deciders=[BEN])]
    seen = {}
    for person in (RITA, ANN, BEN, EVE):
        found = (await (await api.client(person)).get("/v1/interrupts")).body["interrupts"]
        seen[person] = {each["id"]: each["may_answer"] for each in found}
    assert seen == {
        RITA: dict.fromkeys(ids, False),
        ANN: {ids[0]: True},
        BEN: dict.fromkeys(ids, True),
        EVE: {},
    }


async def test_questions_come_page_by_page_and_answered_ones_do_not(api: Api):
    ids = sorted([await asked(api) for _ in range(3)])
    ann = await api.client(ANN)
    first = (await ann.get("/v1/interrupts?limit=2")).body
    second = (await ann.get(f"/v1/interrupts?limit=2&cursor={first['next']}")).body
    assert [each["id"] for each in (*first["interrupts"], *second["interrupts"])] == ids
    await ann.answer(ids[0], choice="approve")
    assert [each["id"] for each in (await ann.get("/v1/interrupts?action=ask")).body["interrupts"]] == ids[1:]
    assert (await ann.get("/v1/interrupts?action=other")).body["interrupts"] == []


@pytest.mark.parametrize("interrupt_id", ["x", "%00", "0" * 18, f"{'0' * 18}.1"])
async def test_a_question_that_is_not_there_is_not_found(api: Api, interrupt_id):
    assert (await (await api.client(ANN)).answer(interrupt_id, choice="approve")).status == 404


async def test_a_question_of_an_action_that_is_gone_is_on_hold(tmp_path: Path):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Shall I?")

    policy = Policy(deciders=Person(ANN))
    async with api_room(tmp_path, executing(body, policy=policy)) as api:
        interrupt_id = await api.asked(await api.client(), "tried", {})
    async with api_room(tmp_path, ask) as api:
        refused = await (await api.client(ANN)).answer(interrupt_id, choice="approve")
        assert (refused.status, refused.body["type"]) == (409, "urn:signoff:problem:on-hold")


async def test_actions_are_listed_with_their_schemas_and_what_they_leave_to_their_input(tmp_path: Path):
    async def body(ctx: Context) -> None:
        return None

    async with api_room(tmp_path, ask, executing(body, resume=bool)) as api:
        found = {each["id"]: each for each in (await (await api.client()).get("/v1/actions")).body["actions"]}
    assert (found["ask"]["answers"], found["ask"]["answers_from"], found["ask"]["deciders_from"]) == (
        {},
        "answer",
        "deciders",
    )
    assert found["ask"]["input_schema"]["required"] == ["message", "deciders"]
    assert [choice["key"] for choice in found["tried"]["answers"][""]] == ["yes", "no"]
    assert found["tried"]["deciders"] == ["#approvals"]


class Unhurried(People):
    """Slack takes its time to tell who is in a channel."""

    async def is_member(self, channel: str, person: str) -> bool:
        await asyncio.sleep(60)
        return await super().is_member(channel, person)


async def test_a_list_waits_for_slack_once_and_not_for_each_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(interrupts, "LOOKING_UP", 0.2)
    async with api_room(tmp_path, ask, people=Unhurried()) as api:
        rita = await api.client()
        for _ in range(5):
            await api.asked(rita, "ask", QUESTION)
        async with asyncio.timeout(5):
            listed = await (await api.client(BEN)).get("/v1/interrupts")
            own = await rita.get("/v1/interrupts")
    assert (listed.status, listed.body["interrupts"]) == (200, [])
    assert [each["may_answer"] for each in own.body["interrupts"]] == [False] * 5

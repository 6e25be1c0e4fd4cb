import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.bench import Timings
from bot.workbench.server import Workbench
from bot.workbench.submissions import TROUBLE
from tests.integration.workbench_bots import app_of, client_of, over_socket, question, serving


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


async def test_the_next_calls_are_refused_and_change_nothing(workbench):
    client = client_of(workbench)
    workbench.faults.fail("chat.postMessage", "fatal_error", times=2)
    for _ in range(2):
        with pytest.raises(SlackApiError, match="fatal_error"):
            await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    assert len(workbench.person("ann").messages("#general")) == 1


async def test_a_fault_may_be_meant_for_one_channel_alone(workbench):
    client = client_of(workbench)
    workbench.faults.fail("chat.postMessage", "is_archived", where=lambda call: call["channel"] == "C0OPS")
    assert (await client.chat_postMessage(channel="C0GENERAL", text="Hi"))["ok"]
    with pytest.raises(SlackApiError, match="is_archived"):
        await client.chat_postMessage(channel="C0OPS", text="Hi")


async def test_calls_that_were_held_together_all_meet_what_was_planned_for_afterwards(workbench):
    hold = workbench.faults.hold("chat.postMessage", times=2, after_commit=False)
    workbench.faults.fail("chat.postMessage", "fatal_error")
    posting = [client_of(workbench).chat_postMessage(channel="C0GENERAL", text=text) for text in ("One", "Two")]
    held = [asyncio.ensure_future(post) for post in posting]
    await workbench.workspace.changes.until(
        lambda: not any(p["times"] for p in workbench.faults.planned()[:1]), timeout=5
    )
    hold.release()
    refused = await asyncio.gather(*held, return_exceptions=True)
    assert [str(error).count("fatal_error") for error in refused] == [1, 1]
    assert [call.answer["error"] for call in workbench.calls] == ["fatal_error"] * 2


async def test_a_rate_limit_says_when_to_come_back(workbench):
    workbench.faults.rate_limit("chat.update", retry_after=7)
    with pytest.raises(SlackApiError) as refused:
        await client_of(workbench).chat_update(channel="C0GENERAL", ts="1.2", text="Hi")
    assert (refused.value.response.status_code, refused.value.response.headers["Retry-After"]) == (429, "7")


async def test_a_server_error_after_the_commit_leaves_the_message_posted(workbench):
    workbench.faults.break_down("chat.postMessage", after_commit=True)
    with pytest.raises(SlackApiError) as refused:
        await client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Hi")
    assert refused.value.response.status_code == 500
    (call,) = workbench.calls
    assert (call.ok, call.dropped, call.status) == (True, True, 500)
    assert len(workbench.person("ann").messages("#general")) == 1


async def test_a_connection_dropped_after_the_commit_makes_the_sdks_own_retry_post_twice(workbench):
    workbench.faults.drop_connection("chat.postMessage")
    client = AsyncWebClient(token=workbench.bot_token, base_url=workbench.api_url)
    assert (await client.chat_postMessage(channel="C0GENERAL", text="Hi"))["ok"]
    assert len(workbench.person("ann").messages("#general")) == 2
    assert [call.dropped for call in workbench.calls_of("chat.postMessage", ok=True)] == [True, False]


async def test_a_call_can_be_held_while_its_effect_is_already_seen(workbench):
    hold = workbench.faults.hold("chat.postMessage")
    posting = asyncio.ensure_future(client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Hi"))
    await hold.arrived.wait()
    await workbench.person("ann").sees("Hi", "#general")
    assert not posting.done()
    hold.release()
    assert (await posting)["ok"]


async def test_a_call_that_took_effect_may_get_no_answer_at_all(workbench):
    workbench.faults.time_out("chat.postMessage", seconds=0.05)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Hi")
    assert len(workbench.person("ann").messages("#general")) == 1


def approving(workbench):
    app, clicks = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        clicks.append(body["user"]["id"])

    return app, clicks


async def asked(workbench):
    await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    return workbench.person("ann"), workbench.person("ann").messages("#approvals")[0]


@pytest.mark.parametrize("transport", ["socket", "http"])
async def test_an_ack_that_comes_too_late_is_trouble_though_the_work_is_done(transport):
    async with Workbench(timings=Timings(ack=0.2)) as workbench:
        app, clicks = approving(workbench)
        async with serving(app, workbench, transport):
            ann, card = await asked(workbench)
            workbench.faults.late_acks(kind="block_actions")
            ack = await ann.click(card, "Approve")
            assert (ack.outcome, ack.ms >= 200, clicks, ann.toasts) == ("late", True, ["U0ANN"], [TROUBLE])
            assert (await ann.click(card, "Approve")).ok


async def test_acks_are_lost_only_for_the_kind_that_was_named(workbench):
    app, _ = approving(workbench)
    async with serving(app, workbench, "socket"):
        ann, card = await asked(workbench)
        workbench.faults.withhold_acks(kind="view_submission")
        assert (await ann.click(card, "Approve")).ok
    assert [plan["what"] for plan in workbench.faults.planned()] == ["view_submission"]


async def test_a_delivery_comes_after_the_next_one(workbench):
    app, clicks = approving(workbench)
    async with serving(app, workbench, "socket"):
        ann, card = await asked(workbench)
        ben = workbench.person("ben")
        workbench.faults.reorder("block_actions", seconds=100)
        first = asyncio.ensure_future(ann.click(card, "Approve"))
        await workbench.workspace.changes.until(lambda: not workbench.faults.planned(), timeout=5)
        await ben.click(card, "Approve")
        assert (await asyncio.wait_for(first, 5)).ok
    assert clicks == ["U0BEN", "U0ANN"]


async def test_a_delivery_that_nothing_overtakes_goes_on_by_itself(workbench):
    app, clicks = approving(workbench)
    async with serving(app, workbench, "socket"):
        ann, card = await asked(workbench)
        workbench.faults.reorder(seconds=0.05)
        assert (await ann.click(card, "Approve")).ok
    assert clicks == ["U0ANN"]


async def test_a_slow_delivery_takes_from_the_time_for_the_ack():
    async with Workbench(timings=Timings(ack=0.2)) as workbench:
        app, clicks = approving(workbench)
        async with serving(app, workbench, "socket"):
            ann, card = await asked(workbench)
            workbench.faults.slow_down(seconds=0.3)
            assert (await ann.click(card, "Approve")).outcome == "late"
    assert clicks == []


async def test_a_refresh_with_a_warning_brings_a_new_connection_and_closes_the_old_one(workbench):
    app, _ = approving(workbench)
    async with over_socket(app, workbench):
        workbench.faults.refresh(warning=0.2)
        notes = workbench.journal
        closed = "Socket Mode: a connection closed"
        await workbench.workspace.changes.until(
            lambda: any(closed in str(entry.about) for entry in notes.entries), timeout=5
        )
        assert await workbench.connected()
        ann, card = await asked(workbench)
        assert (await ann.click(card, "Approve")).ok


async def test_only_the_connections_that_were_warned_are_closed(workbench):
    async def connection(session):
        answer = await client_of(workbench).apps_connections_open(app_token=workbench.app_token)
        socket = await session.ws_connect(answer["url"])
        assert (await socket.receive_json())["type"] == "hello"
        return socket

    async with aiohttp.ClientSession() as session:
        old = await connection(session)
        workbench.faults.refresh(warning=0.2)
        assert (await old.receive_json(timeout=5))["reason"] == "warning"
        new = await connection(session)
        assert (await old.receive_json(timeout=5))["reason"] == "refresh_requested"
        assert (await old.receive(timeout=5)).type is aiohttp.WSMsgType.CLOSE
        assert workbench.sockets.connections == 1
        assert not new.closed
        await new.close()


async def test_a_token_stays_revoked_until_the_fault_is_taken_back(workbench):
    client = client_of(workbench)
    plan = workbench.faults.revoke("account_inactive")
    with pytest.raises(SlackApiError, match="account_inactive"):
        await client.auth_test()
    assert workbench.faults.planned() == [{"id": plan, "words": "token refused", "what": "*", "times": None}]
    assert workbench.faults.cancel(plan)
    assert (await client.auth_test())["ok"]
    workbench.faults.revoke()
    workbench.faults.clear()
    assert (await client.auth_test())["ok"]


async def test_an_app_hears_that_its_token_was_revoked(workbench):
    workbench.workspace.app.events = ("tokens_revoked",)
    workbench.faults.revoke()
    assert await workbench.delivered("events_api")
    event = workbench.deliveries[0].payload["event"]
    assert (event["type"], event["tokens"]) == ("tokens_revoked", {"oauth": [], "bot": ["U0SIGNOFF"]})


async def test_what_is_planned_can_be_listed_cancelled_and_cleared(workbench):
    faults = workbench.faults
    first = faults.rate_limit("chat.update", retry_after=3, times=2)
    faults.plan("lose_acks", delivery="events_api", times=4)
    assert [(plan["words"], plan["what"], plan["times"]) for plan in faults.planned()] == [
        ("429, Retry-After 3", "chat.update", 2),
        ("acks lost", "events_api", 4),
    ]
    assert faults.cancel(first)
    assert not faults.cancel(first)
    faults.clear()
    assert faults.planned() == []


async def test_every_fault_of_the_catalogue_can_be_planned_by_its_name_with_nothing_but_defaults(workbench):
    for kind in workbench.faults.catalogue:
        workbench.faults.plan(kind["kind"], **{p["name"]: p["default"] for p in kind["parameters"]})
        workbench.faults.plan(kind["kind"])
    assert len(workbench.faults.planned()) == 2 * (len(workbench.faults.catalogue) - 2) + 1


@pytest.mark.parametrize(
    ("kind", "parameters", "words"),
    [
        ("earthquake", {}, "there is no fault 'earthquake'"),
        ("rate_limit", {"methods": "x"}, "takes no 'methods'"),
        ("rate_limit", {"retry_after": 0}, "between 1 and 120"),
        ("rate_limit", {"retry_after": "soon"}, "has to be a number"),
        ("rate_limit", {"retry_after": 1.5}, "whole number"),
        ("rate_limit", {"retry_after": True}, "something else than true or false"),
        ("rate_limit", {"method": 5}, "has to be a text"),
        ("drop", {"after_commit": "yes"}, "has to be true or false"),
        ("server_error", {"status": 404}, "between 500 and 599"),
        ("duplicate", {"times": 0}, "between 1 and 1000"),
        ("timeout", {"seconds": float("nan")}, "between 0 and 120"),
    ],
)
async def test_a_fault_that_makes_no_sense_is_refused_in_words(workbench, kind, parameters, words):
    with pytest.raises(ValueError, match=words):
        workbench.faults.plan(kind, **parameters)
    assert workbench.faults.planned() == []

import asyncio

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.server import Workbench
from tests.integration.workbench_bots import client_of


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

"""Words for one person alone: by the click's own address, else by direct message, and to nobody else."""

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from structlog.testing import capture_logs

from bot.slack.client import open_clients
from bot.slack.whispers import Whispers
from tests.unit.tiny_slack import DROP, OK, failed, tiny_slack

SENT = {**OK, "channel": "D0ANN", "ts": "1.0"}


@pytest_asyncio.fixture
async def slack():
    async with tiny_slack() as slack:
        slack.answer("chat.postMessage", SENT)
        slack.answer("response", OK)
        yield slack


@pytest_asyncio.fixture
async def whispers(slack):
    async with open_clients("xoxb-test", slack.api_url) as clients:
        yield Whispers(clients.reader, clients.session, slack_api_url=slack.api_url)


def url(slack):
    return f"{slack.api_url}response"


async def test_a_response_url_is_used_first(slack, whispers):
    await whispers.tell("U0ANN", "Already approved", url(slack))
    assert slack.calls == [
        ("response", {"response_type": "ephemeral", "replace_original": False, "text": "Already approved"})
    ]


@pytest.mark.parametrize(
    "answer",
    [
        web.Response(text="expired_url", status=404),
        web.Response(text="used_url", status=404),
        web.Response(status=500),
        DROP,
        web.Response(status=302, headers={"Location": "http://127.0.0.1:9/"}),
    ],
)
async def test_a_response_url_that_does_not_work_any_more_is_replaced_by_a_direct_message(slack, whispers, answer):
    slack.answer("response", answer)
    await whispers.tell("U0ANN", "Already approved", url(slack))
    [message] = slack.called("chat.postMessage")
    assert (message["channel"], message["text"]) == ("U0ANN", "Already approved")
    assert message["unfurl_links"] is False


@pytest.mark.parametrize(
    "foreign",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://hooks.slack.com/actions/T/1/x",
        "https://hooks.slack.com.evil.example/actions",
        "https://hooks.slack.com@evil.example/actions",
        "https://hooks.slack.com:8443/actions",
        "https://evil.example/?https://hooks.slack.com",
        "file:///etc/passwd",
        "http://[::1",
        "not a url",
        "",
    ],
)
async def test_an_address_that_is_not_slacks_is_never_called(slack, whispers, monkeypatch, foreign):
    monkeypatch.setattr(aiohttp.ClientSession, "post", lambda *_, **__: pytest.fail("it was called"))
    await whispers.tell("U0ANN", "Already approved", foreign)
    assert len(slack.called("chat.postMessage")) == 1


@pytest.mark.parametrize(
    "slacks", ["https://hooks.slack.com/actions/T/1/x", "https://hooks.slack-gov.com/commands/T/1"]
)
def test_slacks_own_addresses_are_known(whispers, slacks):
    assert whispers._is_slacks(slacks)


@pytest.mark.parametrize("answer", [failed("channel_not_found"), DROP, web.Response(text="<html>", status=502)])
async def test_what_cannot_be_told_is_logged_by_its_person_and_not_by_its_words(slack, whispers, answer):
    slack.answer("chat.postMessage", answer)
    with capture_logs() as logs:
        await whispers.tell("U0ANN", "confidential")
    assert [(entry["event"], entry["person"]) for entry in logs] == [("could_not_tell", "U0ANN")]
    assert "confidential" not in str(logs)


async def test_words_without_end_are_cut(slack, whispers):
    await whispers.tell("U0ANN", "&amp;" * 5_000, url(slack))
    [(_, sent)] = slack.calls
    assert len(sent["text"]) <= 4_000
    assert "characters)" in sent["text"]

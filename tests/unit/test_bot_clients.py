"""The Web API clients: what is repeated, what is not, and what is said when Slack cannot be used."""

import logging

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web
from slack_sdk.errors import SlackApiError

from bot.slack.client import (
    Identity,
    TokenRefusedError,
    UnreachableError,
    identify,
    open_clients,
    proxy_for,
    socket_url,
)
from bot.slack.quiet import bolt_logger, redact, sdk_logger
from tests.unit.tiny_slack import DROP, OK, failed


@pytest_asyncio.fixture
async def clients(slack):
    async with open_clients("xoxb-test", slack.api_url) as clients:
        yield clients


def limited(seconds):
    return web.json_response(failed("ratelimited"), status=429, headers={"Retry-After": seconds})


def first(answer, *, then):
    answers = iter([answer])
    return lambda _arguments: next(answers, then)


async def test_a_post_whose_connection_breaks_is_not_repeated(slack, clients):
    slack.answer("chat.postMessage", DROP)
    with pytest.raises(aiohttp.ClientError):
        await clients.writer.chat_postMessage(channel="C0APPROVALS", text="hello")
    assert len(slack.called("chat.postMessage")) == 1


async def test_a_rate_limited_post_is_not_repeated_and_tells_how_long_to_wait(slack, clients):
    slack.answer("chat.postMessage", limited("30"))
    with pytest.raises(SlackApiError) as caught:
        await clients.writer.chat_postMessage(channel="C0APPROVALS", text="hello")
    assert caught.value.response.headers["Retry-After"] == "30"
    assert len(slack.called("chat.postMessage")) == 1


@pytest.mark.parametrize("trouble", [DROP, limited("0"), web.json_response(failed("internal_error"), status=503)])
async def test_a_look_up_is_repeated(slack, clients, trouble):
    slack.methods["users.info"] = first(trouble, then={**OK, "user": {"id": "U0ANN"}})
    assert (await clients.reader.users_info(user="U0ANN"))["user"] == {"id": "U0ANN"}
    assert len(slack.called("users.info")) == 2


async def test_both_clients_share_one_session(clients):
    assert clients.reader.session is clients.writer.session is clients.session


async def test_the_bot_learns_who_it_is(clients):
    assert await identify(clients.reader) == Identity("T0ACME", "Acme", "U0SIGNOFF", "B0SIGNOFF")


async def test_a_wrong_bot_token_is_told_by_its_setting_and_never_shown(slack, clients):
    slack.answer("auth.test", failed("invalid_auth"))
    with pytest.raises(TokenRefusedError, match="Slack refused the token in SLACK_BOT_TOKEN: invalid_auth") as caught:
        await identify(clients.reader)
    assert "xoxb" not in str(caught.value)


async def test_a_wrong_app_token_is_told_by_its_setting(slack, clients):
    slack.answer("apps.connections.open", failed("not_allowed_token_type"))
    with pytest.raises(TokenRefusedError, match="SLACK_APP_TOKEN: not_allowed_token_type"):
        await socket_url(clients.reader, "xapp-wrong")


async def test_an_address_where_no_slack_is_is_told(slack, clients):
    slack.answer("auth.test", web.Response(text="<html>", content_type="text/html"))
    with pytest.raises(UnreachableError, match="not Slack's Web API"):
        await identify(clients.reader)


async def test_an_address_where_nobody_answers_is_told():
    async with open_clients("xoxb-test", "http://127.0.0.1:9/api/") as clients:
        with pytest.raises(UnreachableError, match=r"http://127\.0\.0\.1:9/api/"):
            await identify(clients.writer)


async def test_a_proxy_is_never_used_for_this_machine(slack, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with open_clients("xoxb-test", slack.api_url) as clients:
        assert (await identify(clients.reader)).team == "Acme"


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("https://slack.com/api/", "http://proxy.example:3128"),
        ("http://127.0.0.1:80/api/", None),
        ("http://[::1]:80/api/", None),
        ("http://localhost/api/", None),
        ("https://slack.intern.example/api/", None),
    ],
)
def test_a_proxy_is_used_for_slack_as_the_environment_says(monkeypatch, url, proxy):
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "intern.example")
    assert proxy_for(url) == proxy


async def test_the_libraries_log_neither_payloads_nor_secrets_however_loud_the_log_is(slack, clients, caplog):
    slack.answer("chat.postMessage", {**OK, "ts": "1.0", "channel": "C0APPROVALS"})
    with caplog.at_level(logging.DEBUG):
        await clients.writer.chat_postMessage(channel="C0APPROVALS", text="confidential")
        sdk_logger().error("Failed to connect (%s)", "wss://slack.example/link?ticket=sesame&app=1, token xoxb-1-abc")
    assert "confidential" not in caplog.text
    assert "sesame" not in caplog.text
    assert "xoxb-1" not in caplog.text
    assert "ticket=…&app=1" in caplog.text


def test_asking_twice_for_a_logger_adds_nothing():
    assert len(bolt_logger().filters) == len(bolt_logger().filters) == 1


@pytest.mark.parametrize("token", ["xoxb-12-34-abc", "xapp-1-A0-9-f00", "xoxe.xoxb-1-abc", "xoxp-1", "xwfp-2-x"])
def test_a_token_in_a_text_is_made_unreadable(token):
    assert redact(f"with {token}, and") == "with …, and"

"""Slack reaches the bot by a socket or by signed HTTP, and nobody else does."""

import asyncio
import io
import json
import logging
import time
from contextlib import asynccontextmanager
from urllib.parse import urlencode

import aiohttp
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.server import MOST_BYTES, AddressError, application_of, http_server
from bot.slack.bolt import make_app
from bot.slack.client import TokenRefusedError, identify, open_clients
from bot.slack.signatures import is_fresh, is_signed, sign
from bot.slack.transport import slack_routes, socket_transport
from tests.unit.tiny_slack import failed

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
COMMAND = {
    "command": "/signoff",
    "text": "",
    "user_id": "U0ANN",
    "channel_id": "C0APPROVALS",
    "team_id": "T0ACME",
    "trigger_id": "1.2.x",
}


@pytest_asyncio.fixture
async def app(slack):
    async with open_clients("xoxb-test", slack.api_url) as clients:
        app = make_app(clients.reader, await identify(clients.reader))

        @app.command("/signoff")
        async def on_command(ack, context):
            await ack(f"hello {context.bot_user_id}")

        yield app


@asynccontextmanager
async def served(app, **more):
    routes = slack_routes(app, SECRET, **more)
    async with (
        http_server(application_of(routes), "127.0.0.1", 0) as (host, port),
        aiohttp.ClientSession(f"http://{host}:{port}") as session,
    ):
        yield session


def signed(body, *, secret=SECRET, at=None):
    timestamp = str(int(time.time() if at is None else at))
    return {
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": sign(secret, timestamp, body),
        "Content-Type": "application/x-www-form-urlencoded",
    }


def command_body():
    return urlencode(COMMAND).encode()


def envelope(number=1, **more):
    return {
        "envelope_id": f"e-{number}",
        "type": "slash_commands",
        "accepts_response_payload": True,
        "payload": COMMAND,
        **more,
    }


def test_a_signature_is_made_as_slack_makes_it():
    body = b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    assert sign(SECRET, "1531420618", body) == "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"


def test_an_empty_secret_signs_nothing():
    assert not is_signed("", "1", sign("", "1", b"x"), b"x")


@pytest.mark.parametrize(
    ("timestamp", "fresh"),
    [
        ("1000", True),
        ("700", True),
        ("1300", True),
        ("699", False),
        ("1301", False),
        *(
            (junk, False)
            for junk in ("", "-1000", "1e3", "²", "\u0661\u0660\u0660\u0660", "1000.5", " 1000", "9" * 400)
        ),
    ],
)
def test_a_request_is_fresh_for_five_minutes(timestamp, fresh):
    assert is_fresh(timestamp, 1_000.0) is fresh


async def test_a_signed_request_reaches_its_listener_without_a_call_to_slack(app, slack):
    body = command_body()
    before = len(slack.calls)
    async with served(app) as session:
        response = await session.post("/slack/events", data=body, headers=signed(body))
        assert response.status == 200
        assert await response.text() == "hello U0SIGNOFF"
    assert len(slack.calls) == before


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "junk"},
        {"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": str(int(time.time()))},
        {"X-Slack-Signature": "v0=é", "X-Slack-Request-Timestamp": str(int(time.time()))},
        signed(command_body(), secret="another"),
        signed(command_body(), at=time.time() - 301),
        signed(command_body(), at=time.time() + 10_000),
        signed(command_body() + b"&more=1"),
        {"X-Slack-Request-Timestamp": str(int(time.time()))},
    ],
)
@pytest.mark.parametrize("body", [command_body(), b"", b"{", b"payload={", b"\xff\xfe", b"[" * 5_000])
async def test_what_slack_did_not_sign_is_refused_before_it_is_parsed(app, headers, body):
    async with served(app) as session:
        response = await session.post("/slack/events", data=body, headers=headers)
        assert response.status == 401
        assert await response.json() == {"error": "invalid request"}


async def test_an_old_request_is_refused_although_it_was_signed_once(app):
    body = command_body()
    headers = signed(body)
    async with served(app, clock=lambda: time.time() + 301) as session:
        assert (await session.post("/slack/events", data=body, headers=headers)).status == 401


@pytest.mark.parametrize("body", [b"{", b"payload={", b"payload=[]", b"\xff\xfe", b"{" + b'"a":[' * 3_000])
async def test_what_is_signed_and_still_junk_is_refused_in_words(app, body):
    async with served(app) as session:
        response = await session.post("/slack/events", data=body, headers=signed(body))
        assert response.status == 400


async def test_a_large_form_is_taken_and_one_beyond_four_mebibytes_is_not(app):
    large = command_body() + b"&text=" + b"x" * (2 * 1024 * 1024)
    async with served(app) as session:
        assert (await session.post("/slack/events", data=io.BytesIO(large), headers=signed(large))).status == 200
        huge = b"x" * (MOST_BYTES + 1)
        assert (await session.post("/slack/events", data=io.BytesIO(huge), headers=signed(huge))).status == 413


async def test_slacks_check_of_the_address_is_answered(app):
    body = json.dumps({"type": "url_verification", "challenge": "c-1", "token": "x"}).encode()
    async with served(app) as session:
        headers = signed(body) | {"Content-Type": "application/json"}
        response = await session.post("/slack/events", data=body, headers=headers)
        assert await response.json() == {"challenge": "c-1"}


async def test_a_port_in_use_is_told():
    async with http_server(application_of([]), "127.0.0.1", 0) as (host, port):
        with pytest.raises(AddressError, match=f"cannot listen on {host}:{port}: .*in use"):
            async with http_server(application_of([]), host, port):
                pass


async def test_requests_in_hand_are_answered_before_the_server_stops(app):
    entered, release = asyncio.Event(), asyncio.Event()

    @app.command("/slow")
    async def on_slow(ack):
        entered.set()
        await release.wait()
        await ack("done")

    body = urlencode({**COMMAND, "command": "/slow"}).encode()
    async with aiohttp.ClientSession() as session:
        async with http_server(application_of(slack_routes(app, SECRET)), "127.0.0.1", 0) as (host, port):
            url = f"http://{host}:{port}/slack/events"
            asking = asyncio.create_task(session.post(url, data=body, headers=signed(body)))
            await entered.wait()
            asyncio.get_running_loop().call_later(0.05, release.set)
        assert await (await asking).text() == "done"


async def test_a_socket_brings_requests_and_takes_acks_back(app, slack):
    async with socket_transport(app, "xapp-test") as is_connected:
        await slack.connected.wait()
        assert await is_connected()
        await slack.deliver(envelope())
        ack = await asyncio.wait_for(slack.acks.get(), 5)
        assert ack == {"envelope_id": "e-1", "payload": {"text": "hello U0SIGNOFF"}}
    assert not await is_connected()


async def test_a_socket_needs_one_call_for_its_address(app, slack):
    async with socket_transport(app, "xapp-test"):
        pass
    assert len(slack.called("apps.connections.open")) == 1


async def test_a_wrong_app_token_is_told_at_once(app, slack):
    slack.answer("apps.connections.open", failed("invalid_auth"))
    with pytest.raises(TokenRefusedError, match="SLACK_APP_TOKEN"):
        async with socket_transport(app, "xapp-wrong"):
            pass


async def test_requests_in_hand_are_acknowledged_before_the_socket_closes(app, slack):
    entered, release = asyncio.Event(), asyncio.Event()

    @app.command("/slow")
    async def on_slow(ack):
        entered.set()
        await release.wait()
        await ack("done")

    async with socket_transport(app, "xapp-test"):
        await slack.connected.wait()
        await slack.deliver(envelope(payload={**COMMAND, "command": "/slow"}))
        await entered.wait()
        asyncio.get_running_loop().call_later(0.05, release.set)
    assert slack.acks.get_nowait() == {"envelope_id": "e-1", "payload": {"text": "done"}}


async def test_requests_go_on_to_be_acknowledged_while_one_keeps_the_socket_from_closing(app, slack):
    entered, release = asyncio.Event(), asyncio.Event()

    @app.command("/slow")
    async def on_slow(ack):
        entered.set()
        await release.wait()
        await ack("done")

    async def one_more():
        await slack.deliver(envelope(2))
        first = await asyncio.wait_for(slack.acks.get(), 5)
        release.set()
        return first

    async with socket_transport(app, "xapp-test"):
        await slack.connected.wait()
        await slack.deliver(envelope(payload={**COMMAND, "command": "/slow"}))
        await entered.wait()
        meanwhile = asyncio.create_task(one_more())
    assert (await meanwhile)["payload"] == {"text": "hello U0SIGNOFF"}
    assert slack.acks.get_nowait()["payload"] == {"text": "done"}


async def test_what_slack_sent_before_it_heard_of_the_closing_is_carried_out(app, slack):
    carried_out = []

    @app.command("/late")
    async def on_late(ack, command):
        carried_out.append(command["text"])
        await ack()

    async def send_late(is_connected):
        while await is_connected():  # noqa: ASYNC110 - the SDK does not tell when it closes
            await asyncio.sleep(0.005)
        for number in range(3):
            await slack.deliver(envelope(number, payload={**COMMAND, "command": "/late", "text": str(number)}))
        slack.hears.set()

    slack.hears.clear()
    with capture_logs() as logs:
        async with socket_transport(app, "xapp-test") as is_connected:
            await slack.connected.wait()
            sending = asyncio.create_task(send_late(is_connected))
    await sending
    assert carried_out == ["0", "1", "2"]
    assert [entry["event"] for entry in logs] == ["not_acknowledged"] * 3


async def test_oauth_settings_in_the_environment_change_nothing(slack, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.setenv(name, "from-the-environment")
    async with open_clients("xoxb-test", slack.api_url) as clients:
        app = make_app(clients.reader, await identify(clients.reader))
        seen = []

        @app.command("/signoff")
        async def on_command(ack, context):
            seen.append((context.bot_token, context.bot_user_id))
            await ack()

        async with socket_transport(app, "xapp-test"):
            await slack.connected.wait()
            await slack.deliver(envelope())
            await asyncio.wait_for(slack.acks.get(), 5)
    assert seen == [("xoxb-test", "U0SIGNOFF")]
    assert list(tmp_path.rglob("*")) == []


async def test_a_listener_that_fails_is_logged_without_what_it_was_given(app, caplog):
    @app.command("/broken")
    async def on_broken(command):
        raise ValueError(command["text"])

    body = urlencode({**COMMAND, "command": "/broken", "text": "confidential"}).encode()
    with capture_logs() as logs, caplog.at_level(logging.DEBUG):
        async with served(app) as session:
            assert (await session.post("/slack/events", data=body, headers=signed(body))).status == 500
    assert [(entry["event"], entry["error"]) for entry in logs] == [("listener_failed", "ValueError")]
    assert any("on_broken" in frame for frame in logs[0]["where"])
    assert "confidential" not in caplog.text + str(logs)

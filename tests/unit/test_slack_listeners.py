"""The one door for everything that Slack sends: it is always answered, whatever it is, and never quoted in a log."""

import asyncio
import json
import logging
import time
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.server import application_of, http_server
from bot.slack.bolt import make_app
from bot.slack.client import identify, open_clients
from bot.slack.listeners import Listeners
from bot.slack.signatures import sign
from bot.slack.transport import slack_routes, socket_transport

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
SENDER = {"user": {"id": "U0ANN"}, "team": {"id": "T0ACME"}, "trigger_id": "1.2.x"}
MESSAGE = {"container": {"type": "message", "message_ts": "1.2", "channel_id": "C0APPROVALS"}, **SENDER}
WORD = "confidential"


def click(**element: Any) -> dict[str, Any]:
    return {"type": "block_actions", "actions": [{"action_ts": "1.2", "value": WORD, **element}], **MESSAGE}


def event(kind: str, **more: Any) -> dict[str, Any]:
    body = {"type": kind, "user": "U0ANN", "channel": "C0APPROVALS", "text": WORD, **more}
    return {"type": "event_callback", "event": body, "team_id": "T0ACME", "event_id": "Ev1", "event_time": 1}


NOT_FOR_US: dict[str, dict[str, Any]] = {
    "an unknown button": click(type="button", action_id="like", block_id="b"),
    "a button without a block": click(type="button", action_id="like"),
    "a link button": click(type="button", action_id="link", block_id="b", url="https://example.com"),
    "an overflow menu": click(type="overflow", action_id="o", selected_option={"value": "x"}),
    "a select": click(type="static_select", action_id="s", selected_option={"value": "x"}),
    "a date": click(type="datepicker", action_id="d", selected_date="2026-11-30"),
    "a legacy button": {"type": "interactive_message", "callback_id": "c", "actions": [{"name": WORD}], **SENDER},
    "a legacy dialog": {"type": "dialog_submission", "callback_id": "c", "submission": {"a": WORD}, **SENDER},
    "a cancelled dialog": {"type": "dialog_cancellation", "callback_id": "c", **SENDER},
    "a global shortcut": {"type": "shortcut", "callback_id": "new_request", **SENDER},
    "a message shortcut": {"type": "message_action", "callback_id": "ask", "message": {"text": WORD}, **SENDER},
    "a closed view": {"type": "view_closed", "view": {"id": "V1", "type": "modal", "callback_id": "answer"}, **SENDER},
    "somebody else's view": {
        "type": "view_submission",
        "view": {"id": "V1", "type": "modal", "callback_id": "other"},
        **SENDER,
    },
    "an edited step": {"type": "workflow_step_edit", "callback_id": "c", "workflow_step": {}, **SENDER},
    "a message": event("message", channel_type="im"),
    "a changed message": event("message", subtype="message_changed"),
    "opened messages": event("app_home_opened", tab="messages"),
    "an opened home of nobody": {"type": "event_callback", "event": {"type": "app_home_opened", "tab": "home"}},
    "a mention": event("app_mention"),
    "a reaction": event("reaction_added"),
    "a function": event("function_executed"),
    "a revoked token": event("tokens_revoked"),
    "an event of tomorrow": event("something_new"),
    "a type of tomorrow": {"type": "something_new", "value": WORD},
    "a rate limit": {"type": "app_rate_limited", "team_id": "T0ACME", "minute_rate_limited": 1},
}
JUNK: dict[str, Any] = {
    "nothing": {},
    "a number": 5,
    "a list": [WORD],
    "a text": WORD,
    "null": None,
    "no actions": {"type": "block_actions", "actions": [], **MESSAGE},
    "an empty action": {"type": "block_actions", "actions": [{}], **MESSAGE},
    "actions of text": {"type": "block_actions", "actions": WORD, **MESSAGE},
    "a view of a number": {"type": "view_submission", "view": 5, **SENDER},
    "an event of a number": {"type": "event_callback", "event": 5},
    "authorizations of a number": {"type": "event_callback", "event": {"type": "message"}, "authorizations": 5},
    "people of numbers": {"type": "block_actions", "team": 5, "user": 7, "channel": [], "enterprise": WORD},
    "a type of a list": {"type": [WORD]},
    "a command of a number": {"command": 5},
    "a command of nobody": {"command": "/signoff", "text": WORD},
}


@pytest_asyncio.fixture
async def app(slack):
    """With listeners to which nothing may come through: there is nobody behind them."""
    async with open_clients("xoxb-test", slack.api_url) as clients:
        app = make_app(clients.reader, await identify(clients.reader))
        nobody: Any = None
        parts = (
            "runner",
            "commands",
            "starts",
            "home",
            "away",
            "digests",
            "mentions",
            "details",
            "results",
            "modals",
            "whispers",
            "tasks",
        )
        behind = dict.fromkeys(parts, nobody)
        Listeners(**behind).register(app)
        yield app


async def post(app, body: bytes, kind: str) -> tuple[int, str]:
    at = str(int(time.time()))
    headers = {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": sign(SECRET, at, body), "Content-Type": kind}
    async with (
        http_server(application_of(slack_routes(app, SECRET)), "127.0.0.1", 0) as (host, port),
        aiohttp.ClientSession(f"http://{host}:{port}") as session,
    ):
        response = await session.post("/slack/events", data=body, headers=headers)
        return response.status, await response.text()


def sent(payload: Any) -> tuple[bytes, str]:
    """Events are JSON, everything else is a form with one field."""
    if isinstance(payload, dict) and "event" in payload:
        return json.dumps(payload).encode(), "application/json"
    return urlencode({"payload": json.dumps(payload)}).encode(), "application/x-www-form-urlencoded"


@pytest.mark.parametrize("what", NOT_FOR_US)
async def test_what_is_not_for_us_is_acknowledged_with_nothing(app, slack, what):
    before = len(slack.calls)
    assert await post(app, *sent(NOT_FOR_US[what])) == (200, "")
    assert len(slack.calls) == before


@pytest.mark.parametrize("kind", ["block_suggestion", "dialog_suggestion"])
async def test_whoever_asks_for_options_gets_none(app, kind):
    status, text = await post(app, *sent({"type": kind, "value": WORD, **SENDER}))
    assert (status, json.loads(text)) == (200, {"options": []})


@pytest.mark.parametrize("what", JUNK)
async def test_signed_junk_is_never_an_error_of_ours_and_never_quoted(app, caplog, what):
    with capture_logs() as logs, caplog.at_level(logging.DEBUG):
        assert (await post(app, *sent(JUNK[what])))[0] in {200, 400}
        assert (await post(app, json.dumps(JUNK[what]).encode(), "application/json"))[0] in {200, 400}
    assert WORD not in caplog.text + str(logs)


@pytest.mark.parametrize("body", [b"", b"payload=", b"payload=%ff", b"\xff\xfe", b"payload={", b"ssl_check=1", b"a=b"])
async def test_signed_bytes_that_are_no_request_are_never_an_error_of_ours(app, body):
    assert (await post(app, body, "application/x-www-form-urlencoded"))[0] in {200, 400}
    assert (await post(app, body, "application/json"))[0] in {200, 400}


async def test_over_a_socket_all_of_it_is_acknowledged_and_junk_does_not_cut_the_line(app, slack, caplog):
    good = [
        {"envelope_id": f"good-{n}", "type": "interactive", "payload": p} for n, p in enumerate(NOT_FOR_US.values())
    ]
    bad = [{"envelope_id": f"bad-{n}", "type": "interactive", "payload": p} for n, p in enumerate(JUNK.values())]
    with capture_logs() as logs, caplog.at_level(logging.DEBUG):
        async with socket_transport(app, "xapp-test") as is_connected:
            await slack.connected.wait()
            for envelope in [*bad, *good]:
                await slack.deliver(envelope)
            acked: set[str] = set()
            async with asyncio.timeout(5):
                while not {each["envelope_id"] for each in good} <= acked:
                    acked.add((await slack.acks.get())["envelope_id"])
            assert await is_connected()
    assert WORD not in caplog.text + str(logs)

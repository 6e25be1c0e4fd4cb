"""The Events API: who hears of what, and what happens to an event that nobody takes."""

import asyncio
from datetime import timedelta

import pytest
from aiohttp import web

from bot.workbench.bench import Timings
from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import TRANSPORTS, app_of, at_request_url, client_of, over_socket, serving

SCOPES = BOT_SCOPES | {"app_mentions:read", "reactions:read", "reactions:write"}
EVENTS = (
    "app_mention",
    "member_joined_channel",
    "member_left_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "reaction_added",
    "reaction_removed",
)


def office(**more) -> Workbench:
    workspace = acme(bot_scopes=SCOPES)
    workspace.app.events = EVENTS
    return Workbench(workspace=workspace, **more)


@pytest.fixture
async def workbench():
    async with office() as workbench:
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


def events(workbench: Workbench) -> list[dict]:
    return [delivery.payload["event"] for delivery in workbench.deliveries_of("events_api")]


async def test_a_bolt_app_hears_what_is_said_in_channels_in_private_ones_and_to_itself(workbench, transport):
    app = app_of(workbench)
    heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    @app.message("hello")
    async def on_hello(message, say):
        await heard.put((message["channel_type"], message["user"]))
        await say(f"Hi <@{message['user']}>")

    async with serving(app, workbench, transport):
        omar = workbench.person("omar")
        for place in ("#general", "#ops", "dm"):
            omar.say("hello there", place)
            await omar.sees("Hi @Omar Okafor", place)
        assert [await heard.get() for _ in range(3)] == [
            ("channel", "U0OMAR"),
            ("group", "U0OMAR"),
            ("im", "U0OMAR"),
        ]


async def test_a_mention_is_heard_as_such_beside_the_message(workbench):
    workbench.person("ann").say("@signoff please", "#approvals")
    assert await workbench.delivered("events_api", times=2)
    message, mention = events(workbench)
    assert (message["type"], message["text"], message["channel_type"]) == (
        "message",
        "<@U0SIGNOFF> please",
        "channel",
    )
    assert (mention["type"], mention["user"], mention["ts"]) == ("app_mention", "U0ANN", message["ts"])


async def test_edits_deletions_and_reactions_are_heard(workbench):
    ann = workbench.person("ann")
    said = ann.say("Frist", "#approvals")
    ann.edit(said, "First")
    ann.react(said, "eyes")
    ann.react(said, "eyes")
    ann.delete(said)
    assert await workbench.delivered("events_api", times=5)
    posted, edited, added, removed, deleted = events(workbench)
    assert (edited["subtype"], edited["message"]["text"], edited["previous_message"]["text"]) == (
        "message_changed",
        "First",
        "Frist",
    )
    assert (added["type"], removed["type"], added["reaction"]) == ("reaction_added", "reaction_removed", "eyes")
    assert added["item"] == {"type": "message", "channel": "C0APPROVALS", "ts": posted["ts"]}
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", posted["ts"])


async def test_who_joins_and_leaves_is_heard_where_the_bot_is(workbench):
    workbench.workspace.join("#approvals", "omar")
    workbench.workspace.leave("#ops", "signoff")
    workbench.workspace.join("#ops", "ben")
    workbench.workspace.leave("#approvals", "omar")
    assert await workbench.delivered("events_api", times=2)
    assert [(e["type"], e["user"], e["channel_type"]) for e in events(workbench)] == [
        ("member_joined_channel", "U0OMAR", "C"),
        ("member_left_channel", "U0OMAR", "C"),
    ]


async def test_nothing_is_heard_of_what_one_person_sees_or_of_where_the_bot_is_not(workbench):
    workbench.workspace.leave("#ops", "signoff")
    workbench.person("omar").say("A secret", "#ops")
    await client_of(workbench).chat_postEphemeral(channel="C0APPROVALS", user="U0ANN", text="Only you")
    assert workbench.deliveries == []


@pytest.mark.parametrize(
    ("subscribed", "scopes", "heard"),
    [
        (("message.channels",), SCOPES, 1),
        (("message.im", "message.groups"), SCOPES, 0),
        (("message.channels",), SCOPES - {"channels:history"}, 0),
        (("message",), SCOPES, 0),
    ],
)
async def test_an_event_needs_its_subscription_and_its_scope(subscribed, scopes, heard):
    workspace = acme(bot_scopes=frozenset(scopes))
    workspace.app.events = subscribed
    async with Workbench(workspace=workspace) as workbench:
        workbench.person("ann").say("Hello", "#general")
        assert workbench.courier.waiting == heard


async def test_an_app_hears_its_own_messages_and_bolt_overlooks_them(workbench, transport):
    app, heard = app_of(workbench), []

    @app.message("")
    async def on_message(message):
        heard.append(message["text"])

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Mine")
        assert await workbench.delivered("events_api")
    assert (events(workbench)[0]["bot_id"], heard) == ("B0SIGNOFF", [])


async def test_an_event_that_fails_is_sent_three_times_more_and_says_so():
    async with office(timings=Timings(event_retries=(0.0, 0.0, 0.0))) as workbench:
        seen: list[tuple] = []

        async def failing(request: web.Request) -> web.Response:
            headers = request.headers
            body = await request.json()
            seen.append((body["event_id"], headers.get("x-slack-retry-num"), headers.get("x-slack-retry-reason")))
            return web.Response(status=500)

        async with at_request_url(workbench, failing):
            workbench.person("ann").say("Hello", "#general")
            assert await workbench.delivered("events_api", times=4)
            await workbench.workspace.changes.until(lambda: len(workbench.acks) == 4, timeout=5)
    assert [entry[1:] for entry in seen] == [
        (None, None),
        ("1", "http_error"),
        ("2", "http_error"),
        ("3", "http_error"),
    ]
    assert len({entry[0] for entry in seen}) == 1


async def test_an_app_that_asks_for_no_retry_gets_none():
    async with office(timings=Timings(event_retries=(0.0,))) as workbench:

        async def refusing(_request: web.Request) -> web.Response:
            return web.Response(status=500, headers={"x-slack-no-retry": "1"})

        async with at_request_url(workbench, refusing):
            workbench.person("ann").say("Hello", "#general")
            await workbench.workspace.changes.until(lambda: bool(workbench.acks), timeout=5)
    assert [ack.outcome for ack in workbench.acks] == ["refused"]


async def test_an_app_that_was_down_hears_it_when_the_clock_has_come_to_the_retry(workbench):
    app, heard = app_of(workbench), asyncio.Event()

    @app.message("hello")
    async def on_hello(message):
        heard.set()

    workbench.person("ann").say("hello", "#general")
    assert await workbench.delivered("events_api", times=2)
    async with over_socket(app, workbench):
        await workbench.move_clock(timedelta(minutes=1))
        await asyncio.wait_for(heard.wait(), 5)
    retried = workbench.deliveries[-1]
    assert (retried.retry_attempt, retried.retry_reason) == (2, "timeout")
    assert len({delivery.envelope_id for delivery in workbench.deliveries}) == 3
    assert len({delivery.payload["event_id"] for delivery in workbench.deliveries}) == 1

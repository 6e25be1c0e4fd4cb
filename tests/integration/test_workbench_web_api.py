import json
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.bench import Timings
from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import client_of, question, section


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture
async def invited():
    """A workbench whose bot posts only where it is a member."""
    async with Workbench(workspace=acme(bot_scopes=BOT_SCOPES - {"chat:write.public"})) as workbench:
        yield workbench


@pytest.fixture
def client(workbench):
    return client_of(workbench)


async def refusal(call):
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response.data


async def test_a_bot_learns_who_it_is(client):
    answer = await client.auth_test()
    assert (answer["user_id"], answer["bot_id"], answer["team"]) == ("U0SIGNOFF", "B0SIGNOFF", "Acme")


async def test_each_answer_says_what_the_token_may_do_and_what_time_it_is_at_slack(workbench, client):
    workbench.bench.clock_off = timedelta(minutes=-5)
    headers = {name.lower(): value for name, value in (await client.auth_test()).headers.items()}
    assert set(headers["x-oauth-scopes"].split(",")) == BOT_SCOPES
    behind = datetime.now(UTC) - parsedate_to_datetime(headers["date"])
    assert timedelta(minutes=5) <= behind < timedelta(minutes=6)


@pytest.mark.parametrize(
    ("token", "error"), [("xoxb-wrong", "invalid_auth"), (None, "not_authed"), ("app", "not_allowed_token_type")]
)
async def test_a_wrong_token_is_told_what_is_wrong_with_it(workbench, token, error):
    client = AsyncWebClient(token=workbench.app_token if token == "app" else token, base_url=workbench.api_url)
    assert (await refusal(client.chat_postMessage(channel="C0GENERAL", text="Hi")))["error"] == error


async def test_the_bot_token_opens_no_connection(workbench, client):
    refused = await refusal(client.apps_connections_open(app_token=workbench.bot_token))
    assert refused["error"] == "not_allowed_token_type"


async def test_a_revoked_token_is_refused_until_it_is_restored(workbench, client):
    workbench.workspace.revoke(workbench.bot_token)
    assert (await refusal(client.auth_test()))["error"] == "token_revoked"
    workbench.workspace.restore(workbench.bot_token)
    assert (await client.auth_test())["ok"]


async def test_a_missing_scope_is_named_with_those_that_are_there():
    async with Workbench(workspace=acme(bot_scopes=frozenset({"users:read", "commands"}))) as workbench:
        refused = await refusal(client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Hi"))
    assert (refused["error"], refused["needed"], refused["provided"]) == (
        "missing_scope",
        "chat:write",
        "commands,users:read",
    )


async def test_a_posted_card_is_seen_by_the_people_of_the_channel(workbench, client):
    posted = await client.chat_postMessage(channel="C0APPROVALS", **question())
    card = await workbench.person("ann").sees("Approve sending?", "#approvals")
    assert (card.ts, card.buttons, card.version) == (posted["ts"], ["Approve", "Reject"], 1)
    assert not workbench.person("gus").messages()


async def test_a_post_to_a_person_lands_in_their_direct_messages_and_is_edited_there(workbench, client):
    posted = await client.chat_postMessage(channel="U0OMAR", text="Wake up")
    assert posted["channel"].startswith("D")
    card = await workbench.person("omar").sees("Wake up", "dm")
    await client.chat_update(channel=posted["channel"], ts=posted["ts"], text="Sleep on")
    assert (card.text, card.version) == ("Sleep on", 2)
    assert (await refusal(client.chat_update(channel="U0OMAR", ts=posted["ts"], text="No")))["error"] == (
        "channel_not_found"
    )


async def test_where_a_bot_may_not_post_it_is_told_why(invited):
    workbench, client = invited, client_of(invited)
    workbench.workspace.leave("#approvals", "signoff")
    workbench.workspace.leave("#ops", "signoff")
    workbench.workspace.archive("#general")
    errors = {
        channel: (await refusal(client.chat_postMessage(channel=channel, text="Hi")))["error"]
        for channel in ("C0APPROVALS", "C0OPS", "C0GENERAL", "C0NOWHERE", "U0SIGNOFF")
    }
    assert errors == {
        "C0APPROVALS": "not_in_channel",
        "C0OPS": "channel_not_found",
        "C0GENERAL": "is_archived",
        "C0NOWHERE": "channel_not_found",
        "U0SIGNOFF": "channel_not_found",
    }


async def test_with_the_scope_for_it_a_bot_posts_where_it_is_no_member(workbench, client):
    workbench.workspace.leave("#approvals", "signoff")
    assert (await client.chat_postMessage(channel="C0APPROVALS", text="Hi"))["ok"]
    assert (await refusal(client.conversations_history(channel="C0APPROVALS")))["error"] == "not_in_channel"
    shown = client.chat_postEphemeral(channel="C0APPROVALS", user="U0ANN", text="Hi")
    assert (await refusal(shown))["error"] == "not_in_channel"


async def test_direct_messages_need_the_messages_tab(workbench, client):
    workbench.workspace.app.messages_tab = False
    refused = await refusal(client.chat_postMessage(channel="U0ANN", text="Hi"))
    assert refused["error"] == "messages_tab_disabled"


async def test_invalid_blocks_come_back_with_the_place_of_each_mistake(client):
    blocks = [section("fine"), section("x" * 3001)]
    refused = await refusal(client.chat_postMessage(channel="C0GENERAL", text="Hi", blocks=blocks))
    assert refused["error"] == "invalid_blocks"
    assert refused["errors"] == ["must be less than 3001 characters [json-pointer:/blocks/1/text/text]"]
    assert refused["response_metadata"]["messages"] == ["[ERROR] " + refused["errors"][0]]


async def test_a_message_says_something_and_an_edit_not_too_much(client):
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    here = {"channel": "C0GENERAL", "ts": posted["ts"]}
    silent = client.api_call("chat.postMessage", json={"channel": "C0GENERAL"})
    assert (await refusal(silent))["error"] == "no_text"
    assert (await refusal(client.chat_update(**here, text="x" * 4001)))["error"] == "msg_too_long"
    double = json.dumps([section("x")])
    refused = await refusal(client.api_call("chat.update", json={**here, "text": "x", "blocks": double}))
    assert refused["error"] == "invalid_blocks_format"


async def test_an_argument_that_slack_would_overlook_is_refused_only_where_it_is_strict(client):
    call = {"channel": "C0GENERAL", "text": "Hi", "thread": "1.2"}
    refused = await refusal(client.api_call("chat.postMessage", json=call))
    assert refused["error"] == "invalid_arg_name"
    assert "'thread'" in refused["response_metadata"]["messages"][0]
    async with Workbench(strict=False) as lenient:
        assert (await client_of(lenient).api_call("chat.postMessage", json=call))["ok"]


async def test_the_team_id_that_bolt_adds_is_welcome_everywhere(client):
    assert (await client.chat_postMessage(channel="C0GENERAL", text="Hi", team_id="T0ACME"))["ok"]


async def test_a_bot_edits_and_deletes_only_what_it_wrote(workbench, client):
    said = workbench.person("ann").say("Mine", "#general")
    theirs = {"channel": said.channel, "ts": said.ts}
    assert (await refusal(client.chat_update(**theirs, text="x")))["error"] == "cant_update_message"
    assert (await refusal(client.chat_delete(**theirs)))["error"] == "cant_delete_message"
    nothing = {"channel": said.channel, "ts": "1.000001"}
    assert (await refusal(client.chat_update(**nothing, text="x")))["error"] == "message_not_found"


async def test_an_ephemeral_message_is_seen_by_one_person_and_cannot_be_edited(workbench, client):
    shown = await client.chat_postEphemeral(channel="C0APPROVALS", user="U0RITA", text="Not you")
    assert workbench.person("rita").refusals == ["Not you"]
    assert not workbench.person("ann").messages("#approvals")
    edit = client.chat_update(channel="C0APPROVALS", ts=shown["message_ts"], text="x")
    assert (await refusal(edit))["error"] == "message_not_found"
    stranger = client.chat_postEphemeral(channel="C0APPROVALS", user="U0GUS", text="x")
    assert (await refusal(stranger))["error"] == "user_not_in_channel"


async def test_metadata_comes_back_only_when_it_is_asked_for(client):
    metadata = {"event_type": "card", "event_payload": {"copy": "c1"}}
    posted = await client.chat_postMessage(channel="C0APPROVALS", text="Hi", metadata=metadata)
    where = {"channel": "C0APPROVALS", "oldest": posted["ts"], "inclusive": True}
    short = await client.conversations_history(**where)
    full = await client.conversations_history(**where, include_all_metadata=True)
    assert short["messages"][0]["metadata"] == {"event_type": "card"}
    assert full["messages"][0]["metadata"] == metadata


async def test_an_edit_keeps_blocks_and_metadata_that_it_does_not_name(workbench, client):
    metadata = {"event_type": "card", "event_payload": {"copy": "c1"}}
    posted = await client.chat_postMessage(channel="C0APPROVALS", **question(), metadata=metadata)
    here = {"channel": posted["channel"], "ts": posted["ts"]}
    card = workbench.person("ann").messages("#approvals")[0]
    await client.chat_update(**here, text="Still open")
    assert (card.buttons, card.metadata, card.fallback) == (["Approve", "Reject"], metadata, "Still open")
    await client.chat_update(**here, text="Done", blocks=[], metadata={})
    assert (card.buttons, card.metadata, card.text) == ([], None, "Done")


async def test_replies_are_a_thread_and_stay_out_of_the_history(workbench, client):
    posted = await client.chat_postMessage(channel="C0APPROVALS", text="Card")
    reply = await client.chat_postMessage(channel="C0APPROVALS", text="Line", thread_ts=posted["ts"])
    await client.chat_postMessage(channel="C0APPROVALS", text="Another", thread_ts=reply["ts"])
    history = await client.conversations_history(channel="C0APPROVALS")
    thread = await client.conversations_replies(channel="C0APPROVALS", ts=posted["ts"])
    assert [(m["text"], m["reply_count"]) for m in history["messages"]] == [("Card", 2)]
    assert [m["text"] for m in thread["messages"]] == ["Card", "Line", "Another"]
    ann = workbench.person("ann")
    assert [line.text for line in ann.thread(await ann.sees("Card"))] == ["Line", "Another"]


async def test_messages_come_back_escaped_and_with_defaults_filled_in(client):
    blocks = [{"type": "section", "text": {"type": "plain_text", "text": "Q & A <now>"}}, section("A &amp; B")]
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Q &amp; A", blocks=blocks)
    first, second = posted["message"]["blocks"]
    assert first["text"] == {"type": "plain_text", "text": "Q &amp; A &lt;now&gt;", "emoji": True}
    assert second["text"] == {"type": "mrkdwn", "text": "A &amp; B", "verbatim": True}
    assert first["block_id"] != second["block_id"]


@pytest.mark.parametrize("encoding", ["json", "form", "query", "multipart"])
async def test_arguments_are_read_however_they_are_sent(workbench, encoding):
    arguments = {"channel": "C0GENERAL", "text": "Hi", "blocks": json.dumps([section("Hello")])}
    headers = {"Authorization": f"Bearer {workbench.bot_token}"}
    ways: dict[str, dict] = {
        "json": {"json": {**arguments, "blocks": [section("Hello")]}},
        "form": {"data": arguments},
        "query": {"params": arguments},
        "multipart": {"data": aiohttp.FormData({**arguments}, default_to_multipart=True)},
    }
    async with aiohttp.ClientSession() as session:
        response = await session.post(f"{workbench.api_url}chat.postMessage", headers=headers, **ways[encoding])
        assert (await response.json())["ok"]
    assert workbench.person("ann").messages("#general")[0].text == "Hello"


async def test_the_token_may_be_an_argument(workbench):
    async with aiohttp.ClientSession() as session:
        response = await session.get(f"{workbench.api_url}auth.test", params={"token": workbench.bot_token})
        assert (await response.json())["user_id"] == "U0SIGNOFF"
        response = await session.post(f"{workbench.api_url}auth.test", data=b"{", headers={"Content-Type": "text/x"})
        assert (await response.json())["error"] == "invalid_post_type"
        response = await session.get(f"{workbench.api_url}chat.sing")
        assert (await response.json())["error"] == "unknown_method"


async def test_members_come_page_by_page(client):
    first = await client.conversations_members(channel="C0APPROVALS", limit=3)
    rest = await client.conversations_members(
        channel="C0APPROVALS", limit=3, cursor=first["response_metadata"]["next_cursor"]
    )
    assert first["members"] + rest["members"] == ["U0ANN", "U0BEN", "U0DANA", "U0RITA", "U0SIGNOFF"]
    assert rest["response_metadata"]["next_cursor"] == ""


async def test_a_private_channel_exists_only_for_its_members(workbench, client):
    types = "public_channel,private_channel"
    everything = await client.conversations_list(types=types)
    assert [c["name"] for c in everything["channels"]] == ["approvals", "general", "ops"]
    workbench.workspace.leave("#ops", "signoff")
    assert [c["name"] for c in (await client.conversations_list(types=types))["channels"]] == ["approvals", "general"]
    assert (await refusal(client.conversations_info(channel="C0OPS")))["error"] == "channel_not_found"
    mine = await client.users_conversations(user="U0GUS")
    assert [c["name"] for c in mine["channels"]] == ["general"]


async def test_people_are_found_by_id_and_by_email(workbench, client):
    found = (await client.users_lookupByEmail(email="Ann@Example.com"))["user"]
    assert (found["id"], found["profile"]["email"], found["is_restricted"]) == ("U0ANN", "ann@example.com", False)
    assert (await client.users_info(user="U0GUS"))["user"]["is_restricted"]
    assert (await client.users_info(user="U0SIGNOFF"))["user"]["is_bot"]
    workbench.workspace.deactivate("ann")
    assert (await client.users_info(user="U0ANN"))["user"]["deleted"]
    assert (await refusal(client.users_lookupByEmail(email="ann@example.com")))["error"] == "users_not_found"
    assert (await refusal(client.users_info(user="U0NOBODY")))["error"] == "user_not_found"
    assert len((await client.users_list())["members"]) == 7


async def test_direct_messages_open_with_one_person(client):
    opened = await client.conversations_open(users="U0ANN")
    assert opened["channel"] == {"id": "D0ANN1"}
    assert (await refusal(client.conversations_open(users="U0NOBODY")))["error"] == "user_not_found"
    assert (await refusal(client.conversations_open(users="U0ANN,U0BEN")))["needed"] == "mpim:write"


async def test_a_permalink_leads_to_the_message(client):
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    link = await client.chat_getPermalink(channel="C0GENERAL", message_ts=posted["ts"])
    assert link["permalink"] == f"https://acme.slack.com/archives/C0GENERAL/p{posted['ts'].replace('.', '')}"


async def test_posting_can_be_held_to_one_message_a_second_and_channel():
    async with Workbench(timings=Timings(posts_per_channel=60)) as workbench:
        client = client_of(workbench)
        await client.chat_postMessage(channel="C0GENERAL", text="One")
        with pytest.raises(SlackApiError) as refused:
            await client.chat_postMessage(channel="C0GENERAL", text="Two")
        assert refused.value.response.status_code == 429
        assert refused.value.response.headers["Retry-After"] == "60"
        assert (await client.chat_postMessage(channel="C0OPS", text="Elsewhere"))["ok"]


async def test_every_call_is_written_down_with_its_answer(workbench, client):
    await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    await refusal(client.chat_postMessage(channel="C0NOWHERE", text="Hi"))
    posted, refused = workbench.calls_of("chat.postMessage")
    assert (posted.arguments["text"], posted.answer["channel"], posted.ok) == ("Hi", "C0GENERAL", True)
    assert (refused.answer["error"], refused.ok) == ("channel_not_found", False)


async def test_markdown_text_is_a_block_of_its_own_and_stands_alone(workbench, client):
    await client.chat_postMessage(channel="C0GENERAL", markdown_text="# Hello <@U0ANN>")
    (card,) = workbench.person("ann").messages("#general")
    assert (card.text, card.blocks[0]["type"], card.pings) == ("# Hello @Ann Archer", "markdown", ["U0ANN"])
    both = client.chat_postMessage(channel="C0GENERAL", markdown_text="x", text="y")
    assert (await refusal(both))["error"] == "markdown_text_conflict"
    long = client.chat_postMessage(channel="C0GENERAL", markdown_text="x" * 12_001)
    assert (await refusal(long))["error"] == "msg_too_long"


async def test_attachments_are_shown_kept_by_an_edit_and_counted(workbench, client):
    attachment = {"color": "#36a64f", "title": "Build", "text": "passed &amp; shipped", "fallback": "Build passed"}
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Done", attachments=[attachment])
    here = {"channel": posted["channel"], "ts": posted["ts"]}
    (card,) = workbench.person("ann").messages("#general")
    assert card.text == "Done\nBuild\npassed & shipped"
    await client.chat_update(**here, text="Done again")
    assert card.text == "Done again\nBuild\npassed & shipped"
    await client.chat_update(**here, text="Gone", attachments=[])
    assert card.text == "Gone"
    many = client.chat_postMessage(channel="C0GENERAL", text="Hi", attachments=[attachment] * 101)
    assert (await refusal(many))["error"] == "too_many_attachments"


async def test_a_reply_that_is_shown_in_the_channel_too_is_in_its_history(client):
    posted = await client.chat_postMessage(channel="C0APPROVALS", text="Card")
    await client.chat_postMessage(channel="C0APPROVALS", text="Loud", thread_ts=posted["ts"], reply_broadcast=True)
    history = (await client.conversations_history(channel="C0APPROVALS"))["messages"]
    assert [(m["text"], m.get("subtype")) for m in history] == [("Loud", "thread_broadcast"), ("Card", None)]


async def test_nobody_posts_as_somebody_else(client):
    refused = await refusal(
        client.api_call("chat.postMessage", json={"channel": "C0OPS", "text": "x", "as_user": True})
    )
    assert refused["error"] == "as_user_not_supported"
    renamed = await refusal(client.chat_postMessage(channel="C0OPS", text="x", username="Boss"))
    assert renamed["needed"] == "chat:write.customize"


async def test_a_scheduled_message_is_posted_when_the_clock_has_come_there(workbench, client):
    post_at = int(datetime.now(UTC).timestamp()) + 3600
    scheduled = await client.chat_scheduleMessage(channel="C0GENERAL", text="Later", post_at=post_at)
    assert scheduled["post_at"] == post_at
    await workbench.move_clock(timedelta(minutes=59))
    assert not workbench.person("ann").messages("#general")
    await workbench.move_clock(timedelta(minutes=2))
    await workbench.person("ann").sees("Later", "#general")


async def test_a_scheduled_message_can_be_called_off(workbench, client):
    post_at = int(datetime.now(UTC).timestamp()) + 60
    scheduled = await client.chat_scheduleMessage(channel="C0GENERAL", text="Never", post_at=post_at)
    off = {"channel": "C0GENERAL", "scheduled_message_id": scheduled["scheduled_message_id"]}
    await client.chat_deleteScheduledMessage(**off)
    assert (await refusal(client.chat_deleteScheduledMessage(**off)))["error"] == "invalid_scheduled_message_id"
    await workbench.move_clock(timedelta(minutes=2))
    await client.chat_postMessage(channel="C0GENERAL", text="Now")
    assert [card.text for card in workbench.person("ann").messages("#general")] == ["Now"]


@pytest.mark.parametrize(
    ("post_at", "error"), [(-5, "time_in_past"), (121 * 86400, "time_too_far"), (None, "invalid_time")]
)
async def test_a_message_is_scheduled_for_the_near_future(client, post_at, error):
    at = "soon" if post_at is None else int(datetime.now(UTC).timestamp()) + post_at
    scheduled = client.api_call("chat.scheduleMessage", json={"channel": "C0GENERAL", "text": "x", "post_at": at})
    assert (await refusal(scheduled))["error"] == error


async def test_blocks_are_validated_for_anybody_as_slack_reports_it(workbench):
    nobody = AsyncWebClient(base_url=workbench.api_url)
    assert (await nobody.api_call("blocks.validate", json={"blocks": [section("fine")]}))["ok"]
    wrong = [{"type": "section", "text": {"type": "invalid", "text": "x"}}]
    refused = await refusal(nobody.api_call("blocks.validate", json={"blocks": wrong}))
    assert (refused["error"], refused["errors"][0]["pointer"]) == ("invalid_blocks", "/0/text/type")
    both = {"blocks": wrong, "view": {"type": "home", "blocks": wrong}}
    assert (await refusal(nobody.api_call("blocks.validate", json=both)))["error"] == "invalid_arguments"
    assert (await refusal(nobody.api_call("blocks.validate", json={"view": both["view"]})))["error"] == "invalid_view"
    assert (await nobody.api_call("api.test", params={"foo": "bar"}))["args"] == {"foo": "bar"}
    assert (await refusal(nobody.api_test(error="my_error")))["error"] == "my_error"

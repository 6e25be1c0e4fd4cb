"""Rules of Slack's that are easily overlooked: who may do what, in which words it is refused, and what odd input does."""

from datetime import timedelta

import aiohttp
import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError

from bot.workbench.acts import ActError
from bot.workbench.assembly import assembled
from bot.workbench.grants import EVERY_EVENT, EVERY_SCOPE
from bot.workbench.people import Person
from bot.workbench.seed import BOT_SCOPES, acme, signoff_app, signoffs_bot
from bot.workbench.server import Workbench
from bot.workbench.socket_mode import TICKETS
from bot.workbench.views import TOASTS
from tests.integration.workbench_bots import (
    answering,
    app_of,
    at_request_url,
    client_of,
    over_socket,
    plain,
    question,
    section,
)


@pytest.fixture
async def workbench():
    async with Workbench(workspace=acme(bot_scopes=EVERY_SCOPE)) as workbench:
        workbench.workspace.app.events = EVERY_EVENT
        yield workbench


@pytest.fixture
def client(workbench):
    return client_of(workbench)


@pytest.fixture
async def session(workbench):
    async with aiohttp.ClientSession() as session:
        yield session


async def refusal(call):
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response.data


# --- the Web API


@pytest.mark.parametrize("odd", [[1], {"a": 1}, "x", "1.5"])
async def test_an_odd_cursor_or_limit_is_refused_by_its_name(client, odd):
    for argument, error in (("cursor", "invalid_cursor"), ("limit", "invalid_limit")):
        refused = await refusal(client.api_call("users.list", json={argument: odd}))
        assert refused["error"] == error


async def test_an_answer_says_which_scopes_the_method_asks_for(client):
    answer = await client.chat_postMessage(channel="C0GENERAL", text="Hi")
    headers = {name.lower(): value for name, value in answer.headers.items()}
    assert headers["x-accepted-oauth-scopes"] == "chat:write"


async def test_a_home_for_nobody_is_refused_in_slacks_words(client):
    view = {"type": "home", "blocks": [section("Hi")]}
    refused = await refusal(client.views_publish(user_id="U0NOBODY", view=view))
    assert (refused["error"], refused["response_metadata"]) == (
        "invalid_arguments",
        {"messages": ["invalid `user_id`"]},
    )


async def test_conversations_open_takes_direct_messages_alone(client):
    refused = await refusal(client.conversations_open(channel="C0GENERAL"))
    assert refused["error"] == "method_not_supported_for_channel_type"


async def test_a_reaction_names_its_message_by_a_moment(client):
    refused = await refusal(client.reactions_add(channel="C0GENERAL", name="eyes", timestamp="yesterday"))
    assert refused["error"] == "bad_timestamp"


async def test_only_a_reply_can_be_sent_to_the_channel_too(workbench, client):
    root = await client.chat_postMessage(channel="C0GENERAL", text="Root")
    reply = await client.chat_postMessage(channel="C0GENERAL", text="Reply", thread_ts=root["ts"])
    refused = await refusal(client.chat_update(channel="C0GENERAL", ts=root["ts"], text="Root", reply_broadcast=True))
    assert refused["error"] == "cant_broadcast_message"
    await client.chat_update(channel="C0GENERAL", ts=reply["ts"], text="Reply", reply_broadcast=True)
    shown = (await client.conversations_history(channel="C0GENERAL"))["messages"]
    assert [message["text"] for message in shown] == ["Reply", "Root"]


async def test_an_update_that_is_refused_leaves_the_metadata_as_it_was(client):
    metadata = {"event_type": "asked", "event_payload": {"id": "1"}}
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Hi", metadata=metadata)
    await refusal(client.chat_update(channel="C0GENERAL", ts=posted["ts"], text="x" * 4001, metadata={}))
    (kept,) = (await client.conversations_history(channel="C0GENERAL", include_all_metadata=True))["messages"]
    assert kept["metadata"] == metadata


async def test_a_message_says_who_edited_it_and_a_reply_whose_thread_it_is_in(workbench, client):
    ann = workbench.person("ann")
    root = ann.say("Frist")
    ann.edit(root, "First")
    await client.chat_postMessage(channel="C0GENERAL", text="Second", thread_ts=root.ts)
    first, second = (await client.conversations_replies(channel="C0GENERAL", ts=root.ts))["messages"]
    assert first["edited"]["user"] == "U0ANN"
    assert (first["reply_count"], first["reply_users"], first["thread_ts"]) == (1, ["U0SIGNOFF"], root.ts)
    assert (second["parent_user_id"], second["thread_ts"]) == ("U0ANN", root.ts)


async def test_a_person_is_as_far_from_greenwich_as_their_zone():
    people = [Person("U0RAJ", "raj", "Raj", tz="Asia/Kolkata"), signoffs_bot()]
    workspace = assembled(
        team_id="T0A", name="A", app=signoff_app(), people=people, conversations=(), scopes=frozenset({"users:read"})
    )
    async with Workbench(workspace=workspace) as workbench:
        user = (await client_of(workbench).users_info(user="U0RAJ"))["user"]
    assert (user["tz"], user["tz_offset"]) == ("Asia/Kolkata", 19_800)


async def test_a_scheduled_message_whose_thread_is_gone_is_noted_and_not_posted(workbench, client):
    ann = workbench.person("ann")
    root = ann.say("Root")
    at = int(float(root.ts)) + 60
    await client.chat_scheduleMessage(channel="C0GENERAL", text="Later", post_at=at, thread_ts=root.ts)
    ann.delete(root)
    await workbench.move_clock(timedelta(minutes=5))
    noted = "A scheduled message could not be posted in general: cannot_reply_to_message"
    assert await workbench.workspace.changes.until(
        lambda: any(getattr(entry.about, "words", "") == noted for entry in workbench.journal.entries), timeout=5
    )
    assert ann.messages("#general") == []


# --- files


async def test_the_bytes_of_a_file_are_for_an_app_that_can_see_it(workbench, session):
    ann = workbench.person("ann")
    file = workbench.bench.files.get(ann.upload("secret.txt", b"secret")["id"])
    url = f"{workbench.bench.origin}/files-pri/T0ACME-{file.id}/{file.id}"
    held = {"Authorization": f"Bearer {workbench.bot_token}"}
    async with session.get(url, headers=held) as answer:
        assert answer.status == 404
    ann.say("Here", files=[{"id": file.id}])
    async with session.get(url, headers=held) as answer:
        assert (answer.status, await answer.read()) == (200, b"secret")


async def test_an_upload_address_is_forgotten_once_the_file_is_there(workbench, client, session):
    asked = await client.files_getUploadURLExternal(filename="a.txt", length=1)
    await session.post(asked["upload_url"], data=b"a")
    await client.files_completeUploadExternal(files=[{"id": asked["file_id"]}])
    async with session.post(asked["upload_url"], data=b"b") as answer:
        assert answer.status == 404


# --- response URLs


async def test_a_response_url_can_be_made_to_break_after_it_took_effect(workbench, session):
    url = workbench.bench.origin + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
    workbench.faults.plan("timeout", method="response_url", seconds=0.01)
    with pytest.raises(aiohttp.ClientError):
        await session.post(url, json={"text": "Told"})
    assert workbench.person("ann").refusals == ["Told"]
    assert workbench.calls_of("response_url")[-1].dropped


async def test_a_response_url_can_be_made_to_break_before_it_takes_effect(workbench, session):
    url = workbench.bench.origin + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
    workbench.faults.plan("drop", method="*")
    with pytest.raises(aiohttp.ClientError):
        await session.post(url, json={"text": "Told"})
    assert workbench.person("ann").refusals == []


async def test_a_response_url_shows_attachments(workbench, session):
    url = workbench.bench.origin + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
    async with session.post(url, json={"attachments": [{"text": "As it was in 2016"}]}) as answer:
        assert answer.status == 200
    assert workbench.person("ann").refusals == ["As it was in 2016"]


@pytest.mark.parametrize("thread", ["1.000001", {"a": 1}])
async def test_a_response_url_answers_in_a_thread_that_is_there(workbench, session, thread):
    url = workbench.bench.origin + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
    async with session.post(url, json={"text": "Told", "thread_ts": thread}) as answer:
        assert (answer.status, await answer.text()) == (400, "cannot_reply_to_message")


# --- answers to submissions


async def submitted(workbench, client, answer):
    ann = workbench.person("ann")
    trigger = workbench.bench.triggers.new("U0ANN")
    view = {"type": "modal", "title": plain("Form"), "submit": plain("Send"), "blocks": [section("-")]}
    await client.views_open(trigger_id=trigger, view=view)
    async with answering(workbench, answer):
        return await ann.submit(await ann.modal("Form"))


async def test_a_view_that_comes_with_an_ack_is_measured_in_bytes(workbench, client):
    blocks = [section("\u20ac" * 2900) for _ in range(30)]
    view = {"type": "modal", "title": plain("Big"), "blocks": blocks}
    sent = await submitted(workbench, client, {"response_action": "update", "view": view})
    assert (sent.result, sent.detail) == ("trouble", "view_too_large")


async def test_a_view_that_comes_with_an_ack_takes_no_external_id_of_another(workbench, client):
    other = {"type": "modal", "title": plain("Other"), "blocks": [section("-")], "external_id": "mine"}
    await client.views_open(trigger_id=workbench.bench.triggers.new("U0BEN"), view=other)
    sent = await submitted(workbench, client, {"response_action": "push", "view": other})
    assert (sent.result, sent.detail) == ("trouble", "duplicate_external_id")


async def test_a_view_that_comes_with_an_ack_needs_the_scope_for_its_files():
    field = {"type": "input", "label": plain("File"), "element": {"type": "file_input", "action_id": "file"}}
    view = {"type": "modal", "title": plain("File"), "submit": plain("Send"), "blocks": [field]}
    async with Workbench(workspace=acme(bot_scopes=BOT_SCOPES - {"files:read"})) as workbench:
        sent = await submitted(workbench, client_of(workbench), {"response_action": "update", "view": view})
    assert (sent.result, sent.detail) == ("trouble", "missing_scope")


# --- people


async def test_a_guest_deletes_no_message_of_somebody_else(workbench):
    ann, gus = workbench.person("ann"), workbench.person("gus")
    said = ann.say("Hello")
    with pytest.raises(ActError, match="not yours"):
        gus.delete(said)
    own = gus.say("Hi")
    gus.delete(own)
    assert (said.exists, own.exists) == (True, False)


async def test_an_app_that_hears_messages_is_told_of_one_that_was_deleted(workbench):
    app = app_of(workbench)
    heard = []

    @app.event("message")
    async def on_message(event):
        heard.append(event.get("subtype"))

    async with over_socket(app, workbench):
        ann = workbench.person("ann")
        ann.delete(ann.say("Hello"))
        assert await workbench.delivered("events_api", times=2)
        assert await workbench.workspace.changes.until(lambda: len(workbench.acks) == 2, timeout=5)
    assert sorted(heard, key=str) == [None, "message_deleted"]


async def test_nobody_writes_where_they_are_no_member_or_where_it_is_archived(workbench):
    workbench.workspace.app.events = ()
    omar, ann = workbench.person("omar"), workbench.person("ann")
    said = ann.say("Hello", "#approvals")
    with pytest.raises(ActError, match="cannot write here"):
        await omar.command("/signoff", "#approvals")
    workbench.workspace.archive("#approvals")
    for act in (lambda: ann.edit(said, "Bye"), lambda: ann.say("Bye", "#approvals")):
        with pytest.raises(ActError, match="cannot write here"):
            act()
    with pytest.raises(ActError, match="cannot react"):
        ann.react(said, "eyes")
    with pytest.raises(ActError, match="cannot write here"):
        await ann.command("/signoff", "#approvals")


async def test_nobody_writes_to_an_app_without_a_messages_tab(workbench):
    workbench.workspace.app.messages_tab = False
    with pytest.raises(ActError, match="cannot write here"):
        workbench.person("ann").say("Hello", "dm")


async def test_nobody_replies_to_what_only_they_see(workbench, client):
    await client.chat_postEphemeral(channel="C0GENERAL", user="U0ANN", text="Psst")
    ann = workbench.person("ann")
    with pytest.raises(ActError, match="only you see"):
        ann.say("What?", thread=ann.ephemerals[0])


@pytest.mark.parametrize(
    ("element", "chosen"),
    [
        ({"type": "datepicker"}, {"selected_date": "20261130"}),
        ({"type": "datepicker"}, {"selected_date": "2026-13-01"}),
        ({"type": "timepicker"}, {"selected_time": "9:30"}),
        ({"type": "datetimepicker"}, {"selected_date_time": True}),
        ({"type": "rich_text_input"}, {"rich_text_value": {"type": "section"}}),
    ],
)
async def test_what_no_client_of_slacks_sends_is_no_choice(workbench, client, element, chosen):
    blocks = [{"type": "actions", "block_id": "b", "elements": [{**element, "action_id": "a"}]}]
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Hi", blocks=blocks)
    with pytest.raises(ActError, match="That is not"):
        await workbench.acts.click("ann", "C0GENERAL", posted["ts"], "b", "a", chosen=chosen)


async def test_an_option_that_is_chosen_twice_is_chosen_once(workbench, client):
    options = [{"text": plain(name), "value": name} for name in ("a", "b", "c")]
    element = {"type": "multi_static_select", "action_id": "a", "options": options, "max_selected_items": 2}
    blocks = [{"type": "section", "block_id": "b", "text": plain("Which?"), "accessory": element}]
    posted = await client.chat_postMessage(channel="C0GENERAL", text="Hi", blocks=blocks)
    async with over_socket(app_of(workbench), workbench):
        ann, where = workbench.person("ann"), ("C0GENERAL", posted["ts"], "b", "a")
        await workbench.acts.click("ann", *where, chosen={"selected_options": [options[1], options[1]]})
        (click,) = workbench.deliveries_of("block_actions")[0].payload["actions"]
        assert [option["value"] for option in click["selected_options"]] == ["b"]
        with pytest.raises(ActError, match="at most 2"):
            await workbench.acts.click("ann", *where, chosen={"selected_options": options})
    assert ann.messages("#general")[0].ts == posted["ts"]


# --- what goes over the line


async def test_a_click_repeats_what_the_app_wrote_on_the_element(workbench, client):
    confirm = {"title": plain("Sure?"), "text": plain("Really?"), "confirm": plain("Yes"), "deny": plain("No")}
    first = {"text": plain("A & B"), "value": "a"}
    select = {
        "type": "static_select",
        "action_id": "which",
        "placeholder": plain("Which?"),
        "options": [first, {"text": plain("C"), "value": "c"}],
        "initial_option": first,
        "confirm": confirm,
    }
    blocks = [{"type": "actions", "elements": [select]}]
    await client.chat_postMessage(channel="C0GENERAL", text="Hi", blocks=blocks)
    async with over_socket(app_of(workbench), workbench):
        ann = workbench.person("ann")
        await ann.click(ann.messages("#general")[0], "Which?", option="C")
    (click,) = workbench.deliveries_of("block_actions")[0].payload["actions"]
    assert click["placeholder"] == {"type": "plain_text", "text": "Which?", "emoji": True}
    assert click["initial_option"]["text"]["text"] == "A &amp; B"
    assert click["confirm"]["title"]["emoji"]
    assert click["selected_option"]["value"] == "c"
    assert "options" not in click


async def test_a_frame_that_is_no_ack_harms_nothing(workbench, session):
    opened = await client_of(workbench).apps_connections_open(app_token=workbench.app_token)
    async with session.ws_connect(opened["url"]) as socket:
        await socket.receive_json()
        await socket.send_str("[]")
        await socket.send_str("{")
        workbench.person("ann").say("Hello")
        envelope = await socket.receive_json()
        await socket.send_json({"envelope_id": envelope["envelope_id"]})
        assert await workbench.workspace.changes.until(lambda: bool(workbench.acks), timeout=5)
    assert workbench.acks[0].ok


async def test_tickets_that_nobody_uses_are_forgotten(workbench, session):
    first = workbench.sockets.new_url(workbench.bench.origin)
    for _ in range(TICKETS):
        last = workbench.sockets.new_url(workbench.bench.origin)
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await session.ws_connect(first)
    await (await session.ws_connect(last)).close()


async def test_an_answer_in_no_known_writing_is_an_answer_all_the_same(workbench, client):
    await client.chat_postMessage(channel="C0GENERAL", **question())

    async def bytes_(_request):
        return web.Response(body=b"\xff\xfe", content_type="text/plain")

    async with at_request_url(workbench, bytes_):
        ann = workbench.person("ann")
        assert (await ann.click(ann.messages("#general")[0], "Approve")).ok


async def test_toasts_that_nobody_dismisses_do_not_pile_up(workbench):
    for number in range(TOASTS + 5):
        workbench.bench.screens.toast("U0ANN", f"Toast {number}")
    toasts = workbench.person("ann").toasts
    assert (len(toasts), toasts[-1]) == (TOASTS, f"Toast {TOASTS + 4}")


@pytest.mark.parametrize("path", ["/workbench/v1/clock", "/workbench/upload?as=ann&name=a.txt", "/workbench/api/clock"])
async def test_a_form_of_another_page_acts_here_under_no_pretence(workbench, session, path):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    said = {"as": "ann", "minutes": 5}
    async with session.post(f"{workbench.bench.origin}{path}", json=said, headers=headers) as answer:
        assert answer.status == 403
    assert workbench.bench.moved == timedelta()


async def test_each_kind_of_shortcut_names_the_person_under_its_own_key(workbench):
    async with over_socket(app_of(workbench), workbench):
        ann = workbench.person("ann")
        await ann.shortcut("Start a request")
        await ann.message_shortcut(ann.say("Hello"), "Ask for a decision")
    of_all, of_message = (workbench.deliveries_of(kind)[0].payload for kind in ("shortcut", "message_action"))
    assert of_all["user"] == {"id": "U0ANN", "username": "ann", "team_id": "T0ACME"}
    assert of_message["user"] == {"id": "U0ANN", "name": "ann", "team_id": "T0ACME"}
    assert "api_app_id" not in of_all

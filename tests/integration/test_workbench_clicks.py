"""What people do reaches a bot of slack_bolt's over both transports, and what it answers reaches them."""

import asyncio

import aiohttp
import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError

from bot.workbench.acts import ActError
from bot.workbench.bench import Timings
from bot.workbench.server import Workbench
from bot.workbench.submissions import TROUBLE
from bot.workbench.workspace import Command
from tests.integration.workbench_bots import (
    TRANSPORTS,
    answering,
    app_of,
    at_request_url,
    button,
    client_of,
    over_socket,
    plain,
    question,
    reason_view,
    section,
    serving,
)


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture
async def hasty():
    """A workbench whose patience is a fraction of Slack's."""
    async with Workbench(timings=Timings(ack=0.2)) as workbench:
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


async def opened(workbench: Workbench, view: dict, person: str = "U0ANN"):
    trigger_id = workbench.bench.triggers.new(person)
    await client_of(workbench).views_open(trigger_id=trigger_id, view=view)
    return workbench.person(person).open_modal


async def test_a_click_reaches_the_bot_and_its_edit_reaches_everybody(workbench, transport):
    app = app_of(workbench)

    @app.action("approve")
    async def on_approve(ack, body, client):
        await ack()
        done = [section(f"Approved by <@{body['user']['id']}>")]
        await client.chat_update(channel=body["channel"]["id"], ts=body["message"]["ts"], text="Approved", blocks=done)

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        ann, ben = workbench.person("ann"), workbench.person("ben")
        card = await ann.sees("Approve sending?")
        ack = await ann.click(card, "Approve")
        assert ack.ok
        assert ack.ms < 3000
        assert (await ben.sees("Approved by @Ann Archer", "#approvals")).buttons == []
    assert [ack.kind for ack in workbench.acks if ack.kind != "events_api"] == ["block_actions"]


async def test_a_click_carries_the_button_the_message_and_a_response_url(workbench, transport):
    app, seen = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        seen.append(body)

    async with serving(app, workbench, transport):
        elements = [button("Yes & no", "approve")]
        blocks = [{"type": "actions", "block_id": "b", "elements": elements}]
        posted = await client_of(workbench).chat_postMessage(channel="U0ANN", text="Q", blocks=blocks)
        ann = workbench.person("ann")
        await ann.click(await ann.sees("", "dm"), "Yes & no")
    (body,) = seen
    (action,) = body["actions"]
    assert (action["block_id"], action["value"], action["text"]["text"]) == ("b", "yes & no", "Yes &amp; no")
    assert body["container"] == {
        "type": "message",
        "message_ts": posted["ts"],
        "channel_id": posted["channel"],
        "is_ephemeral": False,
    }
    assert body["channel"] == {"id": posted["channel"], "name": "directmessage"}
    assert body["message"]["ts"] == posted["ts"]
    assert body["response_url"].startswith(workbench.url)


async def test_a_click_that_is_not_acked_in_time_is_trouble_connecting(hasty, transport):
    app = app_of(hasty)
    finished = asyncio.Event()

    @app.action("approve")
    async def on_approve(ack):
        await finished.wait()
        await ack()

    async with serving(app, hasty, transport):
        await client_of(hasty).chat_postMessage(channel="C0APPROVALS", **question())
        ann = hasty.person("ann")
        ack = await ann.click(await ann.sees("Approve"), "Approve")
        finished.set()
    assert (ack.outcome, ack.ok, ann.toasts) == ("late", False, [TROUBLE])


async def test_a_click_while_no_bot_is_there_is_trouble_connecting(workbench):
    await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    ann = workbench.person("ann")
    assert (await ann.click(ann.messages()[0], "Approve")).outcome == "not_connected"
    workbench.request_url = "http://127.0.0.1:9/slack/events"
    assert (await ann.click(ann.messages()[0], "Approve")).outcome == "not_connected"
    assert ann.toasts == [TROUBLE, TROUBLE]


async def test_a_delivery_follows_no_redirect(workbench):
    followed: list[str] = []

    async def moved(request: web.Request) -> web.Response:
        if request.query:
            followed.append(request.query_string)
            return web.Response()
        raise web.HTTPTemporaryRedirect(f"{request.path}?again")

    async with at_request_url(workbench, moved):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        ack = await ann.click(ann.messages()[0], "Approve")
    assert (ack.outcome, followed) == ("refused", [])


async def test_a_wrong_signature_is_refused_by_the_bot(workbench):
    app = app_of(workbench)
    async with serving(app, workbench, "http"):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        workbench.bench.signing_secret = "not the one"
        ann = workbench.person("ann")
        ack = await ann.click(ann.messages()[0], "Approve")
    assert ack.outcome == "refused"
    assert "401" in ack.detail


async def test_a_select_in_a_message_carries_the_option_as_the_bot_wrote_it(workbench, transport):
    app, chosen = app_of(workbench), []

    @app.action("pick")
    async def on_pick(ack, payload):
        await ack()
        chosen.append(payload["selected_option"]["value"])

    options = [{"text": plain(f"Option {n}"), "value": str(n)} for n in range(3)]
    select = {"type": "static_select", "action_id": "pick", "placeholder": plain("Pick one"), "options": options}
    blocks = [{"type": "actions", "elements": [select]}]
    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0OPS", text="Pick", blocks=blocks)
        omar = workbench.person("omar")
        await omar.click((await omar.sees("", "#ops")), "Pick one", option="Option 2")
    assert chosen == ["2"]


async def test_errors_stand_under_the_field_until_the_form_is_accepted(workbench, transport):
    app = app_of(workbench)

    @app.view("answer")
    async def on_answer(ack, view):
        if view["state"]["values"]["reason"]["value"]["value"] == "no":
            await ack(response_action="errors", errors={"reason": "Say a little more."})
        else:
            await ack()

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        modal = await opened(workbench, reason_view())
        first = await ann.submit(modal, {"Reason": "no"})
        assert (first.result, first.errors, modal.errors) == ("errors", {"Reason": "Say a little more."}, first.errors)
        assert modal.values == {"Reason": "no"}
        assert (await ann.submit(modal, {"Reason": "too dear"})).closed
        assert not modal.is_open


@pytest.mark.parametrize(
    "answer",
    [
        {"response_action": "errors", "errors": {"nowhere": "x"}},
        {"response_action": "errors", "errors": {"reason": ""}},
        {"response_action": "errors", "errors": {}},
        {"response_action": "errors"},
        {"response_action": "sing"},
        {"response_action": "update", "view": {"type": "modal"}},
        {"response_action": "push", "view": None},
        {"text": "junk"},
        ["junk"],
        "junk",
    ],
)
async def test_an_answer_that_slack_does_not_understand_is_trouble_connecting(workbench, answer):
    async with answering(workbench, answer):
        modal = await opened(workbench, reason_view())
        sent = await workbench.person("ann").submit(modal, {"Reason": "x"})
    assert (sent.result, modal.is_open, sent.ack.outcome) == ("trouble", True, "acked")
    assert sent.detail
    assert workbench.person("ann").toasts == [TROUBLE]


async def test_a_submission_may_update_push_or_clear(workbench, transport):
    app = app_of(workbench)

    @app.view("answer")
    async def on_answer(ack, view):
        match view["title"]["text"]:
            case "One":
                await ack(response_action="update", view=reason_view("Two"))
            case "Two":
                await ack(response_action="push", view=reason_view("Three"))
            case _:
                await ack(response_action="clear")

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        modal = await opened(workbench, reason_view("One"))
        assert (await ann.submit(modal, {"Reason": "x"})).result == "updated"
        assert (modal.title, modal.values) == ("Two", {"Reason": "x"})
        assert (await ann.submit(modal)).result == "pushed"
        top = await ann.modal("Three")
        assert (await ann.submit(top, {"Reason": "y"})).result == "cleared"
        assert ann.open_modal is None


async def test_slacks_client_holds_back_a_form_that_is_not_filled_in(workbench):
    app, values = app_of(workbench), []

    @app.view("answer")
    async def on_answer(ack, view):
        await ack()
        values.append(view["state"]["values"]["reason"]["value"])

    async with serving(app, workbench, "socket"):
        ann = workbench.person("ann")
        modal = await opened(workbench, reason_view())
        held = await ann.submit(modal)
        assert (held.errors, held.ack) == ({"Reason": "Please complete this required field."}, None)
        assert (await ann.submit(modal, unchecked=True)).closed
    assert values == [{"type": "plain_text_input", "value": None}]


async def test_closing_is_told_to_a_bot_that_asked_for_it(workbench, transport):
    app, closed = app_of(workbench), []

    @app.view_closed("answer")
    async def on_closed(ack, body):
        await ack()
        closed.append((body["view"]["title"]["text"], body["is_cleared"], body["view"]["state"]["values"]))

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        await ann.close(await opened(workbench, reason_view("Quiet")))
        await ann.close(await opened(workbench, reason_view("Told", notify_on_close=True)))
    assert closed == [("Told", False, {})]


async def test_a_button_in_a_modal_sends_what_was_typed_so_far(workbench, transport):
    app, seen = app_of(workbench), []

    @app.action("more")
    async def on_more(ack, body, client):
        await ack()
        seen.append(body["view"]["state"]["values"]["reason"]["value"]["value"])
        await client.views_push(trigger_id=body["trigger_id"], view=reason_view("More"))

    view = reason_view()
    view["blocks"].append({"type": "actions", "elements": [button("More", "more")]})
    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        modal = await opened(workbench, view)
        modal.view.enter(modal.filled({"Reason": "so far"}))
        assert (await ann.click(modal, "More")).ok
        assert (await ann.modal("More")).id != modal.id
    assert seen == ["so far"]


@pytest.mark.parametrize(
    ("should_escape", "text"),
    [(True, "ask <@U0BEN> about a &amp; b in <#C0OPS|>"), (False, "ask @ben about a & b in #ops")],
)
async def test_a_command_arrives_as_typed_or_with_tokens_and_its_ack_is_seen_by_one_person(
    workbench, transport, should_escape, text
):
    app, texts = app_of(workbench), []
    workbench.workspace.app.commands = (Command("/ask", "Ask", should_escape=should_escape),)

    @app.command("/ask")
    async def on_command(ack, body):
        texts.append((body["channel_name"], body["text"], body["is_enterprise_install"]))
        await ack("Heard")

    async with serving(app, workbench, transport):
        rita = workbench.person("rita")
        assert (await rita.command("/ask ask @ben about a & b in #ops", "#general")).ok
        assert rita.refusals == ["Heard"]
        assert not workbench.person("ann").refusals
    assert texts == [("general", text, "false")]


@pytest.mark.parametrize("answer", [["junk"], {"txet": "x"}, {"blocks": [{"type": "sing"}]}])
async def test_a_command_that_is_answered_with_nonsense_fails_and_shows_nothing(workbench, answer):
    async with answering(workbench, answer):
        rita = workbench.person("rita")
        await rita.command("/signoff")
        assert (len(rita.toasts), rita.refusals) == (1, [])


async def test_a_command_that_nobody_acks_fails_in_slacks_words(hasty):
    app = app_of(hasty)

    @app.command("/signoff")
    async def on_command():
        """Never acks."""

    async with over_socket(app, hasty):
        rita = hasty.person("rita")
        await rita.command("/signoff")
        assert rita.toasts == ['/signoff failed with the error "operation_timeout"']


async def test_a_response_url_answers_five_times_and_no_more(workbench, transport):
    app, urls = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        urls.append(body["response_url"])

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        await ann.click(ann.messages()[0], "Approve")
    async with aiohttp.ClientSession() as session:
        answers = [await session.post(urls[0], json={"text": f"No {n}"}) for n in range(6)]
        assert [answer.status for answer in answers] == [200] * 5 + [404]
        assert await answers[-1].text() == "used_url"
        bad = await session.post(f"{workbench.url}actions/unknown", json={"text": "x"})
        assert (bad.status, await bad.text()) == (404, "invalid_url")
    assert ann.refusals == [f"No {n}" for n in range(5)]
    assert not workbench.person("ben").refusals


async def test_a_response_url_does_not_outlive_its_half_hour():
    async with Workbench(timings=Timings(response_url=-1)) as workbench, aiohttp.ClientSession() as session:
        url = workbench.url.rstrip("/") + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
        answer = await session.post(url, json={"text": "Late"})
        assert (answer.status, await answer.text()) == (404, "expired_url")


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (b"{", "invalid_payload"),
        (b"[]", "invalid_payload"),
        (b'{"txet": "x"}', "invalid_payload"),
        (b"{}", "no_text"),
        (b'{"text": "x", "blocks": [{"type": "sing"}]}', "invalid_blocks"),
    ],
)
async def test_a_response_url_says_in_plain_text_what_is_wrong(workbench, said, error):
    async with aiohttp.ClientSession() as session:
        url = workbench.url.rstrip("/") + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
        answer = await session.post(url, data=said, headers={"Content-Type": "application/json"})
        assert (answer.status, await answer.text()) == (400, error)


async def test_a_card_is_replaced_or_deleted_through_its_response_url(workbench):
    posted = await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    card = workbench.person("ann").messages()[0]
    path = workbench.bench.response_urls.new("U0ANN", "C0APPROVALS", message_ts=posted["ts"])
    async with aiohttp.ClientSession() as session:
        await session.post(workbench.url.rstrip("/") + path, json={"text": "Done", "replace_original": True})
        assert (card.text, card.buttons) == ("Done", [])
        await session.post(workbench.url.rstrip("/") + path, json={"delete_original": True})
        assert not card.exists


async def test_a_modal_that_was_closed_while_it_was_submitted_shows_nothing_more(workbench):
    app, arrived, go = app_of(workbench), asyncio.Event(), asyncio.Event()

    @app.view("answer")
    async def on_answer(ack):
        arrived.set()
        await go.wait()
        await ack(response_action="push", view=reason_view("Pushed"))

    async with serving(app, workbench, "socket"):
        ann = workbench.person("ann")
        modal = await opened(workbench, reason_view())
        submitting = asyncio.ensure_future(ann.submit(modal, {"Reason": "x"}))
        await arrived.wait()
        with pytest.raises(ActError, match="being submitted already"):
            await ann.submit(modal, {"Reason": "x"})
        await ann.close(modal)
        go.set()
        assert (await submitting).closed
    assert ann.open_modal is None


async def test_what_came_by_a_response_url_cannot_be_edited_by_the_api(workbench):
    app = app_of(workbench)

    @app.action("approve")
    async def on_approve(ack, respond):
        await ack()
        await respond(text="Seen by all", response_type="in_channel", replace_original=False)

    async with serving(app, workbench, "socket"):
        client = client_of(workbench)
        await client.chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        await ann.click(ann.messages()[0], "Approve")
        answer = await workbench.person("ben").sees("Seen by all")
        with pytest.raises(SlackApiError, match="cant_update_message"):
            await client.chat_update(channel=answer.channel, ts=answer.ts, text="x")


async def test_a_duplicated_click_arrives_twice_under_one_envelope(workbench, transport):
    app, clicks = app_of(workbench), []
    both = asyncio.Event()

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        clicks.append(body["actions"][0]["action_ts"])
        if len(clicks) == 2:
            both.set()

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        workbench.faults.duplicate("block_actions")
        ann = workbench.person("ann")
        await ann.click(ann.messages()[0], "Approve")
        await both.wait()
    assert clicks[0] == clicks[1]
    assert len({delivery.envelope_id for delivery in workbench.deliveries_of("block_actions")}) == 1


async def test_a_withheld_ack_leaves_the_work_done_and_the_person_in_doubt(workbench, transport):
    app, clicks = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        clicks.append(body["user"]["id"])

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        workbench.faults.withhold_acks(kind="block_actions")
        ann = workbench.person("ann")
        ack = await ann.click(ann.messages()[0], "Approve")
        again = await workbench.redeliver(workbench.deliveries_of("block_actions")[0])
    assert (ack.outcome, again.outcome) == ("withheld", "acked")
    assert ann.toasts == [TROUBLE]
    assert clicks == ["U0ANN", "U0ANN"]


async def test_each_click_goes_to_one_of_several_connections(workbench):
    clicks: list[str] = []

    def bot(name: str):
        app = app_of(workbench)

        @app.action("approve")
        async def on_approve(ack):
            await ack()
            clicks.append(name)

        return app

    async with over_socket(bot("first"), workbench), over_socket(bot("second"), workbench):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        for _ in range(4):
            await ann.click(ann.messages()[0], "Approve")
    assert sorted(clicks) == ["first", "first", "second", "second"]


async def test_a_bot_that_is_told_to_refresh_comes_back(workbench):
    app = app_of(workbench)

    @app.action("approve")
    async def on_approve(ack):
        await ack()

    async with over_socket(app, workbench):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        await workbench.sockets.disconnect("refresh_requested")
        assert await workbench.connected()
        ann = workbench.person("ann")
        assert (await ann.click(ann.messages()[0], "Approve")).ok


async def test_a_ticket_connects_once(workbench):
    answer = await client_of(workbench).apps_connections_open(app_token=workbench.app_token)
    async with aiohttp.ClientSession() as session:
        socket = await session.ws_connect(answer["url"])
        assert (await socket.receive_json())["type"] == "hello"
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(answer["url"])
        await socket.close()


async def test_opening_the_direct_messages_is_an_event(workbench, transport):
    app = app_of(workbench)
    workbench.workspace.app.events = ("app_home_opened",)
    opened_by = asyncio.get_running_loop().create_future()

    @app.event("app_home_opened")
    async def on_opened(event):
        opened_by.set_result((event["user"], event["tab"]))

    async with serving(app, workbench, transport):
        workbench.acts.open_dm("ann")
        assert await opened_by == ("U0ANN", "messages")


async def test_an_impatient_person_clicks_twice_at_once(workbench, transport):
    app, clicks = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        clicks.append(body["actions"][0]["action_ts"])

    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        first, second = await ann.double_click(ann.messages()[0], "Approve")
    assert first.ok
    assert second.ok
    assert len(set(clicks)) == 2


async def test_somebody_whose_screen_is_behind_clicks_what_is_not_there_any_more(workbench):
    app, clicks = app_of(workbench), []

    @app.action("approve")
    async def on_approve(ack, body):
        await ack()
        clicks.append(body["actions"][0]["value"])

    async with serving(app, workbench, "socket"):
        client = client_of(workbench)
        posted = await client.chat_postMessage(channel="C0APPROVALS", **question())
        ann = workbench.person("ann")
        card = await ann.sees("Approve sending?")
        await client.chat_update(channel=posted["channel"], ts=posted["ts"], text="Done", blocks=[section("Done")])
        assert card.buttons == []
        assert (await ann.click(card, "Approve", behind=True)).ok
    assert clicks == ["approve"]

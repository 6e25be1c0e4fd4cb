"""Shortcuts: one from the menu of everything, one from the menu of a message, in the payloads that Slack sends."""

import aiohttp
import pytest

from bot.workbench.acts import ActError
from bot.workbench.server import Workbench
from bot.workbench.submissions import TROUBLE
from bot.workbench.workspace import Shortcut
from tests.integration.workbench_bots import TRANSPORTS, app_of, client_of, plain, question, reason_view, serving


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        workbench.workspace.app.shortcuts = (
            Shortcut("global", "New request", "new", "Ask for something"),
            Shortcut("message", "Ask about this", "about", "Ask for a decision about this message"),
        )
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


async def test_a_global_shortcut_opens_a_modal_and_knows_no_channel(workbench, transport):
    app, seen = app_of(workbench), []

    @app.shortcut("new")
    async def on_new(ack, body, client):
        await ack()
        seen.append(body)
        await client.views_open(trigger_id=body["trigger_id"], view=reason_view("New"))

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        assert (await ann.shortcut("New request")).ok
        assert (await ann.modal("New")).is_open
    (body,) = seen
    assert (body["type"], body["callback_id"], body["user"]["id"]) == ("shortcut", "new", "U0ANN")
    assert {"channel", "message", "response_url", "actions"}.isdisjoint(body)


async def test_a_message_shortcut_carries_the_message_and_answers_by_its_response_url(workbench, transport):
    app, seen = app_of(workbench), []

    @app.shortcut("about")
    async def on_about(ack, body, respond):
        await ack()
        seen.append(body)
        await respond("Asked.")

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        said = ann.say("Shall we ship & go?", "#approvals")
        assert (await ann.message_shortcut(said, "about")).ok
        assert (await ann.is_told("Asked.")).channel == "C0APPROVALS"
    (body,) = seen
    assert (body["type"], body["callback_id"], body["message_ts"]) == ("message_action", "about", said.ts)
    assert body["channel"] == {"id": "C0APPROVALS", "name": "approvals"}
    assert (body["message"]["text"], body["message"]["user"]) == ("Shall we ship &amp; go?", "U0ANN")
    assert "trigger_id" in body


@pytest.mark.parametrize("reply", [{"text": "Mine now", "replace_original": True}, {"delete_original": True}])
async def test_a_persons_message_is_not_the_apps_to_change_through_a_response_url(workbench, reply):
    said = workbench.person("ann").say("Mine", "#approvals")
    path = workbench.bench.response_urls.new("U0ANN", said.channel, message_ts=said.ts)
    async with aiohttp.ClientSession() as session:
        await session.post(workbench.url.rstrip("/") + path, json=reply)
    assert (said.exists, said.text) == (True, "Mine")


async def test_a_modal_starts_with_the_conversation_that_its_shortcut_came_from(workbench):
    app = app_of(workbench)
    element = {"type": "conversations_select", "action_id": "v", "default_to_current_conversation": True}
    block = {"type": "input", "block_id": "where", "label": plain("Where"), "element": element}

    @app.shortcut("about")
    async def on_about(ack, body, client):
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=reason_view("Where", blocks=[block]))

    async with serving(app, workbench, "socket"):
        ann = workbench.person("ann")
        await ann.message_shortcut(ann.say("Here", "#ops"), "about")
        assert (await ann.modal("Where")).values == {"Where": "C0OPS"}


async def test_a_shortcut_that_nobody_acks_is_trouble_connecting(workbench):
    ann = workbench.person("ann")
    assert (await ann.shortcut("new")).outcome == "not_connected"
    assert ann.toasts == [TROUBLE]


async def test_a_shortcut_is_found_in_its_own_menu_alone(workbench):
    ann = workbench.person("ann")
    await client_of(workbench).chat_postEphemeral(channel="C0APPROVALS", user="U0ANN", text="Only you")
    await client_of(workbench).chat_postMessage(channel="C0OPS", **question())
    for_ann = ann.ephemerals[0]
    with pytest.raises(ActError, match="no such shortcut"):
        await ann.shortcut("about")
    with pytest.raises(ActError, match="no such shortcut"):
        await ann.message_shortcut(for_ann, "about")
    secret = workbench.person("omar").messages("#ops")[0]
    with pytest.raises(ActError, match="cannot see"):
        await workbench.person("ben").message_shortcut(secret, "about")

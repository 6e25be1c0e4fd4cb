"""Elements that act at once: what they send, with the whole state of the view, and those that keep quiet."""

import pytest

from bot.workbench.acts import ActError
from bot.workbench.seed import acme
from bot.workbench.server import Workbench
from bot.workbench.workspace import Shortcut
from tests.integration.workbench_bots import TRANSPORTS, app_of, button, client_of, plain, section, serving

OPTIONS = [{"text": plain(name) | {"emoji": True}, "value": name.lower()} for name in ("Red", "Green")]


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


def field(label: str, element: dict, **more) -> dict:
    element = {"action_id": "v", **element}
    return {"type": "input", "block_id": label.lower(), "label": plain(label), "element": element, **more}


def form(*blocks: dict) -> dict:
    return {"type": "modal", "title": plain("Form"), "submit": plain("Send"), "blocks": list(blocks)}


async def opened(workbench: Workbench, *blocks: dict):
    trigger_id = workbench.bench.triggers.new("U0ANN")
    await client_of(workbench).views_open(trigger_id=trigger_id, view=form(*blocks))
    return await workbench.person("ann").modal("Form")


def listening(workbench: Workbench):
    app, bodies = app_of(workbench), []

    @app.action("v")
    async def on_click(ack, body):
        await ack()
        bodies.append(body)

    return app, bodies


async def test_an_input_that_dispatches_sends_itself_and_the_state_of_all_fields(workbench, transport):
    app, bodies = listening(workbench)
    kind = field("Kind", {"type": "static_select", "options": OPTIONS}, dispatch_action=True)
    async with serving(app, workbench, transport):
        ann, modal = workbench.person("ann"), await opened(workbench, field("Why", {"type": "plain_text_input"}), kind)
        assert await ann.type(modal, "Why", "because", enter=True) is None
        assert (await ann.choose(modal, "Kind", "Green")).ok
    (body,) = bodies
    (action,) = body["actions"]
    assert (action["type"], action["block_id"], action["selected_option"]) == ("static_select", "kind", OPTIONS[1])
    assert body["view"]["state"]["values"] == {
        "why": {"v": {"type": "plain_text_input", "value": "because"}},
        "kind": {"v": {"type": "static_select", "selected_option": OPTIONS[1]}},
    }
    assert body["view"]["hash"] == modal.view.hash


@pytest.mark.parametrize(
    ("config", "enter", "sent"),
    [
        (None, True, 1),
        (None, False, 0),
        (["on_character_entered"], False, 1),
        (["on_character_entered"], True, 0),
        (["on_enter_pressed", "on_character_entered"], True, 1),
    ],
)
async def test_a_text_field_is_told_of_when_it_asks_to_be(workbench, config, enter, sent):
    app, bodies = listening(workbench)
    asked = {} if config is None else {"dispatch_action_config": {"trigger_actions_on": config}}
    text = field("Text", {"type": "plain_text_input", **asked}, dispatch_action=True)
    async with serving(app, workbench, "socket"):
        modal = await opened(workbench, text)
        await workbench.person("ann").type(modal, "Text", "so far", enter=enter)
    assert [body["actions"][0]["value"] for body in bodies] == ["so far"] * sent
    assert modal.values == {"Text": "so far"}


async def test_an_input_that_does_not_dispatch_sends_nothing_at_once(workbench):
    modal = await opened(workbench, field("Kind", {"type": "static_select", "options": OPTIONS}))
    with pytest.raises(ActError, match="sends nothing by itself"):
        await workbench.acts.view_click("ann", modal.id, "kind", "v", chosen={"selected_option": OPTIONS[0]})


CHOICES = [
    ("static_select", {"options": OPTIONS}, "Red", {"selected_option": OPTIONS[0]}),
    ("static_select", {"options": OPTIONS, "initial_option": OPTIONS[0]}, None, {"selected_option": None}),
    ("multi_static_select", {"options": OPTIONS}, ["Red"], {"selected_options": [OPTIONS[0]]}),
    ("radio_buttons", {"options": OPTIONS}, "Green", {"selected_option": OPTIONS[1]}),
    ("checkboxes", {"options": OPTIONS, "initial_options": OPTIONS}, [], {"selected_options": []}),
    ("overflow", {"options": OPTIONS}, "Green", {"selected_option": OPTIONS[1]}),
    ("users_select", {}, "ben", {"selected_user": "U0BEN"}),
    ("multi_users_select", {}, ["ben", "ann"], {"selected_users": ["U0BEN", "U0ANN"]}),
    ("channels_select", {}, "#general", {"selected_channel": "C0GENERAL"}),
    ("multi_channels_select", {}, ["#general"], {"selected_channels": ["C0GENERAL"]}),
    ("conversations_select", {}, "#ops", {"selected_conversation": "C0OPS"}),
    ("multi_conversations_select", {}, ["#ops"], {"selected_conversations": ["C0OPS"]}),
    ("datepicker", {}, "2026-12-24", {"selected_date": "2026-12-24"}),
    ("timepicker", {"timezone": "Europe/Paris"}, "09:30", {"selected_time": "09:30", "timezone": "Europe/Paris"}),
    ("datetimepicker", {}, 1795996800, {"selected_date_time": 1795996800}),
]
ACTIONS_ALONE = ("datetimepicker",)


@pytest.mark.parametrize("place", ["message", "modal", "home"])
@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice[0])
async def test_every_element_outside_the_inputs_sends_what_was_chosen(workbench, place, choice):
    kind, more, answer, sent = choice
    app, bodies = listening(workbench)
    element = {"type": kind, "action_id": "v", **more}
    block: dict = {"type": "actions", "block_id": "b", "elements": [element]}
    if kind not in ACTIONS_ALONE:
        block = {**section("Choose"), "block_id": "b", "accessory": element}
    client, ann = client_of(workbench), workbench.person("ann")
    async with serving(app, workbench, "socket"):
        if place == "message":
            await client.chat_postMessage(channel="C0APPROVALS", text="Choose", blocks=[block])
            on = ann.messages("#approvals")[0]
        elif place == "modal":
            on = await opened(workbench, block)
        else:
            workbench.workspace.app.home_tab = True
            await client.views_publish(user_id="U0ANN", view={"type": "home", "blocks": [block]})
            on = await ann.home()
        assert (await ann.choose(on, on.clickable[0], answer)).ok
    (body,) = bodies
    (action,) = body["actions"]
    assert {key: action[key] for key in sent} == sent
    state = (body if place == "message" else body["view"])["state"]["values"]
    assert state == ({} if kind == "overflow" else {"b": {"v": {"type": kind, **sent}}})


@pytest.mark.parametrize(
    ("kind", "chosen"),
    [
        ("users_select", {"selected_user": "U0NOBODY"}),
        ("users_select", {"selected_user": "U0GUS"}),
        ("conversations_select", {"selected_conversation": "C0OPS"}),
        ("conversations_select", {"selected_conversation": "D0ANN1"}),
        ("channels_select", {"selected_channel": "C0OPS"}),
        ("conversations_select", {"selected_conversation": "C0NOWHERE"}),
        ("datepicker", {"selected_date": "2026-02-30"}),
        ("timepicker", {"selected_time": "24:00"}),
        ("datetimepicker", {"selected_date_time": "soon"}),
        ("static_select", {"selected_option": {"value": "blue"}}),
    ],
)
async def test_what_slacks_client_would_not_let_a_person_choose_is_refused(workbench, kind, chosen):
    workbench.workspace.deactivate("gus")
    more: dict[str, dict] = {
        "static_select": {"options": OPTIONS},
        "conversations_select": {"filter": {"include": ["public", "im"], "exclude_bot_users": True}},
    }
    element = {"type": kind, "action_id": "v", **more.get(kind, {})}
    modal = await opened(workbench, {"type": "actions", "block_id": "b", "elements": [element]})
    with pytest.raises(ActError):
        await workbench.acts.view_click("ann", modal.id, "b", "v", chosen=chosen)


async def test_a_submission_brings_a_response_url_for_the_channel_that_asked_for_one(workbench, transport):
    app, seen = app_of(workbench), []

    @app.view("form")
    async def on_form(ack, body, respond):
        await ack()
        seen.append(body["response_urls"])
        await respond("Posted.", response_type="in_channel")

    where = field("Where", {"type": "conversations_select", "response_url_enabled": True})
    async with serving(app, workbench, transport):
        trigger_id = workbench.bench.triggers.new("U0ANN")
        await client_of(workbench).views_open(trigger_id=trigger_id, view={**form(where), "callback_id": "form"})
        ann = workbench.person("ann")
        assert (await ann.submit(await ann.modal("Form"), {"Where": "#general"})).closed
        await workbench.person("gus").sees("Posted.", "#general")
    ((url,),) = seen
    assert (url["block_id"], url["action_id"], url["channel_id"]) == ("where", "v", "C0GENERAL")


async def test_the_cross_closes_the_whole_stack_and_tells_of_its_first_modal(workbench, transport):
    app, closed = app_of(workbench), []

    @app.view_closed("c")
    async def on_closed(ack, body):
        await ack()
        closed.append((body["view"]["title"]["text"], body["is_cleared"]))

    def named(title: str, **more) -> dict:
        return {
            **form(section("Hi")),
            "title": plain(title),
            "callback_id": "c",
            "notify_on_close": True,
            **more,
        }

    client, ann = client_of(workbench), workbench.person("ann")
    async with serving(app, workbench, transport):
        for crossed in (False, True):
            await client.views_open(trigger_id=workbench.bench.triggers.new("U0ANN"), view=named("One"))
            trigger_id = workbench.bench.triggers.new("U0ANN")
            await client.views_push(trigger_id=trigger_id, view=named("Two"))
            await ann.close(await ann.modal("Two"), everything=crossed)
            assert (ann.open_modal is None) is crossed
        await client.views_open(trigger_id=workbench.bench.triggers.new("U0ANN"), view=named("Three"))
        await ann.close(await ann.modal("Three"), everything=True)
    assert closed == [("Two", False), ("One", True), ("Three", True)]


async def test_a_choice_that_an_update_took_away_is_not_chosen_any_more(workbench):
    modal = await opened(workbench, field("Kind", {"type": "static_select", "options": OPTIONS}))
    await workbench.person("ann").choose(modal, "Kind", "Green")
    fewer = form(field("Kind", {"type": "static_select", "options": OPTIONS[:1]}), section(button("x", "y")["value"]))
    await client_of(workbench).views_update(view_id=modal.id, view=fewer)
    assert modal.values == {"Kind": None}


async def test_a_chosen_option_comes_back_as_slack_spells_it(workbench):
    app, bodies = listening(workbench)
    kind = {"type": "static_select", "action_id": "v", "options": [{"text": plain("Q & A"), "value": "q & a"}]}
    async with serving(app, workbench, "socket"):
        modal = await opened(workbench, {"type": "actions", "block_id": "b", "elements": [kind]})
        await workbench.person("ann").choose(modal, "v", "Q & A")
    spelt = {"text": {"type": "plain_text", "text": "Q &amp; A", "emoji": True}, "value": "q & a"}
    (body,) = bodies
    assert body["actions"][0]["selected_option"] == spelt
    assert body["view"]["state"]["values"]["b"]["v"]["selected_option"] == spelt


@pytest.mark.parametrize(
    ("element", "answer", "complaint"),
    [
        ({"type": "multi_static_select", "options": OPTIONS, "max_selected_items": 1}, ["Red", "Green"], "at most 1"),
        ({"type": "multi_users_select", "max_selected_items": 1}, ["ann", "ben"], "at most 1"),
    ],
)
async def test_slacks_client_lets_nobody_choose_more_than_is_allowed(workbench, element, answer, complaint):
    modal = await opened(workbench, field("Who", element))
    sent = await workbench.person("ann").submit(modal, {"Who": answer})
    assert complaint in sent.errors["Who"]
    assert sent.ack is None


async def test_a_submission_cannot_hold_what_nobody_could_have_chosen(workbench):
    modal = await opened(workbench, field("Who", {"type": "users_select"}))
    values = {"who": {"v": {"type": "users_select", "selected_user": "U0NOBODY"}}}
    with pytest.raises(ActError, match="no such person"):
        await workbench.acts.submit("ann", modal.id, values)


async def test_what_a_person_enters_in_a_message_goes_along_with_their_click(workbench, transport):
    app, bodies = listening(workbench)
    blocks = [
        field("Why", {"type": "plain_text_input"}),
        {"type": "actions", "block_id": "b", "elements": [button("Send", "v")]},
    ]
    async with serving(app, workbench, transport):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", text="Why?", blocks=blocks)
        ann, ben = workbench.person("ann"), workbench.person("ben")
        card = ann.messages("#approvals")[0]
        assert await ann.type(card, "Why", "because", enter=True) is None
        await ann.click(card, "Send")
        await ben.click(card, "Send")
    typed = [body["state"]["values"]["why"]["v"]["value"] for body in bodies]
    assert typed == ["because", None]


async def test_commands_and_shortcuts_come_with_their_scope():
    async with Workbench(workspace=acme(bot_scopes=frozenset({"chat:write"}))) as workbench:
        workbench.workspace.app.shortcuts = (Shortcut("global", "New", "new"), Shortcut("message", "About", "about"))
        ann = workbench.person("ann")
        with pytest.raises(ActError, match="not a valid command"):
            await ann.command("/signoff")
        with pytest.raises(ActError, match="no such shortcut"):
            await ann.shortcut("new")
        with pytest.raises(ActError, match="no such shortcut"):
            await ann.message_shortcut(ann.say("Hi"), "about")

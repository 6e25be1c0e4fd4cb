"""The page's side: one state per person, the same acts by JSON, and closed doors for everybody else."""

import json
from datetime import timedelta

import aiohttp
import pytest

from bot.workbench.guards import NotLoopbackError
from bot.workbench.server import PortError, Workbench
from bot.workbench.submissions import TROUBLE
from bot.workbench.workspace import Shortcut
from tests.integration.workbench_bots import app_of, client_of, plain, question, reason_view, section, serving


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture
async def browser(workbench):
    async with aiohttp.ClientSession(workbench.url) as session:
        yield session


async def state_with(tab: aiohttp.ClientWebSocketResponse, fits):
    """The first state that fits; states come as often as something changes."""
    while True:
        state = await tab.receive_json(timeout=5)
        if fits(state):
            return state


def messages(state: dict, channel: str) -> list[dict]:
    return next(c["messages"] for c in state["conversations"] if c["id"] == channel)


async def test_a_tab_shows_what_its_person_may_see_and_follows_it(workbench, browser):
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        state = await tab.receive_json()
        assert (state["type"], state["team"], state["me"]["real_name"]) == ("state", {"name": "Acme"}, "Ann Archer")
        assert [(c["id"], c["name"], c["kind"]) for c in state["conversations"]] == [
            ("C0APPROVALS", "approvals", "channel"),
            ("C0GENERAL", "general", "channel"),
            ("C0OPS", "ops", "private"),
            ("D0ANN1", "Signoff", "dm"),
        ]
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        state = await state_with(tab, lambda state: messages(state, "C0APPROVALS"))
        (message,) = messages(state, "C0APPROVALS")
        assert (message["name"], message["is_bot"], message["version"]) == ("Signoff", True, 1)
        assert [block["type"] for block in message["blocks"]] == ["header", "actions"]


async def test_an_ephemeral_message_is_in_one_tab_alone(workbench, browser):
    await client_of(workbench).chat_postEphemeral(channel="C0APPROVALS", user="U0RITA", text="Not you")
    async with (
        browser.ws_connect("/workbench/live?as=rita") as hers,
        browser.ws_connect("/workbench/live?as=ann") as his,
    ):
        assert [m["ephemeral"] for m in messages(await hers.receive_json(), "C0APPROVALS")] == [True]
        assert messages(await his.receive_json(), "C0APPROVALS") == []


async def test_people_with_a_tab_are_online(workbench, browser):
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        async with browser.ws_connect("/workbench/live?as=ben"):
            state = await state_with(tab, lambda state: len(_online(state)) == 3)
            assert _online(state) == {"ann", "ben", "signoff"}
        await state_with(tab, lambda state: _online(state) == {"ann", "signoff"})


async def test_states_are_sent_uncompressed_so_that_a_tab_which_closes_leaves_no_frame_behind(workbench, browser):
    async with browser.ws_connect("/workbench/live?as=ann", compress=15) as tab:
        assert tab.compress == 0


def _online(state: dict) -> set[str]:
    return {person["name"] for person in state["people"] if person["online"]}


async def act(browser: aiohttp.ClientSession, verb: str, **said):
    async with browser.post(f"/workbench/api/{verb}", json=said) as response:
        return await response.json()


async def test_a_person_approves_and_rejects_by_the_pages_verbs(workbench, browser):
    app = app_of(workbench)

    @app.action("reject")
    async def on_reject(ack, body, client):
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=reason_view())

    @app.view("answer")
    async def on_answer(ack, view):
        reason = view["state"]["values"]["reason"]["value"]["value"]
        await (ack() if reason == "too dear" else ack(response_action="errors", errors={"reason": "Say more."}))

    async with serving(app, workbench, "socket"), browser.ws_connect("/workbench/live?as=ann") as tab:
        posted = await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
        click = {"channel": "C0APPROVALS", "ts": posted["ts"], "block_id": "choices", "action_id": "reject"}
        assert await act(browser, "click", **{"as": "ann"}, **click) == {"ok": True}
        view = (await state_with(tab, lambda state: state["view"]))["view"]
        assert (view["title"], view["submit"], view["close"], view["depth"]) == ("Reject", "Send", None, 1)

        def filled(text: str) -> dict:
            return {"reason": {"value": {"type": "plain_text_input", "value": text}}}

        assert (await act(browser, "submit", **{"as": "ann"}, view_id=view["id"], values=filled("no")))["ok"]
        state = await state_with(tab, lambda state: state["errors"])
        assert state["errors"] == {"reason": "Say more."}
        assert (await act(browser, "submit", **{"as": "ann"}, view_id=view["id"], values=filled("too dear")))["ok"]
        await state_with(tab, lambda state: state["view"] is None)


async def test_trouble_is_answered_and_shown_until_it_is_dismissed(workbench, browser):
    posted = await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    click = {"channel": "C0APPROVALS", "ts": posted["ts"], "block_id": "choices", "action_id": "approve"}
    assert await act(browser, "click", **{"as": "ann"}, **click) == {"ok": False, "error": TROUBLE}
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        (toast,) = (await tab.receive_json())["toasts"]
        assert (toast["kind"], toast["text"]) == ("error", TROUBLE)
        await act(browser, "dismiss", **{"as": "ann"}, toast=toast["id"])
        await state_with(tab, lambda state: state["toasts"] == [])


@pytest.mark.parametrize(
    ("verb", "said", "words"),
    [
        ("say", {"as": "gus", "channel": "C0APPROVALS", "text": "Hi"}, "You cannot see that conversation."),
        ("say", {"as": "omar", "channel": "C0APPROVALS", "text": "Hi"}, "You cannot write here."),
        ("say", {"as": "nobody", "channel": "C0GENERAL", "text": "Hi"}, "Nobody here is called 'nobody'."),
        ("say", {"as": "signoff", "channel": "C0GENERAL", "text": "Hi"}, "Nobody here is called 'signoff'."),
        ("say", {"as": "ann", "channel": "C0GENERAL", "text": "  "}, "There is nothing to send."),
        ("command", {"as": "ann", "channel": "C0GENERAL", "text": "/sing"}, "/sing is not a valid command."),
        ("submit", {"as": "ann", "view_id": "V1", "values": {}}, "That form is not open any more."),
        ("clock", {"minutes": -15}, "The clock moves forward, by a year at most."),
    ],
)
async def test_what_a_person_cannot_do_is_said_in_words(browser, verb, said, words):
    assert await act(browser, verb, **said) == {"ok": False, "error": words}


async def test_a_tab_shows_the_home_that_the_app_published_for_its_person(workbench, browser):
    workbench.workspace.app.home_tab = True
    home = {"type": "home", "blocks": [section("Nothing waits for you.")]}
    async with (
        browser.ws_connect("/workbench/live?as=ann") as hers,
        browser.ws_connect("/workbench/live?as=ben") as his,
    ):
        assert (await hers.receive_json())["home"] is None
        await client_of(workbench).views_publish(user_id="U0ANN", view=home)
        state = await state_with(hers, lambda state: state["home"])
        assert state["home"]["blocks"][0]["text"]["text"] == "Nothing waits for you."
        assert (await his.receive_json())["home"] is None


async def test_what_lies_below_a_modal_is_named_lowest_first(workbench, browser):
    client, triggers = client_of(workbench), workbench.bench.triggers
    first = (await client.views_open(trigger_id=triggers.new("U0ANN"), view=reason_view("First")))["view"]["id"]
    pushed = triggers.new("U0ANN")
    second = (await client.views_push(trigger_id=pushed, view=reason_view("Second")))["view"]["id"]
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        view = (await tab.receive_json())["view"]
        assert (view["id"], view["below"], view["depth"]) == (second, [first], 2)
        await act(browser, "close", **{"as": "ann"}, view_id=second, everything=True)
        await state_with(tab, lambda state: state["view"] is None)


async def test_an_external_select_gets_the_apps_options_by_the_pages_verb(workbench, browser):
    app = app_of(workbench)

    @app.options("city")
    async def on_search(ack, payload):
        await ack(options=[{"text": plain(f"{payload['value']}lin"), "value": "b"}])

    element = {"type": "external_select", "action_id": "city", "min_query_length": 1}
    view = reason_view(blocks=[{"type": "input", "block_id": "where", "label": plain("City"), "element": element}])
    async with serving(app, workbench, "socket"):
        opened = await client_of(workbench).views_open(trigger_id=workbench.bench.triggers.new("U0ANN"), view=view)
        asked = {"view_id": opened["view"]["id"], "block_id": "where", "action_id": "city", "typed": "Ber"}
        answer = await act(browser, "suggest", **{"as": "ann"}, **asked)
        assert (answer["ok"], answer["options"][0]["text"]["text"]) == (True, "Berlin")
        refused = await act(browser, "suggest", **{"as": "ben"}, **asked)
        assert refused["error"] == "That form is not open any more."


async def test_the_panel_lists_the_traffic_and_shows_a_line_without_its_secrets(workbench, browser):
    await client_of(workbench).chat_postMessage(channel="C0GENERAL", text="Hello")
    await act(browser, "say", **{"as": "ann"}, channel="C0GENERAL", text="Hello yourself")
    panel = await _got(browser, "/workbench/panel")
    line = next(line for line in panel["traffic"] if line["name"] == "chat.postMessage")
    assert (line["way"], line["about"], line["verdict"]) == ("to_slack", "C0GENERAL", "good")
    entry = await _got(browser, f"/workbench/panel/{line['n']}")
    assert (entry["arguments"]["text"], entry["answer"]["ok"]) == ("Hello", True)
    scopes = {token["kind"]: token["scopes"] for token in panel["tokens"]}
    assert "chat:write" in scopes["bot"]
    assert workbench.bot_token not in json.dumps([panel, entry])
    for strange in ("0", "-1", "x", "99999"):
        async with browser.get(f"/workbench/panel/{strange}") as answer:
            assert answer.status == 404


async def _got(browser: aiohttp.ClientSession, path: str):
    async with browser.get(path) as answer:
        return await answer.json()


async def test_faults_are_planned_listed_and_taken_back_by_the_pages_verbs(workbench, browser):
    planned = {"kind": "rate_limit", "parameters": {"method": "chat.postMessage", "times": 2}}
    assert (await act(browser, "plan_fault", **planned))["ok"]
    (row,) = (await _got(browser, "/workbench/panel"))["faults"]["planned"]
    assert row["times"] == 2
    assert (await act(browser, "cancel_fault", id=row["id"]))["ok"]
    assert (await act(browser, "plan_fault", **planned))["ok"]
    assert (await act(browser, "clear_faults"))["ok"]
    assert (await _got(browser, "/workbench/panel"))["faults"]["planned"] == []
    refused = await act(browser, "plan_fault", kind="rain", parameters={})
    assert refused["error"].startswith("there is no fault 'rain'")


async def test_a_tab_hears_of_new_traffic_where_nothing_else_has_changed(workbench, browser):
    async with browser.ws_connect("/workbench/live?as=ann&traffic=yes") as tab:
        while (await tab.receive_json(timeout=5))["type"] != "state":
            pass
        await client_of(workbench).auth_test()
        heard = await tab.receive_json(timeout=5)
        while heard["type"] != "traffic":
            heard = await tab.receive_json(timeout=5)
        assert heard["rev"] == workbench.journal.rev


async def test_a_file_is_handed_over_for_the_person_of_the_tab_alone(workbench, browser):
    async with browser.post("/workbench/upload?as=ann&name=bill.csv", data=b"1,249.90") as answer:
        file = (await answer.json())["file"]
    assert (file["name"], file["size"], file["user"]) == ("bill.csv", 8, "U0ANN")
    async with browser.get(f"/workbench/files/{file['id']}?as=ben") as answer:
        assert answer.status == 404
    async with browser.post("/workbench/upload?as=nobody&name=bill.csv", data=b"x") as answer:
        assert (answer.status, (await answer.json())["ok"]) == (400, False)
    async with browser.post("/workbench/upload?as=ann", data=b"x") as answer:
        assert answer.status == 400


async def test_shortcuts_go_out_by_the_pages_verbs(workbench, browser):
    workbench.workspace.app.shortcuts = (
        Shortcut("global", "Ask", "ask"),
        Shortcut("message", "Ask about this", "ask_about"),
    )
    app, heard = app_of(workbench), []

    @app.shortcut("ask")
    @app.shortcut("ask_about")
    async def on_shortcut(ack, shortcut):
        await ack()
        heard.append(shortcut["type"])

    async with serving(app, workbench, "socket"):
        ts = (await client_of(workbench).chat_postMessage(channel="C0APPROVALS", text="Well?"))["ts"]
        assert (await act(browser, "shortcut", **{"as": "ann"}, callback_id="ask"))["ok"]
        about = {"channel": "C0APPROVALS", "ts": ts, "callback_id": "ask_about"}
        assert (await act(browser, "message_shortcut", **{"as": "ann"}, **about))["ok"]
    assert heard == ["shortcut", "message_action"]
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        names = [(s["kind"], s["name"]) for s in (await tab.receive_json())["shortcuts"]]
    assert names == [("global", "Ask"), ("message", "Ask about this")]


async def test_files_and_reactions_of_a_message_are_in_the_state(workbench, browser):
    file = workbench.acts.upload("ann", "bill.csv", b"1,249.90")
    said = workbench.acts.say("ann", "C0GENERAL", "The bill", files=[file.id])
    await act(browser, "react", **{"as": "ben"}, channel="C0GENERAL", ts=said.ts, name="eyes")
    async with browser.ws_connect("/workbench/live?as=rita") as tab:
        (message,) = messages(await tab.receive_json(), "C0GENERAL")
    assert message["reactions"] == [{"name": "eyes", "users": ["U0BEN"]}]
    (shown,) = message["files"]
    assert (shown["name"], shown["size"]) == ("bill.csv", 8)
    async with browser.get(shown["url"]) as answer:
        assert await answer.read() == b"1,249.90"


async def test_a_modal_answers_to_nobody_but_its_person(workbench, browser):
    trigger_id = workbench.bench.triggers.new("U0ANN")
    view = (await client_of(workbench).views_open(trigger_id=trigger_id, view=reason_view()))["view"]
    refused = await act(browser, "submit", **{"as": "ben"}, view_id=view["id"], values={})
    assert refused["error"] == "That form is not open any more."


async def test_the_clock_moves_deadlines_forward_and_only_forward(workbench, browser):
    moved: list[timedelta] = []

    async def on_clock(by: timedelta) -> None:
        moved.append(by)

    workbench.on_clock = on_clock
    assert (await act(browser, "clock", minutes=15))["ok"]
    assert not (await act(browser, "clock", minutes=-1))["ok"]
    assert not (await act(browser, "clock", minutes="nan"))["ok"]
    assert moved == [timedelta(minutes=15)]
    async with browser.ws_connect("/workbench/live?as=ann") as tab:
        assert (await tab.receive_json())["clock"] == {"controllable": True, "moved_minutes": 15}


@pytest.mark.parametrize("said", [b"{", b"[]", b'{"as": "ann"}', b'"x"'])
async def test_an_odd_request_is_refused_without_harm(browser, said):
    async with browser.post("/workbench/api/say", data=said, headers={"Content-Type": "application/json"}) as answer:
        assert answer.status == 400
        assert not (await answer.json())["ok"]
    async with browser.post("/workbench/api/say", data=said, headers={"Content-Type": "text/plain"}) as answer:
        assert answer.status == 404


async def test_the_page_is_served_and_may_load_nothing_from_elsewhere(browser):
    async with browser.get("/?as=ann") as answer:
        assert answer.status == 200
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    async with browser.get("/page/app.js") as answer:
        assert answer.status == 200
    for path in ("/page/../server.py", "/page/%2e%2e/server.py", "/page/..%2fserver.py", "/page/"):
        async with browser.get(path) as answer:
            assert answer.status in (403, 404), path


PATHS = (
    "/",
    "/page/app.js",
    "/workbench/people",
    "/workbench/panel",
    "/workbench/live?as=ann",
    "/api/auth.test",
    "/link/",
)


@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_host_is_served_nothing(browser, path):
    for host in ("evil.example", "evil.example:80", "127.0.0.1:1", "127.0.0.1.evil.example", ""):
        async with browser.get(path, headers={"Host": host}) as answer:
            assert answer.status in (400, 421), (path, host)


async def test_a_host_without_its_port_is_enough_for_socket_mode_alone(browser):
    """The client of slack_sdk that runs in threads leaves the port out."""
    for path in PATHS:
        async with browser.get(path, headers={"Host": "127.0.0.1"}) as answer:
            assert (answer.status == 421) is (path != "/link/"), path


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"]
)
async def test_another_page_may_neither_act_nor_listen(workbench, browser, origin):
    said = {"as": "ann", "channel": "C0GENERAL", "text": "Forged"}
    async with browser.post("/workbench/api/say", json=said, headers={"Origin": origin}) as answer:
        assert answer.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await browser.ws_connect("/workbench/live?as=ann", headers={"Origin": origin})
    assert not workbench.person("ann").messages()


async def test_the_pages_own_origin_is_welcome_under_each_of_its_names(workbench, browser):
    port = workbench.url.rsplit(":", 1)[1].strip("/")
    for name in ("127.0.0.1", "localhost", "[::1]"):
        said = {"as": "ann", "channel": "C0GENERAL", "text": f"From {name}"}
        headers = {"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}"}
        async with browser.post("/workbench/api/say", json=said, headers=headers) as answer:
            assert (await answer.json())["ok"], name


async def test_a_request_that_a_browser_marks_as_cross_site_is_refused_unless_somebody_follows_a_link(browser):
    async with browser.get("/workbench/people", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
        assert answer.status == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    async with browser.get("/", headers=link) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.com", ""])  # noqa: S104 - refused
def test_the_workbench_listens_to_this_machine_alone(host):
    with pytest.raises(NotLoopbackError, match="on this machine alone"):
        Workbench(host=host)


async def test_a_request_url_on_another_machine_is_refused(workbench):
    with pytest.raises(ValueError, match="has to be on this machine"):
        workbench.request_url = "https://evil.example/slack/events"
    with pytest.raises(ValueError, match="has to be on this machine"):
        Workbench(request_url="http://10.0.0.1/slack/events")


async def test_a_port_that_is_taken_is_an_error_of_its_own(workbench):
    port = int(workbench.url.rsplit(":", 1)[1].strip("/"))
    with pytest.raises(PortError, match=f"cannot listen on 127.0.0.1:{port}: address already in use"):
        async with Workbench(port=port):
            pass

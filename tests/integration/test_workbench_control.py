"""The control API: scripts act as people over HTTP, are told in words what cannot be done, and nobody else can call it."""

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp

from bot.workbench.control_acts import ACTS
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import app_of, client_of, over_socket, plain, question, reason_view


class Script:
    """What any HTTP client sees: statuses and JSON."""

    def __init__(self, session: aiohttp.ClientSession, workbench: Workbench) -> None:
        self._session = session
        self._base = f"{workbench.url}workbench/v1"

    async def get(self, path: str = "", **query: Any) -> Any:
        return await self.call("GET", path, params=query)

    async def post(self, path: str, **body: Any) -> Any:
        return await self.call("POST", path, json=body)

    async def call(self, method: str, path: str, **more: Any) -> Any:
        """The body, with the status in it where it is not 200."""
        async with self._session.request(method, f"{self._base}{path}", **more) as answer:
            body = await answer.json()
            assert body["ok"] is (answer.status == 200)
            return body if answer.status == 200 else {"status": answer.status, **body}


@pytest.fixture
async def workbench() -> AsyncIterator[Workbench]:
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture
async def script(workbench: Workbench) -> AsyncIterator[Script]:
    async with aiohttp.ClientSession() as session:
        yield Script(session, workbench)


@pytest.fixture
async def bot(workbench: Workbench) -> AsyncIterator[AsyncApp]:
    """An app that asks, and wants a reason for a rejection."""
    app = app_of(workbench)

    @app.command("/signoff")
    async def on_command(ack, say) -> None:
        await ack()
        await say(**question())

    @app.action("approve")
    async def on_approve(ack, respond) -> None:
        await ack()
        await respond(text="Approved.", replace_original=True)

    @app.action("reject")
    async def on_reject(ack, body, client) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=reason_view())

    @app.view("answer")
    async def on_answer(ack, view) -> None:
        reason = view["state"]["values"]["reason"]["value"]["value"]
        await (ack() if reason != "no" else ack(response_action="errors", errors={"reason": "Say more."}))

    async with over_socket(app, workbench):
        yield app


async def asked(script: Script) -> Any:
    """The card that the bot posts, as ann sees it."""
    assert (await script.post("/people/rita/command", text="/signoff", **{"in": "#approvals"}))["ack"]["ok"]
    seen = await script.get("/people/ann/messages", **{"in": "#approvals", "containing": "Approve", "wait": 5})
    return seen["messages"][-1]


def which(message: Any) -> dict[str, str]:
    return {"channel": message["channel"], "ts": message["ts"]}


async def test_it_says_who_and_what_is_there(workbench: Workbench, script: Script):
    told = await script.get()
    assert (told["version"], told["workspace"], told["page"]) == (1, "Acme", workbench.url)
    assert told["app"]["name"] == "Signoff"
    assert (told["app"]["transport"], told["app"]["connected"]) == ("socket", False)
    assert [person["name"] for person in told["people"]] == ["ann", "ben", "dana", "omar", "rita", "gus"]
    assert {"id": "C0OPS", "name": "#ops", "private": True, "archived": False} in told["channels"]
    assert workbench.bot_token not in str(told)


async def test_a_person_asks_and_another_clicks(script: Script, bot: AsyncApp):
    card = await asked(script)
    assert [element["label"] for element in card["elements"]] == ["Approve", "Reject"]
    assert (card["channel_name"], card["by"], card["text"]) == ("#approvals", "signoff", "Approve sending?")
    clicked = await script.post("/people/ann/click", on=which(card), label="Approve")
    assert clicked["ack"]["outcome"] == "acked"
    seen = await script.get("/people/ann/messages", containing="Approved.", wait=5)
    assert [(m["ts"], m["elements"], m["edited"]) for m in seen["messages"]] == [(card["ts"], [], True)]


async def test_a_form_is_read_filled_refused_and_sent(script: Script, bot: AsyncApp):
    card = await asked(script)
    await script.post("/people/ann/click", on=which(card), label="Reject")
    modal = (await script.get("/people/ann/modal", title="Reject", wait=5))["modal"]
    assert modal["elements"] == [{"label": "Reason", "type": "plain_text_input", "value": None}]
    empty = await script.post("/people/ann/submit")
    assert (empty["result"], empty["ack"]) == ("errors", None)
    refused = await script.post("/people/ann/submit", fields={"Reason": "no"})
    assert refused["errors"] == {"Reason": "Say more."}
    shown = (await script.get("/people/ann"))["modal"]
    assert (shown["errors"], shown["elements"][0]["value"]) == ({"Reason": "Say more."}, "no")
    sent = await script.post("/people/ann/submit", fields={"Reason": "Too dear"})
    assert (sent["result"], sent["ack"]["ok"]) == ("closed", True)
    assert (await script.get("/people/ann"))["modal"] is None


async def test_people_say_react_edit_and_delete(script: Script):
    said = (await script.post("/people/rita/say", text="Lunch?"))["message"]
    assert (said["by"], said["channel_name"], said["text"]) == ("rita", "#general", "Lunch?")
    reply = (await script.post("/people/ben/say", text="Yes", thread=which(said)))["message"]
    assert reply["thread_ts"] == said["ts"]
    reacted = await script.post("/people/ben/react", message=which(said), name="tada")
    assert reacted["message"]["reactions"] == {"tada": ["U0BEN"]}
    edited = await script.post("/people/rita/edit", message=which(said), text="Dinner?")
    assert (edited["message"]["text"], edited["message"]["edited"]) == ("Dinner?", True)
    await script.post("/people/rita/delete", message=which(said))
    assert [m["text"] for m in (await script.get("/people/ann/messages"))["messages"]] == ["Yes"]
    after = (await script.get("/people/ann/messages", after=reply["ts"]))["messages"]
    assert after == []


async def test_every_kind_of_field_takes_what_json_can_say(workbench: Workbench, script: Script):
    options = [{"text": plain(name), "value": name.lower()} for name in ("Red", "Green")]
    elements: dict[str, dict[str, Any]] = {
        "Text": {"type": "plain_text_input"},
        "Number": {"type": "number_input", "is_decimal_allowed": True},
        "Colour": {"type": "static_select", "options": options},
        "Colours": {"type": "multi_static_select", "options": options},
        "Day": {"type": "datepicker"},
        "Hour": {"type": "timepicker"},
        "Moment": {"type": "datetimepicker"},
        "Who": {"type": "users_select"},
        "Where": {"type": "multi_conversations_select"},
        "Which": {"type": "file_input"},
    }
    blocks = [
        {"type": "input", "block_id": k, "optional": True, "label": plain(k), "element": {**e, "action_id": "v"}}
        for k, e in elements.items()
    ]
    view = {"type": "modal", "title": plain("All"), "submit": plain("Send"), "blocks": blocks}
    workbench.workspace.tokens[workbench.bot_token].scopes |= {"files:read"}
    trigger = workbench.bench.triggers.new("U0ANN")
    await client_of(workbench).views_open(trigger_id=trigger, view=view)
    content = base64.b64encode(b"hello").decode()
    file = (await script.post("/people/ann/upload", name="a.txt", base64=content))["file"]
    fields = {
        "Text": "a", "Number": 12.5, "Colour": "Green", "Colours": ["Red"], "Day": "2026-11-30", "Hour": "09:05",
        "Moment": "2026-11-30T00:00:00Z", "Who": "ben", "Where": ["#general"], "Which": [file],
    }  # fmt: skip
    for label, answer in fields.items():
        assert (await script.post("/people/ann/choose", on="modal", label=label, answer=answer))["ack"] is None
    stands = {e["label"]: e["value"] for e in (await script.get("/people/ann"))["modal"]["elements"]}
    expected = fields | {"Number": "12.5", "Moment": 1795996800, "Who": "U0BEN", "Where": ["C0GENERAL"]}
    assert stands | {"Which": None} == expected | {"Which": None}
    assert stands["Which"][0]["id"] == file["id"]
    for label in ("Moment", "Who", "Where", "Colour"):
        odd = await script.post("/people/ann/choose", on="modal", label=label, answer={"odd": 1})
        assert odd["status"] == 409, odd


async def test_home_is_opened_and_seen(workbench: Workbench, script: Script):
    workbench.workspace.app.home_tab = True
    assert (await script.post("/people/ann/open-home"))["ok"]
    view = {"type": "home", "blocks": question()["blocks"]}
    await client_of(workbench).views_publish(user_id="U0ANN", view=view)
    home = (await script.get("/people/ann/home", containing="Approve", wait=5))["home"]
    assert [element["label"] for element in home["elements"]] == ["Approve", "Reject"]


async def test_a_wait_that_runs_out_says_what_there_is_instead(script: Script, bot: AsyncApp):
    await asked(script)
    told = await script.get("/people/ann/messages", containing="Denied", wait=0.05)
    assert told["status"] == 404
    assert "ann waited 0.05 s for a message containing 'Denied'" in told["error"]
    assert "#approvals: Approve sending? [Approve] [Reject]" in told["error"]
    assert (await script.get("/people/ann/messages", containing="Denied"))["messages"] == []


async def test_what_the_app_was_refused_is_told_to_whoever_waits_in_vain(workbench: Workbench, script: Script):
    workbench.faults.fail("chat.postMessage", "channel_not_found")
    with pytest.raises(Exception, match="channel_not_found"):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    await script.post("/people/rita/command", text="/signoff")
    told = await script.get("/people/ann/modal", wait=0.05)
    assert "what went wrong on the line:\n  chat.postMessage: channel_not_found" in told["error"]
    assert "slash_commands was not acknowledged: not_connected" in told["error"]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/people/bob/say", {"text": "x"}, 404, "nobody here is called 'bob'; there are: ann, ben"),
        ("/people/signoff/say", {"text": "x"}, 404, "nobody here is called 'signoff'"),
        ("/people/ann/dance", {}, 404, "there is no act 'dance'; there are: say, command"),
        ("/people/ann/say", {}, 400, "text is required"),
        ("/people/ann/say", {"text": "x", "chanel": "y"}, 400, "chanel is not known here"),
        ("/people/ann/say", {"text": "x", "in": "#nowhere"}, 404, "there is no conversation '#nowhere'"),
        ("/people/ben/say", {"text": "x", "in": "#ops"}, 409, "You cannot see that conversation."),
        ("/people/ann/click", {"on": {"channel": "#general", "ts": "1.2"}, "label": "Approve"}, 409, "sees no message"),
        ("/people/ann/click", {"on": "modal", "label": "Approve"}, 409, "ann has no modal open"),
        ("/people/ann/submit", {}, 409, "ann has no modal open"),
        ("/people/ann/command", {"text": "/nothing"}, 409, "/nothing is not a valid command."),
        ("/people/ann/shortcut", {"name": "nothing"}, 409, "There is no such shortcut."),
        ("/people/ann/upload", {"name": "a", "base64": "%"}, 409, "base64 must be"),
        ("/clock", {"minutes": -1}, 400, "minutes must be more than 0"),
        ("/clock", {"minutes": 1e9}, 400, "minutes must be at most"),
        ("/faults", {}, 400, "kind is required"),
        ("/faults", {"kind": "flood"}, 400, "there is no fault 'flood'; there are rate_limit"),
        ("/faults", {"kind": "rate_limit", "times": "often"}, 400, "times has to be a number"),
        ("/nowhere", {}, 404, "POST /workbench/v1/nowhere is none of the control API's"),
    ],
)
async def test_what_cannot_be_done_is_refused_in_words(script: Script, path: str, body: Any, status: int, words: str):
    refused = await script.post(path, **body)
    assert refused["status"] == status, refused
    assert words in refused["error"]


async def test_a_query_that_is_wrong_is_refused_in_words(script: Script):
    for query, words in (
        ({"wait": "long"}, "wait must be a number"),
        ({"wait": 61}, "wait must be at most 60"),
        ({"inn": "x"}, "inn is not known here"),
    ):
        refused = await script.get("/people/ann/messages", **query)
        assert (refused["status"], words in refused["error"]) == (400, True), refused


async def test_faults_are_planned_listed_and_taken_back(workbench: Workbench, script: Script):
    planned = (await script.post("/faults", kind="rate_limit", method="chat.postMessage", times=2))["planned"]
    assert [plan["times"] for plan in planned] == [2]
    with pytest.raises(Exception, match="ratelimited"):
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    listed = await script.get("/faults")
    assert [plan["times"] for plan in listed["planned"]] == [1]
    assert {"rate_limit", "lose_acks", "refresh"} <= {kind["kind"] for kind in listed["catalogue"]}
    assert (await script.call("DELETE", f"/faults/{planned[0]['id']}"))["planned"] == []
    assert (await script.call("DELETE", f"/faults/{planned[0]['id']}"))["status"] == 404
    await script.post("/faults", kind="drop")
    assert (await script.call("DELETE", "/faults"))["planned"] == []


async def test_the_clock_moves_forward(workbench: Workbench, script: Script):
    assert (await script.post("/clock", minutes=5))["moved_minutes"] == 5
    assert workbench.bench.moved.total_seconds() == 300


async def test_the_traffic_is_read_as_it_comes_and_holds_no_token(workbench: Workbench, script: Script, bot: AsyncApp):
    before = (await script.get("/traffic"))["rev"]
    waiting = asyncio.ensure_future(script.get("/traffic", since=before, wait=5))
    await asked(script)
    assert (await waiting)["entries"]
    told = await script.get("/traffic")
    (command,) = (entry for entry in told["entries"] if entry["name"] == "/signoff")
    assert (command["type"], command["outcome"]) == ("delivery", "acked")
    assert "chat.postMessage" in {entry["name"] for entry in told["entries"]}
    assert workbench.bot_token not in str(told)
    assert (await script.get("/traffic", since=told["rev"]))["entries"] == []


@pytest.mark.parametrize("act", [*ACTS, "clock", "faults"])
async def test_no_other_page_in_the_browser_can_use_it(workbench: Workbench, script: Script, act: str):
    """A form or a fetch without leave cannot say JSON; one with JSON needs leave, which nobody gets."""
    path = f"/{act}" if act in ("clock", "faults") else f"/people/ann/{act}"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        refused = await script.call("POST", path, data=b'{"text": "x"}', headers={"Content-Type": kind})
        assert (refused["status"], "must be JSON" in refused["error"]) == (400, True)
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        refused = await script.call("POST", path, json={"text": "x"}, headers=headers)
        assert refused["status"] == 403
    rebound = await script.call("POST", path, json={"text": "x"}, headers={"Host": "evil.example"})
    assert rebound["status"] == 421
    assert workbench.person("ann").messages() == []


async def test_nobody_is_given_leave_to_read_its_answers_from_elsewhere(workbench: Workbench):
    async with aiohttp.ClientSession() as session:
        async with session.options(f"{workbench.url}workbench/v1/clock") as preflight:
            assert preflight.status == 404
            assert not [name for name in preflight.headers if name.lower().startswith("access-control")]
        async with session.get(f"{workbench.url}workbench/v1", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
            assert answer.status == 403

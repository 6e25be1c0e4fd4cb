"""The Home tab: opening it is told to the app, and what the app publishes is there for one person."""

import asyncio

import pytest

from bot.workbench.acts import ActError
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import TRANSPORTS, app_of, button, client_of, section, serving


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        workbench.workspace.app.home_tab = True
        workbench.workspace.app.events = ("app_home_opened",)
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


def home(text: str, *more: dict) -> dict:
    return {"type": "home", "blocks": [section(text), *more]}


async def test_a_person_who_opens_home_sees_what_the_app_publishes_for_them(workbench, transport):
    app = app_of(workbench)

    @app.event("app_home_opened")
    async def on_opened(event, client):
        await client.views_publish(user_id=event["user"], view=home(f"Hello <@{event['user']}>"))

    async with serving(app, workbench, transport):
        ann = workbench.person("ann")
        ann.open_home()
        assert (await ann.home("Hello")).text == "Hello @Ann Archer"
    assert workbench.bench.screens.of("U0BEN").home is None


async def test_home_is_told_to_the_app_with_the_view_that_it_shows(workbench, transport):
    app = app_of(workbench)
    events: asyncio.Queue[dict] = asyncio.Queue()

    @app.event("app_home_opened")
    async def on_opened(event):
        await events.put(event)

    async with serving(app, workbench, transport):
        workbench.person("ann").open_home()
        first = await events.get()
        published = await client_of(workbench).views_publish(user_id="U0ANN", view=home("Something"))
        workbench.person("ann").open_home()
        second = await events.get()
    assert (first["tab"], first["channel"], "view" in first) == ("home", "D0ANN1", False)
    assert second["view"]["id"] == published["view"]["id"]
    assert second["view"]["state"] == {"values": {}}


async def test_an_app_that_has_not_subscribed_hears_of_no_opening(workbench):
    workbench.workspace.app.events = ()
    async with serving(app_of(workbench), workbench, "socket"):
        workbench.person("ann").open_home()
    assert workbench.deliveries == []


async def test_an_app_without_a_home_tab_has_none_to_open(workbench):
    workbench.workspace.app.home_tab = False
    with pytest.raises(ActError, match="no Home tab"):
        workbench.person("ann").open_home()


async def test_a_button_on_home_sends_the_view_and_its_trigger_opens_a_modal(workbench, transport):
    app, seen = app_of(workbench), []

    @app.action("more")
    async def on_more(ack, body):
        await ack()
        seen.append(body)

    async with serving(app, workbench, transport):
        buttons = {"type": "actions", "block_id": "b", "elements": [button("More", "more")]}
        published = await client_of(workbench).views_publish(user_id="U0ANN", view=home("Hi", buttons))
        ann = workbench.person("ann")
        assert (await ann.click(await ann.home("Hi"), "More")).ok
    (body,) = seen
    assert body["container"] == {"type": "view", "view_id": published["view"]["id"]}
    assert (body["view"]["type"], body["view"]["hash"]) == ("home", published["view"]["hash"])
    assert {"channel", "message", "response_url"}.isdisjoint(body)


async def test_somebody_elses_home_cannot_be_clicked(workbench):
    buttons = {"type": "actions", "block_id": "b", "elements": [button("More", "more")]}
    published = await client_of(workbench).views_publish(user_id="U0ANN", view=home("Hi", buttons))
    with pytest.raises(ActError):
        await workbench.acts.view_click("ben", published["view"]["id"], "b", "more")

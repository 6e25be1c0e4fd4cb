"""External selects: what is typed is asked of the app, and what it suggests, and nothing else, can be chosen."""

import asyncio

import pytest

from bot.workbench.acts import ActError
from bot.workbench.bench import Timings
from bot.workbench.cards import NotThereError
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import TRANSPORTS, answering, app_of, client_of, plain, serving

FRUITS = ("Apple", "Apricot", "Banana")


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


@pytest.fixture(params=TRANSPORTS)
def transport(request):
    return request.param


def option(text: str) -> dict:
    return {"text": plain(text) | {"emoji": True}, "value": text.lower()}


def select(kind: str = "external_select", **more) -> dict:
    return {"type": kind, "action_id": "fruit", "placeholder": plain("Search fruit"), **more}


def view(element: dict) -> dict:
    block = {"type": "input", "block_id": "f", "label": plain("Fruit"), "element": element}
    return {
        "type": "modal",
        "callback_id": "basket",
        "title": plain("Basket"),
        "submit": plain("Send"),
        "blocks": [block],
    }


def fruit_app(workbench: Workbench):
    app, asked = app_of(workbench), []

    @app.options("fruit")
    async def on_fruit(ack, body):
        asked.append(body)
        await ack(options=[option(name) for name in FRUITS if name.lower().startswith(body["value"])])

    return app, asked


async def opened(workbench: Workbench, element: dict):
    trigger_id = workbench.bench.triggers.new("U0ANN")
    await client_of(workbench).views_open(trigger_id=trigger_id, view=view(element))
    return await workbench.person("ann").modal("Basket")


async def test_what_is_suggested_in_a_modal_can_be_chosen_and_submitted(workbench, transport):
    app, asked = fruit_app(workbench)
    baskets: list[dict] = []

    @app.view("basket")
    async def on_basket(ack, view):
        await ack()
        baskets.append(view["state"]["values"]["f"]["fruit"])

    async with serving(app, workbench, transport):
        ann, modal = workbench.person("ann"), await opened(workbench, select())
        assert await ann.search(modal, "Fruit", "ap") == []
        assert await ann.search(modal, "Fruit", "apr") == ["Apricot"]
        assert (await ann.submit(modal, {"Fruit": "Apricot"})).closed
    (body,) = asked
    assert (body["type"], body["value"], body["block_id"], body["action_id"]) == (
        "block_suggestion",
        "apr",
        "f",
        "fruit",
    )
    assert body["container"] == {"type": "view", "view_id": body["view"]["id"]}
    assert "trigger_id" not in body
    assert baskets == [{"type": "external_select", "selected_option": option("Apricot")}]


async def test_what_was_suggested_for_one_word_stays_chosen_when_another_is_typed(workbench):
    app, _ = fruit_app(workbench)
    async with serving(app, workbench, "socket"):
        ann, modal = workbench.person("ann"), await opened(workbench, select("multi_external_select"))
        await ann.search(modal, "Fruit", "apple")
        await ann.choose(modal, "Fruit", ["Apple"])
        await ann.search(modal, "Fruit", "banana")
        assert modal.values == {"Fruit": [option("Apple")]}
        await ann.choose(modal, "Fruit", ["Apple", "Banana"])
    assert modal.values == {"Fruit": [option("Apple"), option("Banana")]}


async def test_a_select_in_a_message_is_searched_by_each_person_for_themselves(workbench, transport):
    app, asked = fruit_app(workbench)
    clicks: list[dict] = []

    @app.action("fruit")
    async def on_chosen(ack, body):
        await ack()
        clicks.append(body["actions"][0]["selected_option"])

    async with serving(app, workbench, transport):
        blocks = [{"type": "actions", "block_id": "f", "elements": [select(min_query_length=0)]}]
        await client_of(workbench).chat_postMessage(channel="C0APPROVALS", text="Pick", blocks=blocks)
        ann, ben = workbench.person("ann"), workbench.person("ben")
        card = ann.messages("#approvals")[0]
        assert await ann.search(card, "Search fruit", "") == list(FRUITS)
        await ann.choose(card, "Search fruit", "Banana")
        with pytest.raises(NotThereError):
            await ben.choose(ben.messages("#approvals")[0], "Search fruit", "Banana")
    assert clicks == [option("Banana")]
    assert (asked[0]["channel"]["id"], asked[0]["message"]["ts"]) == ("C0APPROVALS", card.ts)


async def test_an_option_that_was_never_suggested_cannot_be_chosen(workbench):
    modal = await opened(workbench, select())
    chosen = {"selected_option": option("Cherry")}
    with pytest.raises(ActError, match="no such option"):
        await workbench.acts.enter("ann", modal.id, "f", "fruit", chosen, typed="on_enter_pressed")


@pytest.mark.parametrize(
    "answer",
    [
        {"options": [option("Apple")] * 101},
        {"options": [option("x" * 76)]},
        {"options": [{"text": plain("Apple"), "value": "x" * 151}]},
        {"options": [{"text": {"type": "mrkdwn", "text": "Apple"}, "value": "a"}]},
        {"options": [option("Apple")], "option_groups": []},
        {"options": [option("Apple")], "text": "junk"},
        {"option_groups": [{"label": plain("None"), "options": []}]},
        {},
        ["Apple"],
    ],
)
async def test_suggestions_that_slack_would_not_show_are_not_shown(workbench, answer):
    async with answering(workbench, answer):
        modal = await opened(workbench, select())
        with pytest.raises(ActError, match="could not be loaded"):
            await workbench.person("ann").search(modal, "Fruit", "apple")


async def test_groups_of_options_may_be_suggested_and_none_at_all(workbench):
    groups = [{"label": plain("Fruit"), "options": [option("Apple"), option("Banana")]}]
    async with answering(workbench, {"option_groups": groups}):
        modal = await opened(workbench, select())
        assert await workbench.person("ann").search(modal, "Fruit", "any") == ["Apple", "Banana"]
    async with answering(workbench, {"options": []}):
        assert await workbench.person("ann").search(modal, "Fruit", "none") == []


async def test_suggestions_that_come_too_late_are_not_shown():
    async with Workbench(timings=Timings(ack=0.2)) as workbench:
        app, finished = app_of(workbench), asyncio.Event()

        @app.options("fruit")
        async def on_fruit(ack):
            await finished.wait()
            await ack(options=[])

        async with serving(app, workbench, "socket"):
            modal = await opened(workbench, select())
            with pytest.raises(ActError, match="could not be loaded"):
                await workbench.person("ann").search(modal, "Fruit", "apple")
            finished.set()

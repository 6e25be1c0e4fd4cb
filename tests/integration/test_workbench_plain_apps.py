"""Plain Bolt apps run on the workbench unchanged: one listener of each kind is served, over both transports."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from slack_bolt.async_app import AsyncApp

from bot.workbench.config import load_workspace
from bot.workbench.server import Workbench
from tests.integration.plain_apps import EXAMPLES, lunch, started
from tests.integration.workbench_bots import TRANSPORTS, app_of, plain, section, serving
from tests.waiting import until

SURE = {
    "type": "modal",
    "callback_id": "sure",
    "title": plain("Sure?"),
    "submit": plain("Yes"),
    "notify_on_close": True,
    "blocks": [section("Sure?")],
}


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def foodies() -> AsyncIterator[Workbench]:
    """The company of the example's config; whatever happens, its app may not be late, and Slack refuses it nothing."""
    configured = load_workspace(EXAMPLES / "workbench.yml")
    async with Workbench(workspace=configured.workspace, signing_secret=configured.signing_secret) as workbench:
        yield workbench
        assert [ack for ack in workbench.acks if not ack.ok] == []
        assert [call for call in workbench.calls if not call.ok] == []


async def test_the_example_app_is_served_each_of_its_listeners(foodies: Workbench, transport: str, tmp_path: Path):
    async with started(foodies, transport, tmp_path / "app.log", *lunch()):
        await have_lunch(foodies)


async def have_lunch(foodies: Workbench) -> None:
    """People do everything that the example app listens to."""
    paula, quentin = foodies.person("paula"), foodies.person("quentin")

    hungry = paula.say("I am hungry", "#general")
    pointer = await paula.sees("Then type", "#general")
    assert paula.thread(hungry) == [pointer]

    paula.say("@lunch when?", "#general")
    await paula.sees("Lunch is at noon, @Paula Park.", "#general")

    assert (await paula.command("/lunch help", "#general")).ok
    assert "`/lunch` suggests a place." in paula.refusals

    await paula.command("/lunch", "#general")
    modal = await paula.modal("Lunch")
    assert await paula.search(modal, "Place", "B") == ["Bar Roma", "Blue Fish", "The Green Table"]
    refused = await paula.submit(modal, {"Place": "Blue Fish"})
    assert refused.errors == {"Place": "It is closed today."}
    assert (await paula.submit(modal, {"Place": "Bar Roma", "Note": "At one?"})).closed

    card = await quentin.sees("Paula Park suggests *Bar Roma*. At one?", "#general")
    await quentin.click(card, "Join")
    joined = await quentin.sees_on(card, "Lunch at Bar Roma: @Quentin Quist comes too.")
    assert joined.buttons == []

    await paula.shortcut("Suggest lunch")
    await paula.close(await paula.modal("Lunch"))
    await paula.sees("Another time, then.", "dm")

    await paula.message_shortcut(hungry, "Remember place")
    await paula.sees("Remembered: I am hungry", "#general")

    paula.open_home()
    home = await paula.home("Nobody has to eat alone.")
    await paula.click(home, "Suggest lunch")
    await paula.modal("Lunch")


async def test_an_app_of_the_asynchronous_kind_is_served_each_of_its_listeners(foodies: Workbench, transport: str):
    app = Hearing(app_of(foodies))
    async with serving(app.bolt, foodies, transport):
        paula = foodies.person("paula")
        said = paula.say("hello", "#general")
        paula.say("@lunch hello", "#general")
        await paula.command("/lunch now", "#general")
        card = await paula.sees("Pick", "#general")
        assert await paula.search(card, "Pick", "Rom") == ["Roma"]
        await paula.choose(card, "Pick", "Roma")
        await paula.submit(await paula.modal("Sure?"))
        await paula.shortcut("suggest_lunch")
        await paula.close(await paula.modal("Sure?"))
        await paula.message_shortcut(said, "remember_place")
        await until(app.heard_all, "each kind to be heard")


class Hearing:
    """An app that notes which of its listeners were called."""

    KINDS = frozenset(
        {"message", "event", "command", "options", "action", "view", "view_closed", "shortcut", "message shortcut"}
    )

    def __init__(self, bolt: AsyncApp) -> None:
        self.bolt = bolt
        self.heard: set[str] = set()
        bolt.message("hello")(self.on_message)
        bolt.event("message")(self.on_other_message)
        bolt.event("app_mention")(self.on_mention)
        bolt.command("/lunch")(self.on_command)
        bolt.options("place")(self.on_search)
        bolt.action("place")(self.on_action)
        bolt.view("sure")(self.on_view)
        bolt.view_closed("sure")(self.on_closed)
        bolt.shortcut("suggest_lunch")(self.on_shortcut)
        bolt.shortcut("remember_place")(self.on_message_shortcut)

    async def heard_all(self) -> bool:
        return self.heard == self.KINDS

    async def on_message(self) -> None:
        self.heard.add("message")

    async def on_other_message(self) -> None:
        """Taken, so that it is not sent again."""

    async def on_mention(self) -> None:
        self.heard.add("event")

    async def on_command(self, ack, say) -> None:
        self.heard.add("command")
        await ack()
        search = {"type": "external_select", "action_id": "place", "min_query_length": 1}
        await say(text="Pick", blocks=[{**section("Pick"), "accessory": search}])

    async def on_search(self, ack) -> None:
        self.heard.add("options")
        await ack(options=[{"text": plain("Roma"), "value": "roma"}])

    async def on_action(self, ack, body, client) -> None:
        self.heard.add("action")
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=SURE)

    async def on_shortcut(self, ack, body, client) -> None:
        self.heard.add("shortcut")
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=SURE)

    async def on_view(self, ack) -> None:
        self.heard.add("view")
        await ack()

    async def on_closed(self, ack) -> None:
        self.heard.add("view_closed")
        await ack()

    async def on_message_shortcut(self, ack) -> None:
        self.heard.add("message shortcut")
        await ack()

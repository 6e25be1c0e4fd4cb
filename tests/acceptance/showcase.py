"""A small Bolt app that shows every block and element that the page draws: in messages, in modals, on the Home tab."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.server import Workbench
from bot.workbench.workspace import Shortcut
from tests.acceptance.browser import Tabs, tabs_at
from tests.integration.workbench_bots import app_of, button, client_of, plain, section, serving

Json = dict[str, Any]

SHORTCUTS = (
    Shortcut("global", "Ask for a decision", "ask", "Opens a form"),
    Shortcut("message", "Ask about this message", "ask_about", "Quotes and links it"),
)
CITIES = ("Amsterdam", "Athens", "Berlin", "Bern", "Bilbao", "Bologna", "Bordeaux", "Bremen", "Brno", "Budapest")


def option(text: str, value: str | None = None, **more: Any) -> Json:
    return {"text": plain(text), "value": value or text.lower(), **more}


def options(*texts: str) -> list[Json]:
    return [option(text) for text in texts]


def field(label: str, element: Json, **more: Any) -> Json:
    name = label.lower().replace(" ", "_")
    return {"type": "input", "block_id": name, "label": plain(label), "element": {"action_id": name, **element}, **more}


SIZES = options("Small", "Medium", "Large")
GROUPS: list[Json] = [
    {"label": plain("Fruit"), "options": options("Apple", "Pear", "Quince")},
    {"label": plain("Vegetables"), "options": options("Beetroot", "Carrot", "Leek")},
]
FIELDS = (
    field("Text", {"type": "plain_text_input", "min_length": 3, "placeholder": plain("Three letters at least")}),
    field("Long text", {"type": "plain_text_input", "multiline": True}, hint=plain("As long as you like")),
    field("Number", {"type": "number_input", "is_decimal_allowed": True, "min_value": "1", "max_value": "500"}),
    field("Email", {"type": "email_text_input"}),
    field("Web address", {"type": "url_text_input"}),
    field("Size", {"type": "static_select", "options": SIZES, "placeholder": plain("Pick a size")}),
    field("Food", {"type": "static_select", "option_groups": GROUPS}),
    field("Colours", {"type": "multi_static_select", "options": options("Red", "Green", "Blue", "Amber")}),
    field("City", {"type": "external_select", "min_query_length": 1, "placeholder": plain("Search a city")}),
    field("Cities", {"type": "multi_external_select", "min_query_length": 1, "max_selected_items": 3}),
    field("Person", {"type": "users_select"}),
    field("People", {"type": "multi_users_select"}),
    field("Channel", {"type": "channels_select"}),
    field("Conversation", {"type": "conversations_select", "filter": {"include": ["public", "private"]}}),
    field("Conversations", {"type": "multi_conversations_select", "max_selected_items": 2}),
    field("Date", {"type": "datepicker"}),
    field("Time", {"type": "timepicker"}),
    field("Moment", {"type": "datetimepicker"}),
    field("Choice", {"type": "radio_buttons", "options": [*SIZES[:2], option("Huge", description=plain("Takes two"))]}),
    field("Extras", {"type": "checkboxes", "options": options("Gift wrap", "Express", "Insured")}),
    field("Rich text", {"type": "rich_text_input"}),
    field("Attachment", {"type": "file_input"}, optional=True),
)


def words(text: str, **style: bool) -> Json:
    return {"type": "text", "text": text, **({"style": style} if style else {})}


def rich(kind: str, *elements: Json, **more: Any) -> Json:
    return {"type": kind, "elements": list(elements), **more}


RICH_TEXT = {
    "type": "rich_text",
    "block_id": "rich",
    "elements": [
        rich(
            "rich_text_section",
            words("Bold", bold=True),
            words(", "),
            words("italic", italic=True),
            words(", "),
            words("struck", strike=True),
            words(" and "),
            words("code", code=True),
            words(", a "),
            {"type": "link", "url": "https://docs.example.com/travel", "text": "link"},
            words(", "),
            {"type": "user", "user_id": "U0ANN"},
            words(" in "),
            {"type": "channel", "channel_id": "C0GENERAL"},
            words(" "),
            {"type": "emoji", "name": "tada"},
            words(" on "),
            {"type": "date", "timestamp": 1_790_000_000, "format": "{date_long}", "fallback": "a day"},
        ),
        rich("rich_text_list", *(rich("rich_text_section", words(text)) for text in ("One", "Two")), style="bullet"),
        rich("rich_text_list", rich("rich_text_section", words("Two and a half")), style="bullet", indent=1),
        rich(
            "rich_text_list", *(rich("rich_text_section", words(text)) for text in ("First", "Then")), style="ordered"
        ),
        rich("rich_text_quote", words("Said by somebody else")),
        rich("rich_text_preformatted", words("def answer():\n    return 42")),
    ],
}
ROWS = [("Item", "Cost", "Note"), ("Camera", "1,249.90", "In the small meeting room"), ("Tripod", "89.00", "Light")]
TABLE = {
    "type": "table",
    "block_id": "costs",
    "rows": [[{"type": "raw_text", "text": text} for text in row] for row in ROWS],
    "column_settings": [{}, {"align": "right"}, {"is_wrapped": True}],
}
CONFIRM = {
    "title": plain("Sure?"),
    "text": plain("This cannot be undone."),
    "confirm": plain("Yes"),
    "deny": plain("No"),
}
ACTIONS = {
    "type": "actions",
    "block_id": "all",
    "elements": [
        button("Approve", "approve", style="primary"),
        button("Reject", "reject", style="danger", confirm={**CONFIRM, "style": "danger"}),
        button("Open the form", "open"),
        button("Docs", "docs", url="https://docs.example.com/"),
        {"type": "static_select", "action_id": "size", "options": SIZES, "placeholder": plain("Size")},
        {"type": "datepicker", "action_id": "day"},
        {"type": "overflow", "action_id": "more", "options": options("Details", "Cancel it")},
    ],
}


def message() -> Json:
    """A message with every block that a message may have."""
    return {
        "text": "Spend 1,249.90 EUR at Kamera Köhler? Asked by Rita Rossi",
        "blocks": [
            {"type": "header", "text": plain("Spend 1,249.90 EUR at Kamera Köhler?")},
            section(
                "Asked by <@U0RITA> in <#C0GENERAL> · *due* <!date^1790000000^{date_short_pretty}|soon> :hourglass:"
            ),
            {"type": "section", "fields": [section(f"*{name}*\n{value}")["text"] for name, value in FACTS]},
            {**section("A section with a choice"), "accessory": {"type": "users_select", "action_id": "who"}},
            {**section("A section with a picture"), "accessory": picture("Camera")},
            {"type": "divider"},
            RICH_TEXT,
            TABLE,
            {**picture("The camera as it was delivered, with a broken lens"), "title": plain("camera.jpg")},
            {"type": "context", "elements": [picture("Logo"), section("From the *shop*")["text"]]},
            {
                "type": "card",
                "block_id": "card",
                "title": plain("A card"),
                "body": plain("With a body"),
                "actions": [button("Go", "go")],
            },
            ACTIONS,
        ],
    }


FACTS = (("Amount", "1,249.90 EUR"), ("Vendor", "Kamera Köhler"), ("Budget", "71 % used"), ("Ticket", "`OPS-12`"))


def picture(alt: str) -> Json:
    return {"type": "image", "image_url": "https://pictures.example.com/camera.jpg", "alt_text": alt}


def markdown() -> Json:
    text = "# Heading\n\nA **bold**, *leaning*, ~~struck~~ and `coded` word, [a link](https://docs.example.com/).\n\n"
    return {
        "text": "Markdown",
        "blocks": [{"type": "markdown", "text": text + "- one\n- two\n\n> quoted\n\n```\ncode <b>\n```"}],
    }


def modal(title: str = "Everything", *, blocks: list[Json] | None = None, **more: Any) -> Json:
    given = list(FIELDS) if blocks is None else blocks
    view = {"type": "modal", "callback_id": "everything", "title": plain(title), "submit": plain("Send")}
    return {**view, "blocks": given, **more}


def waiting(number: int) -> list[Json]:
    buttons = [button("Approve", "approve", style="primary"), button("Reject", "reject", style="danger")]
    return [
        section(f"*Spend {number * 40 + 9} EUR at Kamera Köhler?*\nAsked by <@U0RITA> · until tomorrow"),
        {"type": "actions", "block_id": f"answer-{number}", "elements": buttons},
        {"type": "divider"},
    ]


def home(count: int) -> Json:
    """A Home tab on which so many requests wait."""
    filters = {"type": "static_select", "action_id": "filter", "options": SIZES, "initial_option": SIZES[0]}
    head = [
        {"type": "header", "text": plain("Waiting for you")},
        {**section(f"{count} requests" if count else "Nothing waits for you. :palm_tree:"), "accessory": filters},
    ]
    return {"type": "home", "blocks": [*head, *(block for number in range(count) for block in waiting(number + 1))]}


async def publish(client: AsyncWebClient, count: int, who: str = "U0ANN") -> None:
    await client.views_publish(user_id=who, view=home(count))


@dataclass(frozen=True)
class Show:
    """The workbench with the app connected, and a browser at its page."""

    workbench: Workbench
    client: AsyncWebClient
    tabs: Tabs

    async def posts(self, content: Json, channel: str = "C0APPROVALS", **more: Any) -> str:
        posted = await self.client.chat_postMessage(channel=channel, **content, **more)
        return str(posted["ts"])

    async def opens(self, view: Json, who: str = "U0ANN") -> str:
        opened = await self.client.views_open(trigger_id=self.workbench.bench.triggers.new(who), view=view)
        return str(opened["view"]["id"])

    async def updates(self, view_id: str, view: Json) -> None:
        await self.client.views_update(view_id=view_id, view=view)

    async def sent(self, kind: str, times: int = 1) -> Json:
        """What the app got last of this kind, once it got it so many times."""
        deliveries = self.workbench.deliveries_of
        assert await self.workbench.workspace.changes.until(lambda: len(deliveries(kind)) >= times, timeout=10)
        return dict(deliveries(kind)[-1].payload)


@asynccontextmanager
async def shown() -> AsyncIterator[Show]:
    """Everything at once. Neither the tabs nor the page may have complained when it ends."""
    async with Workbench() as workbench:
        async with serving(showcase(workbench), workbench, "socket"), tabs_at(workbench.url) as tabs:
            yield Show(workbench, client_of(workbench), tabs)
        assert tabs.complaints == [], tabs.complaints


def showcase(workbench: Workbench) -> AsyncApp:
    """The app: it acknowledges every click, opens and stacks forms, looks cities up, publishes Home."""
    workbench.workspace.tokens[workbench.bot_token].scopes |= {"files:read", "files:write", "reactions:write"}
    workbench.workspace.app.shortcuts = SHORTCUTS
    workbench.workspace.app.home_tab = True
    workbench.workspace.app.events = ("app_home_opened",)
    app = app_of(workbench)

    @app.action("open")
    async def on_open(ack, body, client):
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=modal())

    @app.action("push")
    async def on_push(ack, body, client):
        await ack()
        await client.views_push(trigger_id=body["trigger_id"], view=modal("Second", blocks=list(FIELDS[:2])))

    @app.action(re.compile(".*"))
    async def on_anything(ack):
        await ack()

    @app.options(re.compile(".*"))
    async def on_search(ack, payload):
        typed = payload["value"].lower()
        await ack(options=[option(city) for city in CITIES if typed in city.lower()])

    @app.shortcut("ask")
    async def on_ask(ack, shortcut, client):
        await ack()
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal("Ask", blocks=list(FIELDS[:1])))

    @app.shortcut("ask_about")
    async def on_ask_about(ack, shortcut, client):
        await ack()
        quoted = section(f"About: {shortcut['message']['text']}")
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal("Ask", blocks=[quoted, FIELDS[0]]))

    @app.view("everything")
    async def on_everything(ack):
        await ack()

    @app.event("app_home_opened")
    async def on_home(event, client):
        if event["tab"] == "home":
            await publish(client, 3, event["user"])

    return app

"""`signoff demo`: three requests wait in a local Slack in the browser."""

from collections.abc import Mapping
from typing import Any

from rich.markup import escape

from actions.kit.records import Origin
from bot import logs
from bot.cli.serve import until_told
from bot.cli.show import out
from bot.cli.stage import Stage, staged
from bot.settings import Transport
from storage.results import Started

REQUESTS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (
        "send_message",
        {
            "recipient": "press@example.com",
            "body": "Acme's new checkout is live. Orders take half the clicks, and refunds arrive the same day.",
        },
    ),
    ("restart_service", {"service": "checkout", "reason": "Orders time out since 10:40; three customers wrote in."}),
    (
        "spend_request",
        {
            "amount": "1249.90",
            "currency": "EUR",
            "vendor": "Kamera Köhler",
            "justification": "The camera in the small meeting room is broken, and the customer days start on Monday.",
            "receipt_link": "https://example.com/offers/4711",
        },
    ),
)
RITA = "U0RITA"


async def run_demo(transport: Transport, port: int) -> None:
    """Serve the workbench with three requests waiting, until Ctrl-C."""
    logs.set_up("console", "warning")
    async with until_told() as told, staged(transport, port=port) as stage:
        for action_id, given in REQUESTS:
            await seed(stage, action_id, given)
        for line in _invitation(stage, transport):
            out.print(line)
        await told.wait()
    out.print("Bye: the demo and its database are gone.")


async def seed(stage: Stage, action_id: str, given: Mapping[str, Any]) -> None:
    """One request of Rita's. Raises `AssertionError` where the bot refuses it: then the demo is broken."""
    origin = Origin(via="demo")
    started = await stage.bot.runner.start(action_id, dict(given), requester=RITA, origin=origin)
    if not isinstance(started, Started):
        raise AssertionError(started)  # noqa: TRY004 - a broken demo, not a wrong type


def _invitation(stage: Stage, transport: Transport) -> list[str]:
    way = "Socket Mode" if transport == "socket" else "signed HTTP"
    return [
        f"[bold]Signoff[/] talks to a local Slack over {way}. Open it in your browser:",
        "",
        f"    [bold cyan]{escape(stage.workbench.url)}?as=ann[/]",
        "",
        "Three requests of Rita's wait. What to try:",
        "  • As Ann, press [bold]Approve[/] in #approvals, and watch the card: approved first, then done.",
        "  • As Dana, press [bold]Reject[/] on the spend request without a reason, then with one.",
        "  • As Rita, try to approve your own message. Only you see why that does not count.",
        "  • Move the deadlines an hour on: what nobody answered expires, and Rita is told.",
        "  • Type [bold]/signoff spend_request[/] anywhere: the form is made from the Python model.",
        "",
        "Each tab is one person: ?as=ann, ?as=ben, ?as=dana, ?as=omar, ?as=rita. Ctrl-C ends it.",
    ]

"""`signoff demo`: four requests wait in a local Slack in the browser."""

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
    (
        "send_message",
        {
            "recipient": "customers@example.com",
            "body": "On Saturday from 6 to 8 the shop is down: we move the database.",
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
    """Serve the workbench with four requests waiting, until Ctrl-C."""
    logs.set_up("console", "warning")
    async with until_told() as told, staged(transport, port=port, actions=None) as stage:
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
        "Four requests of Rita's wait. What to try:",
        "  • As Ann, press [bold]Approve[/] on one of the two in #approvals: the card says approved, then done.",
        "  • As Rita, press it on the other one, your own. Only you see why that does not count.",
        "  • As Dana, press [bold]Reject[/] on the spend request, by direct message, without a reason, then with one.",
        "  • Type [bold]/signoff spend_request[/] anywhere: the form is made from the Python model.",
        "  • Move the deadlines an hour on: nobody answered the restart in its five minutes, and Rita is told.",
        "",
        "Each tab is one person: ?as=ann, ?as=ben, ?as=dana, ?as=omar, ?as=rita, ?as=gus (a guest). Ctrl-C ends it.",
    ]

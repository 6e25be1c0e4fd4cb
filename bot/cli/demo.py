"""`signoff demo`: three requests wait in a local Slack in the browser."""

from collections.abc import Mapping
from typing import Any

from rich.markup import escape

from actions.kit.records.runs import Origin
from bot import logs
from bot.cli.play import emphasised
from bot.cli.show import out
from bot.cli.stage import Stage, staged
from bot.cli.stopping import until_told
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
"""One of Rita's for each worked action that a newcomer is shown."""

STEPS = (
    "As *Rita*, press *Approve* on your own request in #approvals: only you see why that does not count.",
    "Become *Ann* (the menu at Rita's name opens a new tab) and press it on that same card: approved, then done.",
    "Become *Dana*. In her direct messages, press *Reject*, give no reason, be told that it is missing, and give one.",
    "As *Rita* again, type `/signoff spend_request`: the form is made from the Python model.",
    "Nobody answers the restart in its five minutes. Do not wait, move the *Deadlines* by *+5 min*: Rita is told.",
    "As *Rita*, write `@signoff refund A-1041, A-1042 and B-7, they came broken` in #general: an agent looks them up.",
    "As *Ann* in #approvals, *Approve* its first refund, *Edit* the second, *Reject* the third: it ends in Rita's thread.",
)
"""What to try, in this order, each possible after the one before: mrkdwn, as printed, on the page and in the README."""

RITA = "U0RITA"


async def run_demo(transport: Transport, port: int) -> None:
    """Serve the workbench with three requests waiting, until Ctrl-C."""
    logs.set_up("console", "warning")
    async with until_told() as told, staged(transport, port=port, actions=None, hints=STEPS, with_agent=True) as stage:
        await seed_all(stage)
        for line in _invitation(stage, transport):
            out.print(line)
        await told.wait()
    out.print("Bye: the demo and its database are gone.")


async def seed_all(stage: Stage) -> None:
    """The requests that `STEPS` speak of."""
    for action_id, given in REQUESTS:
        await seed(stage, action_id, given)


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
        f"    [bold cyan]{escape(stage.workbench.url)}?as=rita[/]",
        "",
        "You are Rita there, and three requests of yours wait. Try in this order:",
        *(f"  {number}. {emphasised(step)}" for number, step in enumerate(STEPS, start=1)),
        "",
        "Each tab is one person: ?as=ann, ?as=ben, ?as=dana, ?as=omar, ?as=rita, ?as=gus (a guest). Ctrl-C ends it.",
    ]

"""Everything that a card leaves out, in a modal: opened, turned page by page, redrawn after an order; or sent as a file."""

from dataclasses import replace
from typing import Any

from actions.kit.records.interrupts import Card
from blocks.clicks import Order
from blocks.details import details_view
from blocks.details_clicks import DetailsClick
from blocks.details_file import details_file
from blocks.form import notice_view
from bot.engine.results import Details, OrderResult, Refusal
from bot.engine.runner import Runner
from bot.slack.aside import aside
from bot.slack.modals import Modals
from bot.slack.names import Names
from bot.slack.stuck import said_of
from bot.slack.uploads import Uploads


class DetailsModal:
    """Shows a card's rows as they are now, however old the card is on which somebody pressed.

    Everything here runs beside the ack: drawing takes a while where the data is large.
    """

    def __init__(self, runner: Runner, modals: Modals, names: Names, uploads: Uploads) -> None:
        self._runner = runner
        self._modals = modals
        self._names = names
        self._uploads = uploads
        self._sending: set[tuple[str, str]] = set()

    async def open(self, order: Order, details: Details) -> None:
        self._modals.open(order, await self._drawn(details.card))

    async def after(self, order: Order, result: OrderResult) -> None:
        """Shows it again, with what became of the order."""
        shown = await self._runner.order(replace(order, verb="show_all"))
        if order.view_id is not None and isinstance(shown, Details | Refusal):
            await self._show(order.view_id, shown, said=said_of(order, result))

    async def pressed(self, click: DetailsClick) -> None:
        """Turns the page, or sends the file. Who may see it is asked each time."""
        found = await self._runner.details(click.interrupt_id, click.person)
        if isinstance(found, Refusal) or not click.in_file:
            await self._show(click.view_id, found, page=click.page)
            return
        asked = (click.interrupt_id, click.person)
        if asked in self._sending:
            return
        self._sending.add(asked)
        try:
            card = found.card
            said = await self._uploads.send(await aside(card, lambda: details_file(card)), click.person)
        finally:
            self._sending.discard(asked)
        await self._show(click.view_id, found, page=click.page, said=said)

    async def _show(self, view_id: str, found: Details | Refusal, *, page: int = 0, said: str | None = None) -> None:
        match found:
            case Details(card):
                view = await self._drawn(card, page=page, said=said)
            case Refusal(text):
                view = notice_view("Not shown", text)
        await self._modals.replace(view_id, view)

    async def _drawn(self, card: Card, *, page: int = 0, said: str | None = None) -> dict[str, Any]:
        named = await self._names.of(card)
        return await aside(named, lambda: details_view(named, page=page, said=said))

"""Everything that a card leaves out, in a modal: opened for anybody who sees the card, redrawn after an order given in it."""

from dataclasses import replace

from blocks.clicks import Order
from blocks.details import details_view
from blocks.form import notice_view
from bot.engine.results import Details, OrderResult, Refusal
from bot.engine.runner import Runner
from bot.slack.modals import Modals
from bot.slack.stuck import said_of


class DetailsModal:
    """Shows a card's rows as they are now, however old the card is on which somebody pressed."""

    def __init__(self, runner: Runner, modals: Modals) -> None:
        self._runner = runner
        self._modals = modals

    def open(self, order: Order, details: Details) -> None:
        self._modals.open(order, details_view(details.card))

    async def after(self, order: Order, result: OrderResult) -> None:
        """Shows it again, with what became of the order."""
        said = said_of(order, result)
        match await self._runner.order(replace(order, verb="show_all")):
            case Details(card):
                view = details_view(card, said=said)
            case Refusal(text):
                view = notice_view("Not shown", text)
            case _:
                return
        if order.view_id is not None:
            await self._modals.replace(order.view_id, view)

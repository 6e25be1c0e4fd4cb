"""`/signoff stuck`: the operators' list in a modal, redrawn after each order.

A modal and not a private message: those cannot be edited, and would keep buttons that are out of date.
"""

from typing import Any

from blocks.clicks import Command, Order, Turn
from blocks.form import notice_view
from blocks.grants import revoked_words
from blocks.stuck import PAGE, cancel_asked_words, delivering_words, order_words, stuck_view, withdrew_words
from bot.engine.results import CancelDone, Details, GrantRevoked, NudgeDone, OpenInput, OrderResult, Refusal, StuckRuns
from bot.engine.runner import Runner
from bot.slack.modals import Modals
from storage.results import Ordered, Redelivering

NAME = "stuck"


class StuckList:
    """Opens the list, turns its pages, and shows in it what became of an order. Each time the rows are read anew."""

    def __init__(self, runner: Runner, modals: Modals) -> None:
        self._runner = runner
        self._modals = modals

    async def open(self, command: Command) -> str | None:
        """Opens the list; for somebody who is no operator, why not."""
        match await self._runner.stuck(command.person, 0, PAGE):
            case Refusal(text):
                return text
            case StuckRuns() as runs:
                self._modals.open(command, _drawn(runs))
        return None

    async def turn(self, turn: Turn) -> None:
        await self._show(turn.view_id, turn.person, turn.page)

    async def after(self, order: Order, result: OrderResult) -> None:
        """Shows the list again, with what became of an order that was given in it."""
        if order.view_id is not None and order.page is not None:
            await self._show(order.view_id, order.person, order.page, said=said_of(order, result))

    async def _show(self, view_id: str, person: str, page: int, *, said: str | None = None) -> None:
        match await self._runner.stuck(person, page, PAGE):
            case Refusal(text):
                view = notice_view("Not shown", text)
            case StuckRuns() as runs:
                view = _drawn(runs, said)
        await self._modals.replace(view_id, view)


def _drawn(runs: StuckRuns, said: str | None = None) -> dict[str, Any]:
    return stuck_view(runs.found, total=runs.total, page=runs.page, said=said)


def said_of(order: Order, result: OrderResult) -> str | None:
    """Mrkdwn: what became of an order, for the window in which it was given."""
    match result:
        case Ordered(run):
            return order_words(run, order.verb)
        case CancelDone() as done:
            return cancel_words(done)
        case Redelivering(card):
            return delivering_words(card.run)
        case Refusal(text):
            return text
        case GrantRevoked(grant):
            return revoked_words(grant)
        case Details() | NudgeDone() | OpenInput():
            return None


def cancel_words(done: CancelDone) -> str:
    """Mrkdwn: what became of an order to cancel."""
    if done.withdrew:
        return withdrew_words(done.run)
    return cancel_asked_words(done.run) if done.asked else order_words(done.run, "cancel")

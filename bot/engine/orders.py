"""What a named person may order about a run, and whether this person may."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Literal, assert_never

from actions.kit.records.interrupts import Card, Cause
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.clicks import Order
from bot.engine import refusals
from bot.engine.addresses import Addresses
from bot.engine.executor import Executor
from bot.engine.granting import StandingGrants
from bot.engine.onlookers import Onlookers
from bot.engine.requesters import Requesters
from bot.engine.results import CancelDone, CancelResult, Details, OrderResult, Refusal, StuckRuns, Why
from storage import results as stored
from storage.store import Store

Via = Literal["slack", "command line", "http", "demo"]

DECIDED = frozenset({"voted", "glass broken"})
"""The event of the trail that tells who decided."""


class Orders:
    """Run again, settle what is stalled, deliver again, cancel; and what requesters may. `operators` are the ids of `SIGNOFF_ADMINS`."""

    def __init__(
        self,
        *,
        store: Store,
        addresses: Addresses,
        executor: Executor,
        onlookers: Onlookers,
        requesters: Requesters,
        grants: StandingGrants,
        operators: Collection[str],
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._addresses = addresses
        self._executor = executor
        self._onlookers = onlookers
        self._requesters = requesters
        self._grants = grants
        self._operators = frozenset(operators)
        self._now = now

    async def order(self, order: Order, *, via: Via = "slack") -> OrderResult:
        """Carries an order out if the run still offers it and the person may give it."""
        match order.verb:
            case "show_all":
                return await self.details(order.interrupt_id, order.person, run_id=order.run_id)
            case "deliver_again":
                return await self._deliver_again(order, via)
            case "cancel":
                return await self._cancel_as_drawn(order, via)
            case "nudge" | "ask_again" as verb:
                asks = self._requesters
                return await (asks.nudge(order) if verb == "nudge" else asks.ask_again(order))
            case "revoke":
                return await self._grants.revoke(order.run_id, order.person, via=via)
            case "run_again" | "it_happened" | "it_did_not":
                return await self._settle(order, order.verb, via)
            case _:
                assert_never(order.verb)

    async def cancel(self, run_id: str, person: str, *, via: Via = "slack", in_list: bool = False) -> CancelResult:
        """Cancels a run, or asks what executes it to stop. On the command line whoever can run it is an operator."""
        run = await self._store.run(run_id)
        if run is None:
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        if via != "command line" and person not in {*run.requesters, *self._operators}:
            return Refusal(refusals.NOT_YOURS)
        if run.is_by_bot and person in run.requesters:
            return Refusal(refusals.NOT_TO_TAKE_BACK)
        by_right = person in run.requesters and not in_list
        cause = self._cause(person, by_right=by_right)
        alone = by_right and via != "command line"
        result = await self._store.cancel(run_id, person=person, via=via, cause=cause, now=self._now(), alone=alone)
        if isinstance(result, stored.CancelRequested):
            self._executor.cancel(run_id)
        return _cancelled(result)

    async def _cancel_as_drawn(self, order: Order, via: Via) -> CancelResult:
        """Somebody may have answered since the button was drawn: then what would be cancelled is another thing."""
        run = await self._store.run(order.run_id)
        if run is not None and run.epoch != order.epoch:
            return Refusal(refusals.as_it_stands(run))
        return await self.cancel(order.run_id, order.person, via=via, in_list=order.in_list)

    def is_operator(self, person: str) -> bool:
        return person in self._operators

    async def stuck(self, person: str, page: int, size: int) -> StuckRuns | Refusal:
        """What is stuck, for operators alone. A page after the last one is the last one."""
        if person not in self._operators:
            return Refusal(refusals.NO_OPERATOR)
        found = await self._store.stuck(now=self._now(), limit=size, skip=page * size)
        if page and not found.found:
            page = max(0, found.total - 1) // size
            found = await self._store.stuck(now=self._now(), limit=size, skip=page * size)
        return StuckRuns(found.found, total=found.total, page=page)

    def _cause(self, person: str, *, by_right: bool) -> Cause:
        """`admin` for what somebody orders as an operator: in the operators' list, or where nothing else lets them."""
        return Cause.ADMIN if person in self._operators and not by_right else Cause.HUMAN

    async def _settle(self, order: Order, verb: stored.OrderVerb, via: Via) -> OrderResult:
        run = await self._store.run(order.run_id)
        if run is None:
            return Refusal(refusals.UNKNOWN)
        if run.epoch != order.epoch or run.status not in {RunStatus.FAILED, RunStatus.STALLED}:
            return Refusal(refusals.as_it_stands(run))
        by_right = order.person in await self._entitled(run)
        if not by_right and order.person not in self._operators:
            return Refusal(refusals.may_not_order(run))
        cause = self._cause(order.person, by_right=by_right and not order.in_list)
        result = await self._store.order(
            run.id, order.epoch, verb, person=order.person, via=via, cause=cause, now=self._now()
        )
        match result:
            case stored.Ordered():
                return result
            case stored.OutOfOrder(run):
                return Refusal(refusals.as_it_stands(run))
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN)

    async def _entitled(self, run: RunRecord) -> frozenset[str]:
        """Who may settle a failed run, apart from operators: its requester, and who decided in it.

        Of a stalled one the requester may only where nobody else was needed: they would decide what others decided, or
        what nobody approved after somebody edited it.
        """
        trail = await self._store.trail(run.id)
        deciders = frozenset(entry.person for entry in trail if entry.event in DECIDED and entry.person)
        asked = frozenset(run.requesters)
        others = deciders.union(each.person for each in run.edits) - asked
        return deciders | asked if run.status is RunStatus.FAILED or not others else deciders

    async def _deliver_again(self, order: Order, via: Via) -> OrderResult:
        card = await self._store.card(order.interrupt_id) if order.interrupt_id else None
        if card is None or card.run.id != order.run_id:
            return Refusal(refusals.UNKNOWN)
        if order.person not in {*card.run.requesters, *self._operators}:
            return Refusal(refusals.NOT_YOURS, card)
        _, copies = await self._addresses.of(card.interrupt.policy, card.run.requester)
        if not copies:
            return Refusal(refusals.NOBODY_FOUND, card)
        cause = self._cause(order.person, by_right=order.person in card.run.requesters and not order.in_list)
        result = await self._store.deliver_again(
            card.interrupt.id, copies=copies, person=order.person, via=via, cause=cause, now=self._now()
        )
        match result:
            case stored.Redelivering():
                return result
            case stored.NotUndeliverable(card):
                return Refusal(refusals.delivered(card), card)
            case stored.Unknown():
                return Refusal(refusals.UNKNOWN)

    async def details(self, interrupt_id: str | None, person: str, *, run_id: str = "") -> Details | Refusal:
        """All of a card as it stands now, for whoever may see it. A run that is named must be the card's."""
        card: Card | None = await self._store.card(interrupt_id) if interrupt_id else None
        if card is None or run_id not in {"", card.run.id}:
            return Refusal(refusals.UNKNOWN)
        return await self._onlookers.refusal(card, person) or Details(card)


def _cancelled(result: stored.CancelResult) -> CancelResult:
    match result:
        case stored.Cancelled(run):
            return CancelDone(run)
        case stored.CancelRequested(run):
            return CancelDone(run, asked=True)
        case stored.Withdrew(run):
            return CancelDone(run, withdrew=True)
        case stored.AlreadyEnded(run):
            return Refusal(refusals.as_it_stands(run), why=Why.ENDED)
        case stored.Unknown():
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)

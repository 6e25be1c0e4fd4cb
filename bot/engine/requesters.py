"""What only those may do who asked for a run: nudge those who must act, and ask again for what has ended."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime

from actions.kit.policies.deciders import Place
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.clicks import Order
from bot.engine import refusals
from bot.engine.addresses import Addresses
from bot.engine.results import NudgeDone, OpenInput, Refusal, Why
from bot.engine.starting import Starting
from storage import results as stored
from storage.store import Store

PATIENCE = 1.0
"""Seconds that it may take to find out where those are asked who must act: an acknowledgement waits for it."""


class Requesters:
    """Looks everything up anew: what a button carries is no authority."""

    def __init__(self, *, store: Store, starting: Starting, addresses: Addresses, now: Callable[[], datetime]) -> None:
        self._store = store
        self._addresses = addresses
        self._starting = starting
        self._now = now

    async def nudge(self, order: Order) -> NudgeDone | Refusal:
        """Tells those who must act on the open question of a run that it waits; at most once in four hours."""
        run = await self._own(order)
        if isinstance(run, Refusal):
            return run
        card = await self._store.latest_card(run.id)
        if card is None or run.status is not RunStatus.WAITING:
            return Refusal(refusals.as_it_stands(run), card, Why.ENDED)
        places = await self._places(card)
        nudge = stored.Nudge(card.interrupt.id, order.person, order.source, "slack", places)
        return _told(await self._store.nudge(nudge, now=self._now()), card)

    async def ask_again(self, order: Order) -> OpenInput | Refusal:
        """The form of the action with what was asked for then, for somebody who may still start it."""
        run = await self._own(order)
        if isinstance(run, Refusal):
            return run
        if not run.status.ended or run.status is RunStatus.STALLED:
            return Refusal(refusals.as_it_stands(run))
        return await self._starting.open(run.action_id, order.person, order.channel, _former(run))

    async def _places(self, card: Card) -> tuple[Place, ...]:
        """Where those are asked who must act now, in the stage that is open; none where that is not told in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                _, copies = await self._addresses.of(card.interrupt.policy, card.run.requester)
        except TimeoutError:
            return ()
        return tuple(each.place for each in copies)

    async def _own(self, order: Order) -> RunRecord | Refusal:
        run = await self._store.run(order.run_id)
        if run is None:
            return Refusal(refusals.UNKNOWN, why=Why.UNKNOWN)
        return run if order.person in run.requesters else Refusal(refusals.NOT_ASKED_BY_YOU)


async def _former(run: RunRecord) -> dict[str, object]:
    value = json.loads(run.input)
    return value if isinstance(value, dict) else {}


def _told(result: stored.NudgeResult, card: Card) -> NudgeDone | Refusal:
    match result:
        case stored.Nudged(card):
            return NudgeDone(card)
        case stored.TooSoon(card, again_at):
            return Refusal(refusals.nudged_lately(again_at), card)
        case stored.NotStanding(card):
            return Refusal(refusals.NOT_STANDING, card)
        case stored.AlreadySettled(card):
            return Refusal(refusals.settled(card), card, Why.SETTLED)
        case stored.Unknown():
            return Refusal(refusals.UNKNOWN, card, Why.UNKNOWN)

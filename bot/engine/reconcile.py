"""What a new version of the code means for what was stored under the old one; looked at when the bot starts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from actions.kit.action import Action
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from bot.engine.addresses import Addresses
from bot.engine.questions import CHANGED, asked_again, asker_of, bound_to, may_ask_again, still_fits, takes_input
from storage.results import RunFilters
from storage.store import Store

log = structlog.get_logger(__name__)

PAGE = 100


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was found, by run id: set going again, asked again, and waiting for an action that this code lacks."""

    released: tuple[str, ...] = ()
    asked_again: tuple[str, ...] = ()
    without_action: tuple[str, ...] = ()


class Reconciler:
    """Harmless to run twice, and in every process."""

    def __init__(self, *, store: Store, registry: Registry, addresses: Addresses, now: Callable[[], datetime]) -> None:
        self._store = store
        self._registry = registry
        self._addresses = addresses
        self._now = now

    async def reconcile(self) -> Reconciled:
        """Releases held runs whose action is back, and asks again what cannot be answered as it was asked."""
        released = [run.id for run in await self._held() if await self._release(run)]
        pending = await self._store.pending()
        missing = tuple(card.run.id for card in pending if self._action_of(card) is None)
        again = [card.run.id for card in pending if await self._ask_again(card)]
        found = Reconciled(tuple(released), tuple(again), missing)
        if released or again or missing:
            log.info("reconciled", released=released, asked_again=again, without_action=missing)
        return found

    async def _held(self) -> list[RunRecord]:
        found: list[RunRecord] = []
        filters = RunFilters(statuses=frozenset({RunStatus.HELD}))
        while page := await self._store.runs(filters, limit=PAGE, before=found[-1].id if found else None):
            found += page
        return found

    async def _release(self, run: RunRecord) -> bool:
        action = self._registry.executed(run.action_id)
        if action is None or not takes_input(action, run.input):
            return False
        return await self._store.release(run.id, now=self._now()) is not None

    async def _ask_again(self, card: Card) -> bool:
        action = self._action_of(card)
        if action is None or still_fits(action, card.run, card.interrupt):
            return False
        request = asked_again(action, card.interrupt)
        if request is None or not may_ask_again(action, card.run, card.interrupt):
            return False
        policy, copies = await self._addresses.of(request.policy, card.run.requester)
        asked = await self._store.supersede(
            card.interrupt.id,
            request=replace(request, policy=policy),
            because=CHANGED,
            copies=copies,
            hindrance=self._addresses.hindrance(policy, copies),
            now=self._now(),
        )
        return asked is not None

    def _action_of(self, card: Card) -> Action | None:
        action = asker_of(self._registry, card.run, card.interrupt)
        return None if action is None else bound_to(action, card.run, card.interrupt)

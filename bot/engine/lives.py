"""One run for one person: found by its id or the beginning of it, and told to those whom it concerns."""

from collections.abc import Collection
from dataclasses import replace
from difflib import get_close_matches

from actions.kit.cards import kind_of, kinds
from actions.kit.policies.policy import Allowed
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from actions.kit.request import knows
from blocks.life import NOTHING, Life, Missing
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.questions import asker_of
from bot.engine.results import Refusal, Why
from storage.results import RunFilters
from storage.store import Store

SHORTEST = 6
"""Characters that may stand for a whole id: with fewer, one could look around."""
ALIKE = 200
"""Waiting runs of one requester that are looked through for equal ones."""


class Lives:
    """Its requester, those who decide it or did, and operators may read a run. `operators` are ids."""

    def __init__(self, store: Store, registry: Registry, entitlement: Entitlement, operators: Collection[str]) -> None:
        self._store = store
        self._registry = registry
        self._entitlement = entitlement
        self._operators = frozenset(operators)

    async def of(self, given: str, person: str) -> Life | Refusal:
        """The run of this id, or the only one that begins so; or why it is not told.

        Who gives only the beginning of an id, and may not read the run, is not told that there is one.
        """
        run = await self._found(given.strip().lower())
        if not isinstance(run, RunRecord):
            return run
        cards = await self._store.cards(run.id)
        refusal = await self._refusal(run, cards, person)
        if refusal is not None:
            hidden = refusal.why is Why.NOT_ALLOWED and run.id != given.strip().lower()
            return Refusal(refusals.unknown_run(given), why=Why.UNKNOWN) if hidden else refusal
        return await life_of(self._store, self._registry, run)

    async def _found(self, wanted: str) -> RunRecord | Refusal:
        run = await self._store.run(wanted) if wanted else None
        if run is not None:
            return run
        is_short = wanted.isalnum() and len(wanted) >= SHORTEST
        found = await self._store.runs(RunFilters(id_begins=wanted), limit=2) if is_short else ()
        if len(found) > 1:
            return Refusal(refusals.several_runs(wanted), why=Why.UNKNOWN)
        return found[0] if found else Refusal(refusals.unknown_run(wanted), why=Why.UNKNOWN)

    async def _refusal(self, run: RunRecord, cards: tuple[Card, ...], person: str) -> Refusal | None:
        decided = {voice for card in cards for voice in card.voices}
        if person in {*run.requesters, *decided, *self._operators}:
            return None
        budget = Budget()
        verdicts = [await self._entitlement.to_see(card, person, budget) for card in cards]
        if any(isinstance(verdict, Allowed) for verdict in verdicts):
            return None
        unsure = next((each for each in verdicts if isinstance(each, NotVerified) and not each.nobody), None)
        return unsure.refusal() if unsure else Refusal(refusals.NOT_TO_SEE)


async def life_of(store: Store, registry: Registry | None, run: RunRecord) -> Life:
    """Everything that belongs to a run. Without a registry it is not told what the code at hand lacks."""
    life = Life(
        run,
        await store.cards(run.id),
        await store.trail(run.id),
        await store.calls.of_run(run.id),
        await store.copies(run.id),
    )
    waits = life.pending
    if waits is None:
        return life
    missing = missing_of(registry, waits) if registry else NOTHING
    return replace(life, same=await _same(store, run), missing=missing)


def missing_of(registry: Registry, card: Card) -> Missing:
    """What a waiting question needs, and the code at hand does not have."""
    interrupt = card.interrupt
    action = asker_of(registry, card.run, interrupt)
    ui = interrupt.ui if interrupt.ui and kind_of(interrupt.ui) is None else None
    similar = get_close_matches(ui, [kind.ui for kind in kinds()], n=1) if ui else []
    return Missing(
        action=None if action else card.asker_id,
        answer=action is not None and not knows(action, interrupt),
        ui=ui,
        similar=next(iter(similar), None),
    )


async def _same(store: Store, run: RunRecord) -> tuple[RunRecord, ...]:
    """Other requests of the same person for the same, that wait as well."""
    filters = RunFilters(statuses=frozenset({RunStatus.WAITING}), action_id=run.action_id, requester=run.requester)
    found = await store.runs(filters, limit=ALIKE)
    return tuple(other for other in found if other.id != run.id and other.input == run.input)

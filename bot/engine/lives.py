"""One run for one person: found by its id or the beginning of it, and told to those whom it concerns."""

from collections.abc import Collection
from dataclasses import dataclass

from actions.kit.policy import Allowed
from actions.kit.records import AuditRecord, Card, RunRecord
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.results import Refusal, Why
from storage.results import RunFilters
from storage.store import Store

SHORTEST = 6
"""Characters that may stand for a whole id: with fewer, one could look around."""


@dataclass(frozen=True, slots=True)
class Life:
    """A run with its questions, in their order, and everything that happened to it."""

    run: RunRecord
    cards: tuple[Card, ...]
    trail: tuple[AuditRecord, ...]


class Lives:
    """Its requester, those who decide it or did, and operators may read a run. `operators` are ids."""

    def __init__(self, store: Store, entitlement: Entitlement, operators: Collection[str]) -> None:
        self._store = store
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
        return Life(run, cards, await self._store.trail(run.id))

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
        decided = {decision.person for card in cards for decision in card.decisions}
        if person in {run.requester, *decided, *self._operators}:
            return None
        budget = Budget()
        verdicts = [await self._entitlement.to_see(card, person, budget) for card in cards]
        if any(isinstance(verdict, Allowed) for verdict in verdicts):
            return None
        unsure = next((each for each in verdicts if isinstance(each, NotVerified) and not each.nobody), None)
        return unsure.refusal() if unsure else Refusal(refusals.NOT_TO_SEE)

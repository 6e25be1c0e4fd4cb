"""Who may read a run: its requester, those who decide it or did, and operators. For all others it is not there."""

from collections.abc import Collection, Iterable

from actions.kit.policies.policy import Allowed
from actions.kit.policies.tally import has_answered
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord
from bot.api import problems
from bot.api.authentication import Caller
from bot.engine.facts import Budget, Entitlement, NotVerified
from storage.store import Store

LOOKING_UP = 5.0
"""Seconds for which one request may look people up, of however many questions. Programs wait longer than Slack."""


class Access:
    """What a caller may see. `operators` are the ids of `SIGNOFF_ADMINS`."""

    def __init__(self, store: Store, entitlement: Entitlement, operators: Collection[str]) -> None:
        self._store = store
        self._entitlement = entitlement
        self._operators = frozenset(operators)

    def is_operator(self, caller: Caller) -> bool:
        return caller.person in self._operators

    async def run(self, run_id: str, caller: Caller) -> tuple[RunRecord, tuple[Card, ...]]:
        """A run and its questions. Raises `ProblemError`: 404 for what is not there or not to be seen."""
        run = await self._store.run(run_id)
        if run is None or not caller.may_touch(run.action_id):
            raise problems.not_found("run of this id")
        cards = await self._store.cards(run_id)
        await self._check(run, cards, caller, "run of this id")
        return run, cards

    async def settled(self, card: Card, caller: Caller) -> None:
        """Raises `ProblemError` where the caller may not even know how a question was settled."""
        await self._check(card.run, (card,), caller, "interrupt of this id")

    async def sees(self, card: Card, caller: Caller, budget: Budget) -> bool:
        """Whether to list a question; what cannot be told now is left out."""
        if self._is_insider(card.run, (card,), caller):
            return True
        return isinstance(await self._entitlement.to_see(card, caller.person, budget), Allowed)

    async def may_answer(self, card: Card, caller: Caller, budget: Budget) -> bool:
        match await self._entitlement.to_answer(card, caller.person, budget):
            case Allowed(standing_for):
                return not has_answered(card, caller.person, standing_for)
            case _:
                return False

    async def _check(self, run: RunRecord, cards: Iterable[Card], caller: Caller, what: str) -> None:
        cards = tuple(cards)
        if self._is_insider(run, cards, caller):
            return
        budget = Budget(LOOKING_UP)
        verdicts = [await self._entitlement.to_see(card, caller.person, budget) for card in cards]
        if any(isinstance(verdict, Allowed) for verdict in verdicts):
            return
        unsure = next((each for each in verdicts if isinstance(each, NotVerified) and not each.nobody), None)
        raise problems.of_refusal(unsure.refusal()) if unsure else problems.not_found(what)

    def _is_insider(self, run: RunRecord, cards: Iterable[Card], caller: Caller) -> bool:
        if caller.person in run.requesters or self.is_operator(caller):
            return True
        return any(caller.person in card.voices for card in cards)

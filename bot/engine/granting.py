"""Which standing grants concern somebody, and how one is revoked."""

from collections.abc import Callable, Collection
from datetime import datetime

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.policy import Allowed
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement
from bot.engine.results import GrantRevoked, Refusal, Why
from storage.store import Store


class StandingGrants:
    """A grant concerns its holder, who approved it, who may decide about it, and operators: each of them may revoke it."""

    def __init__(
        self, *, store: Store, entitlement: Entitlement, operators: Collection[str], now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._entitlement = entitlement
        self._operators = frozenset(operators)
        self._now = now

    async def of(self, person: str) -> tuple[GrantRecord, ...]:
        """Those that can be used, those that end soonest first. What Slack does not tell in time is left out."""
        budget = Budget()
        found = await self._store.grants.live(now=self._now())
        return tuple([each for each in found if await self._concerns(each, person, budget)])

    async def revoke(self, grant_id: str, person: str, *, via: str = "slack") -> GrantRevoked | Refusal:
        """From the next pause on. One that was revoked or is over is told so."""
        grant = await self._store.grants.get(grant_id)
        if grant is None:
            return Refusal(refusals.NO_GRANT, why=Why.UNKNOWN)
        if not await self._concerns(grant, person, Budget()):
            return Refusal(refusals.NOT_YOUR_GRANT)
        if not grant.is_live(self._now()):
            return Refusal(refusals.GRANT_OVER, why=Why.ENDED)
        revoked = await self._store.grants.revoke(grant_id, person=person, via=via, now=self._now())
        if revoked is None:
            return Refusal(refusals.NO_GRANT, why=Why.UNKNOWN)
        return GrantRevoked(revoked) if revoked.revoked_at else Refusal(refusals.GRANT_OVER, why=Why.ENDED)

    async def end_past(self) -> int:
        """Ends those whose time has passed; how many."""
        return await self._store.grants.end_past(now=self._now())

    async def _concerns(self, grant: GrantRecord, person: str, budget: Budget) -> bool:
        if person in {grant.holder, *grant.approved_by, *self._operators}:
            return True
        card = await self._store.grants.approval(grant.id)
        return card is not None and isinstance(await self._entitlement.to_see(card, person, budget), Allowed)

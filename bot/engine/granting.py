"""Which standing grants concern somebody, and how one is revoked."""

from collections.abc import Callable, Collection
from datetime import datetime

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.policy import Allowed
from bot.engine import refusals
from bot.engine.facts import Budget, Entitlement, NotVerified
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

    async def of(
        self, person: str, budget: Budget | None = None, *, wanted: Callable[[GrantRecord], bool] = bool
    ) -> tuple[GrantRecord, ...]:
        """Those that can be used, those that end soonest first. What Slack does not tell in time is left out."""
        budget = budget or Budget()
        found = filter(wanted, await self._store.grants.live(now=self._now()))
        return tuple([each for each in found if await self._refusal(each, person, budget) is None])

    async def one(self, grant_id: str, person: str, budget: Budget | None = None) -> GrantRecord | Refusal:
        """One that concerns a person, whether or not it can still be used."""
        grant = await self._store.grants.get(grant_id)
        if grant is None:
            return Refusal(refusals.NO_GRANT, why=Why.UNKNOWN)
        return await self._refusal(grant, person, budget or Budget()) or grant

    async def revoke(self, grant_id: str, person: str, *, via: str = "slack") -> GrantRevoked | Refusal:
        """From the next pause on. One that was revoked or is over is told so."""
        grant = await self.one(grant_id, person)
        if isinstance(grant, Refusal):
            return grant
        if not grant.is_live(self._now()):
            return Refusal(refusals.GRANT_OVER, why=Why.ENDED)
        revoked = await self._store.grants.revoke(grant_id, person=person, via=via, now=self._now())
        if revoked is None:
            return Refusal(refusals.NO_GRANT, why=Why.UNKNOWN)
        return GrantRevoked(revoked) if revoked.revoked_at else Refusal(refusals.GRANT_OVER, why=Why.ENDED)

    async def end_past(self) -> int:
        """Ends those whose time has passed; how many."""
        return await self._store.grants.end_past(now=self._now())

    async def _refusal(self, grant: GrantRecord, person: str, budget: Budget) -> Refusal | None:
        """Why a grant is not this person's to see and revoke; `None`: it concerns them."""
        if person in {grant.holder, *grant.approved_by, *self._operators}:
            return None
        card = await self._store.grants.approval(grant.id)
        match card and await self._entitlement.to_see(card, person, budget):
            case Allowed():
                return None
            case NotVerified(nobody=False) as not_verified:
                return not_verified.refusal()
            case _:
                return Refusal(refusals.NOT_YOUR_GRANT)

"""What the bot's own actions are lent: the doors through which they give a grant, or tell of a review, from the actions' loop."""

from collections.abc import Callable
from datetime import datetime

from actions.kit.policies.glass_review import Reviewing
from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.policies.standing_grant import Granting
from storage.store import Store


class GivingGrants(Granting):
    """Nothing but a run and its epoch is taken from the action: who approved it, and for whom, the rows say."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def give(self, run_id: str, epoch: int, terms: GrantTerms) -> GrantRecord:
        grant = await self._store.grants.give(run_id, epoch, terms, now=self._now())
        if grant is None:
            raise LookupError(f"no grant was approved in this execution of the run {run_id}")
        return grant


class ReviewedGlass(Reviewing):
    """The same for a review: what was reviewed, the run's own input says, which the bot wrote."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def tell(self, run_id: str, epoch: int, *, was_right: bool) -> None:
        await self._store.emergencies.reviewed(run_id, epoch, was_right=was_right, now=self._now())

"""Stories of standing grants: asked for, approved like anything else, used up, narrowed by the policies of today, revoked."""

from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import rule

from actions.kit.policies.standing_grant import STANDING_GRANT
from blocks.clicks import Order
from bot.engine.results import GrantRevoked, Refusal
from storage.results import Started
from tests.integration.deciding.answering import Answering
from tests.integration.deciding.grants import Grant, Wish
from tests.integration.deciding.policies import VERSIONS
from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import DAY
from tests.integration.deciding.stories import AMOUNTS, LUCK, RUNS, Followed
from tests.integration.deciding.town import EVERYBODY, FULL, OPS
from tests.integration.engine_room import BOT, RITA, VIA, sources

OFFERING = tuple(name for name, versions in VERSIONS.items() if any(each.offer for each in versions))

NOBODY = "Nobody could settle its question"


class Granting(Answering):
    """What one allows is answered as it is asked, never more often than it says."""

    @rule(luck=LUCK, action=st.sampled_from(OFFERING), person=st.sampled_from([RITA, *FULL]))
    def somebody_is_granted_something(self, luck: Random, action: str, person: str) -> None:
        """Where it is offered, asked for within what is offered, and where some of those who decide about it agree."""
        offer = self.today_of(action).offer
        if offer is None or len(self.runs) >= RUNS:
            return
        amount = luck.choice([None, *AMOUNTS]) if offer.by_amount else None
        wish = Wish(action, luck.choice([30, offer.lasts]), luck.randint(1, offer.times), amount)
        followed = self.do(self.asked_in_advance(person, wish))
        while followed and (able := self.able(followed)) and luck.randrange(6):
            self.do(self.answered(followed, luck.choice(able), "approve", "click"))

    async def asked_in_advance(self, person: str, wish: Wish) -> Followed | None:
        what = {"action": wish.action, "hours": wish.lasts / 60, "times": wish.times}
        what |= {} if wish.amount is None else {"where_amount": str(wish.amount)}
        raw = {"what": what, "reason": "An incident"}
        started = await self.room.runner.start(STANDING_GRANT, raw, requester=person, origin=VIA)
        may = person not in self.world.left and not self.world.is_down
        assert may or not isinstance(started, Started)
        assert not may or isinstance(started, Started) or NOBODY in str(started), started
        if not isinstance(started, Started):
            return None
        rules = self.today_of(wish.action).in_advance()
        request = Request(self.world, [person], "expired", DAY, rules, 0)
        followed = Followed(started.run.id, wish.action, f"grant {len(self.runs)}", request, wish, asking=[person])
        self.runs.append(followed)
        await self.settle_down(followed)
        return followed if followed.request.end == "open" else None

    def live(self) -> list[Grant]:
        return [each for each in self.grants.values() if each.is_live(self.world.minute)]

    @rule(luck=LUCK)
    def its_holder_asks_for_what_it_allows(self, luck: Random) -> None:
        """And again, and then for something else."""
        for _ in range(luck.randint(1, 3)):
            if self.live() and len(self.runs) < RUNS:
                grant = luck.choice(self.live())
                amount = luck.choice([grant.wish.amount or AMOUNTS[0], *AMOUNTS])
                self.do(self.begun(grant.holder, grant.wish.action, amount))

    @rule(luck=LUCK, person=st.sampled_from([*EVERYBODY, OPS]))
    def somebody_revokes(self, luck: Random, person: str) -> None:
        if self.grants:
            grant = luck.choice(list(self.grants.values()))
            self.do(self.revoked(grant, luck.choice([person, grant.holder, *grant.approved_by])))

    async def revoked(self, grant: Grant, person: str) -> None:
        """Its holder, who approved it, and operators may; so may who decides about it, and never a bot."""
        order = Order("revoke", grant.id, 1, None, person, "t", None, "C0APP", f"click:{next(sources)}")
        result = await self.room.runner.order(order)
        if not grant.is_live(self.world.minute) or person == BOT:
            assert isinstance(result, Refusal), result
        elif person in {grant.holder, *grant.approved_by, OPS}:
            assert isinstance(result, GrantRevoked), result
        grant.revoked |= isinstance(result, GrantRevoked)

"""Stories of standing grants: asked for, approved like anything else, used up, narrowed by the policies of today, revoked."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from actions.kit.policies.standing_grant import STANDING_GRANT
from blocks.clicks import Order
from bot.engine.results import GrantRevoked, Refusal
from storage.results import Started
from tests.integration.deciding.answering import Answering
from tests.integration.deciding.grants import Grant, Wish
from tests.integration.deciding.policies import VERSIONS
from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import DAY
from tests.integration.deciding.stories import AMOUNTS, RUNS, Followed
from tests.integration.deciding.town import EVERYBODY, FULL, OPS
from tests.integration.engine_room import BOT, RITA, VIA, sources

OFFERING = tuple(name for name, versions in VERSIONS.items() if any(each.offer for each in versions))

NOBODY = "Nobody could settle its question"


class Granting(Answering):
    """What one allows is answered as it is asked, never more often than it says."""

    @rule(data=st.data(), action=st.sampled_from(OFFERING), person=st.sampled_from([RITA, *FULL]))
    def somebody_is_granted_something(self, data: st.DataObject, action: str, person: str) -> None:
        """Where it is offered, asked for within what is offered, and where some of those who decide about it agree."""
        offer = self.today_of(action).offer
        if offer is None or len(self.runs) >= RUNS:
            return
        amount = data.draw(st.sampled_from([None, *AMOUNTS])) if offer.by_amount else None
        lasts, times = data.draw(st.sampled_from([30, offer.lasts])), data.draw(st.integers(1, offer.times))
        followed = self.do(self.asked_in_advance(person, Wish(action, lasts, times, amount)))
        while followed and (able := self.able(followed)) and data.draw(st.integers(0, 5)):
            self.do(self.answered(followed, data.draw(st.sampled_from(able)), "approve", "click"))

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

    @precondition(lambda self: bool(self.live()))
    @rule(data=st.data())
    def its_holder_asks_for_what_it_allows(self, data: st.DataObject) -> None:
        """And again, and then for something else."""
        grant = data.draw(st.sampled_from(self.live()))
        for amount in data.draw(
            st.lists(st.sampled_from([grant.wish.amount or AMOUNTS[0], *AMOUNTS]), min_size=1, max_size=3)
        ):
            if len(self.runs) < RUNS:
                self.do(self.begun(grant.holder, grant.wish.action, amount))

    @precondition(lambda self: bool(self.grants))
    @rule(data=st.data(), person=st.sampled_from([*EVERYBODY, OPS]))
    def somebody_revokes(self, data: st.DataObject, person: str) -> None:
        grant = data.draw(st.sampled_from(list(self.grants.values())))
        self.do(self.revoked(grant, data.draw(st.sampled_from([person, grant.holder, *grant.approved_by]))))

    async def revoked(self, grant: Grant, person: str) -> None:
        """Its holder, who approved it, and operators may; so may who decides about it, and never a bot."""
        order = Order("revoke", grant.id, 1, None, person, "t", None, "C0APP", f"click:{next(sources)}")
        result = await self.room.runner.order(order)
        if not grant.is_live(self.world.minute) or person == BOT:
            assert isinstance(result, Refusal), result
        elif person in {grant.holder, *grant.approved_by, OPS}:
            assert isinstance(result, GrantRevoked), result
        grant.revoked |= isinstance(result, GrantRevoked)

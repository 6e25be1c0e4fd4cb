"""What a standing grant allows, as docs/grants.md says it, as the model has it."""

from dataclasses import dataclass

from tests.integration.deciding.request import Request
from tests.integration.deciding.rules import DAY, Rules


@dataclass(frozen=True)
class Wish:
    """What is asked for in advance: of which action, for so many minutes, so often, of this amount alone, if of one."""

    action: str
    lasts: int
    times: int
    amount: int | None


@dataclass
class Grant:
    """`approval` is the request by which it was given, with its votes."""

    id: str
    wish: Wish
    approval: Request
    given_at: int
    used: int = 0
    revoked: bool = False

    @property
    def holder(self) -> str:
        return self.approval.requesters[0]

    @property
    def approved_by(self) -> list[str]:
        return [each.person for each in self.approval.votes if each.choice == "approve"]

    def is_live(self, minute: int) -> bool:
        return not self.revoked and self.used < self.wish.times and minute - self.given_at < self.wish.lasts

    def allows(self, requester: str, action: str, amount: int, today: Rules) -> bool:
        """Whether it is meant for such a run, and one more is left."""
        wish = self.wish
        if (requester, action) != (self.holder, wish.action) or wish.amount not in {None, amount}:
            return False
        return self.left_of(today) > 0 and self._holds(today)

    def left_of(self, today: Rules) -> int:
        """How many runs it allows now, in the bounds of the policy of today."""
        offer, wish = today.offer, self.wish
        if offer is None or self.revoked or (wish.amount is not None and not offer.by_amount):
            return 0
        is_over = self.approval.world.minute - self.given_at >= min(wish.lasts, offer.lasts)
        return 0 if is_over else max(0, min(wish.times, offer.times) - self.used)

    def _holds(self, today: Rules) -> bool:
        """Where others decide by now, the votes that approved it must approve it by the rules of today."""
        if today.deciders_alone() == self.approval.asked_under.deciders_alone():
            return True
        request = Request(self.approval.world, [self.holder], "expired", DAY, today.in_advance(), 0)
        for vote in self.approval.votes:
            request.vote_again(vote)
        return request.end == "approved"

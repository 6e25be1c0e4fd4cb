"""What is kept of standing grants, as frozen values: what was granted, and how one was used."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from actions.kit.frozen import Frozen


class GrantTerms(Frozen):
    """What was asked for and approved: of which action, for how long from then, how often, for which inputs.

    `where` are patterns by field of the input; what it does not name may be anything. `action_name` is as it was then,
    and `policy` the fingerprint of who had to approve it.
    """

    action_id: str
    action_name: str
    where: dict[str, str] = Field(default_factory=dict)
    lasts: timedelta
    times: int
    policy: str = ""


class Granted(Frozen):
    """Written with a question that a standing grant settled: who had approved it, and which of so many uses this was."""

    grant_id: str
    approved_by: tuple[str, ...]
    used: int
    times: int
    until: datetime


class GrantStatus(StrEnum):
    """How a standing grant stands: whoever revokes one that is used up or past its end changes nothing."""

    IN_FORCE = "in_force"
    USED_UP = "used_up"
    REVOKED = "revoked"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GrantRecord:
    """What a holder may do without being asked. `id` is that of the run that asked for it, of which there is one grant."""

    id: str
    holder: str
    terms: GrantTerms
    approved_by: tuple[str, ...]
    granted_at: datetime
    until: datetime
    used: int = 0
    revoked_at: datetime | None = None
    revoked_by: str | None = None

    def status(self, now: datetime) -> GrantStatus:
        if self.revoked_at is not None:
            return GrantStatus.REVOKED
        if self.used >= self.terms.times:
            return GrantStatus.USED_UP
        return GrantStatus.IN_FORCE if self.until > now else GrantStatus.OVER

    def is_live(self, now: datetime) -> bool:
        """Whether it is neither revoked nor used up, and its time has not passed."""
        return self.status(now) is GrantStatus.IN_FORCE

"""How a policy keeps a question from being forgotten: reminders, and a warning before its time is up."""

from datetime import timedelta

from pydantic import Field

from actions.kit.frozen import Frozen

SHORTEST = timedelta(minutes=1)
"""The shortest time that a policy says in figures."""
LONGEST = timedelta(days=3650)
"""The longest that a question may wait with a deadline; longer is `Never`."""


class Every(Frozen):
    """Reminders, made by `every(hours=2, backoff=2, at_most=5)`: each pause is `backoff` times as long as the one before."""

    interval: timedelta
    backoff: float = Field(default=1, ge=1, le=10)
    at_most: int = Field(default=5, ge=1, le=100)

    def pause_before(self, number: int) -> timedelta | None:
        """How long before the reminder of this number, from 1, counted from the one before it or from the question.

        `None`: it never comes, as there are no more, or it would be longer than anything waits.
        """
        longer = self.backoff ** (number - 1)
        if number > self.at_most or longer * self.interval.total_seconds() > LONGEST.total_seconds():
            return None
        return self.interval * longer


class Warn(Frozen):
    """A warning when this fraction of the time has passed: `Warn(at=0.8, extend_by=timedelta(hours=4), at_most=1)`.

    With `extend_by` those who may decide are offered so much more time, `at_most` so many times.
    """

    at: float = Field(default=0.8, gt=0, lt=1)
    extend_by: timedelta | None = None
    at_most: int = Field(default=1, ge=1, le=100)


def every(*, days: float = 0, hours: float = 0, minutes: float = 0, backoff: float = 1, at_most: int = 5) -> Every:
    """Reminders of those who must act; the first so long after the question is asked."""
    return Every(interval=timedelta(days=days, hours=hours, minutes=minutes), backoff=backoff, at_most=at_most)

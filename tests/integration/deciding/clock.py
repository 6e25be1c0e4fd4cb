"""The time of one question, as the model has it: its deadline, and what happens by itself before that. Moments are minutes."""

from dataclasses import dataclass, field, replace

from tests.integration.deciding.rules import DAY, Rules

PATIENCE = 3 * DAY
"""How long a clock stands without a reply."""
HALF_A_MINUTE = 0.5


@dataclass
class Clock:
    """Of the stage that is asked. What is due by itself happens when somebody sweeps."""

    rules: Rules
    deadline: float
    warns_at: float | None
    escalates_at: dict[int, float]
    warned: bool = False
    extended: int = 0
    escalated: set[int] = field(default_factory=set)
    stands_since: float | None = None

    @classmethod
    def started(cls, rules: Rules, minute: int, lasts: int) -> "Clock":
        escalates_at = {number: float(minute + each.wait) for number, each in enumerate(rules.later, 1)}
        clock = cls(rules, minute + lasts, None, escalates_at)
        clock._warn_later(minute)
        return clock

    def copied(self) -> "Clock":
        return replace(self, escalates_at=dict(self.escalates_at), escalated=set(self.escalated))

    def is_over(self, minute: float) -> bool:
        return self.stands_since is None and minute >= self.deadline

    def stand(self, minute: float) -> None:
        if self.stands_since is None:
            self.stands_since = minute

    def go_on(self, minute: float) -> None:
        """All that was to come waits as long as the clock stood."""
        if self.stands_since is None:
            return
        stood, self.stands_since = minute - self.stands_since, None
        self.deadline += stood
        self.warns_at = None if self.warns_at is None else self.warns_at + stood
        self.escalates_at = {number: due + stood for number, due in self.escalates_at.items()}

    @property
    def may_be_extended(self) -> bool:
        warned = self.rules.warned
        is_offered = self.warned and self.stands_since is None
        return is_offered and warned is not None and self.extended < warned.at_most

    def extend(self, minute: float) -> None:
        """Once after each warning."""
        self.deadline += self.rules.warned.more if self.rules.warned else 0
        self.extended, self.warned = self.extended + 1, False
        self._warn_later(minute)

    def sweep(self, minute: float) -> list[int]:
        """What is due happens; the escalations that are due now, by number."""
        if self.stands_since is not None and minute >= self.stands_since + PATIENCE:
            self.go_on(minute)
        if self.stands_since is not None or self.is_over(minute):
            return []
        if self.warns_at is not None and minute >= self.warns_at:
            self.warned, self.warns_at = True, None
        return [number for number, due in self.escalates_at.items() if minute >= due]

    def escalate(self, number: int) -> None:
        del self.escalates_at[number]
        self.escalated.add(number)

    def put_off(self, number: int, minute: float) -> None:
        """It waits for those whom it cannot tell of it."""
        self.escalates_at[number] = minute + HALF_A_MINUTE

    def _warn_later(self, minute: float) -> None:
        warned = self.rules.warned
        self.warns_at = minute + (self.deadline - minute) * warned.at if warned else None

"""What happens by itself while a question waits: reminders, a warning, escalations. When each is due, and what it changes.

Pure: every moment is passed in, aware. A step whose moment is after the deadline comes where it is extended, else never.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from actions.kit.frozen import Frozen
from actions.kit.policies.deciders import Decider, Needs, Policy
from actions.kit.policies.hours import elapsed, later
from actions.kit.policies.remarks import PAUSES
from actions.kit.records.interrupts import InterruptRecord


class StepKind(StrEnum):
    """What a step does."""

    REMIND = "remind"
    WARN = "warn"
    ESCALATE = "escalate"
    LAPSE = "lapse"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Step:
    """One of them; of its kind it is the one of this number, from 1."""

    kind: StepKind
    number: int
    due_at: datetime


class StepNotice(Frozen):
    """What a step tells in Slack, and the ids of those whom it calls, as far as they were found.

    `standing_in` are those of them whom it calls only in the place of somebody who is away.
    """

    kind: StepKind
    number: int
    people: tuple[str, ...] = ()
    standing_in: tuple[str, ...] = ()


def more_time(interrupt: InterruptRecord) -> timedelta | None:
    """How much more time those who may decide are offered: once after each warning, as often as the policy says."""
    warn = interrupt.policy.warn
    if warn is None or interrupt.warned_at is None or interrupt.paused_at is not None:
        return None
    if interrupt.extended >= warn.at_most:
        return None
    return warn.extend_by


def extended_until(interrupt: InterruptRecord) -> datetime | None:
    """The deadline with that; `None` where none is offered."""
    more = more_time(interrupt)
    if more is None or interrupt.expires_at is None:
        return None
    return later(interrupt.expires_at, more, interrupt.policy.hours)


WHILE_PAUSED = (StepKind.LAPSE, StepKind.RESUME)
"""What happens also while the clock of a question stands: a claim lapses, and the clock goes on."""


def is_paced(policy: Policy) -> bool:
    """Whether anything at all happens by itself."""
    by_the_clock = policy.remind is not None or policy.warn is not None or bool(policy.escalate)
    return by_the_clock or policy.claim_for is not None or policy.may_ask == PAUSES


def first_steps(policy: Policy, began: datetime, expires_at: datetime | None) -> tuple[Step, ...]:
    """Those of a stage whose clock began then: the first reminder, the warning, and each escalation."""
    escalations = (
        Step(StepKind.ESCALATE, number, later(began, each.wait, policy.hours))
        for number, each in enumerate(policy.escalate, 1)
    )
    found = (reminder(policy, 1, began), warning(policy, 1, began, expires_at), *escalations)
    return tuple(step for step in found if step is not None)


def reminder(policy: Policy, number: int, since: datetime) -> Step | None:
    """The reminder of this number, counted from the one before it."""
    pause = policy.remind.pause_before(number) if policy.remind else None
    return None if pause is None else Step(StepKind.REMIND, number, later(since, pause, policy.hours))


def warning(policy: Policy, number: int, since: datetime, expires_at: datetime | None) -> Step | None:
    """When the set fraction of the time between the two has passed."""
    if policy.warn is None or expires_at is None:
        return None
    passed = elapsed(since, expires_at, policy.hours) * policy.warn.at
    return Step(StepKind.WARN, number, later(since, passed, policy.hours))


def escalated(policy: Policy, number: int) -> Policy:
    """The policy after its escalation of this number, from 1, in the stage that is asked; as it is where that was before.

    Whoever is added counts as those who are there do; where several needs are to be filled, for any of them.
    """
    if number in policy.escalated or number > len(policy.escalate):
        return policy
    to = policy.escalate[number - 1].to
    added: dict[str, Any] = {"deciders": _with(policy.deciders, to), "escalated": (*policy.escalated, number)}
    if policy.stage:
        at = policy.stage - 1
        stage = policy.stages[at].model_copy(update={"deciders": _with(policy.stages[at].deciders, to)})
        added["stages"] = (*policy.stages[:at], stage, *policy.stages[at + 1 :])
    return policy.model_copy(update=added)


def escalated_as(policy: Policy, other: Policy) -> Policy:
    """The policy after the escalations that the other one had, as far as it has them itself."""
    for number in other.escalated:
        policy = escalated(policy, number)
    return policy


def _with(deciders: tuple[Decider | Needs, ...], to: tuple[Decider, ...]) -> tuple[Decider | Needs, ...]:
    if not any(isinstance(each, Needs) for each in deciders):
        return tuple(dict.fromkeys((*deciders, *to)))
    return tuple(
        each.model_copy(update={"of": tuple(dict.fromkeys((*each.of, *to)))}) if isinstance(each, Needs) else each
        for each in deciders
    )

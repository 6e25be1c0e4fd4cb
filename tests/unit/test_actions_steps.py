"""What happens by itself while a question waits: when it is due, and whom an escalation adds."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions import Group, Hours, Needs, Person, Policy, Stage, Warn, after, every
from actions.kit.policies.deciders import Decider
from actions.kit.policies.policy import those
from actions.kit.policies.stages import begun, counterparts, entered
from actions.kit.policies.steps import Step, StepKind, escalated, first_steps, reminder, warning

BEGAN = datetime(2026, 12, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANN, CFO = Person("U0ANN"), Person("U0CFO")
LEADS = Group("leads")


def due(policy: Policy, expires_in: timedelta | None = 10 * HOUR) -> dict[tuple[StepKind, int], timedelta]:
    expires_at = None if expires_in is None else BEGAN + expires_in
    return {(each.kind, each.number): each.due_at - BEGAN for each in first_steps(policy, BEGAN, expires_at)}


def test_a_stage_begins_with_its_first_reminder_its_warning_and_each_escalation():
    policy = Policy(
        deciders=ANN,
        remind=every(hours=2),
        warn=Warn(at=0.8),
        escalate=(after(hours=4, to=LEADS), after(hours=6, to=CFO)),
    )
    assert due(policy) == {
        (StepKind.REMIND, 1): 2 * HOUR,
        (StepKind.WARN, 1): 8 * HOUR,
        (StepKind.ESCALATE, 1): 4 * HOUR,
        (StepKind.ESCALATE, 2): 6 * HOUR,
    }


def test_nothing_happens_by_itself_where_a_policy_does_not_say_so():
    assert due(Policy(deciders=ANN)) == {}
    assert due(Policy(deciders=ANN, warn=Warn()), None) == {}


def test_reminders_come_ever_more_slowly_and_then_no_more():
    policy = Policy(deciders=ANN, remind=every(hours=2, backoff=2, at_most=3))
    at, pauses = BEGAN, []
    number = 1
    while step := reminder(policy, number, at):
        pauses.append(step.due_at - at)
        at, number = step.due_at, number + 1
    assert pauses == [2 * HOUR, 4 * HOUR, 8 * HOUR]


def test_a_reminder_that_would_come_after_the_end_of_the_calendar_never_comes():
    policy = Policy(deciders=ANN, remind=every(days=300, backoff=10, at_most=100))
    assert reminder(policy, 2, BEGAN) == Step(StepKind.REMIND, 2, BEGAN + timedelta(days=3000))
    assert [reminder(policy, number, BEGAN) for number in (3, 100)] == [None, None]


def test_business_hours_count_alone():
    hours = Hours("UTC", opens="09:00", closes="17:00")
    policy = Policy(deciders=ANN, remind=every(hours=9), warn=Warn(at=0.5), hours=hours)
    tomorrow = timedelta(days=1) + 4 * HOUR
    assert due(policy, timedelta(days=1) + 8 * HOUR) == {
        (StepKind.REMIND, 1): timedelta(days=1) + HOUR,
        (StepKind.WARN, 1): 8 * HOUR,
    }
    moved = warning(policy, 2, BEGAN + timedelta(days=1), BEGAN + timedelta(days=1) + 8 * HOUR)
    assert moved is not None
    assert moved.due_at - BEGAN == tomorrow


@given(at=st.floats(0.01, 0.99), length=st.timedeltas(timedelta(minutes=1), timedelta(days=90)))
def test_a_warning_always_comes_before_the_deadline(at: float, length: timedelta):
    step = warning(Policy(deciders=ANN, warn=Warn(at=at)), 1, BEGAN, BEGAN + length)
    assert step is not None
    assert BEGAN <= step.due_at < BEGAN + length


@pytest.mark.parametrize(
    ("deciders", "wanted"),
    [
        (ANN, (ANN, CFO)),
        ((ANN, CFO), (ANN, CFO)),
        ((Needs(1, ANN), Needs(2, LEADS)), (Needs(1, ANN, CFO), Needs(2, LEADS, CFO))),
    ],
)
def test_an_escalation_adds_to_those_who_decide(deciders: Decider, wanted: tuple[Decider, ...]):
    policy = Policy(deciders=deciders, escalate=after(hours=1, to=CFO))
    later = escalated(policy, 1)
    assert later.deciders == wanted
    assert escalated(later, 1) == later


def test_an_escalation_holds_in_the_stage_that_is_asked_alone():
    policy = Policy(stages=(Stage(deciders=ANN), Stage(deciders=LEADS)), escalate=after(hours=1, to=CFO))
    asked = escalated(begun(policy, {}, None), 1)
    assert those(asked.deciders) == those(asked.stages[0].deciders) == (ANN, CFO)
    following = entered(asked, 2)
    assert (those(following.deciders), following.escalated) == ((LEADS,), ())


def test_the_policy_of_today_allows_whom_it_still_escalates_to_and_nobody_else():
    stored = escalated(Policy(deciders=ANN, escalate=after(hours=1, to=CFO), follows=True), 1)
    still = Policy(deciders=ANN, escalate=after(hours=9, to=CFO))
    assert [those(each.deciders) for each in counterparts(still, stored)] == [(ANN, CFO)]
    assert [those(each.deciders) for each in counterparts(Policy(deciders=ANN), stored)] == [(ANN,)]

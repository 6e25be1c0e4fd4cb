"""Breaking the glass: who may approve alone in an emergency, who reviews it afterwards, and the mistakes of both. Pure."""

from collections.abc import Iterable, Iterator

from actions.kit.policies.deciders import BreakGlass, Person, Policy, Requester
from actions.kit.policies.grants import approving
from actions.kit.policies.pace import LONGEST, SHORTEST, Every
from actions.kit.policies.policy import lookups_in, people_in
from actions.kit.records.interrupts import Choice, InterruptRecord, Shape
from actions.kit.records.outcomes import PauseRequest

NO_WAY = "break_glass needs an answer that declines, and one other that asks for nothing; change resume, or leave break_glass out"
REMINDERS = 3
"""How often those who review are reminded, evenly over their time."""


def breaking(policy: Policy) -> Policy | None:
    """Who may break the glass, as a policy: never whom the question leaves out. `None`: it allows nobody to."""
    glass = policy.break_glass
    return None if glass is None else Policy(deciders=glass.who, exclude=policy.exclude)


def way_through(asked: InterruptRecord | PauseRequest) -> Choice | None:
    """The answer that somebody gives who breaks the glass. `None`: this question offers none."""
    return approving(asked.shape) if asked.policy.break_glass else None


def reviewing(glass: BreakGlass, apart: Iterable[str]) -> Policy:
    """Who reviews it: none of those `apart` (ids), who broke it or asked for what it was about, and nobody in their place."""
    people = tuple(Person(each) for each in dict.fromkeys(apart))
    remind = Every(interval=glass.review_in / (REMINDERS + 1), at_most=REMINDERS)
    return Policy(deciders=glass.review, exclude=people, requester_excluded=True, stand_ins=False, remind=remind)


def glass_mistakes(policy: Policy) -> Iterator[str]:
    """What is wrong with it, whatever can be answered."""
    glass = policy.break_glass
    if glass is None:
        return
    if any(isinstance(each, Requester) for each in (*glass.who, *glass.review)):
        yield "break_glass: whoever asked for it neither breaks the glass nor reviews it; leave Requester() out"
    if not SHORTEST * (REMINDERS + 1) <= glass.review_in <= LONGEST:
        shortest = SHORTEST * (REMINDERS + 1)
        yield f"break_glass: review_in is {glass.review_in}, not a time from {shortest} to {LONGEST.days} days; give another"
    reviewers = set(people_in(glass.review))
    if len(reviewers) == 1 and reviewers & set(people_in(glass.who)) and not lookups_in(glass.review):
        yield "break_glass: whoever breaks the glass does not review it, and nobody else does; name more people in review"


def way_mistakes(policy: Policy, shape: Shape) -> Iterator[str]:
    """What keeps these answers from being given by somebody who breaks the glass."""
    if policy.break_glass is not None and approving(shape) is None:
        yield NO_WAY

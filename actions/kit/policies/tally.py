"""When the decisions so far settle the stage that is asked: pure arithmetic, which the store does inside its transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from actions.kit.policies.deciders import Policy
from actions.kit.policies.quorum import Fits, declines_needed, filled, needed, needs_of
from actions.kit.policies.stages import entered, has_next
from actions.kit.records.interrupts import Card, DecisionRecord, Shape

Outcomes = Mapping[int, str | None]
"""The key of the choice that settled each stage, by its number."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is: so many of the `needed` places are filled by those who agree on the same choice.

    `places` says it need by need.
    """

    agreed: int
    needed: int
    places: tuple[int, ...]


def tally(policy: Policy, shape: Shape, decisions: Iterable[DecisionRecord]) -> str | None:
    """The key of the choice that settles the stage that is asked, or `None` while people are still to be heard.

    `decisions` are in the order in which they came. The first choice that reaches its threshold settles: for one that
    declines so many declines as `declines_at` says, for any other the quorum, or each place of mixed needs. The value is
    that of the decision which reached it.
    """
    return _settling(policy, shape, counting(policy, shape, decisions))


def _settling(policy: Policy, shape: Shape, counted: Iterable[DecisionRecord]) -> str | None:
    agreeing: dict[str, list[Fits]] = {}
    for decision in counted:
        people = agreeing.setdefault(decision.choice, [])
        people.append(_fits(policy, decision))
        if _is_reached(policy, shape, decision.choice, people):
            return decision.choice
    return None


def reached(policy: Policy, shape: Shape, decisions: Iterable[DecisionRecord]) -> tuple[Policy, str | None]:
    """The policy at the stage to which the decisions bring it, and the choice that settles all of it, if one does."""
    decisions = tuple(decisions)
    people = tuple(dict.fromkeys(voice for each in decisions for voice in sorted(each.voices)))
    while (key := tally(policy, shape, decisions)) is not None:
        if _declines(shape, key) or not has_next(policy):
            return policy, key
        policy = entered(policy, policy.stage + 1, people)
    return policy, None


def counting(policy: Policy, shape: Shape, decisions: Iterable[DecisionRecord]) -> tuple[DecisionRecord, ...]:
    """The decisions that count in the stage that is asked: its own, and those of people who agreed in an earlier one."""
    decisions = tuple(decisions)
    return _counting(policy, shape, decisions, _outcomes(policy, shape, decisions))


def _outcomes(policy: Policy, shape: Shape, decisions: Sequence[DecisionRecord]) -> Outcomes:
    """What each stage before the one that is asked came to."""
    outcomes: dict[int, str | None] = {}
    for number in range(1, policy.stage):
        asked, so_far = entered(policy, number), [each for each in decisions if each.stage <= number]
        outcomes[number] = _settling(asked, shape, _counting(asked, shape, so_far, outcomes))
    return outcomes


def _counting(
    policy: Policy, shape: Shape, decisions: Sequence[DecisionRecord], outcomes: Outcomes
) -> tuple[DecisionRecord, ...]:
    own = [each for each in decisions if each.stage == policy.stage]
    taken = {voice for each in own for voice in each.voices}
    carried: list[DecisionRecord] = []
    for each in _carried(policy, shape, decisions, outcomes):
        if taken.isdisjoint(each.voices):
            carried.append(each)
            taken |= each.voices
    return (*carried, *own)


def answer_of(card: Card, *people: str | None) -> DecisionRecord | None:
    """The answer that counts already in the stage that is asked, of one of these or in the place of one of them."""
    counted = counting(card.interrupt.policy, card.interrupt.shape, card.decisions)
    return next((each for each in counted if not each.voices.isdisjoint(people)), None)


def has_answered(card: Card, *people: str | None) -> bool:
    """Whether there is such an answer."""
    return answer_of(card, *people) is not None


def progress(policy: Policy, shape: Shape, decisions: Iterable[DecisionRecord]) -> Progress:
    """How far the stage that is asked is with the choice that most agree on."""
    people: dict[str, list[Fits]] = {}
    for each in counting(policy, shape, decisions):
        if not _declines(shape, each.choice):
            people.setdefault(each.choice, []).append(_fits(policy, each))
    places = [_places(policy, agreeing) for agreeing in people.values()]
    best = max(places, key=sum, default=(0,) * len(needs_of(policy)))
    return Progress(sum(best), needed(policy), best)


def _carried(
    policy: Policy, shape: Shape, decisions: Sequence[DecisionRecord], outcomes: Outcomes
) -> list[DecisionRecord]:
    """Who agreed before and is among the deciders now was asked already, unless this stage is kept apart."""
    if policy.stage < 2 or policy.stages[policy.stage - 1].separate:  # noqa: PLR2004 - nothing comes before the first
        return []
    return [
        each
        for each in decisions
        if each.stage < policy.stage
        and each.choice == outcomes.get(each.stage)
        and not _declines(shape, each.choice)
        and _fits(policy, each)
    ]


def _is_reached(policy: Policy, shape: Shape, key: str, people: Sequence[Fits]) -> bool:
    if _declines(shape, key):
        return len(people) >= declines_needed(policy)
    return sum(_places(policy, people)) >= needed(policy)


def _places(policy: Policy, people: Sequence[Fits]) -> tuple[int, ...]:
    counts = [need.count for need in needs_of(policy)]
    if len(counts) == 1:
        return (min(len(people), counts[0]),)
    return filled(counts, people)


def _fits(policy: Policy, decision: DecisionRecord) -> Fits:
    number = max(policy.stage, 1) - 1
    return decision.fits[number] if number < len(decision.fits) else ()


def _declines(shape: Shape, key: str) -> bool:
    choice = shape.choice(key)
    return choice is not None and choice.declines

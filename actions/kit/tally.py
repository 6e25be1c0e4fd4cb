"""When the decisions so far settle an interrupt: pure arithmetic, which the store does inside its transaction."""

from collections import Counter
from collections.abc import Iterable

from actions.kit.deciders import Policy
from actions.kit.records import Shape


def tally(policy: Policy, shape: Shape, choices: Iterable[str]) -> str | None:
    """The key of the choice that settles, or `None` while people are still to be heard.

    `choices` are the keys of the decisions in the order in which they came, one per person. The first choice that
    reaches its threshold settles: `declines_at` for one that declines, `quorum` for any other. The value is that of
    the decision which reached it.
    """
    votes: Counter[str] = Counter()
    for key in choices:
        votes[key] += 1
        if votes[key] >= _threshold(policy, shape, key):
            return key
    return None


def _threshold(policy: Policy, shape: Shape, key: str) -> int:
    choice = shape.choice(key)
    return policy.declines_at if choice is not None and choice.declines else policy.quorum

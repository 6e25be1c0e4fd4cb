"""How many must agree, who counts for what, and whether enough people can: arithmetic over a policy, and nothing else.

One person fills one place of one need only, whichever leaves the most places filled: a matching, not a count.
"""

from collections.abc import Collection, Mapping, Sequence

from actions.kit.policies.deciders import Decider, Needs, Person, Policy, Requester
from actions.kit.policies.policy import Allowed, Expanded, lookups, those, verdict
from actions.kit.records.people import PersonFacts

Fits = tuple[int, ...]
"""The needs of a policy, by number from 0, that one person may fill."""


def needs_of(policy: Policy) -> tuple[Needs, ...]:
    """What must be agreed by whom; deciders without `Needs` are one need, of the quorum."""
    mixed = tuple(each for each in policy.deciders if isinstance(each, Needs))
    # Not validated again: a vote asks this several times.
    return mixed or (Needs.model_construct(count=policy.quorum, of=those(policy.deciders)),)


def needed(policy: Policy) -> int:
    """How many people must agree in all."""
    mixed = [each.count for each in policy.deciders if isinstance(each, Needs)]
    return sum(mixed) if mixed else policy.quorum


def declines_needed(policy: Policy) -> int:
    """How many people must decline."""
    return needed(policy) if policy.declines_at == "majority" else policy.declines_at


def fits(policy: Policy, person: PersonFacts, *, requester: str, approval: bool, expanded: Expanded) -> Fits:
    """Which needs this person may fill; none of those that hang on what was not looked up."""
    found = []
    for number, need in enumerate(needs_of(policy) if policy.deciders else ()):
        alone = policy.model_copy(update={"deciders": need.of})
        judged = verdict(alone, person, requester=requester, approval=approval, expanded=expanded)
        found += [number] if isinstance(judged, Allowed) else []
    return tuple(found)


def filled(counts: Sequence[int], people: Sequence[Fits]) -> tuple[int, ...]:
    """How many places of each need can be filled at once by these people."""
    held: list[list[int]] = [[] for _ in counts]
    for person in range(len(people)):
        _seat(person, people, counts, held, set())
    return tuple(map(len, held))


def _seat(person: int, people: Sequence[Fits], counts: Sequence[int], held: list[list[int]], tried: set[int]) -> bool:
    """Gives a person a place, moving those who can go elsewhere: an augmenting path."""
    for need in people[person]:
        if need in tried or need >= len(counts):
            continue
        tried.add(need)
        if len(held[need]) < counts[need]:
            held[need].append(person)
            return True
        for other in held[need]:
            if _seat(other, people, counts, held, tried):
                held[need].remove(other)
                held[need].append(person)
                return True
    return False


def candidates(
    policy: Policy,
    *,
    requester: str | None = None,
    approval: bool,
    gone: Collection[str] = (),
    expanded: Expanded | None = None,
) -> int | None:
    """How many people can decide at most; of mixed needs, how many places they can fill. `None`: not all are known.

    With `requester`, an approval leaves them out; `gone` are the ids of people who cannot decide any more. Fewer than
    `needed(policy)` means that nobody can settle it.
    """
    expanded = expanded or {}
    if any(each not in expanded for each in lookups(policy.model_copy(update={"exclude": ()}))):
        return None
    able = fits_by_person(policy, requester=requester, approval=approval, gone=gone, expanded=expanded)
    needs = needs_of(policy)
    return len(able) if len(needs) == 1 else sum(filled([need.count for need in needs], list(able.values())))


def fits_by_person(
    policy: Policy, *, requester: str | None, approval: bool, gone: Collection[str], expanded: Expanded
) -> Mapping[str | None, Fits]:
    """Everybody who is known to be able to decide, and which needs each of them may fill."""
    left_out = {*gone, *_ids(policy.exclude, requester, expanded)}
    if approval or policy.requester_excluded:
        left_out.add(requester or REQUESTER)
    able: dict[str | None, Fits] = {}
    for number, need in enumerate(needs_of(policy)):
        for person in _ids(need.of, requester, expanded):
            if person not in left_out:
                able[person] = (*able.get(person, ()), number)
    return able


REQUESTER = ""
"""Stands for whoever asks, where that is not known."""


def _ids(deciders: Collection[Decider], requester: str | None, expanded: Expanded) -> list[str]:
    found: list[str] = []
    for each in deciders:
        match each:
            case Requester():
                found.append(requester or REQUESTER)
            case Person():
                found.append(each.id or each.email or "")
            case _:
                found += expanded.get(each, ())
    return list(dict.fromkeys(found))

"""The mistakes of a policy, each with its fix, found when an action is registered or a pause is raised."""

from collections.abc import Iterator, Mapping
from typing import Any

from actions.kit.policies.condition_checks import condition_mistakes
from actions.kit.policies.deciders import Decider, DirectMessage, Needs, Person, Policy, Requester
from actions.kit.policies.emergencies import glass_mistakes
from actions.kit.policies.pace_checks import pace_mistakes
from actions.kit.policies.policy import lookups, those
from actions.kit.policies.quorum import candidates, declines_needed, filled, fits_by_person, needed, needs_of
from actions.kit.policies.stages import entered, every_stage
from actions.kit.terms import expires_in_mistake

NOBODY = 'nobody decides; name the deciders, or write out ChannelMembers("#channel") if anyone in a channel may'
OF_THE_BOT = ("stage", "skipped", "escalated", "follows", "gone")
OF_STAGES = ("deciders", "quorum", "declines_at")


def check(policy: Policy, *, approval: bool = False, schema: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a policy as an author wrote it. `approval`: a choice declines; `schema`: of the input, if known."""
    if written := policy.model_dump(include=set(OF_THE_BOT), exclude_defaults=True):
        return [f"{', '.join(each for each in OF_THE_BOT if each in written)}: written by the bot; leave it out"]
    beside = [*pace_mistakes(policy), *glass_mistakes(policy)]
    if not policy.stages:
        return [*_mistakes(policy, approval=approval), *_misplaced(policy), *beside]
    return [
        *_beside_stages(policy),
        *_mistakes_of_stages(policy, approval=approval),
        *_starters(policy),
        *_conditions(policy, schema),
        *beside,
    ]


def _mistakes(policy: Policy, *, approval: bool) -> list[str]:
    if not policy.deciders:
        return [NOBODY]
    if approval and all(isinstance(decider, Requester) for decider in those(policy.deciders)):
        return ["only the requester decides, and nobody approves their own request; name somebody else"]
    return [*_mixed(policy), *_unreachable(policy, approval=approval)]


def _mixed(policy: Policy) -> list[str]:
    mixed = [each for each in policy.deciders if isinstance(each, Needs)]
    if mixed and len(mixed) < len(policy.deciders):
        return ["deciders mixes Needs(...) with others; write Needs(1, ...) for each of the others"]
    if mixed and policy.quorum != 1:
        return [f"quorum is {policy.quorum} beside Needs(...), which say how many; leave quorum out"]
    return []


def _unreachable(policy: Policy, *, approval: bool) -> list[str]:
    most = candidates(policy, approval=approval)
    if most is None or _mixed(policy):
        return []
    if approval and policy.starters and all(_decides(starter, policy) for starter in policy.starters):
        most -= 1
    limits = {"quorum": needed(policy)} | ({"declines_at": declines_needed(policy)} if approval else {})
    return [
        f"{name} is {wanted}, but only {most} can decide; lower it or name more people"
        for name, wanted in limits.items()
        if wanted > most
    ]


def _decides(starter: Decider, policy: Policy) -> bool:
    return isinstance(starter, Person) and starter in those(policy.deciders)


def _misplaced(policy: Policy) -> list[str]:
    mistakes = _starters(policy)
    spreads = any(isinstance(place, DirectMessage) and place.person is None for place in policy.show)
    direct = those(policy.deciders) if not policy.notify else policy.notify
    if spreads and not any(not hasattr(each, "channel") for each in direct):
        mistakes.append("DirectMessage() goes to each named decider, and none is named; use DirectMessage(Person(...))")
    return mistakes


def _starters(policy: Policy) -> list[str]:
    if any(isinstance(starter, Requester) for starter in policy.starters):
        return ["Requester() cannot be a starter, as whoever starts is the requester; leave `starters` out"]
    return []


def _beside_stages(policy: Policy) -> list[str]:
    set_ = policy.model_dump(include=set(OF_STAGES), exclude_defaults=True)
    mistakes = [f"{name} stands beside stages; say it in each Stage(...) instead" for name in OF_STAGES if name in set_]
    if all(stage.when is not None for stage in policy.stages):
        mistakes.append("each stage has a condition, so that an input may be asked of nobody; leave `when` out of one")
    return mistakes


def _mistakes_of_stages(policy: Policy, *, approval: bool) -> Iterator[str]:
    for number, asked in enumerate(every_stage(policy), 1):
        yield from (f"stage {number}: {each}" for each in [*_mistakes(asked, approval=approval), *_places(asked)])
        if wrong := expires_in_mistake(policy.stages[number - 1].expires_in):
            yield f"stage {number}: {wrong}"
        yield from _not_apart(asked, number, approval=approval)


def _places(policy: Policy) -> list[str]:
    return _misplaced(policy.model_copy(update={"starters": ()}))


def _not_apart(policy: Policy, number: int, *, approval: bool) -> Iterator[str]:
    """A stage that is kept apart must have enough people left, whoever decided an earlier one."""
    stage = policy.stages[number - 1]
    if stage.separate and number == 1:
        yield "stage 1: separate=True is about earlier stages, and there is none; leave it out"
        return
    for earlier in range(1, number) if stage.separate else ():
        if not _are_apart(entered(policy, earlier), entered(policy, number), approval=approval):
            yield f"stage {number}: separate=True leaves too few who did not decide stage {earlier}; name more people"


def _are_apart(first: Policy, second: Policy, *, approval: bool) -> bool:
    if lookups(first) or lookups(second):
        return True
    needs = [*needs_of(first), *needs_of(second)]
    both = second.model_copy(update={"deciders": tuple(needs)})
    able = fits_by_person(both, requester=None, approval=approval, gone=(), expanded={})
    counts = [need.count for need in needs]
    return sum(filled(counts, list(able.values()))) >= sum(counts)


def _conditions(policy: Policy, schema: Mapping[str, Any] | None) -> Iterator[str]:
    for number, stage in enumerate(policy.stages, 1):
        if stage.when is not None and schema is not None:
            yield from (f"stage {number}: {each}" for each in condition_mistakes(stage.when, schema))

"""A policy in words: who decides, how many of them, under which condition, and who does not."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from actions.kit.names import humanise
from actions.kit.policies.conditions import AllOf, AnyOf, Compare, Condition, Not, OneOf, Plain
from actions.kit.policies.deciders import (
    ChannelMembers,
    Decider,
    Group,
    ManagerOf,
    Needs,
    OnCall,
    Person,
    Policy,
    Requester,
    Stage,
)
from actions.kit.policies.policy import those
from blocks.said import Where, Who, Words, joined, said

NAMED = 8
WHOEVER_ASKS = "whoever started it"
IS = {
    "==": "is",
    "!=": "is not",
    ">": "is more than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
}
IS_NOT = {"==": "!=", "!=": "==", ">": "<=", ">=": "<", "<": ">=", "<=": ">"}


def policy_said(policy: Policy, requester: str | None, *, named: int = NAMED) -> Words:
    """Who decides: "2 of U01 or members of #approvals", and of stages, one after the other.

    Of a policy that waits, it is the stage that is asked.
    """
    if policy.stages and not policy.stage:
        told = joined((_stage(stage, policy, requester, named=named) for stage in policy.stages), by="; then ")
    else:
        told = terms_said(policy, requester, named=named)
    return told if policy.stand_ins else said(told, ", in person")


def terms_said(terms: Policy | Stage, requester: str | None, *, named: int = NAMED) -> Words:
    """Those of one stage, and who is left out."""
    needs = [each for each in terms.deciders if isinstance(each, Needs)]
    if needs:
        told = joined((_counted(need, requester, named) for need in needs), by=" and ")
    else:
        told = _of(those(terms.deciders), terms.quorum, requester, named)
    left_out = deciders_listed(terms.exclude, requester, named=named)
    return said(told, *((", but not ", left_out) if left_out else ()))


def deciders_listed(
    deciders: Sequence[Decider], requester: str | None, *, named: int = NAMED, by: str = " or "
) -> Words:
    """Such as "A, B or C", and how many more."""
    names = [decider_said(each, requester) for each in deciders[:named]]
    rest = len(deciders) - len(names)
    names += [said(f"{rest} more")] if rest > 0 else []
    return said(joined([joined(names[:-1]), names[-1]], by=by)) if names else ()


def decider_said(decider: Decider, requester: str | None) -> Words:
    """One decider; `requester` is an id, or `None` where nobody has asked yet."""
    match decider:
        case Person():
            return said(Who(decider.id or decider.email or "somebody"))
        case Requester():
            return said(WHOEVER_ASKS if requester is None else Who(requester))
        case ChannelMembers():
            return said("members of ", Where(decider.channel))
        case Group():
            return said(f"members of @{decider.group}")
        case ManagerOf():
            above = "the manager of " if decider.level == 1 else f"the manager {decider.level} levels above "
            return said(above, decider_said(decider.of, requester))
        case OnCall():
            return said(f"whoever is on call for {decider.rota}")
    assert_never(decider)


def skipped_said(policy: Policy, requester: str) -> Words:
    """Which stages are not asked of this input, and why; empty where all are."""
    return joined((_skipped(stage, requester) for stage in policy.skipped), by="; ")


def condition_said(condition: Condition, *, holds: bool = True) -> str:
    """Such as "Amount is more than 5,000"; with `holds` false that it is not so."""
    match condition:
        case Compare():
            how = condition.is_ if holds else IS_NOT[condition.is_]
            return f"{_field(condition.field)} {IS[how]} {_value(condition.value)}"
        case OneOf():
            values = ", ".join(map(_value, condition.values))
            return f"{_field(condition.field)} is {'one' if holds else 'none'} of {values}"
        case Not():
            return condition_said(condition.condition, holds=not holds)
        case AllOf():
            return _joined(condition.conditions, " and " if holds else " or ", holds=holds)
        case AnyOf():
            return _joined(condition.conditions, " or " if holds else " and ", holds=holds)
    assert_never(condition)


def _stage(stage: Stage, policy: Policy, requester: str | None, *, named: int) -> Words:
    whole = stage.model_copy(update={"exclude": (*policy.exclude, *stage.exclude)})
    where = f" where {condition_said(stage.when)}" if stage.when is not None else ""
    return said(terms_said(whole, requester, named=named), where)


def _of(deciders: Sequence[Decider], count: int, requester: str | None, named: int) -> Words:
    listed = deciders_listed(deciders, requester, named=named)
    return said(f"{count} of ", listed) if count > 1 else listed


def _counted(need: Needs, requester: str | None, named: int) -> Words:
    return said(f"{need.count} of ", deciders_listed(need.of, requester, named=named))


def _skipped(stage: Stage, requester: str) -> Words:
    why = condition_said(stage.when, holds=False) if stage.when is not None else ""
    return said(terms_said(stage.model_copy(update={"exclude": ()}), requester), f", as {why}" if why else "")


def _joined(conditions: Iterable[Condition], by: str, *, holds: bool) -> str:
    return by.join(condition_said(each, holds=holds) for each in conditions)


def _field(name: str) -> str:
    return humanise(name.rpartition(".")[2])


def _value(value: Plain) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else f"“{value}”"

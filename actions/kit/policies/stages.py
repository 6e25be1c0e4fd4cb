"""Which stages of a policy apply to an input, and what counts while one of them is asked.

A stored policy has the terms of the stage that is asked at its top, so that whoever asks who decides need not know of
stages at all; `stages` keeps those that apply, whole, and `skipped` those that do not.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any

from actions.kit.policies.conditions import holds
from actions.kit.policies.deciders import Person, Policy, Stage
from actions.kit.policies.policy import Allowed, Expanded, Refused, Unverified, Verdict, left_out, lookups_in, missing
from actions.kit.policies.quorum import Fits, fits, needs_of
from actions.kit.policies.steps import escalated_as
from actions.kit.records.people import PersonFacts


def begun(policy: Policy, value: Any, expires_in: timedelta | None) -> Policy:
    """The policy as it is asked of this input (parsed JSON), at its first stage; one without stages stays as it is.

    A condition that cannot be told keeps its stage: nobody is left out by a mistake. `expires_in` is that of stages
    without one of their own.
    """
    if not policy.stages:
        return policy
    applies = [stage.when is None or holds(stage.when, value) is not False for stage in policy.stages]
    kept = [_whole(stage, policy, expires_in) for stage, does in zip(policy.stages, applies, strict=True) if does]
    skipped = [stage for stage, does in zip(policy.stages, applies, strict=True) if not does]
    return entered(policy.model_copy(update={"stages": tuple(kept), "skipped": tuple(skipped)}), 1)


def entered(policy: Policy, number: int, decided: Collection[str] = ()) -> Policy:
    """The policy while the stage of this number, from 1, is asked; `decided` are those who decided before."""
    stage = policy.stages[number - 1]
    apart = [Person(id=person) for person in decided] if stage.separate else []
    terms: dict[str, Any] = {
        name: getattr(stage, name) for name in ("deciders", "quorum", "declines_at", "show", "notify")
    }
    terms |= {"exclude": (*stage.exclude, *apart), "stage": number, "escalated": (), "gone": ()}
    return policy.model_copy(update=terms)


def every_stage(policy: Policy) -> tuple[Policy, ...]:
    """Each stage of a policy as an author wrote it, whatever its condition; one without stages is one."""
    if not policy.stages:
        return (policy,)
    whole = tuple(_whole(stage, policy, None) for stage in policy.stages)
    every = policy.model_copy(update={"stages": whole})
    return tuple(entered(every, number) for number in range(1, len(whole) + 1))


def counterparts(today: Policy, stored: Policy) -> tuple[Policy, ...]:
    """What of the policy of today may narrow the stage that a stored one asks: the stage in the same place.

    Where other stages apply by now than did then, there is none, and it is any of them. A stage that was skipped then is
    known by its condition.
    """
    every, skipped = every_stage(today), [stage.when for stage in stored.skipped]
    applies = [stage.when is None or stage.when not in skipped for stage in today.stages] or [True]
    asked = [each for each, does in zip(every, applies, strict=True) if does]
    narrowing = (asked[max(stored.stage, 1) - 1],) if len(asked) == max(len(stored.stages), 1) else every
    return tuple(escalated_as(each, stored) for each in narrowing)


def still(stored: Verdict, today: Iterable[Verdict]) -> Verdict:
    """A verdict by the stored policy, which those of today may narrow and never widen: one of them must allow it."""
    today = tuple(today)
    if not isinstance(stored, Allowed) or any(isinstance(each, Allowed) for each in today):
        return stored
    unknown = dict.fromkeys(lookup for each in today if isinstance(each, Unverified) for lookup in each.lookups)
    return Unverified(tuple(unknown)) if unknown else Refused("not_any_more")


def has_next(policy: Policy) -> bool:
    """Whether a further stage is asked once this one is agreed to."""
    return policy.stage < len(policy.stages)


def expires_in_of(policy: Policy, otherwise: timedelta | None) -> timedelta | None:
    """How long the stage that is asked may wait."""
    return policy.stages[policy.stage - 1].expires_in if policy.stage else otherwise


def may_fill(
    policy: Policy,
    person: PersonFacts,
    *,
    requester: str,
    approval: bool,
    expanded: Expanded,
    today: Policy | None = None,
) -> tuple[Fits, ...]:
    """What this person may fill, stage by stage, from the first: what is stored with their decision.

    `today` is the action's policy as it is by now, which narrows it stage by stage, and need by need where it has as many.
    """

    def by(each: Policy) -> Fits:
        return fits(each, person, requester=requester, approval=approval, expanded=expanded)

    asked = [policy if number == policy.stage else entered(policy, number) for number in _numbers(policy)]
    return tuple(_narrowed(by(each), each, today, by) if today else by(each) for each in asked)


def may_speak(
    policy: Policy, fits: Sequence[Fits], speaker: PersonFacts, *, requester: str, expanded: Expanded
) -> tuple[Fits, ...]:
    """What somebody fills in another's place, stage by stage: nothing of one that leaves themselves out, or might."""

    def is_barred(each: Policy) -> bool:
        return left_out(each, speaker, requester, expanded) or bool(missing(lookups_in(each.exclude), expanded))

    asked = [policy if number == policy.stage else entered(policy, number) for number in _numbers(policy)]
    return tuple(() if is_barred(each) else fit for each, fit in zip(asked, fits, strict=True))


def _narrowed(own: Fits, asked: Policy, today: Policy, by: Callable[[Policy], Fits]) -> Fits:
    now = counterparts(today, asked)
    if len(now) == 1 and len(needs_of(now[0])) == len(needs_of(asked)):
        return tuple(need for need in own if need in by(now[0]))
    return own if any(by(each) for each in now) else ()


def _numbers(policy: Policy) -> range:
    return range(1, len(policy.stages) + 1) if policy.stages else range(1)


def _whole(stage: Stage, policy: Policy, expires_in: timedelta | None) -> Stage:
    return stage.model_copy(
        update={
            "show": stage.show or policy.show,
            "notify": stage.notify or policy.notify,
            "exclude": (*policy.exclude, *stage.exclude),
            "expires_in": stage.expires_in or expires_in,
        }
    )

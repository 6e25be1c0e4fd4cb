"""Whether somebody may decide in the place of another who is away. Pure: what must be looked up is passed in."""

from collections.abc import Sequence

from actions.kit.policies.policy import (
    Allowed,
    Expanded,
    Policy,
    Refused,
    Unverified,
    Verdict,
    left_out,
    lookups_in,
    missing,
    verdict,
)
from actions.kit.records.people import PersonFacts

MAY_STAND_IN = frozenset({"not_a_decider", "not_any_more"})
"""Why somebody does not decide themselves, where they may still do so in another's place."""


def stands_in(
    policy: Policy,
    person: PersonFacts,
    principal: PersonFacts,
    *,
    over: Sequence[str] = (),
    requesters: Sequence[str],
    approval: bool,
    expanded: Expanded,
    of_principal: Expanded,
) -> Verdict:
    """Whether a person may answer in the place of a principal, of whom it is known that they are away and chose them.

    `over` are those who were chosen first and are away too: none of the `requesters` may be among them, as they would
    have chosen who decides what they asked for.

    The principal must be one who decides by all that is known of them. The person need not decide, but is a full member,
    is not left out, and never one of the `requesters`, not even of a mere question. `expanded` says for whom the look-ups
    stand as far as it is about the person, `of_principal` as far as it is about the principal.
    """
    if refused := _never(policy, person, requesters, expanded):
        return refused
    asked_by = principal.id if principal.id in requesters else requesters[0]
    found = verdict(policy, principal, requester=asked_by, approval=approval, expanded=of_principal)
    if not isinstance(found, Allowed):
        return found
    if not set(over).isdisjoint(requesters):
        return Refused("requester")
    unknown = missing(lookups_in(policy.exclude), expanded)
    return Unverified(unknown) if unknown else Allowed(standing_for=principal.id)


def _never(policy: Policy, person: PersonFacts, requesters: Sequence[str], expanded: Expanded) -> Refused | None:
    if not policy.stand_ins:
        return Refused("no_stand_ins")
    if person.is_bot or person.is_guest:
        return Refused("bot" if person.is_bot else "guest")
    if person.is_deleted:
        return Refused("not_a_decider")
    if person.id in requesters:
        return Refused("requester")
    return Refused("excluded") if left_out(policy, person, requesters[0], expanded) else None

"""Where a card goes: the places that a policy says, and those of its deciders who are reached directly. Pure, like the policy."""

from collections.abc import Iterable

from actions.kit.policies.deciders import (
    PERSON_ID,
    Channel,
    ChannelMembers,
    Decider,
    DirectMessage,
    Lookup,
    Person,
    Place,
    Policy,
    Requester,
)
from actions.kit.policies.policy import Expanded, channels_in, lookups_in, people_in, those

MOST_DIRECT = 30
"""Direct messages that a card is sent to for the people who were looked up; everybody else of them decides quietly."""


def place_lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say whom a card reaches directly, and of those who does not decide at all."""
    spread = not policy.show or any(_is_spread(place) for place in policy.show)
    told = those(policy.deciders) if spread and not policy.notify else ()
    found = _not_of_channels((*policy.notify, *told))
    return tuple(dict.fromkeys((*found, *_not_of_channels(policy.exclude)))) if found else ()


def _not_of_channels(deciders: Iterable[Decider]) -> tuple[Lookup, ...]:
    return tuple(each for each in lookups_in(deciders) if not isinstance(each, ChannelMembers))


def places(policy: Policy, *, requester: str | None = None, expanded: Expanded | None = None) -> tuple[Place, ...]:
    """Where the card goes, each place once: `show`, or where the deciders are found.

    `DirectMessage()` is spread over the deciders, or with `notify` over those alone; of those who are looked up, over
    the people in `expanded`. The requester is reached only when the policy counts them as a decider and `requester`
    says who they are.
    """
    found: list[Place] = []
    direct = _addressees(policy, requester, expanded or {})
    for place in policy.show or _default_places(policy):
        found += direct if _is_spread(place) else (place,)
    return tuple(dict.fromkeys((*found, *(direct if policy.notify else ()))))


def _default_places(policy: Policy) -> tuple[Place, ...]:
    return (*(Channel(channel) for channel in channels_in(those(policy.deciders))), DirectMessage())


def _is_spread(place: Place) -> bool:
    return isinstance(place, DirectMessage) and place.person is None


def _addressees(policy: Policy, requester: str | None, expanded: Expanded) -> tuple[Place, ...]:
    """Those who are named, those who are found, and the requester last; nobody outside Slack can be written to."""
    told = policy.notify or those(policy.deciders)
    found = sorted({person for each in _not_of_channels(told) for person in expanded.get(each, ())} - {requester})
    left_out = {person for lookup in lookups_in(policy.exclude) for person in expanded.get(lookup, ())}
    left_out |= {person.id for person in people_in(policy.exclude) if person.id}
    people = [person for person in people_in(told) if person.id is None or person.id not in left_out]
    people += [Person(id=person) for person in found if person not in left_out][:MOST_DIRECT]
    named = any(isinstance(each, Requester) for each in told)
    if named and requester is not None and PERSON_ID.fullmatch(requester):
        people.append(Person(id=requester))
    known: dict[str | None, Person] = {}
    for person in people:
        known.setdefault(person.id or person.email, person)
    channels = channels_in(policy.notify)
    return (*(Channel(channel) for channel in channels), *(DirectMessage(person) for person in known.values()))

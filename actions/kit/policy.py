"""The questions asked of a policy: who may start, who decides, where it is shown. Pure: what must be looked up is passed in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from actions.kit.deciders import (
    PERSON_ID,
    Channel,
    ChannelMembers,
    Decider,
    DirectMessage,
    Frozen,
    Person,
    Place,
    Policy,
    Requester,
)
from actions.kit.records import PersonFacts

__all__ = [
    "Allowed",
    "Channel",
    "ChannelMembers",
    "Decider",
    "DirectMessage",
    "Frozen",
    "Person",
    "Place",
    "Policy",
    "Refused",
    "Requester",
    "Verdict",
    "candidates",
    "check",
    "emails",
    "lookups",
    "may_start",
    "named_channels",
    "named_ids",
    "named_people",
    "places",
    "start_lookups",
    "verdict",
    "with_ids",
]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The person may."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The person may not, and why."""

    reason: Literal["not_a_decider", "not_a_starter", "requester", "guest", "bot"]


Verdict = Allowed | Refused


def verdict(
    policy: Policy, person: PersonFacts, *, requester: str, approval: bool, member_of: Mapping[str, bool]
) -> Verdict:
    """Whether a person may answer.

    `member_of` says for each channel of `lookups(policy)`, under the name that the policy gives it, whether the person
    is a member; a channel that is not in it counts as "no". In an approval the requester is refused by every route; in
    a question they may answer as `Requester()`, by name or as a member. A guest decides only by name, a bot never.
    """
    if person.is_bot:
        return Refused("bot")
    if person.is_deleted:
        return Refused("not_a_decider")
    if person.id == requester and (approval or policy.requester_excluded):
        return Refused("requester")
    if _is_named(policy.deciders, person) or (person.id == requester and _names_requester(policy)):
        return Allowed()
    if not any(member_of.get(channel, False) for channel in lookups(policy)):
        return Refused("not_a_decider")
    return Refused("guest") if person.is_guest else Allowed()


def may_start(policy: Policy, person: PersonFacts, member_of: Mapping[str, bool]) -> Verdict:
    """Whether a person may start the action. `member_of` is about the channels of `start_lookups(policy)`."""
    if person.is_bot:
        return Refused("bot")
    if person.is_guest:
        return Refused("guest")
    if person.is_deleted:
        return Refused("not_a_starter")
    is_member = any(member_of.get(channel, False) for channel in start_lookups(policy))
    if not policy.starters or is_member or _is_named(policy.starters, person):
        return Allowed()
    return Refused("not_a_starter")


def lookups(policy: Policy) -> tuple[str, ...]:
    """The channels whose membership must be known to say who decides."""
    return _channels(policy.deciders)


def start_lookups(policy: Policy) -> tuple[str, ...]:
    """The channels whose membership must be known to say who may start."""
    return _channels(policy.starters)


def places(policy: Policy, *, requester: str | None = None) -> tuple[Place, ...]:
    """Where the card goes, each place once: `show`, or where the deciders are found.

    `DirectMessage()` is spread over the named deciders. The requester is reached only when the policy counts them as
    a decider and `requester` says who they are.
    """
    found: list[Place] = []
    for place in policy.show or _default_places(policy):
        if isinstance(place, DirectMessage) and place.person is None:
            found += [DirectMessage(person) for person in _addressees(policy, requester)]
        else:
            found.append(place)
    return tuple(dict.fromkeys(found))


def emails(policy: Policy) -> tuple[str, ...]:
    """The e-mails, in lower case, of the named people whose id is not known yet."""
    named = named_people(policy)
    return tuple(dict.fromkeys(person.email for person in named if person.email and person.id is None))


def named_people(policy: Policy) -> tuple[Person, ...]:
    """Everybody whom a policy names, as a decider, as a starter, or to show them the card."""
    return (*_people(policy.deciders), *_people(policy.starters), *_shown_people(policy))


def named_channels(policy: Policy) -> tuple[str, ...]:
    """Every channel that a policy names, each once: whose members decide or start, and where the card is shown."""
    shown = (place.channel for place in policy.show if isinstance(place, Channel))
    return tuple(dict.fromkeys((*lookups(policy), *shown, *start_lookups(policy))))


def named_ids(policy: Policy) -> tuple[str, ...]:
    """The ids, as far as they are known, of the people who are named as deciders."""
    return tuple(dict.fromkeys(person.id for person in _people(policy.deciders) if person.id))


def with_ids(policy: Policy, ids: Mapping[str, str]) -> Policy:
    """The policy with the ids of people who were named by e-mail. An e-mail that `ids` does not have stays as it is."""
    known = {email.lower(): person_id for email, person_id in ids.items()}
    return policy.model_copy(
        update={
            "deciders": tuple(_with_id(decider, known) for decider in policy.deciders),
            "starters": tuple(_with_id(starter, known) for starter in policy.starters),
            "show": tuple(_place_with_id(place, known) for place in policy.show),
        }
    )


def candidates(
    policy: Policy, *, requester: str | None = None, approval: bool, gone: Collection[str] = ()
) -> int | None:
    """How many people can decide at most, or `None` where the members of a channel decide.

    With `requester`, an approval leaves them out; `gone` are the ids of people who cannot decide any more. Fewer than
    `policy.quorum` means that nobody can settle it.
    """
    if lookups(policy):
        return None
    named = {person.id or person.email for person in _people(policy.deciders)} - set(gone)
    if approval or policy.requester_excluded:
        return len(named - {requester})
    if not _names_requester(policy):
        return len(named)
    return len(named | {requester})


def _is_named(deciders: Iterable[Decider], person: PersonFacts) -> bool:
    return any(_is(named, person) for named in _people(deciders))


def _is(named: Person, person: PersonFacts) -> bool:
    if named.id is not None:
        return named.id == person.id
    return person.email is not None and named.email == person.email.lower()


def _names_requester(policy: Policy) -> bool:
    return any(isinstance(decider, Requester) for decider in policy.deciders)


def _people(deciders: Iterable[Decider]) -> tuple[Person, ...]:
    return tuple(decider for decider in deciders if isinstance(decider, Person))


def _shown_people(policy: Policy) -> tuple[Person, ...]:
    return tuple(place.person for place in policy.show if isinstance(place, DirectMessage) and place.person)


def _channels(deciders: Iterable[Decider]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(decider.channel for decider in deciders if isinstance(decider, ChannelMembers)))


def _default_places(policy: Policy) -> tuple[Place, ...]:
    return (*(Channel(channel) for channel in lookups(policy)), DirectMessage())


def _addressees(policy: Policy, requester: str | None) -> tuple[Person, ...]:
    """The people among the deciders, the requester last; whoever started it outside Slack cannot be written to."""
    named = _people(policy.deciders)
    if requester is None or not _names_requester(policy) or not PERSON_ID.fullmatch(requester):
        return named
    return (*named, Person(id=requester))


def _with_id(decider: Decider, known: Mapping[str, str]) -> Decider:
    if not isinstance(decider, Person) or decider.id is not None:
        return decider
    return Person(id=known.get(decider.email or ""), email=decider.email)


def _place_with_id(place: Place, known: Mapping[str, str]) -> Place:
    if not isinstance(place, DirectMessage) or place.person is None:
        return place
    return place.model_copy(update={"person": _with_id(place.person, known)})


def check(policy: Policy, *, approval: bool = False) -> list[str]:
    """The mistakes of a policy, each with its fix, for registration. `approval`: a choice declines."""
    if not policy.deciders:
        return ['nobody decides; name the deciders, or write out ChannelMembers("#channel") if anyone in a channel may']
    if approval and all(isinstance(decider, Requester) for decider in policy.deciders):
        return ["only the requester decides, and nobody approves their own request; name somebody else"]
    return [*_unreachable(policy, approval=approval), *_misplaced(policy)]


def _unreachable(policy: Policy, *, approval: bool) -> list[str]:
    most = candidates(policy, approval=approval)
    if most is None:
        return []
    if approval and policy.starters and all(_decides(starter, policy) for starter in policy.starters):
        most -= 1
    limits = {"quorum": policy.quorum, "declines_at": policy.declines_at} if approval else {"quorum": policy.quorum}
    return [
        f"{name} is {needed}, but only {most} can decide; lower it or name more people"
        for name, needed in limits.items()
        if needed > most
    ]


def _decides(starter: Decider, policy: Policy) -> bool:
    return isinstance(starter, Person) and starter in policy.deciders


def _misplaced(policy: Policy) -> list[str]:
    mistakes = []
    if any(isinstance(starter, Requester) for starter in policy.starters):
        mistakes.append("Requester() cannot be a starter, as whoever starts is the requester; leave `starters` out")
    spreads = any(isinstance(place, DirectMessage) and place.person is None for place in policy.show)
    if spreads and not _people(policy.deciders) and not _names_requester(policy):
        mistakes.append("DirectMessage() goes to each named decider, and none is named; use DirectMessage(Person(...))")
    return mistakes

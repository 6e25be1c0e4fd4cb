"""The questions asked of a policy: who may start, who decides, where it is shown. Pure: what must be looked up is passed in.

Of a policy with stages that waits for an answer, they are about the stage that is asked now.
"""

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
    Group,
    Lookup,
    ManagerOf,
    Needs,
    OnCall,
    Person,
    Place,
    Policy,
    Requester,
    Stage,
)
from actions.kit.records import PersonFacts

__all__ = [
    "Allowed",
    "Channel",
    "ChannelMembers",
    "Decider",
    "DirectMessage",
    "Frozen",
    "Group",
    "Lookup",
    "ManagerOf",
    "Needs",
    "OnCall",
    "Person",
    "Place",
    "Policy",
    "Refused",
    "Requester",
    "Stage",
    "Unverified",
    "Verdict",
    "emails",
    "every_lookup",
    "lookups",
    "may_start",
    "named_channels",
    "named_ids",
    "named_people",
    "place_lookups",
    "places",
    "start_lookups",
    "those",
    "verdict",
    "with_ids",
]

Expanded = Mapping[Lookup, Collection[str]]
"""The ids of the people whom each looked up decider stands for; one that is missing could not be looked up."""
MOST_DIRECT = 30
"""Direct messages that a card is sent to for the people who were looked up; everybody else of them decides quietly."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The person may."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The person may not, and why."""

    reason: Literal["not_a_decider", "not_a_starter", "requester", "excluded", "not_any_more", "guest", "bot"]


@dataclass(frozen=True, slots=True)
class Unverified:
    """Whether the person may hangs on these, which were not looked up."""

    lookups: tuple[Lookup, ...]


Verdict = Allowed | Refused | Unverified


def verdict(policy: Policy, person: PersonFacts, *, requester: str, approval: bool, expanded: Expanded) -> Verdict:
    """Whether a person may answer.

    `expanded` says whom each of `lookups(policy)` stands for; one that is not in it is never a pass. In an approval the
    requester is refused by every route; in a question they may answer as `Requester()`, by name or as one of those who
    are looked up. A guest decides only by name, a bot never, and nobody who is excluded.
    """
    asks_themselves = person.id == requester and (approval or policy.requester_excluded)
    if refused := _never(policy, person, asks_themselves, requester, expanded):
        return refused
    deciders = those(policy.deciders)
    is_named = _is_named(deciders, person, requester)
    if not is_named and not _is_found(deciders, person, expanded):
        unknown = _missing(_lookups(deciders), expanded)
        return Unverified(_missing(lookups(policy), expanded)) if unknown else Refused("not_a_decider")
    if person.is_guest and not is_named:
        return Refused("guest")
    unknown = _missing(_lookups(policy.exclude), expanded)
    return Unverified(unknown) if unknown else Allowed()


def _never(
    policy: Policy, person: PersonFacts, asks_themselves: bool, requester: str, expanded: Expanded
) -> Refused | None:
    """Why this person does not decide, whoever does."""
    if person.is_bot:
        return Refused("bot")
    if person.is_deleted:
        return Refused("not_a_decider")
    if asks_themselves:
        return Refused("requester")
    return Refused("excluded") if _is_one_of(policy.exclude, person, requester, expanded) else None


def may_start(policy: Policy, person: PersonFacts, expanded: Expanded) -> Verdict:
    """Whether a person may start the action. `expanded` is about `start_lookups(policy)`."""
    if person.is_bot:
        return Refused("bot")
    if person.is_guest:
        return Refused("guest")
    if person.is_deleted:
        return Refused("not_a_starter")
    if not policy.starters or _is_one_of(policy.starters, person, person.id, expanded):
        return Allowed()
    unknown = _missing(start_lookups(policy), expanded)
    return Unverified(unknown) if unknown else Refused("not_a_starter")


def those(deciders: Iterable[Decider | Needs]) -> tuple[Decider, ...]:
    """The deciders of a policy without what it needs of each."""
    flat: list[Decider] = []
    for each in deciders:
        flat += each.of if isinstance(each, Needs) else (each,)
    return tuple(dict.fromkeys(flat))


def lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say who decides, each once."""
    return _lookups((*those(policy.deciders), *policy.exclude))


def start_lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say who may start."""
    return _lookups(policy.starters)


def place_lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say whom a card reaches directly."""
    spread = not policy.show or any(_is_spread(place) for place in policy.show)
    told = those(policy.deciders) if spread and not policy.notify else ()
    return tuple(each for each in _lookups((*policy.notify, *told)) if not isinstance(each, ChannelMembers))


def every_lookup(policy: Policy) -> tuple[Lookup, ...]:
    """Everybody who ever has to be looked up for a policy, in any of its stages."""
    return _lookups((*_every_decider(policy), *policy.starters))


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


def emails(policy: Policy) -> tuple[str, ...]:
    """The e-mails, in lower case, of the named people whose id is not known yet."""
    named = named_people(policy)
    return tuple(dict.fromkeys(person.email for person in named if person.email and person.id is None))


def named_people(policy: Policy) -> tuple[Person, ...]:
    """Everybody whom a policy names, to decide in any stage or not to, to start, or to show them the card."""
    return (*_people(_every_decider(policy)), *_people(policy.starters), *_shown_people(policy))


def named_channels(policy: Policy) -> tuple[str, ...]:
    """Every channel that a policy names, each once: whose members decide or start, and where the card is shown."""
    decided = _channels(_every_decider(policy))
    shown = (place.channel for place in _shown(policy) if isinstance(place, Channel))
    return tuple(dict.fromkeys((*decided, *shown, *_channels(policy.starters))))


def named_ids(policy: Policy) -> tuple[str, ...]:
    """The ids, as far as they are known, of the people who are named as deciders."""
    return tuple(dict.fromkeys(person.id for person in _people(those(policy.deciders)) if person.id))


def with_ids(policy: Policy, ids: Mapping[str, str]) -> Policy:
    """The policy with the ids of people who were named by e-mail. An e-mail that `ids` does not have stays as it is."""
    known = {email.lower(): person_id for email, person_id in ids.items()}
    stages = tuple(stage.model_copy(update=_terms_with_ids(stage, known)) for stage in policy.stages)
    starters = tuple(_with_id(starter, known) for starter in policy.starters)
    return policy.model_copy(update={**_terms_with_ids(policy, known), "starters": starters, "stages": stages})


def _terms_with_ids(terms: Policy | Stage, known: Mapping[str, str]) -> dict[str, object]:
    return {
        "deciders": tuple(_asked_with_id(decider, known) for decider in terms.deciders),
        "exclude": tuple(_with_id(decider, known) for decider in terms.exclude),
        "notify": tuple(_with_id(decider, known) for decider in terms.notify),
        "show": tuple(_place_with_id(place, known) for place in terms.show),
    }


def _asked_with_id(decider: Decider | Needs, known: Mapping[str, str]) -> Decider | Needs:
    if isinstance(decider, Needs):
        return decider.model_copy(update={"of": tuple(_with_id(each, known) for each in decider.of)})
    return _with_id(decider, known)


def _is_one_of(deciders: Iterable[Decider], person: PersonFacts, requester: str, expanded: Expanded) -> bool:
    deciders = tuple(deciders)
    return _is_named(deciders, person, requester) or _is_found(deciders, person, expanded)


def _is_named(deciders: Iterable[Decider], person: PersonFacts, requester: str) -> bool:
    deciders = tuple(deciders)
    is_requester = person.id == requester and any(isinstance(each, Requester) for each in deciders)
    return is_requester or any(_is(named, person) for named in _people(deciders))


def _is_found(deciders: Iterable[Decider], person: PersonFacts, expanded: Expanded) -> bool:
    return any(person.id in expanded.get(lookup, ()) for lookup in _lookups(deciders))


def _is(named: Person, person: PersonFacts) -> bool:
    if named.id is not None:
        return named.id == person.id
    return person.email is not None and named.email == person.email.lower()


def _missing(wanted: Iterable[Lookup], expanded: Expanded) -> tuple[Lookup, ...]:
    return tuple(lookup for lookup in wanted if lookup not in expanded)


def _every_decider(policy: Policy) -> tuple[Decider, ...]:
    terms: tuple[Policy | Stage, ...] = (policy, *policy.stages)
    return tuple(each for one in terms for each in (*those(one.deciders), *one.exclude, *one.notify))


def _people(deciders: Iterable[Decider]) -> tuple[Person, ...]:
    return tuple(decider for decider in deciders if isinstance(decider, Person))


def _lookups(deciders: Iterable[Decider]) -> tuple[Lookup, ...]:
    return tuple(dict.fromkeys(decider for decider in deciders if not isinstance(decider, Person | Requester)))


def _shown(policy: Policy) -> tuple[Place, ...]:
    return (*policy.show, *(place for stage in policy.stages for place in stage.show))


def _shown_people(policy: Policy) -> tuple[Person, ...]:
    return tuple(place.person for place in _shown(policy) if isinstance(place, DirectMessage) and place.person)


def _channels(deciders: Iterable[Decider]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(decider.channel for decider in deciders if isinstance(decider, ChannelMembers)))


def _default_places(policy: Policy) -> tuple[Place, ...]:
    return (*(Channel(channel) for channel in _channels(those(policy.deciders))), DirectMessage())


def _is_spread(place: Place) -> bool:
    return isinstance(place, DirectMessage) and place.person is None


def _addressees(policy: Policy, requester: str | None, expanded: Expanded) -> tuple[Place, ...]:
    """Those who are named, those who are found, and the requester last; nobody outside Slack can be written to."""
    told = policy.notify or those(policy.deciders)
    people = list(_people(told))
    wanted = [each for each in _lookups(told) if not isinstance(each, ChannelMembers)]
    found = sorted({person for lookup in wanted for person in expanded.get(lookup, ())} - {requester})
    left_out = {person for lookup in _lookups(policy.exclude) for person in expanded.get(lookup, ())}
    left_out |= {person.id for person in _people(policy.exclude) if person.id}
    people += [Person(id=person) for person in found if person not in left_out][:MOST_DIRECT]
    named = any(isinstance(each, Requester) for each in told)
    if named and requester is not None and PERSON_ID.fullmatch(requester):
        people.append(Person(id=requester))
    known: dict[str | None, Person] = {}
    for person in people:
        known.setdefault(person.id or person.email, person)
    channels = _channels(policy.notify)
    return (*(Channel(channel) for channel in channels), *(DirectMessage(person) for person in known.values()))


def _with_id(decider: Decider, known: Mapping[str, str]) -> Decider:
    if isinstance(decider, ManagerOf):
        return decider.model_copy(update={"of": _with_id(decider.of, known)})
    if not isinstance(decider, Person) or decider.id is not None:
        return decider
    return Person(id=known.get(decider.email or ""), email=decider.email)


def _place_with_id(place: Place, known: Mapping[str, str]) -> Place:
    if not isinstance(place, DirectMessage) or place.person is None:
        return place
    return place.model_copy(update={"person": _with_id(place.person, known)})

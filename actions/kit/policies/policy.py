"""The questions asked of a policy: who may start, who decides, whom it names. Pure: what must be looked up is passed in.

Of a policy with stages that waits for an answer, they are about the stage that is asked now.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from actions.kit.policies.deciders import (
    After,
    BreakGlass,
    Channel,
    ChannelMembers,
    Decider,
    DirectMessage,
    Frozen,
    Grants,
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
from actions.kit.records.people import PersonFacts

__all__ = [
    "Allowed",
    "BreakGlass",
    "Channel",
    "ChannelMembers",
    "Decider",
    "DirectMessage",
    "Frozen",
    "Grants",
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
    "channels_in",
    "depends_on_requester",
    "emails",
    "escalated_to",
    "every_lookup",
    "in_emergencies",
    "left_out",
    "lookups",
    "lookups_in",
    "may_start",
    "missing",
    "named_channels",
    "named_ids",
    "named_people",
    "people_in",
    "start_lookups",
    "those",
    "verdict",
    "with_ids",
]

Expanded = Mapping[Lookup, Collection[str]]
"""The ids of the people whom each looked up decider stands for; one that is missing could not be looked up."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The person may; `standing_for` is in whose place they decide, where it is not in their own."""

    standing_for: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The person may not, and why; `standing_for` is in whose place they would have decided, where they stand in."""

    reason: Literal[
        "not_a_decider", "not_a_starter", "requester", "excluded", "not_any_more", "guest", "bot", "no_stand_ins"
    ]
    standing_for: str | None = None


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
        unknown = missing(lookups_in(deciders), expanded)
        return Unverified(missing(lookups(policy), expanded)) if unknown else Refused("not_a_decider")
    if person.is_guest and not is_named:
        return Refused("guest")
    unknown = missing(lookups_in(policy.exclude), expanded)
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
    return Refused("excluded") if left_out(policy, person, requester, expanded) else None


def left_out(policy: Policy, person: PersonFacts, requester: str, expanded: Expanded) -> bool:
    """Whether the policy leaves this person out, as far as is known, or might."""
    return _is_one_of(policy.exclude, person, requester, expanded) or _may_be_one_of(policy.exclude, person)


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
    unknown = missing(start_lookups(policy), expanded)
    return Unverified(unknown) if unknown else Refused("not_a_starter")


def those(deciders: Iterable[Decider | Needs]) -> tuple[Decider, ...]:
    """The deciders of a policy without what it needs of each."""
    flat: list[Decider] = []
    for each in deciders:
        flat += each.of if isinstance(each, Needs) else (each,)
    return tuple(dict.fromkeys(flat))


def lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say who decides, each once."""
    return lookups_in((*those(policy.deciders), *policy.exclude))


def start_lookups(policy: Policy) -> tuple[Lookup, ...]:
    """Those who must be looked up to say who may start."""
    return lookups_in(policy.starters)


def every_lookup(policy: Policy) -> tuple[Lookup, ...]:
    """Everybody who ever has to be looked up for a policy, in any of its stages."""
    return lookups_in((*_every_decider(policy), *policy.starters))


def depends_on_requester(policy: Policy) -> bool:
    """Whether who decides is another person for another requester."""
    terms: tuple[Policy | Stage, ...] = (policy, *policy.stages)
    deciders = [each for one in terms for each in those(one.deciders)] + [
        *escalated_to(policy),
        *in_emergencies(policy),
    ]
    return any(isinstance(each.of if isinstance(each, ManagerOf) else each, Requester) for each in deciders)


def emails(policy: Policy) -> tuple[str, ...]:
    """The e-mails, in lower case, of the named people whose id is not known yet."""
    named = named_people(policy)
    return tuple(dict.fromkeys(person.email for person in named if person.email and person.id is None))


def named_people(policy: Policy) -> tuple[Person, ...]:
    """Everybody whom a policy names, to decide in any stage, later or not, to start, or to show them the card."""
    return (*people_in(_every_decider(policy)), *people_in(policy.starters), *_shown_people(policy))


def named_channels(policy: Policy) -> tuple[str, ...]:
    """Every channel that a policy names, each once: whose members decide or start, and where the card is shown."""
    decided = channels_in(_every_decider(policy))
    shown = (place.channel for place in _shown(policy) if isinstance(place, Channel))
    return tuple(dict.fromkeys((*decided, *shown, *channels_in(policy.starters))))


def named_ids(policy: Policy) -> tuple[str, ...]:
    """The ids, as far as they are known, of the people who are named as deciders."""
    return tuple(dict.fromkeys(person.id for person in people_in(those(policy.deciders)) if person.id))


def with_ids(policy: Policy, ids: Mapping[str, str]) -> Policy:
    """The policy with the ids of people who were named by e-mail. An e-mail that `ids` does not have stays as it is."""
    known = {email.lower(): person_id for email, person_id in ids.items()}
    others = {
        "stages": tuple(stage.model_copy(update=_terms_with_ids(stage, known)) for stage in policy.stages),
        "starters": tuple(_with_id(starter, known) for starter in policy.starters),
        "escalate": tuple(_later_with_ids(each, known) for each in policy.escalate),
        "break_glass": policy.break_glass and _glass_with_ids(policy.break_glass, known),
    }
    return policy.model_copy(update={**_terms_with_ids(policy, known), **others})


def _later_with_ids(later: After, known: Mapping[str, str]) -> After:
    return later.model_copy(update={"to": tuple(_with_id(each, known) for each in later.to)})


def _glass_with_ids(glass: BreakGlass, known: Mapping[str, str]) -> BreakGlass:
    people = {name: tuple(_with_id(each, known) for each in getattr(glass, name)) for name in ("who", "review")}
    return glass.model_copy(update=people)


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
    return is_requester or any(_is(named, person) for named in people_in(deciders))


def _may_be_one_of(excluded: Iterable[Decider], person: PersonFacts) -> bool:
    """Whose e-mail is not known may be anybody who is left out by an e-mail that nobody was found by."""
    return person.email is None and any(named.id is None for named in people_in(excluded))


def _is_found(deciders: Iterable[Decider], person: PersonFacts, expanded: Expanded) -> bool:
    return any(person.id in expanded.get(lookup, ()) for lookup in lookups_in(deciders))


def _is(named: Person, person: PersonFacts) -> bool:
    if named.id is not None:
        return named.id == person.id
    return person.email is not None and named.email == person.email.lower()


def missing(wanted: Iterable[Lookup], expanded: Expanded) -> tuple[Lookup, ...]:
    """Those of which it is not known for whom they stand."""
    return tuple(lookup for lookup in wanted if lookup not in expanded)


def _every_decider(policy: Policy) -> tuple[Decider, ...]:
    terms: tuple[Policy | Stage, ...] = (policy, *policy.stages)
    decide = tuple(each for one in terms for each in (*those(one.deciders), *one.exclude, *one.notify))
    return (*decide, *escalated_to(policy), *in_emergencies(policy))


def escalated_to(policy: Policy) -> tuple[Decider, ...]:
    """Those who decide as well once it has waited long."""
    return tuple(decider for each in policy.escalate for decider in each.to)


def in_emergencies(policy: Policy) -> tuple[Decider, ...]:
    """Those who may break the glass, and those who review it."""
    glass = policy.break_glass
    return (*glass.who, *glass.review) if glass else ()


def people_in(deciders: Iterable[Decider]) -> tuple[Person, ...]:
    """Those who are named."""
    return tuple(decider for decider in deciders if isinstance(decider, Person))


def lookups_in(deciders: Iterable[Decider]) -> tuple[Lookup, ...]:
    """Those who must be looked up, each once."""
    return tuple(dict.fromkeys(decider for decider in deciders if not isinstance(decider, Person | Requester)))


def _shown(policy: Policy) -> tuple[Place, ...]:
    return (*policy.show, *(place for stage in policy.stages for place in stage.show))


def _shown_people(policy: Policy) -> tuple[Person, ...]:
    return tuple(place.person for place in _shown(policy) if isinstance(place, DirectMessage) and place.person)


def channels_in(deciders: Iterable[Decider]) -> tuple[str, ...]:
    """The channels whose members decide, each once."""
    return tuple(dict.fromkeys(decider.channel for decider in deciders if isinstance(decider, ChannelMembers)))


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

"""Whom and what policies name: channels, people and those to look up, of the registered actions and of what waits now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from actions.kit.action import Action
from actions.kit.policies.policy import ChannelMembers, Lookup, Person, every_lookup, named_channels, named_people
from actions.kit.records.interrupts import Card

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Named:
    """Channels (ids or `#names`), people (ids or e-mails), groups and the like, each with who names it."""

    channels: Mapping[str, tuple[str, ...]]
    people: Mapping[str, tuple[str, ...]]
    lookups: Mapping[Lookup, tuple[str, ...]]


def named_by(actions: Iterable[Action], waiting: Iterable[Card]) -> Named:
    """Everything that is named, each once, in the order of the actions."""
    policies = [(f"the action {action.id}", action.policy) for action in actions]
    policies += [(f"the waiting run {card.run.id}", card.interrupt.policy) for card in waiting]
    channels: dict[str, list[str]] = {}
    people: dict[str, list[str]] = {}
    found: dict[Lookup, list[str]] = {}
    for who, policy in policies:
        for channel in named_channels(policy):
            channels.setdefault(channel, []).append(who)
        for person in dict.fromkeys(map(_spelt, named_people(policy))):
            people.setdefault(person, []).append(who)
        for lookup in every_lookup(policy):
            if not isinstance(lookup, ChannelMembers):
                found.setdefault(lookup, []).append(who)
    return Named(_frozen(channels), _frozen(people), _frozen(found))


def _spelt(person: Person) -> str:
    return person.id or person.email or ""


def _frozen(found: Mapping[Key, list[str]]) -> Mapping[Key, tuple[str, ...]]:
    return {name: tuple(whos) for name, whos in found.items()}

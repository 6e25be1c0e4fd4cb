"""Whom and what policies name: the channels and people of the registered actions, and of the questions that wait now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from actions.kit.action import Action
from actions.kit.policy import Person, named_channels, named_people
from actions.kit.records import Card


@dataclass(frozen=True, slots=True)
class Named:
    """Channels (ids or `#names`) and people (ids or e-mails), each with who names it."""

    channels: Mapping[str, tuple[str, ...]]
    people: Mapping[str, tuple[str, ...]]


def named_by(actions: Iterable[Action], waiting: Iterable[Card]) -> Named:
    """Everything that is named, each once, in the order of the actions."""
    policies = [(f"the action {action.id}", action.policy) for action in actions]
    policies += [(f"the waiting run {card.run.id}", card.interrupt.policy) for card in waiting]
    channels: dict[str, list[str]] = {}
    people: dict[str, list[str]] = {}
    for who, policy in policies:
        for channel in named_channels(policy):
            channels.setdefault(channel, []).append(who)
        for person in dict.fromkeys(map(_spelt, named_people(policy))):
            people.setdefault(person, []).append(who)
    return Named(_frozen(channels), _frozen(people))


def _spelt(person: Person) -> str:
    return person.id or person.email or ""


def _frozen(found: Mapping[str, list[str]]) -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(whos) for name, whos in found.items()}

"""What an interrupt shows: its data, read with what the author said about it, and never a secret."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from actions.kit.records.interrupts import Card
from blocks.cards import facts_of_kind
from blocks.data import facts_in
from blocks.described import Described, described, described_by
from blocks.facts import Facts, Room
from blocks.live import PersonId
from blocks.telling import told
from blocks.values import parse_json
from blocks.withheld import without_secrets

LOOKED_AT = 500
"""Values that are looked through for people."""
NAMED = 20
"""People whose names a card may need."""


def data_of(card: Card) -> tuple[Any, Described]:
    """The data as it may be shown, and what is known about it."""
    about = described(card.interrupt.shown_schema, card.names)
    value = parse_json(card.interrupt.shown)
    return (without_secrets(value, about.root) if about.root else value), about


def facts_shown(card: Card, room: Room) -> Facts:
    """What its kind of card draws of the data, else as any data is shown."""
    value, about = data_of(card)
    return facts_of_kind(card.interrupt.ui, value, about, room) or facts_in(value, room, about)


def people_in(card: Card) -> tuple[str, ...]:
    """The ids of people whom the data or an answer names: a card shows their names, since a mention would call them."""
    found = dict.fromkeys(islice(_people(*data_of(card)), NAMED))
    for edit in card.run.edits:
        found |= dict.fromkeys(islice(_people(parse_json(edit.before), described(edit.described)), NAMED))
    for decision in card.decisions:
        choice = card.interrupt.shape.choice(decision.choice)
        if choice is not None and choice.has_form:
            answered = _people(parse_json(decision.value), described_by(choice.json_schema))
            found |= dict.fromkeys(islice(answered, NAMED))
    return tuple(found)[:NAMED]


def _people(value: Any, about: Described) -> Iterator[str]:
    waiting = [(value, about)]
    for _ in range(LOOKED_AT):
        if not waiting:
            return
        each, known = waiting.pop()
        known = known.of(each)
        match each:
            case Mapping():
                waiting += [(entry, known.entry(name)) for name, entry in islice(each.items(), LOOKED_AT)]
            case list():
                waiting += [(entry, known.item) for entry in each[:LOOKED_AT]]
            case str() if isinstance(live := told(each, known).live, PersonId):
                yield live.id

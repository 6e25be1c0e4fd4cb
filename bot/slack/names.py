"""The names of people whom a card's data names: shown as words, since a mention in a message would call them."""

import asyncio
from dataclasses import replace

from actions.kit.records.interrupts import Card
from blocks.shown import people_in
from bot.engine.people import CouldNotVerify, Directory
from bot.slack.aside import aside


class Names:
    """Each look-up ends within the directory's time; whoever is not known by then is shown by their id."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def of(self, card: Card) -> Card:
        """The card with the names that could be learned."""
        people = await aside(card, lambda: people_in(card))
        if not people:
            return card
        found = await asyncio.gather(*map(self._name, people))
        names = {person: name for person, name in zip(people, found, strict=True) if name}
        return replace(card, names=names) if names else card

    async def _name(self, person: str) -> str | None:
        try:
            facts = await self._directory.person(person)
        except CouldNotVerify:
            return None
        return facts.name if facts else None

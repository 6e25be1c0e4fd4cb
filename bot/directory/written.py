"""Turns people as they are written down, by e-mail or by id, into Slack's."""

import asyncio
from collections.abc import Iterable

from bot.directory.found import Found
from bot.slack.directory import Directory as SlackDirectory


class Written:
    """E-mails are looked up; an id is taken as it is, since whoever clicks is looked up in any case."""

    def __init__(self, slack: SlackDirectory) -> None:
        self._slack = slack

    async def found(self, whos: Iterable[str], source: str, *, strangers: Iterable[str] = ()) -> Found:
        """Raises `CouldNotVerify` where one of them cannot be looked up; whoever is nobody in Slack is a stranger."""
        named = tuple(dict.fromkeys(whos))
        ids = await asyncio.gather(*map(self.id_of, named))
        nobody = [who for who, person in zip(named, ids, strict=True) if person is None]
        return Found(frozenset(filter(None, ids)), source, (*nobody, *strangers))

    async def id_of(self, who: str) -> str | None:
        if "@" not in who:
            return who
        facts = await self._slack.by_email(who)
        return facts.id if facts else None

    async def spellings(self, person: str) -> tuple[str, ...]:
        """How a person of this id may be written: by the id, and by their e-mail."""
        facts = await self._slack.person(person)
        return (person, facts.email.lower()) if facts and facts.email else (person,)

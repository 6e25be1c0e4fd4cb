"""Who manages whom: a field of Slack's profiles where one is set and says it, else the people file."""

from bot.directory.book import PeopleBook
from bot.directory.found import Found
from bot.directory.written import Written
from bot.engine.people import UnknownName
from bot.slack.profiles import Profiles

NO_SOURCE = UnknownName(
    "nothing says who manages whom",
    "Set SIGNOFF_MANAGER_FIELD to a field of Slack's profiles, or write `managers` into the file of SIGNOFF_PEOPLE.",
)


class Managers:
    """Managers level by level. Somebody without one ends the chain: nobody is found then, which is an answer."""

    def __init__(self, profiles: Profiles | None, book: PeopleBook, written: Written) -> None:
        self._profiles = profiles
        self._book = book
        self._written = written

    async def check(self) -> None:
        """Raises `UnknownName` where nothing can say who manages whom."""
        if self._profiles is not None:
            await self._profiles.field_id()
        elif not (await self._book.open()).said.managers:
            raise UnknownName(NO_SOURCE.what, NO_SOURCE.advice)

    async def source(self) -> str:
        """In words where managers are looked up, in this order."""
        written = (await self._book.open()).said.managers
        field = [f"in the field {self._profiles.field!r} of Slack's profiles"] if self._profiles else []
        return " and then ".join([*field, *([f"in the people file, of {len(written):,}"] if written else [])])

    async def above(self, person: str, level: int) -> Found:
        """The managers so many levels above a person."""
        await self.check()
        found = Found(frozenset({person}), "")
        for _ in range(level):
            steps = [await self._of(each) for each in sorted(found.people)]
            found = Found(
                frozenset[str]().union(*(step.people for step in steps)),
                ", then ".join(dict.fromkeys(filter(None, (found.source, *(step.source for step in steps))))),
                (*found.strangers, *(stranger for step in steps for stranger in step.strangers)),
            )
        return found

    async def _of(self, person: str) -> Found:
        if self._profiles is not None and (named := await self._profiles.named(person)):
            return await self._written.found(named, f"the field {self._profiles.field!r} of Slack's profiles")
        file = await self._book.open()
        for spelling in await self._written.spellings(person):
            if managers := file.said.managers.get(spelling):
                return await self._written.found(managers, file.where("managers", spelling))
        return Found(frozenset(), f"no manager of {person} is known")

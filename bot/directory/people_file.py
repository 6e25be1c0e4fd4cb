"""The file of SIGNOFF_PEOPLE: managers, groups and rotas as a team writes them down; what is wrong is told with its line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, NaiveDatetime

from actions.kit.policies.deciders import EMAIL, HANDLE, PERSON_ID
from bot.directory.calendars import CalendarError, RotaCalendar
from bot.yaml_file import FileError, Place, YamlFile, read_yaml
from bot.yaml_parts import Part, Zone

MOST_BYTES = 1024 * 1024
"""The largest calendar that is read: some 7,000 shifts, which take seconds."""
HERE = frozenset({"127.0.0.1", "localhost", "::1"})
SOURCES = ("people", "turns", "group", "calendar")


def _who(text: str) -> str:
    if PERSON_ID.fullmatch(text):
        return text
    if not EMAIL.fullmatch(text):
        raise ValueError("must be an e-mail address such as dana@example.com, or the id of a person in Slack")
    return text.lower()


def _name(text: str) -> str:
    if not HANDLE.fullmatch(text):
        raise ValueError("must be in small letters, with digits, dots, dashes and underscores, such as finance")
    return text


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Who = Annotated[str, AfterValidator(_who)]
Name = Annotated[str, AfterValidator(_name)]
Whos = Annotated[tuple[Who, ...], BeforeValidator(_one_or_many)]


class RotaPart(Part):
    """A rota, by one of four: `people` (always), `turns` from `since` on, a `group` of Slack's, or a `calendar`."""

    people: Whos = ()
    turns: Whos = ()
    since: NaiveDatetime | None = None
    days: int = Field(7, ge=1, le=366)
    group: str | None = None
    calendar: str | None = None
    names: dict[str, Who] = Field(default_factory=dict)
    timezone: Zone | None = None

    @property
    def given(self) -> list[str]:
        return [each for each in SOURCES if getattr(self, each)]


class FilePart(Part):
    """The whole file. Everybody in it is an e-mail address or a Slack id."""

    managers: dict[Who, Whos] = Field(default_factory=dict)
    groups: dict[Name, Whos] = Field(default_factory=dict)
    rotas: dict[Name, RotaPart] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PeopleFile:
    """What the file says. Without a file nothing is said."""

    said: FilePart = field(default_factory=FilePart)
    file: YamlFile | None = None

    def where(self, *place: int | str) -> str:
        """Where something stands: `people.yml:12`."""
        return f"{self.file.path.name}:{self.file.line(place)}" if self.file else ""

    def beside(self, calendar: str) -> str | Path:
        """Where a rota's calendar is: an address, or a path, which is meant from the folder of the file."""
        if is_address(calendar) or self.file is None:
            return calendar
        return self.file.path.parent / calendar


def load_people(path: Path) -> PeopleFile:
    """Raises `FileError` with every mistake in words, each with its file and line."""
    file = read_yaml(path)
    people = PeopleFile(file.read_as(FilePart), file)
    mistakes = [*_own_managers(file, people.said), *_rota_mistakes(file, people)]
    if mistakes:
        raise FileError(mistakes)
    return people


def read_calendar(path: Path) -> bytes:
    """What a file on the disk holds, or the beginning of one that is too large. Raises `CalendarError`."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CalendarError(f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def calendar_of(found: bytes, zone: str | None) -> RotaCalendar:
    """A calendar from what was read. Raises `CalendarError`."""
    if len(found) > MOST_BYTES:
        raise CalendarError(f"is larger than {MOST_BYTES:,} bytes")
    try:
        return RotaCalendar(found.decode("utf-8-sig"), zone)
    except UnicodeDecodeError:
        raise CalendarError("is not text in UTF-8") from None


def is_address(calendar: str) -> bool:
    return "://" in calendar


def turn_at(rota: RotaPart, here: datetime) -> str | None:
    """Whose turn it is at a local time; before the first turn nobody's. A turn begins at the same hour, summer or winter."""
    if rota.since is None or here < rota.since:
        return None
    number = (here - rota.since).days // rota.days
    return rota.turns[number % len(rota.turns)]


def _own_managers(file: YamlFile, said: FilePart) -> Iterable[str]:
    for person, managers in said.managers.items():
        if person in managers:
            yield file.mistake(("managers", person), "is their own manager; leave out who has none")


def _rota_mistakes(file: YamlFile, people: PeopleFile) -> Iterable[str]:
    for name, rota in people.said.rotas.items():
        place: Place = ("rotas", name)
        if len(rota.given) != 1:
            yield file.mistake(place, f"needs one of {', '.join(SOURCES)}; it has {', '.join(rota.given) or 'none'}")
        elif rota.turns and rota.since is None:
            yield file.mistake(
                (*place, "turns"), "need `since`, when the first of them began, such as 2026-11-30T09:00"
            )
        elif rota.names and rota.calendar is None:
            yield file.mistake((*place, "names"), "are for a calendar, and there is none")
        elif rota.calendar is not None and (wrong := _calendar_mistake(people, rota, rota.calendar)):
            yield file.mistake((*place, "calendar"), wrong)


def _calendar_mistake(people: PeopleFile, rota: RotaPart, calendar: str) -> str | None:
    at = people.beside(calendar)
    if isinstance(at, Path):
        try:
            calendar_of(read_calendar(at), rota.timezone)
        except CalendarError as error:
            return f"{error} ({at})"
        return None
    parts = urlsplit(calendar)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in HERE):
        return None
    return "must be a path, or begin with https:// (or be on this machine)"

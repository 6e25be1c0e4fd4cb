"""Builds a workspace from a config file and an app's manifest, so that any app can be tried in a company like one's own."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.workbench.assembly import assembled
from bot.workbench.config_parts import AppPart, ChannelPart, ConfigFile, GroupPart, PersonPart
from bot.workbench.conversations import Conversation, Kind
from bot.workbench.grants import EVERY_EVENT, EVERY_SCOPE
from bot.workbench.installed_app import App, Command, Shortcut
from bot.workbench.manifest_file import read_manifest
from bot.workbench.people import Group, Person, ProfileField
from bot.workbench.seed import BOT_SCOPES, acmes_channels, acmes_groups, acmes_people, signoff_app, signoffs_bot
from bot.workbench.workspace import Workspace
from bot.yaml_file import FileError, Place, YamlFile, read_yaml

COLORS = ("#2f6f5e", "#a4511f", "#6b3fa0", "#1d5fa8", "#b03060", "#6c6f75", "#8a6d1b", "#14213d")


@dataclass(frozen=True, slots=True)
class Configured:
    """What `Workbench` takes: the workspace, and the signing secret where the file fixes one."""

    workspace: Workspace
    signing_secret: str | None = None


def load_workspace(config: Path | None = None, manifest: Path | None = None) -> Configured:
    """The workspace that a config file describes; what it leaves out is Acme's, and the app Signoff or the manifest's.

    Raises `FileError` with every mistake in words, each with its file and line.
    """
    file = YamlFile(Path("config"), None, {(): 1}) if config is None else read_yaml(config)
    said = file.read_as(ConfigFile)
    _check(file, said)
    return _Building(said, _app_of(file, said, manifest)).configured()


def _app_of(file: YamlFile, said: ConfigFile, manifest: Path | None) -> AppPart | None:
    if said.app is not None and (manifest or said.manifest):
        raise FileError([file.mistake(("app",), "describes the app, and so does a manifest: keep one of them")])
    if manifest is not None:
        return read_manifest(manifest)
    if said.manifest is not None:
        return read_manifest(file.path.parent / said.manifest)
    return said.app


class _Building:
    """One workspace in the making."""

    def __init__(self, said: ConfigFile, app: AppPart | None) -> None:
        self._said = said
        self._app, self._bot, self._scopes = _installed(app)
        self._fields = [ProfileField(f"Xf0{_letters(f.label)}", f.label, f.type, f.hint) for f in said.profile_fields]
        self._people = acmes_people() if said.people is None else [self._person(*p) for p in enumerate(said.people)]
        self._ids = {person.name: person.id for person in self._people}

    def configured(self) -> Configured:
        said, secrets = self._said, self._said.secrets
        self._name_people_in_profiles()
        workspace = assembled(
            team_id=said.team_id or f"T0{_letters(said.workspace)}",
            name=said.workspace,
            app=self._app,
            people=[*self._people, self._bot],
            conversations=list(self._conversations()),
            groups=self._groups(),
            profile_fields=self._fields,
            scopes=self._scopes,
            bot_token=secrets.bot_token,
            app_token=secrets.app_token,
        )
        return Configured(workspace, secrets.signing_secret)

    def _person(self, number: int, said: PersonPart) -> Person:
        return Person(
            said.id or f"U0{_letters(said.name)}",
            said.name,
            said.real_name or said.name.title(),
            said.email,
            said.title,
            COLORS[number % len(COLORS)],
            is_guest=said.guest,
            tz=said.timezone,
            fields=dict(said.profile),
        )

    def _name_people_in_profiles(self) -> None:
        """Profiles by the fields' ids, and people in them by theirs, as Slack has them."""
        known = {field.label: field for field in self._fields}
        for person in self._people:
            labelled = [(known[label], value) for label, value in person.fields.items()]
            person.fields = {f.id: self._ids.get(value, value) if f.kind == "user" else value for f, value in labelled}

    def _conversations(self) -> Iterable[Conversation]:
        if self._said.channels is not None:
            return [self._channel(channel) for channel in self._said.channels]
        if self._said.people is None:
            return acmes_channels(self._bot.id)
        return [self._channel(ChannelPart(name="general"))]

    def _channel(self, said: ChannelPart) -> Conversation:
        everybody = [person.id for person in self._people if not person.is_guest]
        members = everybody if said.members is None else [self._ids[name] for name in said.members]
        with_bot = [*members, self._bot.id] if said.app else members
        channel_id = said.id or f"C0{_letters(said.name)}"
        kind: Kind = "private" if said.private else "channel"
        return Conversation(channel_id, said.name, kind, said.topic, list(dict.fromkeys(with_bot)), said.archived)

    def _groups(self) -> list[Group]:
        if self._said.groups is not None:
            return [self._group(group) for group in self._said.groups]
        return acmes_groups() if self._said.people is None else []

    def _group(self, said: GroupPart) -> Group:
        members = [self._ids[name] for name in said.members]
        group_id, name = said.id or f"S0{_letters(said.handle)}", said.name or said.handle
        return Group(group_id, said.handle, name, said.description, members, said.disabled)


def _installed(said: AppPart | None) -> tuple[App, Person, frozenset[str]]:
    """The app, its bot and what its token may do."""
    if said is None:
        return signoff_app(), signoffs_bot(), BOT_SCOPES
    bot_name = re.sub(r"[^a-z0-9._-]+", "-", (said.bot or said.name).lower()).strip("-._") or "app"
    letters = _letters(bot_name)
    app = App(
        f"A0{letters}",
        said.name,
        f"U0{letters}",
        f"B0{letters}",
        tuple(Command(c.command, c.description, c.usage_hint, c.should_escape) for c in said.commands),
        tuple(Shortcut(s.type, s.name, s.callback_id, s.description) for s in said.shortcuts),
        EVERY_EVENT if said.events is None else said.events,
        said.messages_tab,
        said.home_tab,
    )
    bot = Person(app.user, bot_name, said.bot or said.name, color="#14213d", is_bot=True)
    return app, bot, EVERY_SCOPE if said.scopes is None else frozenset(said.scopes)


def _check(file: YamlFile, said: ConfigFile) -> None:
    """What no single part can know: names that stand twice, and names of nobody."""
    people = [p.name for p in said.people] if said.people is not None else [p.name for p in acmes_people()]
    labels = [field.label for field in said.profile_fields]
    mistakes = [
        *([file.mistake(("people",), "must not be empty")] if not people else []),
        *_twice(file, ("people",), said.people or ()),
        *_twice(file, ("channels",), said.channels or ()),
        *_twice(file, ("groups",), said.groups or ()),
        *_strangers(file, ("channels",), {n: c.members or () for n, c in enumerate(said.channels or ())}, people),
        *_strangers(file, ("groups",), {n: g.members for n, g in enumerate(said.groups or ())}, people),
        *(
            file.mistake(("people", number, "profile", label), "is not among the profile_fields")
            for number, person in enumerate(said.people or ())
            for label in person.profile
            if label not in labels
        ),
    ]
    if mistakes:
        raise FileError(mistakes)


def _twice(file: YamlFile, place: Place, parts: Sequence[PersonPart | ChannelPart | GroupPart]) -> Iterable[str]:
    """Two of one name, or of one id; ids that are not given are made of the letters of the names."""
    seen: dict[str, int] = {}
    for number, part in enumerate(parts):
        key = "handle" if isinstance(part, GroupPart) else "name"
        name = part.handle if isinstance(part, GroupPart) else part.name
        first = seen.setdefault(part.id or _letters(name), number)
        if first != number:
            line = file.line((*place, first))
            yield file.mistake(
                (*place, number, key), f"is {name!r}, too much like the one on line {line}: give it an `id`"
            )


def _strangers(
    file: YamlFile, place: Place, members: Mapping[int, Sequence[str]], people: Sequence[str]
) -> Iterable[str]:
    for number, names in members.items():
        for index, name in enumerate(names):
            if name not in people:
                where = (*place, number, "members", index)
                yield file.mistake(
                    where, f"is {name!r}, and there is nobody of that name; there are: {', '.join(people)}"
                )


def _letters(name: str) -> str:
    """What an id is made of: `anna-maria` is ANNAMARIA, so that the ids are the same each time."""
    return re.sub(r"[^A-Z0-9]", "", name.upper()) or "X"

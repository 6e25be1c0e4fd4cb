"""The parts of a workbench's config file: people, channels, groups, and the app that is to be tried."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from bot.yaml_parts import Part, Zone

CASED = "must be in small letters, with digits, dots, dashes and underscores, such as rita or on-call"


def _without_sign(text: object) -> object:
    """A name as it is called: `@rita` and `#general` are taken too."""
    return text.removeprefix("@").removeprefix("#") if isinstance(text, str) else text


def _in(form: str, words: str) -> AfterValidator:
    """Text in a form; `words` say what it has to be."""
    pattern = re.compile(form)

    def fits(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(words)
        return text

    return AfterValidator(fits)


def _id(letters: str, example: str) -> AfterValidator:
    return _in(rf"[{letters}][A-Z0-9]{{2,}}", f"must be an id as Slack has them, such as {example}")


Name = Annotated[str, BeforeValidator(_without_sign), _in(r"[a-z0-9][a-z0-9._-]{0,79}", CASED)]
PersonId = Annotated[str, _id("UW", "U012RITA")]
ChannelId = Annotated[str, _id("CG", "C012GENERAL")]
GroupId = Annotated[str, _id("S", "S012ONCALL")]
TeamId = Annotated[str, _id("T", "T012ACME")]
Email = Annotated[str, _in(r"[^@\s]+@[^@\s]+\.[^@\s]+", "must be an e-mail address such as rita@example.com")]
BotToken = Annotated[str, _in(r"xoxb-[\w-]+", "must begin with xoxb-")]
AppToken = Annotated[str, _in(r"xapp-[\w-]+", "must begin with xapp-")]
SigningSecret = Annotated[str, _in(r"[\w-]{8,}", "must have at least 8 letters, digits or dashes")]
CommandName = Annotated[
    str, _in(r"/[^\s/]\S{0,30}", "must begin with / and have at most 32 characters, without spaces")
]


class CommandPart(Part):
    """A slash command; limits as in docs.slack.dev/reference/app-manifest."""

    command: CommandName
    description: str = Field("", max_length=2000)
    usage_hint: str = Field("", max_length=1000)
    should_escape: bool = False


class ShortcutPart(Part):
    """A shortcut; limits as in docs.slack.dev/reference/app-manifest."""

    type: Literal["global", "message"]
    name: str = Field(min_length=1, max_length=24)
    callback_id: str = Field(min_length=1, max_length=255)
    description: str = Field("", max_length=150)


class AppPart(Part):
    """The app. Without `scopes` it may do everything, and without `events` it is told everything."""

    name: str = Field("App", min_length=1, max_length=35)
    bot: str | None = Field(None, min_length=1, max_length=80)
    commands: tuple[CommandPart, ...] = ()
    shortcuts: tuple[ShortcutPart, ...] = ()
    scopes: tuple[str, ...] | None = None
    events: tuple[str, ...] | None = None
    home_tab: bool = True
    messages_tab: bool = True


class PersonPart(Part):
    """A person. `profile` holds the company's own fields, by their labels."""

    name: Name
    id: PersonId | None = None
    real_name: str | None = Field(None, min_length=1, max_length=80)
    email: Email | None = None
    title: str = Field("", max_length=200)
    timezone: Zone = "Etc/UTC"
    guest: bool = False
    profile: dict[str, str] = Field(default_factory=dict)


class ChannelPart(Part):
    """A channel. Without `members` everybody is in it but guests; `app` says whether the bot is."""

    name: Name
    id: ChannelId | None = None
    topic: str = ""
    private: bool = False
    members: tuple[Name, ...] | None = None
    app: bool = True
    archived: bool = False


class GroupPart(Part):
    """A user group, mentioned by its handle."""

    handle: Name
    id: GroupId | None = None
    name: str | None = None
    description: str = ""
    members: tuple[Name, ...] = ()
    disabled: bool = False


class FieldPart(Part):
    """A field that the company adds to everybody's profile. One of the type `user` holds a person's name."""

    label: str = Field(min_length=1)
    type: Literal["text", "user", "date", "link", "options_list"] = "text"
    hint: str = ""


class SecretsPart(Part):
    """Tokens that stay the same from one start to the next. They count in this workbench alone."""

    bot_token: BotToken | None = None
    app_token: AppToken | None = None
    signing_secret: SigningSecret | None = None


class ConfigFile(Part):
    """The whole file. What it leaves out is Acme's: its people, its channels; and without an app, Signoff."""

    workspace: str = Field("Acme", min_length=1, max_length=80)
    team_id: TeamId | None = None
    manifest: str | None = None
    app: AppPart | None = None
    people: tuple[PersonPart, ...] | None = None
    channels: tuple[ChannelPart, ...] | None = None
    groups: tuple[GroupPart, ...] | None = None
    profile_fields: tuple[FieldPart, ...] = ()
    secrets: SecretsPart = SecretsPart()

"""What the operator sets, from the environment and `.env`, under the names that Slack developers expect.

Only actions and the proxy of the machine have settings besides these. A value that does not fit is told by its name, and
no token is ever shown.
"""

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

import actions
from actions.kit.policies.deciders import PERSON_ID
from actions.kit.shapes.wording import words

HERE = re.compile(r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/|$)")
HOST = re.compile(r"(\*\.)?[\w.-]+|[0-9a-fA-F:]+")
CommaSeparated = Annotated[tuple[str, ...], NoDecode]
Transport = Literal["socket", "http"]

THEIR_PEOPLE = Path(actions.__file__).parent / "people.yml"
DEFAULT_PORT = 3000
PORTS = ("SIGNOFF_PORT", "PORT")
A_PORT = "must be a whole number from 0 to 65535"
PUT_IT = "and put it into the environment or into .env"


class SettingsError(Exception):
    """Settings that cannot work. `mistakes` are sentences, one each, that name the setting and what to do."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class Settings(BaseSettings):
    """Every setting, with its default. The order here is the order of the README's table."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", hide_input_in_errors=True, frozen=True)

    bot_token: SecretStr | None = Field(
        None,
        validation_alias="SLACK_BOT_TOKEN",
        description="The bot token, `xoxb-…`: *OAuth & Permissions* of your app.",
    )
    app_token: SecretStr | None = Field(
        None,
        validation_alias="SLACK_APP_TOKEN",
        description="The app-level token, `xapp-…`, with `connections:write`, for Socket Mode: *Basic Information*.",
    )
    signing_secret: SecretStr | None = Field(
        None, validation_alias="SLACK_SIGNING_SECRET", description="The signing secret, for HTTP: *Basic Information*."
    )
    slack_api_url: str = Field(
        "https://slack.com/api/", validation_alias="SLACK_API_URL", description="Where Slack's Web API is."
    )
    database_url: str = Field(
        "sqlite:///var/signoff.db",
        validation_alias="DATABASE_URL",
        description="Where runs are kept: `sqlite:///` and a path, relative to the working directory, or `postgresql://user:password@host/name` (with the extra `postgres`).",
    )
    actions: CommaSeparated = Field(
        (),
        validation_alias="ACTIONS",
        description="Modules with more actions than those in `actions/`, separated by commas.",
    )
    agent: str = Field(
        "agent",
        validation_alias="SIGNOFF_AGENT",
        description="The id of the agent that answers where people write to the bot: `@signoff …`, and direct messages.",
    )
    transport: Transport | None = Field(
        None,
        validation_alias="SIGNOFF_TRANSPORT",
        description="`socket` or `http`. Without it: Socket Mode where `SLACK_APP_TOKEN` is set, else HTTP.",
    )
    host: str = Field(
        "127.0.0.1",
        validation_alias="SIGNOFF_HOST",
        description="The address that HTTP listens on. A proxy with TLS stands before it.",
    )
    port: int | None = Field(
        None,
        ge=0,
        le=65535,
        validation_alias=AliasChoices(*PORTS),
        description="The port that HTTP listens on; `PORT` is read too. Without it: 3000 where Slack comes by HTTP, and none in Socket Mode.",
    )
    admins: CommaSeparated = Field(
        (),
        validation_alias="SIGNOFF_ADMINS",
        description="Operators: Slack ids, separated by commas. They may cancel, settle what is stalled and deliver again.",
    )
    people: Path | None = Field(
        None,
        validation_alias="SIGNOFF_PEOPLE",
        description="A YAML file with managers, groups and rotas: [docs/people.md](docs/people.md). Without it: `actions/people.yml`, that of the worked actions.",
    )
    manager_field: str | None = Field(
        None,
        validation_alias="SIGNOFF_MANAGER_FIELD",
        description="The field of Slack's profiles that names somebody's manager, by its label or its id.",
    )
    away_status: CommaSeparated = Field(
        (":palm_tree:", ":face_with_thermometer:"),
        validation_alias="SIGNOFF_AWAY_STATUS",
        description="The emoji of Slack statuses that mean that somebody is away, separated by commas: [docs/people.md](docs/people.md).",
    )
    digest_hour: int | None = Field(
        9,
        ge=0,
        le=23,
        validation_alias="SIGNOFF_DIGEST_HOUR",
        description="The hour, in each one's own time, at which deciders get a digest of what waits for them on weekdays; `off` sends none: [docs/policies.md](docs/policies.md#in-the-morning).",
    )
    migrate: bool = Field(
        True, validation_alias="SIGNOFF_MIGRATE", description="Bring the database's schema up to date at start-up."
    )
    check_cards: bool = Field(
        False,
        validation_alias="SIGNOFF_CHECK_CARDS",
        description="Check every card and form against Slack's limits before it is sent, and fail loudly: for development.",
    )
    webhook_hosts: CommaSeparated = Field(
        (),
        validation_alias="SIGNOFF_WEBHOOK_HOSTS",
        description="Hosts inside your network that webhooks may reach, separated by commas; `*.corp.example` takes all below it.",
    )
    webhook_insecure: bool = Field(
        False,
        validation_alias="SIGNOFF_WEBHOOK_INSECURE",
        description="Let webhooks reach this very machine, without TLS too: for trying.",
    )
    log_format: Literal["console", "json"] = Field(
        "console",
        validation_alias="SIGNOFF_LOG_FORMAT",
        description="`console` for people, `json` for machines. Logs go to standard error.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", validation_alias="SIGNOFF_LOG_LEVEL", description="`debug`, `info`, `warning` or `error`."
    )

    @field_validator("actions", "admins", "webhook_hosts", "away_status", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(part.strip() for part in value.split(",") if part.strip())

    @field_validator("bot_token", "app_token", "signing_secret", "people", "manager_field", mode="before")
    @classmethod
    def _empty_is_absent(cls, value: object) -> object:
        return None if isinstance(value, str) and not value.strip() else value

    @field_validator("digest_hour", mode="before")
    @classmethod
    def _off_is_none(cls, value: object) -> object:
        return None if value == "off" else value

    @field_validator("admins")
    @classmethod
    def _ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        strangers = [entry for entry in value if not PERSON_ID.fullmatch(entry)]
        if strangers:
            raise ValueError(f"takes Slack ids such as U012ABCDEF; {', '.join(strangers)} is none")
        return value

    @field_validator("away_status")
    @classmethod
    def _emoji(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """As Slack spells it, whether or not it was given with colons."""
        return tuple(f":{entry.strip(':')}:" for entry in value)

    @field_validator("webhook_hosts")
    @classmethod
    def _hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        strangers = [entry for entry in value if not HOST.fullmatch(entry)]
        if strangers:
            raise ValueError(
                f"takes names and addresses of hosts, without scheme or port; {', '.join(strangers)} is none"
            )
        return value

    @field_validator("slack_api_url")
    @classmethod
    def _slash(cls, value: str) -> str:
        if not (value.startswith("https://") or HERE.match(value)):
            raise ValueError("must start with https:// (or be on this machine), since tokens travel to it")
        return value.rstrip("/") + "/"

    @classmethod
    def load(cls, **overrides: object) -> Self:
        """Read the environment and `.env`. Raises `SettingsError`."""
        try:
            return cls(**{cls.env_name(name): value for name, value in overrides.items()})  # type: ignore[arg-type]
        except ValidationError as error:
            raise SettingsError([_sentence(each) for each in error.errors(include_input=False)]) from None

    @classmethod
    def env_name(cls, field: str) -> str:
        """The name of a field in the environment."""
        alias = cls.model_fields[field].validation_alias
        return str(alias.choices[0] if isinstance(alias, AliasChoices) else alias)

    @property
    def way_in(self) -> Transport:
        """How Slack reaches this process."""
        return self.transport or ("socket" if self.app_token or not self.signing_secret else "http")

    @property
    def people_file(self) -> Path:
        """The file that says who people are."""
        return self.people or THEIR_PEOPLE

    @property
    def listens_on(self) -> int | None:
        """The port of the HTTP server; `None` where there is none."""
        return DEFAULT_PORT if self.port is None and self.way_in == "http" else self.port

    def check_slack(self) -> None:
        """Raise `SettingsError` with everything that is missing or mixed up for the chosen transport."""
        mistakes = [_token_mistake("SLACK_BOT_TOKEN", self.bot_token, ("xoxb-", "xoxe.xoxb-"), "OAuth & Permissions")]
        if self.way_in == "socket":
            mistakes.append(
                _token_mistake("SLACK_APP_TOKEN", self.app_token, ("xapp-",), "Basic Information, App-Level Tokens")
            )
        elif self.signing_secret is None:
            mistakes.append(
                f"SLACK_SIGNING_SECRET is not set. Copy it from your Slack app's page: Basic Information, {PUT_IT}."
            )
        found = [mistake for mistake in mistakes if mistake]
        if found:
            raise SettingsError(found)


def _token_mistake(name: str, token: SecretStr | None, prefixes: tuple[str, ...], where: str) -> str | None:
    if token is None:
        return f"{name} is not set. Copy it ({prefixes[0]}…) from your Slack app's page: {where}, {PUT_IT}."
    if not token.get_secret_value().startswith(prefixes):
        return (
            f"{name} must start with {prefixes[0]}; what is set does not. Copy it from your Slack app's page: {where}."
        )
    return None


def _sentence(error: ErrorDetails) -> str:
    name = str(error["loc"][0]) if error["loc"] else "settings"
    return f"{name}: {A_PORT if name in PORTS else words(error)}"

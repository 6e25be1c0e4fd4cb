"""A Slack app manifest, YAML or JSON: of all that it may say, what the workbench heeds (docs.slack.dev/reference/app-manifest)."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bot.workbench.config_parts import AppPart, CommandPart, ShortcutPart
from bot.yaml_file import read_yaml


class _Part(BaseModel):
    """A part of the manifest. What Slack knows beside the fields here is overlooked."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Display(_Part):
    name: str = Field(min_length=1, max_length=35)


class _BotUser(_Part):
    display_name: str = Field(min_length=1, max_length=80)


class _AppHome(_Part):
    home_tab_enabled: bool = False
    messages_tab_enabled: bool = False


class _Command(CommandPart):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Shortcut(ShortcutPart):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Features(_Part):
    app_home: _AppHome = _AppHome()
    bot_user: _BotUser | None = None
    slash_commands: tuple[_Command, ...] = ()
    shortcuts: tuple[_Shortcut, ...] = ()


class _Scopes(_Part):
    bot: tuple[str, ...] = ()


class _Oauth(_Part):
    scopes: _Scopes = _Scopes()


class _Subscriptions(_Part):
    bot_events: tuple[str, ...] = ()


class _Settings(_Part):
    event_subscriptions: _Subscriptions = _Subscriptions()


class Manifest(_Part):
    """The whole of it."""

    display_information: _Display
    features: _Features = _Features()
    oauth_config: _Oauth = _Oauth()
    settings: _Settings = _Settings()

    def as_app(self) -> AppPart:
        """The app that is installed from it: held to what it asks for, as Slack holds it."""
        features, name = self.features, self.display_information.name
        return AppPart(
            name=name,
            bot=name if features.bot_user is None else features.bot_user.display_name,
            commands=features.slash_commands,
            shortcuts=features.shortcuts,
            scopes=self.oauth_config.scopes.bot,
            events=self.settings.event_subscriptions.bot_events,
            home_tab=features.app_home.home_tab_enabled,
            messages_tab=features.app_home.messages_tab_enabled,
        )


def read_manifest(path: Path) -> AppPart:
    """Raises `FileError` with every mistake, each with its line."""
    return read_yaml(path).read_as(Manifest).as_app()

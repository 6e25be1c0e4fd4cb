"""The app that the workbench has installed is the one that `manifest.yml` describes."""

from pathlib import Path

import yaml

from bot.workbench.seed import acme

MANIFEST = yaml.safe_load((Path(__file__).parents[2] / "manifest.yml").read_text(encoding="utf-8"))


def test_the_bot_has_the_scopes_of_the_manifest_and_no_others():
    bot, app = acme().tokens.values()
    assert bot.scopes == set(MANIFEST["oauth_config"]["scopes"]["bot"])
    assert app.scopes == {"connections:write"}


def test_the_app_has_the_commands_tabs_and_events_of_the_manifest():
    app, features = acme().app, MANIFEST["features"]
    commands = [
        (c["command"], c["description"], c["usage_hint"], c["should_escape"]) for c in features["slash_commands"]
    ]
    assert [(c.command, c.description, c.usage_hint, c.should_escape) for c in app.commands] == commands
    assert app.home_tab is features["app_home"]["home_tab_enabled"]
    assert app.messages_tab is features["app_home"]["messages_tab_enabled"]
    assert list(app.events) == MANIFEST["settings"].get("event_subscriptions", {}).get("bot_events", [])


def test_each_acme_has_tokens_of_its_own():
    assert not acme().tokens.keys() & acme().tokens.keys()

"""The manifest fits Slack's rules and asks for no more than the bot uses.

The rules are those of Slack's manifest schema (slackapi/manifest-schema, 2.0.0) that a change here could break.
"""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]

KNOWN = {
    "": {"_metadata", "display_information", "features", "oauth_config", "settings"},
    "display_information": {"name", "description", "long_description", "background_color"},
    "features": {"app_home", "bot_user", "shortcuts", "slash_commands"},
    "features.app_home": {"home_tab_enabled", "messages_tab_enabled", "messages_tab_read_only_enabled"},
    "features.bot_user": {"display_name", "always_online"},
    "oauth_config": {"redirect_urls", "scopes"},
    "oauth_config.scopes": {"bot"},
    "settings": {
        "event_subscriptions",
        "interactivity",
        "org_deploy_enabled",
        "socket_mode_enabled",
        "token_rotation_enabled",
    },
    "settings.interactivity": {"is_enabled"},
}


@pytest.fixture(scope="module")
def manifest():
    return yaml.safe_load((ROOT / "manifest.yml").read_text())


def at(manifest, path):
    for step in filter(None, path.split(".")):
        manifest = manifest[step]
    return manifest


@pytest.mark.parametrize("path", KNOWN)
def test_each_section_has_only_keys_that_slack_knows(manifest, path):
    assert set(at(manifest, path)) <= KNOWN[path]


def test_the_names_fit_slacks_limits(manifest):
    about, bot = manifest["display_information"], manifest["features"]["bot_user"]
    assert 0 < len(about["name"]) <= 35
    assert 0 < len(about["description"]) <= 140
    assert re.fullmatch(r"#([0-9a-fA-F]{3}){1,2}", about["background_color"])
    assert re.fullmatch(r"[a-z0-9._-]{1,80}", bot["display_name"])


def test_the_slash_command_fits_slacks_limits(manifest):
    (command,) = manifest["features"]["slash_commands"]
    assert re.fullmatch(r"/[a-z_-]{1,31}", command["command"])
    assert set(command) <= {"command", "description", "usage_hint", "should_escape"}
    assert 0 < len(command["description"]) <= 2_000
    assert 0 < len(command["usage_hint"]) <= 1_000
    assert command["should_escape"] is False


def test_the_bot_is_reached_by_a_socket_and_needs_no_address(manifest):
    assert manifest["settings"]["socket_mode_enabled"] is True
    assert manifest["settings"]["interactivity"]["is_enabled"] is True
    assert "url" not in str(manifest).lower()


def test_people_can_be_written_to(manifest):
    assert manifest["features"]["app_home"]["messages_tab_enabled"] is True


def test_the_bot_asks_for_the_scopes_that_it_uses_and_no_others(manifest):
    assert sorted(manifest["oauth_config"]["scopes"]["bot"]) == [
        "channels:history",
        "channels:read",
        "chat:write",
        "chat:write.public",
        "commands",
        "groups:history",
        "groups:read",
        "im:history",
        "im:write",
        "users:read",
        "users:read.email",
    ]


def test_tokens_do_not_rotate_and_the_app_stays_in_its_workspace(manifest):
    assert manifest["settings"]["token_rotation_enabled"] is False
    assert manifest["settings"]["org_deploy_enabled"] is False

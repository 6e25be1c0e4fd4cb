"""The manifest fits Slack's rules and asks for no more than the bot uses, for Socket Mode and for HTTP.

The rules are those of Slack's manifest schema (slackapi/manifest-schema, 2.0.0) that a change here could break.
"""

import re
from pathlib import Path

import pytest
import yaml

from blocks.lives import WORDS
from blocks.starts import ABOUT_MESSAGE, START_SHORTCUT
from bot.cli.manifest import for_http
from bot.doctor.findings import Health
from bot.doctor.manifest import manifest_finding
from bot.slack.scopes import NEEDS
from bot.workbench.seed import BOT_SCOPES, COMMANDS, EVENTS, SHORTCUTS

ROOT = Path(__file__).parents[2]
FILE = ROOT / "manifest.yml"
URL = "https://signoff.example.com/slack/events"

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
    "settings.interactivity": {"is_enabled", "request_url", "message_menu_options_url"},
    "settings.event_subscriptions": {"bot_events", "request_url"},
}


@pytest.fixture(scope="module", params=["socket", "http"])
def manifest(request):
    text = FILE.read_text(encoding="utf-8")
    return yaml.safe_load(text if request.param == "socket" else for_http(text, URL))


@pytest.fixture(scope="module")
def for_socket():
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


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
    assert set(command) <= {"command", "description", "usage_hint", "should_escape", "url"}
    assert 0 < len(command["description"]) <= 2_000
    assert 0 < len(command["usage_hint"]) <= 1_000
    assert command["should_escape"] is True


def test_the_hint_of_the_slash_command_is_what_its_help_lists(manifest):
    (command,) = manifest["features"]["slash_commands"]
    assert command["usage_hint"] == f"[{' | '.join(word for word, _ in WORDS if word)}]"


def test_the_bot_is_reached_by_a_socket_and_needs_no_address(for_socket):
    assert for_socket["settings"]["socket_mode_enabled"] is True
    assert for_socket["settings"]["interactivity"]["is_enabled"] is True
    assert "url" not in str(for_socket).lower()


def test_over_http_every_address_that_slack_asks_for_is_the_bots_and_nothing_else_differs(for_socket):
    text = FILE.read_text(encoding="utf-8")
    over_http = yaml.safe_load(for_http(text, URL))
    (command,) = over_http["features"]["slash_commands"]
    settings = over_http["settings"]
    assert command.pop("url") == URL
    assert settings["interactivity"].pop("request_url") == URL
    assert settings["interactivity"].pop("message_menu_options_url") == URL
    assert settings["event_subscriptions"].pop("request_url") == URL
    assert settings["socket_mode_enabled"] is False
    settings["socket_mode_enabled"] = True
    assert over_http == for_socket
    assert "Socket Mode needs no address" not in for_http(text, URL)


def test_the_home_tab_is_there_and_the_bot_hears_when_it_is_opened(manifest):
    assert manifest["features"]["app_home"]["home_tab_enabled"] is True
    assert tuple(manifest["settings"]["event_subscriptions"]["bot_events"]) == EVENTS


def test_the_shortcuts_fit_slacks_limits_and_are_those_that_the_bot_knows(manifest):
    shortcuts = manifest["features"]["shortcuts"]
    for shortcut in shortcuts:
        assert set(shortcut) == {"name", "type", "callback_id", "description"}
        assert 0 < len(shortcut["name"]) <= 24
        assert 0 < len(shortcut["description"]) <= 150
    known = [(each["type"], each["callback_id"], each["name"], each["description"]) for each in shortcuts]
    assert known == [(each.kind, each.callback_id, each.name, each.description) for each in SHORTCUTS]
    assert [each["callback_id"] for each in shortcuts] == [START_SHORTCUT, ABOUT_MESSAGE]


def test_the_workbench_has_the_command_as_the_manifest_says_it(manifest):
    (known,) = COMMANDS
    (command,) = manifest["features"]["slash_commands"]
    assert (command["command"], command["description"]) == (known.command, known.description)
    assert command["usage_hint"] == known.usage_hint


def test_people_can_be_written_to(manifest):
    assert manifest["features"]["app_home"]["messages_tab_enabled"] is True


def test_the_bot_asks_for_the_scopes_that_it_uses_and_no_others(manifest):
    used = sorted(need.scope for need in NEEDS)
    assert sorted(manifest["oauth_config"]["scopes"]["bot"]) == used
    assert sorted(BOT_SCOPES) == used


def test_tokens_do_not_rotate_and_the_app_stays_in_its_workspace(manifest):
    assert manifest["settings"]["token_rotation_enabled"] is False
    assert manifest["settings"]["org_deploy_enabled"] is False


@pytest.mark.parametrize("left_out", ["home_tab_enabled: true", "- app_home_opened", START_SHORTCUT, "- chat:write\n"])
def test_the_doctor_says_what_an_older_manifest_lacks(tmp_path, left_out):
    file = tmp_path / "manifest.yml"
    assert manifest_finding(FILE).health is Health.OK
    text = re.sub(r" +#.*$", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    file.write_text(text.replace(left_out, ""), encoding="utf-8")
    finding = manifest_finding(file)
    assert finding.health is Health.WARN
    assert f"without {left_out.strip('- ').strip()}" in finding.seen

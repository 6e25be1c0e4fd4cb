"""`signoff workbench` as somebody starts it for an app of their own, and what they are told where that cannot be."""

import json
import re
import signal
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.integration.command_line.desk import Desk

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
CONFIG = str(EXAMPLES / "workbench.yml")


def settings_in(printed: str) -> dict[str, str]:
    """The lines that go into an .env file."""
    return dict(re.findall(r"^([A-Z_]+)=(\S+)$", printed, re.MULTILINE))


def call(url: str, token: str = "", **body: Any) -> Any:
    """What a method of the Web API, or the control API, answers."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers)  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - as above
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        return json.load(refused)


def test_a_company_and_its_app_are_served_until_it_is_told_to_end(desk: Desk):
    serving = desk.serve("workbench", "--config", CONFIG, "--port", "0")
    printed = serving.says("Ctrl-C ends the workbench.")
    assert "Lunch is installed in Foodies: 1 command, 2 shortcuts, 4 events, 5 scopes.\n" in printed
    assert "/?as=paula." in printed
    settings = settings_in(printed)
    api = settings.pop("SLACK_API_URL")
    assert settings == {"SLACK_BOT_TOKEN": "xoxb-foodies", "SLACK_APP_TOKEN": "xapp-foodies"}
    assert call(f"{api}auth.test", "xoxb-foodies")["user"] == "lunch"
    told = call(api.replace("/api/", "/workbench/v1"))
    assert [person["name"] for person in told["people"]] == ["paula", "quentin", "vera"]
    assert told["app"]["transport"] == "socket"
    assert serving.ends(signal.SIGINT) == 0
    assert serving.text.endswith("Bye: the workbench and all that was said in it are gone.\n")


def test_over_http_it_gives_the_signing_secret_and_says_where_it_calls(desk: Desk):
    printed = desk.serve("workbench", "--config", CONFIG, "--port", "0", "--transport", "http").says("Ctrl-C ends")
    assert settings_in(printed)["SLACK_SIGNING_SECRET"] == "foodies-secret"
    assert "It is called at http://127.0.0.1:3000/slack/events.\n" in printed
    assert "SLACK_APP_TOKEN" not in printed
    assert "socketMode" not in printed


def test_without_a_file_it_is_acme_and_says_how_signoff_is_started(desk: Desk):
    printed = desk.serve("workbench", "--port", "0").says("Ctrl-C ends the workbench.")
    assert "Signoff is installed in Acme: 1 command" in printed
    assert "Then start it: signoff serve\n" in printed
    assert settings_in(printed)["SLACK_APP_TOKEN"].startswith("xapp-")


@pytest.mark.parametrize("strict", [True, False])
def test_a_ping_of_everybody_is_refused_by_the_strict_one_alone(desk: Desk, strict: bool):
    options = ["--strict"] if strict else []
    settings = settings_in(desk.serve("workbench", "--config", CONFIG, "--port", "0", *options).says("Ctrl-C ends"))
    loud = {"type": "section", "text": {"type": "mrkdwn", "text": "<!channel> Lunch!"}}
    said = {"channel": "C0GENERAL", "text": "Lunch!", "blocks": [loud]}
    answer = call(f"{settings['SLACK_API_URL']}chat.postMessage", settings["SLACK_BOT_TOKEN"], **said)
    assert answer["ok"] is not strict
    assert answer.get("error") == ("invalid_blocks" if strict else None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--config", "none.yml"], "none.yml: no such file or directory"),
        (["--config", "wrong.yml"], "wrong.yml:2: people[1].emial is not known here; did you mean 'email'?"),
        (["--manifest", "wrong.yml"], "wrong.yml:1: display_information is required"),
        (["--config", CONFIG, "--manifest", "none.yml"], "none.yml: no such file or directory"),
        (["--request-url", "https://example.com/x"], "--request-url: the request URL has to be on this machine, not"),
        (
            ["--request-url", "http://127.0.0.1:1/x", "--transport", "socket"],
            "--request-url is for HTTP: leave it out, or take --transport http.",
        ),
    ],
)
def test_what_cannot_be_is_told_in_one_line(desk: Desk, options: list[str], words: str):
    (desk.folder / "wrong.yml").write_text("people:\n- {name: rita, emial: x}\n")
    assert desk.signoff("workbench", *options).one_error.startswith(words)


def test_a_manifest_on_the_command_line_counts_more_than_the_one_in_the_file(desk: Desk):
    (desk.folder / "other.json").write_text('{"display_information": {"name": "Other"}}')
    printed = desk.serve("workbench", "--config", CONFIG, "--manifest", "other.json", "--port", "0").says("Ctrl-C")
    assert "Other is installed in Foodies: 0 commands, 0 shortcuts, 0 events, 0 scopes." in printed


def test_its_help_names_files_and_examples(desk: Desk):
    said = " ".join(desk.signoff("workbench", "--help").out.split())
    for words in ("--config FILE", "--manifest FILE", "--transport", "--request-url", "--strict", "manifest.json"):
        assert words in said

"""`signoff serve` and `signoff workbench`: what they say at the start, what can be wrong there, and how they end."""

import json
import re
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from actions.kit.records.runs import RunStatus
from tests.integration.command_line.desk import Desk, Said, Serving
from tests.integration.scenes import Scene

BOT, APP = "xoxb-1111-wrong-bot", "xapp-1-wrong-app"
DEAD_RESOURCES = """
    from actions import resources

    @resources
    async def open_pool():
        raise ConnectionRefusedError("nobody listens")
        yield
"""


@pytest.fixture
def slack(desk: Desk) -> Serving:
    """A workbench; its settings are in the environment."""
    workbench = desk.serve("workbench", "--port", "0")
    printed = workbench.says("Then start it")
    desk.set(**dict(line.split("=", 1) for line in printed.splitlines() if line.startswith("SLACK_")))
    return workbench


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens on, who never says a word."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def refused(desk: Desk, *arguments: str) -> list[str]:
    """What a command that could not start said; never a token, never a traceback."""
    return complaints(desk, desk.process(*arguments))


def complaints(desk: Desk, said: Said) -> list[str]:
    assert said.status == 2, said
    assert "Traceback" not in said.err
    secrets = [value for name, value in desk.settings.items() if name.endswith(("TOKEN", "SECRET"))]
    assert not any(secret in said.err for secret in secrets)
    lines = said.err.splitlines()
    assert all(line.startswith("signoff: ") for line in lines)
    return [line.removeprefix("signoff: ") for line in lines]


def test_what_is_missing_is_told_all_at_once(desk: Desk):
    bot, app = complaints(desk, desk.signoff("serve"))
    assert bot.startswith("SLACK_BOT_TOKEN is not set. Copy it (xoxb-…) from your Slack app's page")
    assert app.startswith("SLACK_APP_TOKEN is not set. Copy it (xapp-…)")
    assert all(line.endswith("and put it into the environment or into .env.") for line in (bot, app))
    desk.set(SIGNOFF_TRANSPORT="http", SLACK_BOT_TOKEN=BOT)
    (secret,) = complaints(desk, desk.signoff("serve"))
    assert secret.startswith("SLACK_SIGNING_SECRET is not set. Copy it from your Slack app's page: Basic Information")
    assert secret.endswith("and put it into the environment or into .env.")


def test_tokens_that_were_mixed_up_are_told_without_showing_them(desk: Desk):
    desk.set(SLACK_BOT_TOKEN=APP, SLACK_APP_TOKEN=BOT)
    bot, app = complaints(desk, desk.signoff("serve"))
    assert bot.startswith("SLACK_BOT_TOKEN must start with xoxb-; what is set does not.")
    assert app.startswith("SLACK_APP_TOKEN must start with xapp-; what is set does not.")


@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [
        ("SIGNOFF_PORT", "high", "SIGNOFF_PORT: must be a whole number from 0 to 65535"),
        ("SIGNOFF_PORT", "70000", "SIGNOFF_PORT: must be a whole number from 0 to 65535"),
        ("SIGNOFF_MIGRATE", "maybe", "SIGNOFF_MIGRATE: must be yes or no"),
        ("SIGNOFF_ADMINS", "ann@example.com", "SIGNOFF_ADMINS: takes Slack ids such as U012ABCDEF"),
        ("SIGNOFF_TRANSPORT", "carrier-pigeon", "SIGNOFF_TRANSPORT: must be one of: socket, http"),
        ("SLACK_API_URL", "http://slack.example/api/", "SLACK_API_URL: must start with https://"),
        ("SIGNOFF_LOG_LEVEL", "loud", "SIGNOFF_LOG_LEVEL: must be one of: debug, info, warning, error"),
    ],
)
def test_a_setting_that_does_not_fit_is_told_by_its_name(desk: Desk, setting: str, value: str, why: str):
    desk.set(SLACK_BOT_TOKEN=BOT, SLACK_APP_TOKEN=APP)
    desk.set(**{setting: value})
    (line,) = complaints(desk, desk.signoff("serve"))
    assert line.startswith(why)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("nonsense", "the database 'DATABASE_URL' is not a database URL; give DATABASE_URL as"),
        ("sqlite://", "the database 'sqlite://' has no file"),
    ],
)
def test_what_is_no_database_is_told(desk: Desk, value: str, why: str):
    desk.set(DATABASE_URL=value)
    (line,) = complaints(desk, desk.signoff("runs"))
    assert line.startswith(why)


@pytest.mark.parametrize("setting", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"])
def test_a_token_that_slack_refuses_is_told_by_its_setting(desk: Desk, slack: Serving, setting: str):
    desk.set(**{setting: {"SLACK_BOT_TOKEN": BOT, "SLACK_APP_TOKEN": APP}[setting]})
    (line,) = refused(desk, "serve")
    assert line.startswith(f"Slack refused the token in {setting}: invalid_auth. Copy it anew")


def test_a_slack_that_cannot_be_reached_is_told(desk: Desk, taken: int):
    desk.set(SLACK_BOT_TOKEN=BOT, SLACK_APP_TOKEN=APP, SLACK_API_URL="http://127.0.0.1:1/api/")
    (line,) = refused(desk, "serve")
    assert line.startswith("Slack could not be reached at http://127.0.0.1:1/api/: ")
    assert "Look at the network" in line


def test_what_answers_but_is_not_slack_is_told(desk: Desk, slack: Serving):
    desk.set(SLACK_API_URL=desk.settings["SLACK_API_URL"].replace("/api/", "/page/"))
    (line,) = refused(desk, "serve")
    assert "could not be reached" in line


def garbage(path: Path) -> None:
    path.write_bytes(b"not a database at all, " * 100)


def folder(path: Path) -> None:
    path.mkdir()


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999');"
        )


def strangers(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (garbage, "is not an SQLite database; name another file"),
        (folder, "cannot be opened for writing: Is a directory; check 'var/signoff.db'"),
        (newer, "has schema '9999', which is newer than this program's"),
    ],
)
def test_a_database_that_cannot_be_used_is_told_and_left_as_it_is(desk: Desk, make, why: str):
    path = desk.folder / "var" / "signoff.db"
    path.parent.mkdir()
    make(path)
    before = contents(path)
    (line,) = complaints(desk, desk.signoff("runs"))
    assert line.startswith("the database 'sqlite:///var/signoff.db' ")
    assert why in line
    assert contents(path) == before


def contents(path: Path) -> object:
    """The rows of a database, else the bytes of a file."""
    if not path.is_file() or not path.read_bytes().startswith(b"SQLite"):
        return path.read_bytes() if path.is_file() else None
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize(
    ("make", "why"),
    [(newer, "has schema '9999', which is newer"), (strangers, "holds tables of another program (recipes)")],
)
def test_the_bot_does_not_start_on_a_database_that_is_not_its_own(desk: Desk, make, why: str):
    desk.set(SLACK_BOT_TOKEN=BOT, SLACK_APP_TOKEN=APP)
    path = desk.folder / "var" / "signoff.db"
    path.parent.mkdir()
    make(path)
    before = contents(path)
    (line,) = refused(desk, "serve")
    assert why in line
    assert contents(path) == before


def test_a_place_where_no_folder_can_be_is_told(desk: Desk):
    (desk.folder / "var").write_text("a file")
    (line,) = complaints(desk, desk.signoff("runs"))
    assert "cannot be opened for writing: Not a directory" in line


def test_a_password_in_the_database_url_is_never_shown(desk: Desk):
    desk.set(SLACK_BOT_TOKEN=BOT, SLACK_APP_TOKEN=APP, DATABASE_URL="sqlite://ann:hidden-word@/x.db")
    assert "hidden-word" not in desk.signoff("runs").one_error


def test_a_port_that_is_taken_is_told_with_the_setting(desk: Desk, slack: Serving, taken: int):
    desk.set(SIGNOFF_TRANSPORT="http", SLACK_SIGNING_SECRET="s" * 32, SIGNOFF_PORT=str(taken))
    (line,) = refused(desk, "serve")
    assert line.startswith(f"cannot listen on 127.0.0.1:{taken}: ")
    assert "in use" in line
    assert line.endswith("Set SIGNOFF_PORT (0 takes a free one) or SIGNOFF_HOST.")


@pytest.mark.parametrize("command", ["workbench", "demo"])
def test_a_port_of_the_page_that_is_taken_is_told_with_the_option(desk: Desk, taken: int, command: str):
    (line,) = refused(desk, command, "--port", str(taken))
    assert line == (
        f"the workbench cannot listen on 127.0.0.1:{taken}: address already in use. "
        "Give another: --port 0 takes a free one."
    )


def test_a_request_url_elsewhere_is_refused(desk: Desk):
    said = desk.signoff("workbench", "--port", "0", "--request-url", "https://evil.example/slack/events")
    (line,) = complaints(desk, said)
    assert line.startswith("--request-url: the request URL has to be on this machine")


def test_resources_that_do_not_open_are_told_by_their_function(desk: Desk, slack: Serving):
    name = f"pool_{desk.folder.name}".replace("-", "_")
    (desk.folder / f"{name}.py").write_text(dedent(DEAD_RESOURCES))
    desk.monkeypatch.setenv("PYTHONPATH", str(desk.folder), prepend=":")
    desk.set(ACTIONS=name)
    (line,) = refused(desk, "serve")
    assert line.startswith(f"the resources of {name}.open_pool: ConnectionRefusedError: nobody listens. Nothing was")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_says_what_it_serves_and_what_is_missing_and_ends_when_it_is_told(desk: Desk, slack: Serving, how: int):
    bot = desk.serve("serve")
    printed = bot.says("Ctrl-C stops it.")
    assert "Signoff serves Acme over Socket Mode" in printed
    assert re.search(
        r"^  actions   .*refund_order, refund_orders, restart_service, .*send_message", printed, re.MULTILINE
    )
    assert "database  sqlite:///var/signoff.db" in printed
    assert "missing   SIGNOFF_ADMINS" in printed
    assert bot.ends(how) == 0
    assert "Stopping: what runs may finish" in bot.text
    assert desk.settings["SLACK_BOT_TOKEN"] not in bot.text
    assert "Traceback" not in bot.text
    assert slack.ends(how) == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_while_it_starts_it_ends_quietly(desk: Desk, taken: int, how: int):
    desk.set(SLACK_BOT_TOKEN=BOT, SLACK_APP_TOKEN=APP, SLACK_API_URL=f"http://127.0.0.1:{taken}/api/")
    bot = desk.serve("serve")
    database = desk.folder / "var" / "signoff.db-wal"
    assert desk.waits(database.exists), bot.text
    assert bot.ends(how) == 0
    assert bot.text == ""


def test_over_http_it_says_where_it_listens(desk: Desk, slack: Serving):
    desk.set(SIGNOFF_TRANSPORT="http", SLACK_SIGNING_SECRET="s" * 32, SIGNOFF_PORT="0", SIGNOFF_ADMINS="U0ANN")
    bot = desk.serve("serve")
    printed = bot.says("Ctrl-C stops it.")
    assert "over HTTP on 127.0.0.1:" in printed
    assert "missing" not in printed
    assert bot.ends(signal.SIGTERM) == 0


def test_two_bots_on_one_file_share_the_work_and_do_nothing_twice(desk: Desk, slack: Serving):
    bots = [desk.serve("serve"), desk.serve("serve")]
    for bot in bots:
        bot.says("Ctrl-C stops it.")
    given = json.dumps({"recipient": "press@example.com", "body": "We are live."})
    ids = [desk.signoff("start", "send_message", "--input", given, "--as", "U0RITA").out.strip() for _ in range(4)]
    assert desk.waits(lambda: all("  publisher" in desk.signoff("show", each).out for each in ids))

    async def lives(scene: Scene) -> None:
        for run_id in ids:
            assert (await scene.run(run_id)).status is RunStatus.WAITING
            assert await scene.events(run_id) == ["started", "claimed", "paused", "posted"]

    desk.happens(lives)
    assert [bot.ends(signal.SIGTERM) for bot in bots] == [0, 0]

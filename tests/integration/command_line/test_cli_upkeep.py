"""Migrate, back up, purge, and the manifest: what they print, what they leave alone, and their status."""

import json
import re
import sqlite3
import stat
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from alembic import command
from alembic.config import Config
from sqlalchemy import NullPool, create_engine

from actions.kit.records.runs import RunRecord, RunStatus
from bot.cli.ages import age
from bot.cli.progress import progress
from bot.clock import now
from storage.schema import HEAD, MIGRATIONS
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import ME, Scene, lease, new_run


async def ended_long_ago(scene: Scene) -> RunRecord:
    """A run that ended a hundred days ago, its requester told."""
    at = now() - timedelta(days=100)
    run = (await scene.store.start(new_run(), lease=lease(at), now=at)).run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=at)
    for copy in await scene.take(now()):
        await scene.post(copy, at)
    return run


async def waiting(scene: Scene) -> RunRecord:
    return await scene.run((await scene.posted(now=now())).run_id)


# Migrating


def test_migrating_makes_the_database_and_then_has_nothing_to_do(desk: Desk):
    assert desk.signoff("migrate").out == f"sqlite:///var/signoff.db: schema none → {HEAD}.\n"
    assert desk.signoff("migrate").out == f"sqlite:///var/signoff.db is at schema {HEAD} already.\n"
    assert desk.signoff("migrate", "--check").status == 0


def test_a_check_makes_nothing_and_says_that_it_is_behind(desk: Desk):
    said = desk.signoff("migrate", "--check")
    assert (said.status, said.out) == (
        1,
        f"sqlite:///var/signoff.db is at schema none; this program's is {HEAD}: signoff migrate\n",
    )
    assert list(desk.folder.iterdir()) == []


def test_a_newer_schema_is_refused_by_both(desk: Desk):
    desk.signoff("migrate")
    with sqlite3.connect("var/signoff.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0999'")
    connection.close()
    for arguments in (("migrate",), ("migrate", "--check")):
        assert "'0999', which is newer than this program's" in desk.signoff(*arguments).one_error


def test_an_older_schema_is_migrated_and_both_revisions_are_said(desk: Desk):
    desk.set(DATABASE_URL="sqlite:///old.db")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with create_engine("sqlite:///old.db", poolclass=NullPool).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    said = desk.signoff("migrate", "--check")
    assert (said.status, "is at schema 0001; this program's is" in said.out) == (1, True)
    said = desk.signoff("migrate")
    assert said.out == f"sqlite:///old.db: schema 0001 → {HEAD}.\n"
    assert said.err == f"Migrating sqlite:///old.db from schema 0001 to {HEAD} …\n"


# Backing up


def test_a_backup_beside_the_running_bot_has_what_was_stored(desk: Desk):
    run = desk.happens(waiting)
    said = desk.process("backup", "copy.db")
    assert (said.status, said.out) == (
        0,
        f"copy.db: {Path('copy.db').stat().st_size:,} bytes, 1 runs, schema {HEAD}; checked.\n",
    )
    assert stat.S_IMODE(Path("copy.db").stat().st_mode) == 0o600
    desk.set(DATABASE_URL="sqlite:///copy.db")
    assert json.loads(desk.signoff("runs", "--json").out)[0]["id"] == run.id


def test_a_backup_overwrites_nothing_unless_it_is_told_to(desk: Desk):
    desk.happens(waiting)
    desk.signoff("backup", "copy.db")
    assert "the backup 'copy.db' is there already" in desk.signoff("backup", "copy.db").one_error
    assert desk.signoff("backup", "copy.db", "--force").status == 0


def test_without_a_database_there_is_no_backup(desk: Desk):
    assert "is not there: no file" in desk.signoff("backup", "copy.db").one_error
    assert list(desk.folder.iterdir()) == []


def test_for_postgresql_the_command_is_printed_without_the_password(desk: Desk):
    desk.set(DATABASE_URL="postgresql://bot:hunter2@db.example.com/signoff?sslmode=require")
    said = desk.signoff("backup", "a copy")
    assert said.status == 2
    assert said.out == (
        "pg_dump --format=custom '--file=a copy' '--dbname=postgresql://bot@db.example.com/signoff?sslmode=require'\n"
    )
    assert "PostgreSQL's own tool" in said.err
    assert "hunter2" not in said.out + said.err


def test_a_url_that_is_none_is_told(desk: Desk):
    desk.set(DATABASE_URL="hunter2")
    for arguments in (("backup", "copy.db"), ("migrate",), ("migrate", "--check")):
        told = desk.signoff(*arguments).one_error
        assert "is not a database URL" in told
        assert "hunter2" not in told


# Purging


def test_a_purge_says_what_it_would_take_and_then_takes_it(desk: Desk):
    old, new = desk.happens(ended_long_ago), desk.happens(waiting)
    would = desk.signoff("purge", "--older-than", "90d", "--dry-run").out
    assert re.fullmatch(r"1 run that ended before \d{4}-\d\d-\d\d [\d:]{8} would be purged\.\n", would)
    assert desk.happens(lambda scene: scene.store.run(old.id)) is not None
    took = desk.process("purge", "--older-than", "90d").out
    assert re.fullmatch(
        r"Purged 1 run that ended before [-\d]+ [\d:]+, with 0 decisions and 3 entries of the audit\.\n", took
    )
    assert desk.happens(lambda scene: scene.store.run(old.id)) is None
    assert desk.happens(lambda scene: scene.store.run(new.id)) is not None
    assert desk.signoff("purge", "--older-than", "12w").out.startswith("Purged 0 runs that ended before ")


def test_a_purge_needs_an_age(desk: Desk):
    desk.happens(waiting)
    assert desk.signoff("purge").status == 2
    for given in ("90", "0d", "d", "-1d", "1.5d", "90 years", "٩d"):
        assert "--older-than takes an age such as 90d" in desk.signoff("purge", "--older-than", given).one_error


def test_ages_are_weeks_days_hours_and_minutes():
    ages = {
        "2w": timedelta(weeks=2),
        "90d": timedelta(days=90),
        " 36H ": timedelta(hours=36),
        "5m": timedelta(minutes=5),
    }
    assert {given: age("--x", given) for given in ages} == ages


# The manifest


def test_the_manifest_is_printed_as_it_stands_or_for_an_address(desk: Desk):
    as_it_stands = (Path(__file__).parents[3] / "manifest.yml").read_text(encoding="utf-8")
    assert desk.process("manifest").out == as_it_stands
    for given in (
        "https://signoff.example.com",
        "https://signoff.example.com/",
        "https://signoff.example.com/slack/events",
    ):
        made = yaml.safe_load(desk.signoff("manifest", "--url", given).out)
        assert made["settings"]["interactivity"]["request_url"] == "https://signoff.example.com/slack/events"
    below = yaml.safe_load(desk.signoff("manifest", "--url", "https://x.example.com:8443/bots/signoff").out)
    assert below["features"]["slash_commands"][0]["url"] == "https://x.example.com:8443/bots/signoff/slack/events"


@pytest.mark.parametrize(
    "given",
    [
        "http://signoff.example.com",
        "signoff.example.com",
        "https://",
        "https://x.example/?a=1",
        "https://x.example/#a",
        "https://me:secret@x.example",
        "https://x.example:99999",
        'https://x.example/"\nsettings:',
        "https://x.exämple",
    ],
)
def test_an_address_that_slack_would_not_take_is_refused(desk: Desk, given: str):
    assert "--url takes the address" in desk.signoff("manifest", "--url", given).one_error


def test_an_address_is_as_long_as_slack_takes(desk: Desk):
    assert "too long" in desk.signoff("manifest", "--url", "https://x.example/" + "a" * 3_000).one_error


# Bars


def test_nothing_draws_a_bar_where_nobody_looks(capsys: pytest.CaptureFixture[str]):
    with progress("Working") as tell:
        for done in range(5):
            tell(done, 5)
    assert capsys.readouterr() == ("", "")

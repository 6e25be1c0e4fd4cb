"""The doctor sees what is wrong with tokens, scopes, channels, people, the database, the clock and the engine; and says how to mend it."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from actions.kit.policies import deciders
from actions.kit.policies.policy import Channel, ChannelMembers, Person, Policy
from actions.kit.records.runs import Failure, RunStatus
from bot.cli.manifest import FILE
from bot.clock import now
from bot.doctor.findings import Finding, Health
from bot.doctor.visit import examine
from bot.workbench.people import Group
from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.server import Workbench
from storage.database import Database
from storage.results import RefusedAnswer
from tests.integration.command_line.desk import MAIN, Desk, Said
from tests.integration.scenes import ME, Scene, new_run

DATABASE = "sqlite:///var/signoff.db"


class Practice:
    """The doctor's: a workbench, a desk that is set up for it, and the bot's database."""

    def __init__(self, desk: Desk, workbench: Workbench) -> None:
        self.desk, self.workbench = desk, workbench
        self.set_up()

    def set_up(self, **settings: str) -> None:
        known = {
            "SLACK_BOT_TOKEN": self.workbench.bot_token,
            "SLACK_APP_TOKEN": self.workbench.app_token,
            "SLACK_API_URL": self.workbench.api_url,
            "SIGNOFF_ADMINS": "U0ANN",
        }
        self.desk.set(**known | settings)

    async def sees(self) -> list[Finding]:
        return await examine(FILE, lambda _done, _total: None)

    async def of(self, check: str) -> list[Finding]:
        return [finding for finding in await self.sees() if finding.check == check]

    async def one(self, check: str) -> Finding:
        (finding,) = await self.of(check)
        return finding

    async def happens(self, story: Callable[[Scene], Awaitable[Any]]) -> Any:
        async with Database(DATABASE) as database:
            return await story(Scene(database))

    async def command(self, *arguments: str) -> Said:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", MAIN, "doctor", *arguments, stdout=-1, stderr=-1, env=os.environ
        )
        out, err = await asyncio.wait_for(process.communicate(), timeout=30)
        return Said(process.returncode or 0, out.decode(), err.decode())


@pytest.fixture
async def practice(desk: Desk) -> AsyncIterator[Practice]:
    async with Workbench() as workbench:
        opened = Practice(desk, workbench)
        await opened.happens(nothing)
        yield opened


async def nothing(_: Scene) -> None:
    pass


async def with_scopes(desk: Desk, scopes: frozenset[str]) -> list[Finding]:
    async with Workbench(workspace=acme(bot_scopes=scopes)) as workbench:
        return await Practice(desk, workbench).of("scopes")


async def test_where_everything_is_well_it_says_so_and_ends_with_0(practice: Practice):
    said = await practice.command()
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("Everything is well.\n")
    checks = {finding.check for finding in await practice.sees()}
    assert {
        "settings",
        "actions",
        "manifest",
        "database",
        "disk",
        "bot token",
        "app token",
        "scopes",
        "clock",
    } <= checks
    assert {"channel #approvals", "members of @finance", "operators", "engine"} <= checks


async def test_warnings_end_with_0_and_a_failure_with_1_and_each_says_what_to_do(practice: Practice):
    practice.set_up(SIGNOFF_ADMINS="")
    said = await practice.command()
    assert said.status == 0
    assert "! warn  operators" in said.out
    assert "→ Set SIGNOFF_ADMINS" in said.out
    practice.workbench.workspace.archive("#approvals")
    said = await practice.command()
    assert said.status == 1
    assert "✘ fail  channel #approvals" in said.out
    assert "1 failing, 1 to look at, " in said.out


async def test_for_scripts_it_is_json_and_never_has_a_secret(practice: Practice):
    practice.set_up(SLACK_SIGNING_SECRET="hunter2-signing", SLACK_APP_TOKEN="xapp-hunter2")
    practice.workbench.workspace.revoke(practice.workbench.bot_token)
    said = await practice.command("--json")
    found = json.loads(said.out)
    assert (said.status, found["health"]) == (1, "fail")
    assert {frozenset(each) for each in found["findings"]} == {frozenset({"check", "health", "seen", "fix"})}
    for secret in ("hunter2", practice.workbench.bot_token):
        assert secret not in said.out + said.err


async def test_a_wrong_option_is_a_matter_of_usage(practice: Practice):
    assert (await practice.command("--loud")).status == 2


# Settings and tokens


async def test_without_settings_it_names_those_that_are_missing_and_looks_at_the_rest(desk: Desk):
    findings = await examine(FILE, lambda _done, _total: None)
    failing = [finding.seen.partition(" ")[0] for finding in findings if finding.health is Health.FAIL]
    assert failing == ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]
    token = next(finding for finding in findings if finding.health is Health.FAIL)
    assert token.seen == "SLACK_BOT_TOKEN is not set"
    assert str(token.fix).startswith("Copy it (xoxb-…) from your Slack app's page")
    assert "manifest" in {finding.check for finding in findings}


async def test_a_setting_that_does_not_fit_is_told_by_its_name(practice: Practice):
    practice.set_up(SIGNOFF_ADMINS="ann@example.com")
    (finding,) = await practice.sees()
    assert finding.health is Health.FAIL
    assert finding.seen.startswith("SIGNOFF_ADMINS: takes Slack ids")


async def test_actions_that_do_not_load_are_told(practice: Practice):
    practice.set_up(ACTIONS="no.such.module")
    finding = await practice.one("actions")
    assert (finding.health, "no.such.module" in finding.seen) == (Health.FAIL, True)


@pytest.mark.parametrize("error", ["token_revoked", "account_inactive"])
async def test_a_refused_bot_token_is_told_with_slacks_word(practice: Practice, error: str):
    practice.workbench.workspace.revoke(practice.workbench.bot_token, error=error)
    finding = await practice.one("bot token")
    assert (finding.health, finding.seen) == (Health.FAIL, f"Slack refused it: {error}")
    assert await practice.of("scopes") == []


async def test_a_refused_app_token_is_told_apart(practice: Practice):
    practice.workbench.workspace.revoke(practice.workbench.app_token)
    assert (await practice.one("app token")).health is Health.FAIL
    assert (await practice.one("bot token")).health is Health.OK


async def test_over_http_no_connection_is_opened(practice: Practice):
    practice.set_up(SLACK_SIGNING_SECRET="s3cret", SIGNOFF_TRANSPORT="http")
    assert (await practice.one("signing secret")).health is Health.OK
    assert await practice.of("app token") == []


async def test_a_slack_that_does_not_answer_is_told(practice: Practice):
    practice.set_up(SLACK_API_URL="http://127.0.0.1:9/api/")
    finding = await practice.one("bot token")
    assert finding.health is Health.FAIL
    assert "could not be reached" in finding.seen


# Scopes and the clock


@pytest.mark.parametrize(
    ("scope", "health"), [("chat:write", Health.FAIL), ("users:read.email", Health.FAIL), ("im:history", Health.WARN)]
)
async def test_a_scope_that_was_not_granted_is_told_with_what_does_not_work_without_it(
    desk: Desk, scope: str, health: Health
):
    missing = [each for each in await with_scopes(desk, BOT_SCOPES - {scope}) if each.health is not Health.OK]
    assert [(each.health, each.seen.startswith(f"{scope} is missing, for ")) for each in missing] == [(health, True)]


async def test_a_scope_more_is_no_matter(desk: Desk):
    assert {each.health for each in await with_scopes(desk, BOT_SCOPES | {"files:write"})} == {Health.OK}


@pytest.mark.parametrize(
    ("off", "health"),
    [(-300, Health.FAIL), (-40, Health.WARN), (0, Health.OK), (5, Health.OK), (40, Health.WARN), (70, Health.FAIL)],
)
async def test_the_clock_is_held_against_slacks(practice: Practice, off: int, health: Health):
    practice.workbench.bench.clock_off = timedelta(seconds=-off)
    finding = await practice.one("clock")
    assert finding.health is health
    if health is not Health.OK:
        assert ("behind" if off < 0 else "ahead of") in finding.seen


# Channels and people


async def test_a_channel_that_the_bot_is_not_in_is_told(practice: Practice):
    practice.workbench.workspace.leave("#approvals", "signoff")
    finding = await practice.one("channel #approvals")
    assert (finding.health, finding.fix) == (Health.WARN, "Invite the bot: /invite")
    assert "the action refund_order" in finding.seen


async def test_a_channel_that_is_archived_is_told(practice: Practice):
    practice.workbench.workspace.archive("#approvals")
    finding = await practice.one("channel #approvals")
    assert (finding.health, "is archived" in finding.seen) == (Health.FAIL, True)


async def test_channels_and_people_of_what_waits_are_looked_at_too(practice: Practice):
    policy = Policy(deciders=(Person("gone@example.com"), Person("U0OMAR")), show=(Channel("#secret"), Channel("#ops")))
    practice.workbench.workspace.deactivate("omar")
    run_id = await practice.happens(lambda scene: waits(scene, policy))
    for check in ("channel #secret", "person gone@example.com", "person U0OMAR"):
        finding = await practice.one(check)
        assert finding.health is Health.FAIL
        assert f"the waiting run {run_id}" in finding.seen
    assert (await practice.one("channel #ops")).health is Health.OK


async def waits(scene: Scene, policy: Policy) -> str:
    return (await scene.posted(now=now(), policy=policy)).run_id


async def test_whom_groups_managers_and_rotas_stand_for_now_is_told(practice: Practice, desk: Desk):
    people = "managers: {U0RITA: U0DANA}\nrotas: {payments: {people: [omar@example.com, x@example.com]}, nights: {people: []}}"
    desk.set(SIGNOFF_PEOPLE=str(written(desk.folder / "people.yml", people.replace("people: []", "group: nobody"))))
    practice.workbench.workspace.groups["S0NOBODY"] = Group("S0NOBODY", "nobody", "Nobody")
    looked_up = (deciders.Group("finance"), deciders.Group("leeds"), deciders.ManagerOf(Person("U0RITA")))
    rotas = (deciders.OnCall("payments"), deciders.OnCall("nights"), deciders.ManagerOf(deciders.Requester()))
    await practice.happens(lambda scene: waits(scene, Policy(deciders=(*looked_up, *rotas))))
    found = {finding.check: finding for finding in await practice.sees()}
    told = {
        "members of @finance": (Health.OK, "Ann Archer, Ben Brook (Slack's user group @finance); named by"),
        "members of @leeds": (Health.FAIL, "there is no group 'leeds'; named by the waiting run"),
        "the manager of U0RITA": (Health.OK, "Dana Diaz (people.yml:1); named by the waiting run"),
        "whoever is on call for payments": (Health.WARN, "x@example.com: nobody in Slack (people.yml:2)"),
        "whoever is on call for nights": (Health.WARN, "nobody now (people.yml:2, Slack's user group @nobody)"),
        "the manager of whoever started it": (Health.OK, "looked up for whoever asks, in the people file, of 1"),
    }
    for check, (health, seen) in told.items():
        assert (check, found[check].health) == (check, health)
        assert found[check].seen.startswith(seen), found[check]


async def test_a_people_file_with_mistakes_is_told_with_its_lines(practice: Practice, desk: Desk):
    desk.set(SIGNOFF_PEOPLE=str(written(desk.folder / "people.yml", "groups: {finance: [ann]}")))
    (finding,) = await practice.of("people file")
    assert (finding.health, "people.yml:1: groups.finance[1] must be" in finding.seen) == (Health.FAIL, True)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


async def test_operators_who_are_nobody_or_a_bot_or_gone_are_told(practice: Practice):
    practice.set_up(SIGNOFF_ADMINS="U0ANN,U0NOBODY,U0SIGNOFF,U0BEN")
    practice.workbench.workspace.deactivate("ben")
    findings = await practice.of("operators")
    assert [finding.health for finding in findings] == [Health.OK, *[Health.FAIL] * 3]
    assert [finding.seen for finding in findings[1:]] == [
        "U0NOBODY: nobody in Slack",
        "U0SIGNOFF: Signoff is a bot",
        "U0BEN: Ben Brook has left Slack",
    ]


async def test_a_look_up_that_fails_is_no_verdict(practice: Practice):
    await practice.happens(lambda scene: waits(scene, Policy(deciders=Person("dana@example.com"))))
    practice.workbench.faults.fail("users.lookupByEmail", "internal_error", times=9)
    finding = await practice.one("person dana@example.com")
    assert (finding.health, "could not be looked up" in finding.seen) == (Health.WARN, True)


# The database and the engine


@pytest.mark.parametrize(("migrate", "health"), [("true", Health.WARN), ("false", Health.FAIL)])
async def test_a_database_that_is_not_there_is_told_and_not_made(desk: Desk, migrate: str, health: Health):
    desk.set(SIGNOFF_MIGRATE=migrate)
    (finding,) = [each for each in await examine(FILE, lambda _done, _total: None) if each.check == "database"]
    assert (finding.health, "is not there yet" in finding.seen) == (health, True)
    assert list(desk.folder.iterdir()) == []


async def test_a_newer_schema_is_told_and_its_rows_are_not_read(practice: Practice):
    await practice.happens(lambda scene: scene.database.write("", newer))
    finding = await practice.one("database")
    assert (finding.health, "0999" in finding.seen) == (Health.FAIL, True)
    assert await practice.of("engine") == []


def newer(transaction: Any) -> None:
    transaction.connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")


def overwrite_the_file() -> None:
    Path("var/signoff.db").write_bytes(b"not a database, but long enough to be looked at" * 100)
    for each in ("var/signoff.db-wal", "var/signoff.db-shm"):
        Path(each).unlink(missing_ok=True)


async def test_a_file_that_is_no_database_is_told(practice: Practice):
    overwrite_the_file()
    assert (await practice.of("database"))[0].health is Health.FAIL


async def test_a_file_that_others_may_read_is_told(practice: Practice):
    os.chmod("var/signoff.db", 0o644)  # noqa: PTH101 - in an async test
    assert Health.WARN in {finding.health for finding in await practice.of("database")}


async def test_what_is_stuck_is_counted_and_says_where_to_look(practice: Practice):
    async def troubles(scene: Scene) -> None:
        long_ago = now() - timedelta(minutes=10)
        await scene.store.start(new_run(), lease=None, now=long_ago)
        for status in (RunStatus.STALLED, RunStatus.STALLED, RunStatus.FAILED):
            run = await scene.running(now=now())
            failure = Failure(kind="ValueError", message="boom")
            await scene.store.finish(run.id, run.epoch, owner=ME, status=status, failure=failure, now=now())

    await practice.happens(troubles)
    told = {finding.seen.partition(";")[0]: finding for finding in await practice.of("engine")}
    stalled = told["2 runs stalled, so nobody knows whether it happened"]
    assert (stalled.health, stalled.fix) == (
        Health.WARN,
        "Look at them with /signoff stuck, or signoff runs --status stalled.",
    )
    assert told["1 run failed within a day"].health is Health.WARN
    assert told["1 run queued for more than a minute"].health is Health.FAIL


async def test_messages_that_slack_does_not_take_are_told_with_its_word(practice: Practice):
    async def tried(scene: Scene) -> None:
        await scene.asked(now=now())
        for _ in range(6):
            (copy,) = await scene.take(now() + timedelta(minutes=1))
            await scene.store.copy_retry(copy.id, owner=ME, error="token_revoked", next_at=now())

    await practice.happens(tried)
    (finding,) = await practice.of("messages")
    assert (finding.health, finding.seen) == (Health.FAIL, "1 message behind; Slack says token_revoked")


# Waiting questions


async def alike(scene: Scene) -> str:
    """Two equal requests wait; the second has a kind of card that nobody registered, and an answer did not count."""
    await scene.posted(now=now())
    asked = await scene.posted(now=now(), ui="conect_wallet")
    refused = RefusedAnswer(asked.id, "U0ANN", "http", "invalid", "no", {"reson": "text"}, ("/reason",))
    await scene.store.answer_refused(refused, now=now())
    return asked.run_id


async def test_what_keeps_questions_from_being_answered_is_told_with_the_run(practice: Practice):
    run_id = await practice.happens(alike)
    told = {finding.seen.partition(",")[0]: finding for finding in await practice.of("questions")}
    assert set(told) == {"a card that never appears", "cards that stack up", "an answer that does nothing"}
    assert {finding.health for finding in told.values()} == {Health.WARN}
    assert f"the run {run_id}: No kind of card is called “conect_wallet”" in told["a card that never appears"].seen
    assert "Did you mean “connect_wallet”?" in told["a card that never appears"].seen
    assert "“no” with {reson: text}; it does not fit at /reason" in told["an answer that does nothing"].seen
    assert f"See signoff doctor {run_id}." in (told["an answer that does nothing"].fix or "")


async def test_one_run_is_examined_with_those_in_slack_who_are_to_answer_it(practice: Practice):
    async def asks_in_vain(scene: Scene) -> str:
        run = await scene.running(now=now(), requester="U0RITA")
        deciders, starters = [Person("U0RITA"), ChannelMembers("#approvals")], [Person("U0ANN")]
        asked = await scene.asked(run, now=now(), policy=Policy(deciders=deciders, starters=starters))
        (copy,) = await scene.take(now())
        await scene.store.copy_refused(copy.id, owner=ME, error="is_archived", fallbacks=(), now=now())
        return asked.run_id

    workspace = practice.workbench.workspace
    channel = workspace.conversation("#approvals")
    assert channel
    for member in {*channel.members} - {"U0RITA", workspace.app.user}:
        workspace.leave("#approvals", member)
    run_id = await practice.happens(asks_in_vain)
    said = await practice.command(run_id[:-4], "--json")
    found = {each["check"]: each for each in json.loads(said.out)["findings"]}
    assert said.status == 1
    people = ["person U0ANN", "person U0RITA"]
    assert sorted(found) == sorted(["run", "a card that never appears", "channel #approvals", *people, "deciders"])
    assert "the channel is archived (is_archived)" in found["a card that never appears"]["seen"]
    assert found["a card that never appears"]["fix"].startswith("Unarchive the channel")
    assert found["deciders"]["seen"].startswith("it takes 1, and of 2 candidates none may answer")

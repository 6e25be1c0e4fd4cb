"""`signoff who`: who would decide a request, stage by stage, from where each comes, and who may not and why."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from textwrap import dedent

import pytest

from actions.kit.policies.absences import Absence
from blocks.text import utc
from bot import clock
from bot.cli.who import tell_who
from bot.settings import Settings
from bot.workbench.server import Workbench
from storage.database import Database
from storage.store import Store
from tests.integration.command_line.desk import MAIN, Desk

ACTIONS = """
    from pydantic import BaseModel
    from actions import (
        ChannelMembers, Context, Group, ManagerOf, OnCall, Person, Policy, Requester, Stage, action, field,
    )

    class Order(BaseModel):
        amount: int

    def order(id, policy):
        @action(id=id, name="Order", description="D", policy=policy)
        async def ordered(input: Order, ctx: Context) -> None:
            return None
        return ordered

    staged = order("staged", Policy(stages=(
        Stage(deciders=ManagerOf(Requester())),
        Stage(deciders=(Group("finance"), Person("gus@example.com"), Person("nobody@example.com")), quorum=2,
              exclude=Person("ben@example.com"), when=field("amount") > 5_000, separate=True),
    )))
    unknown = order("unknown", Policy(deciders=(Group("leeds"), OnCall("payments"))))
    everybody = order("everybody", Policy(deciders=ChannelMembers("#approvals")))
"""
PEOPLE = """
    managers: {rita@example.com: dana@example.com}
    rotas:
      payments:
        turns: [omar@example.com]
        since: 2999-01-01T09:00
"""


@pytest.fixture
async def workbench(desk: Desk) -> AsyncIterator[Workbench]:
    """A workbench, and at the desk a team's actions and people file."""
    module = f"orders_{desk.folder.name}".replace("-", "_")
    (desk.folder / f"{module}.py").write_text(dedent(ACTIONS))
    (desk.folder / "people.yml").write_text(dedent(PEOPLE))
    desk.monkeypatch.syspath_prepend(str(desk.folder))
    async with Workbench() as workbench:
        desk.set(
            SLACK_BOT_TOKEN=workbench.bot_token,
            SLACK_API_URL=workbench.api_url,
            ACTIONS=module,
            SIGNOFF_PEOPLE="people.yml",
        )
        yield workbench


async def told(capsys: pytest.CaptureFixture[str], action: str, *, amount: int = 100, person: str = "U0RITA") -> str:
    await tell_who(action, [f"amount={amount}"], None, person, as_json=False)
    return capsys.readouterr().out


async def refused(capsys: pytest.CaptureFixture[str], action: str, **more: str) -> str:
    with pytest.raises(SystemExit):
        await told(capsys, action, **more)  # type: ignore[arg-type]
    return capsys.readouterr().err


@pytest.mark.parametrize("person", ["U0RITA", "rita@example.com"])
async def test_a_stage_that_does_not_apply_is_said_and_why(workbench: Workbench, capsys, person: str):
    assert await told(capsys, "staged", person=person) == dedent("""\
        If U0RITA asked for Order now:

        the manager of U0RITA
          ✔ Dana Diaz (U0DANA): the manager of U0RITA: people.yml:2

        Not asked: 2 of members of @finance, U0GUS or nobody@example.com, as Amount is at most 5,000
    """)


async def test_each_stage_says_who_decides_and_who_does_not(workbench: Workbench, capsys):
    assert await told(capsys, "staged", amount=7_000) == dedent("""\
        If U0RITA asked for Order now:

        Stage 1 of 2: the manager of U0RITA
          ✔ Dana Diaz (U0DANA): the manager of U0RITA: people.yml:2

        Stage 2 of 2: 2 of members of @finance, U0GUS or nobody@example.com, but not U0BEN
          ✔ Ann Archer (U0ANN): members of @finance: Slack's user group @finance
          ✘ Ben Brook (U0BEN): is left out by the policy; members of @finance: Slack's user group @finance
          ✔ Gus Guest (U0GUS): named in the policy
          ! nobody@example.com is nobody in Slack
          ! not whoever decided an earlier stage
    """)


async def test_who_is_away_is_said_and_who_decides_in_their_place(workbench: Workbench, desk: Desk, capsys):
    now = clock.now()
    dates = Absence("U0DANA", "U0OMAR", now, now + timedelta(days=1), "slack", now)
    async with Database(Settings.load().database_url) as database:
        store = Store(database)
        await store.absences.set(dates)
        await store.absences.set(replace(dates, person="U0GUS", stand_in="U0ANN", by_status=True))
        await store.absences.set(replace(dates, person="U0ANN", by_status=True))
    workbench.workspace.people["U0GUS"].status_emoji = ":palm_tree:"
    said = " ".join((await told(capsys, "staged", amount=7_000)).split())
    assert f"people.yml:2 · away (until {utc(dates.until)}), and U0OMAR stands in" in said
    assert "named in the policy · away (Slack status), and U0ANN stands in" in said
    assert said.count("away (") == 2


async def test_somebody_without_a_manager_is_told_that_nobody_can_decide(workbench: Workbench, capsys):
    said = await told(capsys, "staged", person="U0OMAR")
    assert "! the manager of U0OMAR: nobody now; no manager of U0OMAR is known" in said
    assert "✘ It needs 1, and nobody can decide." in said


async def test_names_that_nobody_knows_and_rotas_without_anybody_are_told(workbench: Workbench, capsys):
    said = await told(capsys, "unknown")
    assert "! members of @leeds: there is no group 'leeds'. Make the user group in Slack" in said
    assert "! whoever is on call for payments: nobody now; people.yml:4" in said


async def test_what_slack_does_not_say_is_a_note_and_nobody_passes(workbench: Workbench, capsys):
    token = workbench.workspace.tokens[workbench.bot_token]
    token.scopes -= {"usergroups:read"}
    said = await told(capsys, "unknown")
    assert "could not be verified now (missing_scope), so nobody passes as one of them" in said


async def test_members_of_a_channel_are_listed_and_the_requester_is_none_of_them(workbench: Workbench, capsys):
    said = await told(capsys, "everybody")
    assert "✘ Rita Rossi (U0RITA): asks for it, and nobody approves their own request; members of #approvals" in said
    assert "✘ Signoff (U0SIGNOFF): is a bot" in said
    assert said.count("✔") == 3


async def test_input_and_requester_are_checked(workbench: Workbench, capsys):
    assert "There is no action 'stagd'. Did you mean 'staged'?" in await refused(capsys, "stagd")
    assert "--as says who would ask" in await refused(capsys, "staged", person="")
    assert "'rita' is neither" in await refused(capsys, "staged", person="rita")
    assert "Nobody in Slack has the e-mail address" in await refused(capsys, "staged", person="x@example.com")
    assert "amount must be a whole number" in await refused(capsys, "staged", amount="much")


async def test_the_command_prints_json_and_starts_nothing(workbench: Workbench, desk: Desk):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((os.environ["PYTHONPATH"], str(desk.folder)))}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MAIN, "who", "staged", "amount=7000", "--as", "U0RITA", "--json"),
        stdout=-1,
        stderr=-1,
        env=environment,
    )
    out, err = await asyncio.wait_for(process.communicate(), timeout=60)
    assert (process.returncode, err) == (0, b"")
    said = json.loads(out)
    assert [[person["id"] for person in stage["people"]] for stage in said["stages"]] == [
        ["U0DANA"],
        ["U0ANN", "U0BEN", "U0GUS"],
    ]
    assert not (desk.folder / "var").exists()

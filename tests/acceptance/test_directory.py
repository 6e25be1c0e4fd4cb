"""A click asks who somebody is now: in a group, on call, a manager; and what nobody can say is a refusal."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from actions import ActionInterrupt, Channel, Context, Group, ManagerOf, OnCall, Policy, Requester, action
from actions.kit.policies.deciders import Decider
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from bot.directory.known import UnknownNamesError
from bot.workbench.people import Group as UserGroup
from bot.workbench.people import ProfileField
from tests.acceptance.office import Office
from tests.acceptance.test_refusals import COULD_NOT_VERIFY

NOT_ONE_OF_THOSE = "You are not one of those who may answer this"


class Nothing(BaseModel):
    """An input without fields."""


def decided_by(name: str, decider: Decider, *, show: Channel | None = None) -> Registry:
    policy = Policy(deciders=decider, show=show or ())

    @action(id=name, name=name.title(), description="Asks.", policy=policy)
    async def asks(input: Nothing, ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt("Ship it?")

    return Registry([asks])


def on_call(path: Path, who: str) -> Path:
    path.write_text(f"rotas: {{payments: {{people: {who}@example.com}}}}")
    return path


@pytest.fixture
def people_file(tmp_path: Path) -> Path:
    return on_call(tmp_path / "people.yml", "omar")


def leads(office: Office, *members: str) -> None:
    office.workbench.workspace.groups["S0LEADS"] = UserGroup("S0LEADS", "leads", "Leads", members=list(members))


async def test_members_of_a_group_decide_and_nobody_else(closed_office: Office):
    leads(closed_office, "U0DANA", "U0GUS", "U0RITA")
    await closed_office.open(decided_by("ship", Group("leads"), show=Channel("#general")))
    run = await closed_office.start("ship", {})
    for name, words in {
        "ann": NOT_ONE_OF_THOSE,
        "gus": "Guests cannot answer this",
        "rita": "nobody approves their own request",
    }.items():
        tab = closed_office.person(name)
        await tab.click(await tab.sees("Ship it?", in_="#general"), "Approve")
        await tab.is_told(words)
    dana = closed_office.person("dana")
    await dana.click(await dana.sees("Ship it?", in_="#general"), "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
    assert [decision.person for decision in await closed_office.decisions(run.id)] == ["U0DANA"]


async def test_while_slack_does_not_say_who_is_in_a_group_nobody_passes(closed_office: Office):
    leads(closed_office, "U0DANA")
    workspace = closed_office.workbench.workspace
    token = workspace.tokens[closed_office.workbench.bot_token]
    granted, token.scopes = token.scopes, token.scopes - {"usergroups:read"}
    await closed_office.open(decided_by("ship", Group("leads"), show=Channel("#approvals")))
    run = await closed_office.start("ship", {})
    dana = closed_office.person("dana")
    card = await dana.sees("Ship it?", in_="#approvals")
    await dana.click(card, "Approve")
    await dana.is_told(COULD_NOT_VERIFY)
    assert await closed_office.decisions(run.id) == []
    token.scopes = granted
    await dana.click(card, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)


async def test_a_rota_that_changes_between_two_clicks_changes_who_decides(closed_office: Office, people_file: Path):
    await closed_office.open(decided_by("ship", OnCall("payments"), show=Channel("#general")), people=people_file)
    run = await closed_office.start("ship", {})
    ann, omar = closed_office.person("ann"), closed_office.person("omar")
    await ann.click(await ann.sees("Ship it?", in_="#general"), "Approve")
    await ann.is_told(NOT_ONE_OF_THOSE)
    on_call(people_file, "ann")
    await omar.click(await omar.sees("Ship it?", in_="#general"), "Approve")
    await omar.is_told(NOT_ONE_OF_THOSE)
    await ann.click(await ann.sees("Ship it?", in_="#general"), "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
    assert [decision.person for decision in await closed_office.decisions(run.id)] == ["U0ANN"]


async def test_the_manager_of_whoever_asks_is_asked_by_direct_message(closed_office: Office):
    workspace = closed_office.workbench.workspace
    workspace.profile_fields["Xf1"] = ProfileField("Xf1", "Manager", "user")
    workspace.people["U0RITA"].fields = {"Xf1": "U0BEN"}
    await closed_office.open(decided_by("ship", ManagerOf(Requester())), manager_field="Manager")
    run = await closed_office.start("ship", {})
    ben = closed_office.person("ben")
    await ben.click(await ben.sees("Ship it?", in_="dm"), "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)


async def test_the_bot_does_not_start_with_a_name_that_no_source_knows(closed_office: Office, people_file: Path):
    with pytest.raises(UnknownNamesError) as refused:
        await closed_office.open(decided_by("ship", Group("leeds")), people=people_file)
    (mistake,) = refused.value.mistakes
    assert mistake.startswith("ship: there is no group 'leeds'. Make the user group in Slack")

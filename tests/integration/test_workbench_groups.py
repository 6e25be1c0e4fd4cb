"""User groups, profiles with a company's own fields, reactions, and what a bot does with channels."""

import pytest
from slack_sdk.errors import SlackApiError

from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.server import Workbench
from bot.workbench.workspace import Group, ProfileField
from tests.integration.workbench_bots import client_of

SCOPES = BOT_SCOPES | {
    "channels:join",
    "channels:manage",
    "reactions:read",
    "reactions:write",
    "team:read",
    "usergroups:read",
    "users.profile:read",
}


def company():
    workspace = acme(bot_scopes=SCOPES)
    workspace.groups["S0LEADS"] = Group("S0LEADS", "leads", "Team leads", members=["U0ANN", "U0DANA"])
    workspace.groups["S0OLD"] = Group("S0OLD", "old", "Old", members=["U0BEN"], disabled=True)
    workspace.profile_fields["Xf1"] = ProfileField("Xf1", "Manager", "user")
    workspace.people["U0RITA"].fields = {"Xf1": "U0DANA"}
    return workspace


@pytest.fixture
async def workbench():
    async with Workbench(workspace=company()) as workbench:
        yield workbench


@pytest.fixture
def client(workbench):
    return client_of(workbench)


async def refusal(call):
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response["error"]


async def test_groups_are_listed_with_their_people_where_they_are_asked_for(client):
    _, leads = (await client.usergroups_list(include_users=True, include_count=True))["usergroups"]
    assert (leads["id"], leads["handle"], leads["users"], leads["user_count"]) == (
        "S0LEADS",
        "leads",
        ["U0ANN", "U0DANA"],
        2,
    )
    both = (await client.usergroups_list(include_disabled=True))["usergroups"]
    assert [(group["handle"], group["date_delete"] == 0, "users" in group) for group in both] == [
        ("finance", True, False),
        ("leads", True, False),
        ("old", False, False),
    ]


async def test_who_left_the_company_is_in_no_group_any_more(workbench, client):
    workbench.workspace.deactivate("ann")
    assert (await client.usergroups_users_list(usergroup="S0LEADS"))["users"] == ["U0DANA"]


async def test_a_group_that_is_unknown_or_disabled_has_nobody(client):
    assert await refusal(client.usergroups_users_list(usergroup="S0NONE")) == "no_such_subteam"
    assert await refusal(client.usergroups_users_list(usergroup="S0OLD")) == "no_such_subteam"
    assert (await client.usergroups_users_list(usergroup="S0OLD", include_disabled=True))["users"] == ["U0BEN"]


async def test_a_manager_is_what_a_custom_field_says(client):
    (field,) = (await client.team_profile_get())["profile"]["fields"]
    assert (field["id"], field["label"], field["type"]) == ("Xf1", "Manager", "user")
    profile = (await client.users_profile_get(user="U0RITA", include_labels=True))["profile"]
    assert profile["fields"] == {"Xf1": {"value": "U0DANA", "alt": "", "label": "Manager"}}
    assert (profile["real_name"], profile["email"], "manager" in profile) == ("Rita Rossi", "rita@example.com", False)
    assert (await client.users_profile_get())["profile"]["real_name"] == "Signoff"
    assert await refusal(client.users_profile_get(user="U0NOBODY")) == "user_not_found"


@pytest.mark.parametrize(
    ("method", "arguments", "needed"),
    [
        ("usergroups.list", {}, "usergroups:read"),
        ("usergroups.users.list", {"usergroup": "S0LEADS"}, "usergroups:read"),
        ("users.profile.get", {}, "users.profile:read"),
        ("team.profile.get", {}, "users.profile:read"),
        ("team.info", {}, "team:read"),
        ("reactions.add", {"channel": "C0GENERAL", "timestamp": "1.2", "name": "eyes"}, "reactions:write"),
        ("conversations.join", {"channel": "C0GENERAL"}, "channels:join"),
        ("conversations.invite", {"channel": "C0GENERAL", "users": "U0ANN"}, "channels:manage"),
        ("conversations.create", {"name": "new", "is_private": True}, "groups:write"),
    ],
)
async def test_each_method_names_the_scope_that_it_lacks(method, arguments, needed):
    async with Workbench(workspace=acme(bot_scopes=frozenset({"chat:write"}))) as workbench:
        with pytest.raises(SlackApiError) as refused:
            await client_of(workbench).api_call(method, params=arguments)
    answer = refused.value.response
    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", needed, "chat:write")


async def test_the_team_says_its_name(client):
    assert (await client.team_info())["team"]["domain"] == "acme"


async def test_a_reaction_is_added_once_seen_and_taken_back(workbench, client):
    said = workbench.person("ann").say("Good news", "#approvals")
    place = {"channel": said.channel, "timestamp": said.ts}
    await client.reactions_add(**place, name="tada")
    assert await refusal(client.reactions_add(**place, name="tada")) == "already_reacted"
    workbench.person("ben").react(said, "tada")
    seen = (await client.reactions_get(**place))["message"]["reactions"]
    assert seen == [{"name": "tada", "users": ["U0SIGNOFF", "U0BEN"], "count": 2}]
    await client.reactions_remove(**place, name="tada")
    assert await refusal(client.reactions_remove(**place, name="tada")) == "no_reaction"
    assert await refusal(client.reactions_add(**place, name="No!")) == "invalid_name"
    nothing = {"channel": said.channel, "timestamp": "1.2"}
    assert await refusal(client.reactions_add(**nothing, name="tada")) == "message_not_found"


async def test_a_bot_joins_public_channels_alone(workbench, client):
    workbench.workspace.leave("#approvals", "signoff")
    joined = await client.conversations_join(channel="C0APPROVALS")
    assert joined["channel"]["is_member"]
    assert (await client.conversations_join(channel="C0APPROVALS"))["warning"] == "already_in_channel"
    assert await refusal(client.conversations_join(channel="C0OPS")) == "method_not_supported_for_channel_type"
    workbench.workspace.archive("#general")
    assert await refusal(client.conversations_join(channel="C0GENERAL")) == "is_archived"


async def test_a_bot_makes_a_channel_invites_people_and_archives_it(workbench, client):
    made = (await client.conversations_create(name="launch-day"))["channel"]
    await client.conversations_invite(channel=made["id"], users="U0ANN,U0BEN")
    assert await refusal(client.conversations_invite(channel=made["id"], users="U0ANN")) == "already_in_channel"
    await client.conversations_setTopic(channel=made["id"], topic="Lift-off")
    await client.chat_postMessage(channel=made["id"], text="Welcome")
    await workbench.person("ben").sees("Welcome", "#launch-day")
    assert workbench.workspace.conversation("launch-day").topic == "Lift-off"
    await client.conversations_archive(channel=made["id"])
    assert await refusal(client.chat_postMessage(channel=made["id"], text="Late")) == "is_archived"
    assert await refusal(client.conversations_archive(channel=made["id"])) == "already_archived"


@pytest.mark.parametrize(
    ("name", "error"),
    [("general", "name_taken"), ("Has Spaces", "invalid_name_specials"), ("x" * 81, "invalid_name_maxlength")],
)
async def test_a_channels_name_is_new_and_plain(client, name, error):
    assert await refusal(client.conversations_create(name=name)) == error


async def test_a_bot_leaves_all_but_the_general_channel(workbench, client):
    assert (await client.conversations_leave(channel="C0APPROVALS"))["ok"]
    assert "U0SIGNOFF" not in workbench.workspace.conversations["C0APPROVALS"].members
    assert (await client.conversations_leave(channel="C0APPROVALS"))["not_in_channel"]
    assert await refusal(client.conversations_leave(channel="C0GENERAL")) == "cant_leave_general"

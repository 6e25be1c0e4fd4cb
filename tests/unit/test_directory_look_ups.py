"""For whom a group, a manager and a rota stand: Slack first, then the people file; what is not certain is no answer."""

import os
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from aiohttp import web

from actions.kit.policies.deciders import ChannelMembers, Group, ManagerOf, OnCall, Person, Requester
from bot.directory.book import PeopleBook
from bot.directory.directory import Directory
from bot.directory.feeds import Feeds
from bot.engine.people import CouldNotVerify, UnknownName
from bot.slack.client import open_clients
from tests.unit.test_directory_calendars import OMAR, TODAY, calendar, event
from tests.unit.tiny_slack import OK, failed

RITA, ANN, BEN, DANA, EVE = "U0RITA", "U0ANN", "U0BEN", "U0DANA", "U0EVE"
FILE = """\
managers:
  rita@example.com: ann@example.com
  U0ANN: dana@example.com
  ben@example.com: nobody@example.com
groups:
  finance: [ann@example.com, U0BEN]
  legal: [ann@example.com, nobody@example.com]
rotas:
  search: {turns: [ann@example.com, U0BEN], since: 2026-11-30T09:00, timezone: Europe/Rome}
  security: {people: dana@example.com}
  mailer: {group: leads}
  payments: {calendar: FEED}
"""
NINE_IN_ROME = datetime(2026, 11, 30, 8, tzinfo=UTC)


class Clock:
    seconds = 1_000.0
    now = NINE_IN_ROME

    def timer(self):
        return self.seconds

    def wall(self):
        return self.now


class Room:
    """A directory over a small Slack and a file."""

    def __init__(self, slack, path, clock):
        self.slack, self.path, self.clock = slack, path, clock

    def write(self, text):
        before = self.path.stat().st_mtime_ns if self.path.exists() else 0
        self.path.write_text(text)
        os.utime(self.path, ns=(before + 1_000_000_000, before + 1_000_000_000))

    async def open(self, stack, **settings):
        clients = await stack.enter_async_context(open_clients("xoxb-test", self.slack.api_url))
        feeds = await stack.enter_async_context(Feeds(budget=1.0, clock=self.clock.timer, now=self.clock.wall))
        self.directory = Directory(
            clients.reader, PeopleBook(self.path), feeds, timer=self.clock.timer, now=self.clock.wall, **settings
        )
        stack.push_async_callback(self.directory.close)

    async def people(self, lookup, requester=RITA):
        return await self.directory.expand(lookup, requester=requester)

    async def found(self, lookup, requester=RITA):
        return await self.directory.found(lookup, requester=requester)


def user_of(person):
    name = person.removeprefix("U0").lower()
    return {"id": person, "name": name, "profile": {"email": f"{name}@example.com"}}


def by_email(arguments):
    name = arguments["email"].partition("@")[0].upper()
    known = f"U0{name}" in {RITA, ANN, BEN, DANA, EVE, "U0OMAR"}
    return {**OK, "user": user_of(f"U0{name}")} if known else failed("users_not_found")


def answers(slack):
    slack.methods["users.info"] = lambda arguments: {**OK, "user": user_of(arguments["user"])}
    slack.methods["users.lookupByEmail"] = by_email
    leads = {"id": "S0LEADS", "handle": "leads", "date_delete": 0}
    slack.answer("usergroups.list", {**OK, "usergroups": [leads]})
    members = {"S0LEADS": [ANN, DANA]}
    slack.methods["usergroups.users.list"] = lambda arguments: (
        {**OK, "users": members[arguments["usergroup"]]}
        if arguments["usergroup"] in members
        else failed("no_such_subteam")
    )
    field = {"id": "Xf0MANAGER", "label": "Manager", "type": "user"}
    slack.answer("team.profile.get", {**OK, "profile": {"fields": [field]}})
    manages(slack, {})


def manages(slack, values):
    def profile(arguments):
        fields = {"Xf0MANAGER": {"value": values.get(arguments["user"], ""), "alt": ""}}
        return {**OK, "profile": {"fields": fields}}

    slack.methods["users.profile.get"] = profile


@pytest_asyncio.fixture
async def room(slack, tmp_path):
    answers(slack)
    room = Room(slack, tmp_path / "people.yml", Clock())
    room.write(FILE.replace("FEED", f"{slack.url}/api/payments.ics"))
    async with AsyncExitStack() as stack:
        await room.open(stack, manager_field="manager")
        yield room


# --- groups


@pytest.mark.parametrize("group", ["leads", "S0LEADS"])
async def test_a_group_of_slacks_is_found_by_its_handle_and_by_its_id(room, group):
    found = await room.found(Group(group))
    assert (found.people, found.source) == ({ANN, DANA}, f"Slack's user group @{group}")


async def test_a_group_that_slack_does_not_have_is_looked_for_in_the_file(room):
    found = await room.found(Group("finance"))
    assert (found.people, found.source) == ({ANN, BEN}, "people.yml:6")


async def test_where_slack_has_a_group_the_one_in_the_file_does_not_count(room):
    listed = [{"id": "S0LEADS", "handle": "finance", "date_delete": 0}]
    room.slack.answer("usergroups.list", {**OK, "usergroups": listed})
    assert await room.people(Group("finance")) == {ANN, DANA}


async def test_a_workspace_whose_plan_has_no_groups_has_those_of_the_file(room):
    room.slack.answer("usergroups.list", failed("plan_upgrade_required"))
    assert await room.people(Group("finance")) == {ANN, BEN}


@pytest.mark.parametrize("error", ["missing_scope", "ratelimited", "internal_error"])
async def test_what_slack_refuses_to_say_is_never_filled_in_from_the_file(room, error):
    room.slack.answer("usergroups.list", failed(error))
    with pytest.raises(CouldNotVerify, match=error):
        await room.people(Group("finance"))


async def test_a_disabled_group_is_none(room):
    disabled = {"id": "S0OLD", "handle": "old", "date_delete": 1764460800}
    room.slack.answer("usergroups.list", {**OK, "usergroups": [disabled]})
    for name in ("old", "S0OLD"):
        with pytest.raises(UnknownName, match=f"there is no group '{name}'"):
            await room.people(Group(name))


async def test_a_group_is_kept_for_a_minute_and_asked_anew_then(room):
    assert await room.people(Group("leads")) == {ANN, DANA}
    room.slack.answer("usergroups.users.list", {**OK, "users": [EVE]})
    room.clock.seconds += 59
    assert await room.people(Group("leads")) == {ANN, DANA}
    room.clock.seconds += 2
    assert await room.people(Group("leads")) == {EVE}


async def test_whom_the_file_names_and_slack_does_not_know_is_told_apart(room):
    found = await room.found(Group("legal"))
    assert (found.people, found.strangers) == ({ANN}, ("nobody@example.com",))


async def test_an_address_that_cannot_be_looked_up_makes_the_group_unknown(room):
    room.slack.answer("users.lookupByEmail", failed("internal_error"))
    with pytest.raises(CouldNotVerify, match="internal_error"):
        await room.people(Group("finance"))


# --- managers


async def test_a_manager_is_whom_the_profile_field_names(room):
    manages(room.slack, {RITA: EVE})
    found = await room.found(ManagerOf(Requester()))
    assert (found.people, found.source) == ({EVE}, "the field 'manager' of Slack's profiles")


@pytest.mark.parametrize(
    ("value", "people"), [("dana@example.com", {DANA}), ("U0DANA,U0EVE", {DANA, EVE}), ("nobody@example.com", set())]
)
async def test_the_field_may_hold_an_address_or_several_people(room, value, people):
    manages(room.slack, {RITA: value})
    assert await room.people(ManagerOf(Requester())) == people


async def test_a_field_that_holds_something_else_is_could_not_verify(room):
    manages(room.slack, {RITA: "Dana Diaz"})
    with pytest.raises(CouldNotVerify, match="neither a person nor an e-mail"):
        await room.people(ManagerOf(Requester()))


async def test_where_the_field_is_empty_the_file_says_it(room):
    found = await room.found(ManagerOf(Requester()))
    assert (found.people, found.source) == ({ANN}, "people.yml:2")


async def test_levels_are_gone_up_through_both_sources(room):
    manages(room.slack, {DANA: EVE})
    assert await room.people(ManagerOf(Requester(), level=2)) == {DANA}
    assert await room.people(ManagerOf(Requester(), level=3)) == {EVE}
    assert await room.people(ManagerOf(Requester(), level=4)) == set()


@pytest.mark.parametrize("of", [Person("U0ANN"), Person("ann@example.com")])
async def test_a_manager_of_somebody_named_has_nothing_to_do_with_the_requester(room, of):
    assert await room.people(ManagerOf(of), requester=BEN) == {DANA}


async def test_who_has_no_manager_has_nobody_and_that_is_said(room):
    found = await room.found(ManagerOf(Requester()), requester=EVE)
    assert (found.people, found.source) == (set(), "no manager of U0EVE is known")


async def test_a_requester_who_is_no_slack_id_has_no_manager(room):
    assert await room.people(ManagerOf(Requester()), requester="cron") == set()


@pytest.mark.parametrize("method", ["users.profile.get", "team.profile.get"])
async def test_a_profile_that_slack_does_not_show_is_never_filled_in_from_the_file(room, method):
    room.slack.answer(method, failed("missing_scope"))
    with pytest.raises(CouldNotVerify, match="missing_scope"):
        await room.people(ManagerOf(Requester()))


async def test_a_field_that_there_is_not_is_told(room):
    room.slack.answer("team.profile.get", {**OK, "profile": {"fields": []}})
    with pytest.raises(UnknownName, match="no field 'manager'"):
        await room.directory.check(ManagerOf(Requester()))


# --- rotas


async def test_turns_change_at_their_hour_and_nothing_is_kept_of_them(room):
    assert await room.people(OnCall("search")) == {ANN}
    room.clock.now += timedelta(days=7, seconds=-1)
    assert await room.people(OnCall("search")) == {ANN}
    room.clock.now += timedelta(seconds=1)
    assert await room.people(OnCall("search")) == {BEN}


async def test_before_the_first_turn_nobody_is_on_call(room):
    room.clock.now -= timedelta(seconds=1)
    assert await room.people(OnCall("search")) == set()


async def test_a_rota_may_be_fixed_or_a_group_of_slacks(room):
    assert await room.people(OnCall("security")) == {DANA}
    found = await room.found(OnCall("mailer"))
    assert (found.people, found.source) == ({ANN, DANA}, "people.yml:11, Slack's user group @leads")


async def test_a_rota_by_a_calendar_says_until_when(room):
    room.slack.methods["payments.ics"] = lambda _: web.Response(
        text=calendar(event(TODAY, f"SUMMARY:{OMAR}"), event(TODAY, "SUMMARY:Somebody", uid=2))
    )
    room.clock.now = NINE_IN_ROME + timedelta(hours=2)
    found = await room.found(OnCall("payments"))
    assert (found.people, found.strangers) == ({"U0OMAR"}, ("Somebody",))
    assert found.source == "people.yml:12, its calendar, until 2026-11-30 17:00 UTC"
    room.clock.now = NINE_IN_ROME + timedelta(hours=10)
    room.clock.seconds += 8 * 3_600
    assert await room.people(OnCall("payments")) == set()


async def test_a_hand_over_counts_at_its_second_while_the_calendar_is_kept(room):
    late = "DTSTART:20261130T170000Z\nDTEND:20261130T180000Z"
    shifts = (event(TODAY, f"SUMMARY:{OMAR}"), event(late, "SUMMARY:ann@example.com", uid=2))
    room.slack.methods["payments.ics"] = lambda _: web.Response(text=calendar(*shifts))
    room.clock.now = datetime(2026, 11, 30, 16, 59, 59, tzinfo=UTC)
    assert await room.people(OnCall("payments")) == {"U0OMAR"}
    room.clock.now += timedelta(seconds=1)
    assert await room.people(OnCall("payments")) == {ANN}
    assert len(room.slack.called("payments.ics")) == 1


async def test_a_calendar_that_cannot_be_had_is_could_not_verify(room):
    with pytest.raises(CouldNotVerify, match="calendar"):
        await room.people(OnCall("payments"))


async def test_a_rota_that_there_is_not_is_told(room):
    with pytest.raises(UnknownName, match="there is no rota 'nights'"):
        await room.people(OnCall("nights"))


# --- the file


async def test_a_changed_file_counts_at_once(room):
    assert await room.people(Group("finance")) == {ANN, BEN}
    room.write("groups:\n  finance: [U0EVE]\n")
    assert await room.people(Group("finance")) == {EVE}


async def test_a_changed_file_with_a_mistake_in_it_verifies_nobody_until_it_is_mended(room):
    room.write("groups:\n  finance: [eve]\n")
    for _ in range(2):
        with pytest.raises(CouldNotVerify, match="the people file has mistakes"):
            await room.people(Group("finance"))
    room.path.unlink()
    with pytest.raises(CouldNotVerify):
        await room.people(Group("finance"))
    room.write("groups:\n  finance: [U0EVE]\n")
    assert await room.people(Group("finance")) == {EVE}


async def test_members_of_a_channel_are_expanded_as_well(room):
    room.slack.answer("conversations.members", {**OK, "members": [ANN, RITA]})
    assert await room.people(ChannelMembers("C0OPS")) == {ANN, RITA}
